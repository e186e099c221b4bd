//===- ReferenceLoops.cpp - Element-wise part of the reference ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// Any structured op says through its indexing maps and its body what it
// computes. The body becomes a list of steps on registers; a register holds the
// values of up to `lanes` neighbours along one parallel loop, so that a step is
// a loop over floats.
//
//===----------------------------------------------------------------------===//

#include "ReferenceValue.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/AffineExprVisitor.h"
#include "mlir/Interfaces/IndexingMapOpInterface.h"
#include "llvm/ADT/StringSwitch.h"
#include <cmath>

using namespace mlir;
using namespace mlir::trn;

static constexpr int64_t lanes = 256;
using Register = std::array<float, lanes>;

namespace {

/// One operand: where its element for loop counters all zero is, and how far
/// one step of each loop moves.
struct Operand {
  std::shared_ptr<const HostTensor> data; // absent: splat
  float splat = 0;
  int64_t offset = 0;
  SmallVector<int64_t> strides;
};

using UnaryFunction = float (*)(float);
using BinaryFunction = float (*)(float, float);

struct Step {
  UnaryFunction unary = nullptr;
  BinaryFunction binary = nullptr; // neither: select
  unsigned inputs[3] = {};
  unsigned output = 0;
  std::optional<ElementType> narrow; // rounds
};

/// The body of an op as steps.
struct Body {
  SmallVector<Step> steps;
  SmallVector<std::pair<unsigned, float>> constants;
  SmallVector<unsigned> arguments; // registers
  SmallVector<unsigned> yields;
  unsigned numRegisters = 0;
};

} // namespace

static UnaryFunction findUnary(StringRef name) {
  using F = UnaryFunction;
  return llvm::StringSwitch<F>(name)
      .Cases({"arith.extf", "arith.truncf"}, F([](float x) { return x; }))
      .Case("arith.negf", [](float x) { return -x; })
      .Case("math.absf", [](float x) { return std::fabs(x); })
      .Case("math.exp", [](float x) { return std::exp(x); })
      .Case("math.exp2", [](float x) { return std::exp2(x); })
      .Case("math.expm1", [](float x) { return std::expm1(x); })
      .Case("math.log", [](float x) { return std::log(x); })
      .Case("math.log1p", [](float x) { return std::log1p(x); })
      .Case("math.sqrt", [](float x) { return std::sqrt(x); })
      .Case("math.rsqrt", [](float x) { return 1 / std::sqrt(x); })
      .Case("math.tanh", [](float x) { return std::tanh(x); })
      .Case("math.erf", [](float x) { return std::erf(x); })
      .Case("math.sin", [](float x) { return std::sin(x); })
      .Case("math.cos", [](float x) { return std::cos(x); })
      .Default(nullptr);
}

static BinaryFunction findBinary(StringRef name) {
  return llvm::StringSwitch<BinaryFunction>(name)
      .Case("arith.addf", [](float a, float b) { return a + b; })
      .Case("arith.subf", [](float a, float b) { return a - b; })
      .Case("arith.mulf", [](float a, float b) { return a * b; })
      .Case("arith.divf", [](float a, float b) { return a / b; })
      .Case("arith.maximumf",
            [](float a, float b) {
              return std::isnan(a) || std::isnan(b) ? a + b : std::max(a, b);
            })
      .Case("arith.minimumf",
            [](float a, float b) {
              return std::isnan(a) || std::isnan(b) ? a + b : std::min(a, b);
            })
      .Case("arith.maxnumf", [](float a, float b) { return std::fmax(a, b); })
      .Case("arith.minnumf", [](float a, float b) { return std::fmin(a, b); })
      .Case("math.powf", [](float a, float b) { return std::pow(a, b); })
      .Default(nullptr);
}

