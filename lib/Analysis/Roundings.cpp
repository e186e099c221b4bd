//===- Roundings.cpp - Where values lose digits ---------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Analysis/Roundings.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::trn;

/// More different paths than this are not told apart.
static constexpr size_t maxPaths = 64;

namespace {
struct Step {
  Rounding rounding;
  /// The tensor op whose arithmetic rounds; null for conversions.
  Operation *arithmetic = nullptr;
};

/// The roundings on the way from an input, the first one first.
struct Path {
  unsigned input;
  SmallVector<Step, 4> steps;

  bool operator==(const Path &other) const {
    return input == other.input &&
           llvm::equal(steps, other.steps, [](const Step &a, const Step &b) {
             return a.rounding.what == b.rounding.what &&
                    a.arithmetic == b.arithmetic;
           });
  }
};

/// Follows the values that a result is computed from.
class Tracer {
public:
  explicit Tracer(ValueRange inputs) : inputs(inputs) {}

  /// The different paths to `value`; none if they are too many.
  std::optional<SmallVector<Path>> trace(Value value) {
    SmallVector<Path> paths = visit(value);
    return tooMany ? std::nullopt : std::optional(std::move(paths));
  }

private:
  SmallVector<Path> visit(Value value);
  SmallVector<Path> visitSources(Value value);

  ValueRange inputs;
  llvm::DenseMap<Value, SmallVector<Path>> known;
  bool tooMany = false;
};
} // namespace

static FloatType floatOf(Value value) {
  return dyn_cast<FloatType>(getElementTypeOrSelf(value.getType()));
}

static std::string describe(Type type, StringRef how) {
  std::string text;
  llvm::raw_string_ostream(text) << type << " (" << how << ")";
  return text;
}

/// The step, if any, at which `op` makes `result` lose digits of what it reads.
static std::optional<Step> findRounding(Operation *op, Value result) {
  Type type = getElementTypeOrSelf(result.getType());
  if (auto truncate = dyn_cast<arith::TruncFOp>(op)) {
    arith::RoundingMode mode = truncate.getRoundingmode().value_or(
        arith::RoundingMode::to_nearest_even);
    return Step{{describe(type, stringifyRoundingMode(mode)), op->getLoc()}};
  }
  unsigned widest = 0;
  for (Value operand : op->getOperands())
    if (FloatType from = floatOf(operand))
      widest = std::max(widest, from.getWidth());
  if (!widest)
    return std::nullopt;
  auto to = dyn_cast<FloatType>(type);
  if (!to || to.getWidth() < widest)
    return Step{{describe(type, op->getName().getStringRef()), op->getLoc()}};
  if (to.getWidth() < 32 && isa<arith::AddFOp, arith::SubFOp, arith::MulFOp,
                                arith::DivFOp, math::FmaOp>(op)) {
    auto outer = op->getParentOfType<linalg::LinalgOp>();
    auto nearest = stringifyRoundingMode(arith::RoundingMode::to_nearest_even);
    return Step{{describe(type, nearest), op->getLoc()},
                outer ? outer.getOperation() : op};
  }
  return std::nullopt;
}

SmallVector<Path> Tracer::visit(Value value) {
  // Nothing that is found then is kept, so all of it would be looked for again.
  if (tooMany)
    return {};
  if (auto it = known.find(value); it != known.end())
    return it->second;
  SmallVector<Path> paths;
  if (auto it = llvm::find(inputs, value); it != inputs.end())
    paths.push_back({unsigned(it - inputs.begin()), {}});
  else
    paths = visitSources(value);
  tooMany |= paths.size() > maxPaths;
  if (tooMany)
    return {};
  return known[value] = paths;
}

/// The paths to `value` that come through the op that computes it.
SmallVector<Path> Tracer::visitSources(Value value) {
  // What an element of a linalg op is computed from is in its body.
  if (auto argument = dyn_cast<BlockArgument>(value)) {
    auto op = dyn_cast<linalg::LinalgOp>(argument.getOwner()->getParentOp());
    return op ? visit(op.getMatchingOpOperand(argument)->get())
              : SmallVector<Path>();
  }
  Operation *op = value.getDefiningOp();
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return visit(linalgOp.getBlock()->getTerminator()->getOperand(
        cast<OpResult>(value).getResultNumber()));

  SmallVector<Path> paths;
  std::optional<Step> step = findRounding(op, value);
  for (Value operand : op->getOperands())
    for (Path path : visit(operand)) {
      bool again = step && step->arithmetic && !path.steps.empty() &&
                   path.steps.back().arithmetic == step->arithmetic &&
                   path.steps.back().rounding.what == step->rounding.what;
      if (step && !again)
        path.steps.push_back(*step);
      if (!llvm::is_contained(paths, path))
        paths.push_back(std::move(path));
    }
  return paths;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

/// The first difference between two paths.
static std::optional<RoundingDifference> compare(const Path &source,
                                                 const Path &kernel) {
  const Step *next = source.steps.begin();
  std::optional<RoundingDifference> added;
  for (const Step &step : kernel.steps)
    if (next != source.steps.end() && next->rounding.what == step.rounding.what)
      ++next;
    else if (!added)
      added = {RoundingDifference::Added, source.input, step.rounding};
  if (next != source.steps.end())
    return RoundingDifference{RoundingDifference::Dropped, source.input,
                              next->rounding};
  return added;
}

std::optional<RoundingDifference>
mlir::trn::compareRoundings(const Computation &source,
                            const Computation &kernel) {
  auto sourcePaths = Tracer(source.inputs).trace(source.result);
  auto kernelPaths = Tracer(kernel.inputs).trace(kernel.result);
  auto unrelated = [](unsigned input) {
    return RoundingDifference{RoundingDifference::Unrelated, input,
                              std::nullopt};
  };
  if (!sourcePaths || !kernelPaths)
    return RoundingDifference{RoundingDifference::TooMany, 0, std::nullopt};
  // What the kernel takes as several inputs may be one value in the source.
  for (Path &path : *kernelPaths)
    path.input = llvm::find(source.inputs, source.inputs[path.input]) -
                 source.inputs.begin();

  std::optional<RoundingDifference> added;
  for (unsigned input = 0; input < source.inputs.size(); ++input) {
    auto from = [&](const Path &path) { return path.input == input; };
    auto ofSource = llvm::make_filter_range(*sourcePaths, from);
    auto ofKernel = llvm::make_filter_range(*kernelPaths, from);
    if (ofSource.empty() != ofKernel.empty())
      return unrelated(input);
    // Every path has one that is equal on the other side.
    auto differ = [&](const Path &path, auto others, bool isSource) {
      std::optional<RoundingDifference> difference;
      for (const Path &other : others) {
        difference = isSource ? compare(path, other) : compare(other, path);
        if (!difference)
          break;
      }
      return difference;
    };
    auto check = [&](std::optional<RoundingDifference> difference) {
      if (difference && difference->kind == RoundingDifference::Added) {
        added = added ? added : difference;
        return false;
      }
      return difference.has_value();
    };
    for (const Path &path : ofSource)
      if (auto difference = differ(path, ofKernel, true); check(difference))
        return difference;
    for (const Path &path : ofKernel)
      if (auto difference = differ(path, ofSource, false); check(difference))
        return difference;
  }
  return added;
}
