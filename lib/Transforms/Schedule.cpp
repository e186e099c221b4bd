//===- Schedule.cpp - How a kernel is compiled ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Schedule.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace mlir::trn;

/// The integer entries of the dictionary, in its order.
static constexpr std::pair<StringRef, int64_t BlockPlan::*> blockFields[] = {
    {"block_m", &BlockPlan::blockM},
    {"block_k", &BlockPlan::blockK},
    {"block_r", &BlockPlan::blockR},
    {"block_n", &BlockPlan::blockN},
    {"block_x", &BlockPlan::blockX},
    {"resident_rank", &BlockPlan::residentRank},
};

static TrnDialect *getDialect(Operation *op) {
  return op->getContext()->getLoadedDialect<TrnDialect>();
}

/// Returns the one of `values` that is spelled `name`.
template <typename T>
static std::optional<T> parse(StringAttr name,
                              std::initializer_list<T> values) {
  for (T value : values)
    if (name && name == stringify(value))
      return value;
  return std::nullopt;
}

void mlir::trn::writeSchedule(func::FuncOp kernel, const Schedule &schedule) {
  Builder builder(kernel.getContext());
  SmallVector<NamedAttribute> entries;
  auto add = [&](StringRef key, Attribute value) {
    entries.push_back(builder.getNamedAttr(key, value));
  };
  add("strategy", builder.getStringAttr(stringify(schedule.strategy)));
  add("transpose", builder.getStringAttr(stringify(schedule.transpose)));
  auto addLayout = [&](StringRef key, bool transposed) {
    add(key, builder.getStringAttr(transposed ? "transposed" : "standard"));
  };
  addLayout("input_layout", schedule.inputTransposed);
  addLayout("output_layout", schedule.outputTransposed);
  if (schedule.half)
    add("half", builder.getI64IntegerAttr(schedule.half));
  if (schedule.blocks) {
    for (auto [key, field] : blockFields)
      add(key, builder.getI64IntegerAttr((*schedule.blocks).*field));
    if (schedule.blocks->partials)
      add("partials",
          builder.getStringAttr(stringify(*schedule.blocks->partials)));
    if (schedule.blocks->rereadX)
      add("reread_x", builder.getUnitAttr());
    if (schedule.blocks->prefetchX)
      add("prefetch_x", builder.getUnitAttr());
  }
  getDialect(kernel)->getScheduleAttrHelper().setAttr(
      kernel, builder.getDictionaryAttr(entries));
}

/// Reads the block sizes, or returns the key that is missing or no integer.
static std::optional<StringRef> readBlocks(DictionaryAttr entries,
                                           BlockPlan &blocks) {
  for (auto [key, field] : blockFields) {
    auto value = entries.getAs<IntegerAttr>(key);
    if (!value || value.getInt() < 0)
      return key;
    blocks.*field = value.getInt();
  }
  if (auto partials = entries.getAs<StringAttr>("partials")) {
    blocks.partials = parseElementType(partials);
    if (!blocks.partials)
      return StringRef("partials");
  }
  blocks.rereadX = bool(entries.get("reread_x"));
  blocks.prefetchX = bool(entries.get("prefetch_x"));
  return std::nullopt;
}

/// Whether the arguments are X, U, (V,) O.
static bool takesChain(func::FuncOp kernel) {
  return (kernel.getNumArguments() == 3 || kernel.getNumArguments() == 4) &&
         llvm::all_of(kernel.getArgumentTypes(), [](Type type) {
           auto matrix = dyn_cast<MemRefType>(type);
           return matrix && matrix.hasStaticShape() && matrix.getRank() == 2 &&
                  getElementType(matrix.getElementType());
         });
}

FailureOr<Schedule> mlir::trn::readSchedule(func::FuncOp kernel) {
  if (!takesChain(kernel))
    return kernel.emitError(
        "kernel must take X, U, O or X, U, V, O, static matrices of bf16, f16 "
        "or f32");
  DictionaryAttr entries =
      getDialect(kernel)->getScheduleAttrHelper().getAttr(kernel);
  if (!entries)
    return kernel.emitError(
        "kernel has no trn.schedule; run trn-outline-kernels first");
  auto malformed = [&](StringRef key) {
    return kernel.emitError("trn.schedule has no valid ") << key;
  };
  Schedule schedule;
  auto strategy =
      parse(entries.getAs<StringAttr>("strategy"),
            {Strategy::StripCache, Strategy::Sequential, Strategy::Recompute});
  if (!strategy)
    return malformed("strategy");
  auto transpose = parse(entries.getAs<StringAttr>("transpose"),
                         {TransposeMode::Implicit, TransposeMode::Explicit});
  if (!transpose)
    return malformed("transpose");
  schedule.strategy = *strategy;
  schedule.transpose = *transpose;
  auto isTransposed = [&](StringRef key) {
    auto layout = entries.getAs<StringAttr>(key);
    return layout && layout.getValue() == "transposed";
  };
  schedule.inputTransposed = isTransposed("input_layout");
  schedule.outputTransposed = isTransposed("output_layout");
  if (auto half = entries.getAs<IntegerAttr>("half"))
    schedule.half = half.getInt();
  if (entries.contains("block_m")) {
    schedule.blocks.emplace();
    if (auto key = ::readBlocks(entries, *schedule.blocks))
      return malformed(*key);
  }
  return schedule;
}

FailureOr<BlockPlan> mlir::trn::readBlocks(func::FuncOp kernel) {
  FailureOr<Schedule> schedule = readSchedule(kernel);
  if (failed(schedule))
    return failure();
  if (!schedule->blocks)
    return kernel.emitError(
        "kernel has no block sizes; run trn-choose-blocks first");
  return *schedule->blocks;
}