/// Comparisons give 1 or 0. Only those that a float program writes are here.
static BinaryFunction findComparison(arith::CmpFPredicate predicate) {
  switch (predicate) {
  case arith::CmpFPredicate::OEQ:
    return [](float a, float b) { return float(a == b); };
  case arith::CmpFPredicate::OGT:
    return [](float a, float b) { return float(a > b); };
  case arith::CmpFPredicate::OGE:
    return [](float a, float b) { return float(a >= b); };
  case arith::CmpFPredicate::OLT:
    return [](float a, float b) { return float(a < b); };
  case arith::CmpFPredicate::OLE:
    return [](float a, float b) { return float(a <= b); };
  case arith::CmpFPredicate::UNE:
    return [](float a, float b) { return float(a != b); };
  case arith::CmpFPredicate::UGT:
    return [](float a, float b) { return float(!(a <= b)); };
  case arith::CmpFPredicate::UGE:
    return [](float a, float b) { return float(!(a < b)); };
  case arith::CmpFPredicate::ULT:
    return [](float a, float b) { return float(!(a >= b)); };
  case arith::CmpFPredicate::ULE:
    return [](float a, float b) { return float(!(a > b)); };
  default:
    return nullptr;
  }
}

static bool describe(Operation &op, Step &step) {
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return (step.binary = findComparison(compare.getPredicate()));
  StringRef name = op.getName().getStringRef();
  if (op.getNumOperands() == 1)
    return (step.unary = findUnary(name));
  if (op.getNumOperands() == 2)
    return (step.binary = findBinary(name));
  return isa<arith::SelectOp>(op);
}

static FailureOr<Body>
compileBody(linalg::LinalgOp op,
            function_ref<std::optional<float>(Value)> captured) {
  Body body;
  DenseMap<Value, unsigned> registers;
  auto define = [&](Value value) {
    return registers[value] = body.numRegisters++;
  };
  auto use = [&](Value value) -> FailureOr<unsigned> {
    if (auto it = registers.find(value); it != registers.end())
      return it->second;
    std::optional<float> constant = captured(value);
    FloatAttr attr;
    if (!constant && matchPattern(value, m_Constant(&attr)))
      constant = attr.getValueAsDouble();
    if (!constant)
      return failure();
    body.constants.emplace_back(body.numRegisters, *constant);
    return define(value);
  };
  for (BlockArgument argument : op.getBlock()->getArguments())
    body.arguments.push_back(define(argument));
  for (Operation &inner : *op.getBlock()) {
    Step step;
    bool isYield = isa<linalg::YieldOp>(inner);
    if (isa<arith::ConstantOp>(inner))
      continue;
    if (!isYield && !describe(inner, step))
      return inner.emitError("cannot compute reference values: '")
             << inner.getName() << "' is not evaluated";
    for (auto [index, operand] : llvm::enumerate(inner.getOperands())) {
      FailureOr<unsigned> input = use(operand);
      if (failed(input))
        return inner.emitError("cannot compute reference values: operand ")
               << index << " is not a float computed here";
      if (isYield)
        body.yields.push_back(*input);
      else
        step.inputs[index] = *input;
    }
    if (isYield)
      break;
    Type type = inner.getResult(0).getType();
    if (isa<FloatType>(type) && !isEvaluated(type))
      return inner.emitError("cannot compute reference values: type ")
             << type << " is not evaluated";
    step.output = define(inner.getResult(0));
    // A sum is rounded once, at its end, as on the core.
    if (op.getNumReductionLoops() == 0)
      step.narrow = getNarrowType(inner.getResult(0).getType());
    body.steps.push_back(step);
  }
  return body;
}

static void runSteps(const Body &body, MutableArrayRef<Register> registers,
                     int64_t count) {
  for (const Step &step : body.steps) {
    const Register &a = registers[step.inputs[0]];
    const Register &b = registers[step.inputs[1]];
    const Register &c = registers[step.inputs[2]];
    Register &out = registers[step.output];
    for (int64_t i = 0; i < count; ++i)
      out[i] = step.unary    ? step.unary(a[i])
               : step.binary ? step.binary(a[i], b[i])
                             : (a[i] != 0 ? b[i] : c[i]);
    if (step.narrow)
      roundTo(*step.narrow, out.data(), count);
  }
}

