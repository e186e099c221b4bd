//===- FunctionBuilder.h - Build a function of products ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_GENERATE_FUNCTIONBUILDER_H
#define TRN_LIB_GENERATE_FUNCTIONBUILDER_H

#include "trn/Generate/Specs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/Sequence.h"

namespace mlir::trn {

/// A matrix, or the transpose of what `value` holds.
struct Activation {
  Value value;
  bool transposed = false;

  int64_t rows() const { return type().getDimSize(transposed); }
  int64_t columns() const { return type().getDimSize(!transposed); }
  RankedTensorType type() const {
    return cast<RankedTensorType>(value.getType());
  }
};

/// A matrix or a factor; one of 8 bits has a scale for each output.
struct Factor {
  Value value;
  Value scales = nullptr;
};

/// One matrix, or the two factors of one.
struct Weight {
  std::string prefix;
  Factor first;
  Factor second;
  /// Each is [out, in], as checkpoints have it.
  bool transposed = false;
};

/// An operand of work on single elements: its dims are those of the result from
/// `firstDim` on, or the ones that are named.
struct Operand {
  Operand(Value value, unsigned firstDim = 0)
      : value(value), dims(llvm::to_vector<4>(llvm::seq(
                          firstDim, firstDim + unsigned(rankOf(value))))) {}
  Operand(Value value, ArrayRef<unsigned> dims) : value(value), dims(dims) {}

  Value value;
  SmallVector<unsigned, 4> dims;

private:
  static int64_t rankOf(Value value) {
    return cast<RankedTensorType>(value.getType()).getRank();
  }
};

/// Builds a module of public functions, one after the other; names the values
/// by their locations.
class FunctionBuilder {
public:
  /// Computes one element of elements of one type.
  using BodyBuilder =
      llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;

  /// Begins a first function.
  FunctionBuilder(MLIRContext *context, const FunctionSpec &spec,
                  StringRef name = "main");

  Activation addInput(int64_t columns, bool transposed = false);
  /// The argument `w`, or with a rank `u` and `v`, behind the prefix. Weights
  /// of a model have the names that they have in a checkpoint: of `gate`, say.
  Weight addWeight(StringRef prefix, int64_t rows, int64_t columns,
                   std::optional<int64_t> rank, StringRef module = "");
  Value addTensor(const Twine &name, ArrayRef<int64_t> shape);
  /// Takes the tensor of this name from a checkpoint.
  Value addParameter(const Twine &name, ArrayRef<int64_t> shape,
                     std::optional<ElementType> type = std::nullopt);
  /// A tensor of i32.
  Value addIntegers(const Twine &name, ArrayRef<int64_t> shape);

  /// x * weight in f32; the intermediate of two factors, `y` behind the prefix
  /// of the weight, is rounded.
  Value project(const Twine &name, Activation x, const Weight &weight,
                bool transposedResult = false);
  /// Products of the matrices of a batch, in f32: of a [b, m, k] and b [b, k,
  /// n], or b [b, n, k] if it is transposed.
  Value multiplyBatch(const Twine &name, Value a, Value b, bool transposed);
  /// silu(gate) * up, rounded.
  Value multiplyGated(const Twine &name, Value gate, Value up);
  Value round(const Twine &name, Value wide);

  /// Work on single elements, in f32 if any operand or the result is; the
  /// result has the shape of the first operand and is rounded, or wide.
  Value mapElements(const Twine &name, ArrayRef<Operand> operands,
                    BodyBuilder build);
  Value mapWide(const Twine &name, ArrayRef<Operand> operands,
                BodyBuilder build);
  /// Reduces the last dim in f32: `build` gets an element and what the others
  /// are so far, which begins as `initial`.
  Value reduce(const Twine &name, Value operand, double initial,
               BodyBuilder build);
  /// A constant in f32.
  Value constant(const Twine &name, double value);

  Location named(const Twine &name) {
    return NameLoc::get(builder.getStringAttr(name));
  }
  Value empty(ArrayRef<int64_t> shape, Type element);
  Type getStorage() const { return storage; }
  OpBuilder &getBuilder() { return builder; }

  /// Returns the results; another function may begin.
  void endFunction(ValueRange results);
  void beginFunction(StringRef name);
  /// Returns the results and gives the module away.
  OwningOpRef<ModuleOp> finish(ValueRange results);

private:
  void nameParameter(const Twine &name);
  AffineMap map(unsigned row, unsigned column);
  Value addArgument(const Twine &name, ArrayRef<int64_t> shape, Type element);
  Value multiply(const Twine &name, Activation lhs, Activation rhs);
  Value multiplyTransposed(const Twine &name, Activation lhs, Value rhs);
  Value accumulate(const Twine &name, Value a, Value b, int64_t rows,
                   int64_t columns, ArrayRef<AffineMap> maps);
  /// Elements of 8 bits in the type of the operands.
  Value widenStored(const Twine &name, Value stored);
  Value fill(double value, ArrayRef<int64_t> shape);
  Value mapTo(Type element, const Twine &name, ArrayRef<Operand> operands,
              BodyBuilder build);

  OpBuilder builder;
  FunctionSpec spec;
  Type storage;
  OwningOpRef<ModuleOp> module;
  func::FuncOp func;
  /// Of the arguments of `func` that a checkpoint has.
  SmallVector<std::pair<unsigned, StringAttr>> parameters;
};

} // namespace mlir::trn

#endif // TRN_LIB_GENERATE_FUNCTIONBUILDER_H