/// Fails if an index is not a linear function of the loop counters.
static FailureOr<Operand> locate(ArrayRef<int64_t> shape, AffineMap map) {
  Operand operand;
  operand.strides.assign(map.getNumDims(), 0);
  int64_t stride = 1;
  for (unsigned dim = map.getNumResults(); dim-- > 0; stride *= shape[dim]) {
    SmallVector<int64_t> coefficients;
    if (failed(getFlattenedAffineExpr(map.getResult(dim), map.getNumDims(),
                                      /*numSymbols=*/0, &coefficients)) ||
        coefficients.size() != map.getNumDims() + 1)
      return failure();
    for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
      operand.strides[loop] += coefficients[loop] * stride;
    operand.offset += coefficients.back() * stride;
  }
  return operand;
}

namespace {

/// Runs the loops of one op.
class LoopNest {
public:
  LoopNest(Body body, ArrayRef<int64_t> sizes, ArrayRef<Operand> operands,
           MutableArrayRef<float *> outputs, unsigned vectorLoop)
      : body(std::move(body)), sizes(sizes), operands(operands),
        outputs(outputs), vectorLoop(vectorLoop),
        registers(this->body.numRegisters) {
    for (auto [index, value] : this->body.constants)
      registers[index].fill(value);
    for (auto [index, operand] : llvm::enumerate(operands))
      registers[this->body.arguments[index]].fill(operand.splat);
  }

  void run(unsigned loop, ArrayRef<int64_t> offsets) {
    if (loop == sizes.size())
      return runVector(offsets);
    if (loop == vectorLoop)
      return run(loop + 1, offsets);
    SmallVector<int64_t> moved(offsets);
    for (int64_t i = 0; i < sizes[loop]; ++i) {
      run(loop + 1, moved);
      for (auto [offset, operand] : llvm::zip(moved, operands))
        offset += operand.strides[loop];
    }
  }

private:
  void runVector(ArrayRef<int64_t> offsets) {
    bool vector = vectorLoop < sizes.size();
    int64_t size = vector ? sizes[vectorLoop] : 1;
    auto strideOf = [&](unsigned operand) {
      return vector ? operands[operand].strides[vectorLoop] : 0;
    };
    unsigned firstOutput = operands.size() - outputs.size();
    for (int64_t begin = 0; begin < size; begin += lanes) {
      int64_t count = std::min(lanes, size - begin);
      for (unsigned i = 0; i < operands.size(); ++i) {
        const float *from =
            i >= firstOutput ? outputs[i - firstOutput] : valuesOf(operands[i]);
        if (!from)
          continue;
        from += offsets[i] + begin * strideOf(i);
        Register &to = registers[body.arguments[i]];
        for (int64_t lane = 0; lane < count; ++lane)
          to[lane] = from[lane * strideOf(i)];
      }
      runSteps(body, registers, count);
      for (unsigned i = 0; i < outputs.size(); ++i) {
        unsigned operand = firstOutput + i;
        float *to = outputs[i] + offsets[operand] + begin * strideOf(operand);
        const Register &from = registers[body.yields[i]];
        for (int64_t lane = 0; lane < count; ++lane)
          to[lane * strideOf(operand)] = from[lane];
      }
    }
  }

  static const float *valuesOf(const Operand &operand) {
    return operand.data ? static_cast<const float *>(operand.data->data())
                        : nullptr;
  }

  Body body;
  ArrayRef<int64_t> sizes;
  ArrayRef<Operand> operands;
  MutableArrayRef<float *> outputs;
  unsigned vectorLoop;
  std::vector<Register> registers;
};

} // namespace

/// A body that only widens leaves the values as they are.
static bool isIdentity(linalg::LinalgOp op) {
  Operation *terminator = op.getBlock()->getTerminator();
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      !llvm::all_of(op.getIndexingMapsArray(),
                    [](AffineMap map) { return map.isIdentity(); }))
    return false;
  Value value = terminator->getOperand(0);
  while (auto *cast = value.getDefiningOp()) {
    if (!isa<arith::ExtFOp>(cast))
      return false;
    value = cast->getOperand(0);
  }
  return value == op.getBlock()->getArgument(0);
}

static LogicalResult refuseMap(linalg::LinalgOp op) {
  return op.emitError("cannot compute reference values: an indexing map is not "
                      "linear");
}

LogicalResult
mlir::trn::checkLoops(linalg::LinalgOp op, ArrayRef<ReferenceValue> operands,
                      function_ref<std::optional<float>(Value)> captured) {
  if (isIdentity(op))
    return success();
  if (failed(compileBody(op, captured)))
    return failure();
  for (auto [value, map] : llvm::zip(operands, op.getIndexingMapsArray()))
    if (failed(locate(value.shape, map)))
      return refuseMap(op);
  return success();
}

FailureOr<SmallVector<ReferenceValue>>
mlir::trn::evaluateLoops(linalg::LinalgOp op, ArrayRef<ReferenceValue> operands,
                         function_ref<std::optional<float>(Value)> captured) {
  auto refuse = [&](const Twine &reason) -> LogicalResult {
    return op.emitError("cannot compute reference values: ") << reason;
  };
  if (isIdentity(op))
    return SmallVector<ReferenceValue>{operands[0]};
  FailureOr<Body> body = compileBody(op, captured);
  if (failed(body))
    return failure();

  SmallVector<Operand> places;
  SmallVector<ReferenceValue> results;
  SmallVector<float *> outputs;
  for (auto [value, map, operand] :
       llvm::zip(operands, op.getIndexingMapsArray(), op->getOpOperands())) {
    FailureOr<Operand> place = locate(value.shape, map);
    if (failed(place))
      return refuseMap(op);
    place->splat = value.splat;
    if (op.isDpsInit(&operand)) {
      ReferenceValue copy = value;
      auto tensor = HostTensor::create(ElementType::F32, value.shape);
      if (!tensor)
        return refuse(llvm::toString(tensor.takeError()));
      auto *to = static_cast<float *>(tensor->data());
      if (value.data)
        value.data->loadF32(0, value.numElements(), to);
      else
        std::fill_n(to, value.numElements(), value.splat);
      outputs.push_back(to);
      copy.data = std::make_shared<const HostTensor>(std::move(*tensor));
      results.push_back(std::move(copy));
    } else if (value.data) {
      auto wide = widen(value);
      if (!wide)
        return refuse(llvm::toString(wide.takeError()));
      place->data = std::move(*wide);
    }
    places.push_back(std::move(*place));
  }

  // The last parallel loop that moves every output runs over lanes; reductions
  // keep their order.
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  unsigned vectorLoop = sizes.size();
  for (auto [loop, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == utils::IteratorType::parallel &&
        llvm::all_of(ArrayRef(places).take_back(outputs.size()),
                     [loop = loop](const Operand &operand) {
                       return operand.strides[loop] != 0;
                     }))
      vectorLoop = loop;
  SmallVector<int64_t> offsets = llvm::map_to_vector(
      places, [](const Operand &operand) { return operand.offset; });
  LoopNest(std::move(*body), sizes, places, outputs, vectorLoop)
      .run(0, offsets);
  if (op.getNumReductionLoops() != 0)
    for (auto [to, result] : llvm::zip_equal(outputs, op->getResults()))
      if (std::optional<ElementType> narrow = getNarrowType(result.getType()))
        roundTo(*narrow, to,
                countElements(cast<ShapedType>(result.getType()).getShape())
                    .value_or(0));
  return results;
}
