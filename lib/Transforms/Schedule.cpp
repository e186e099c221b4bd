//===- Schedule.cpp - How a kernel is compiled ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Transforms/Schedule.h"

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
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

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The arguments X, U, (V,) O as a chain in these layouts; none if they are no
/// matrices of one type whose sizes agree.
static std::optional<ChainShape> describe(func::FuncOp kernel,
                                          const Schedule &schedule) {
  unsigned count = kernel.getNumArguments();
  bool isChain = count == 4;
  SmallVector<MemRefType> types;
  for (Type type : kernel.getArgumentTypes()) {
    auto matrix = dyn_cast<MemRefType>(type);
    if (!matrix || !matrix.hasStaticShape() || matrix.getRank() != 2 ||
        !getElementType(matrix.getElementType()))
      return std::nullopt;
    types.push_back(matrix);
  }
  if (count != 3 && count != 4)
    return std::nullopt;
  auto size = [&](unsigned index, unsigned dim, bool transposed = false) {
    return types[index].getDimSize(dim ^ unsigned(transposed));
  };
  ChainShape shape;
  shape.type = *getElementType(types[0].getElementType());
  shape.inputTransposed = schedule.inputTransposed;
  shape.outputTransposed = schedule.outputTransposed;
  shape.m = size(0, 0, shape.inputTransposed);
  shape.k = size(0, 1, shape.inputTransposed);
  shape.r = isChain ? size(1, 1) : 0;
  shape.n = size(count - 2, 1);
  bool agree = size(1, 0) == shape.k && (!isChain || size(2, 0) == shape.r) &&
               size(count - 1, 0, shape.outputTransposed) == shape.m &&
               size(count - 1, 1, shape.outputTransposed) == shape.n;
  // The result may have another type.
  for (MemRefType type : ArrayRef(types).drop_back())
    agree &= type.getElementType() == types[0].getElementType();
  return agree ? std::optional(shape) : std::nullopt;
}

namespace {
/// Reads the entries of a schedule; remembers the first key with a value that
/// is missing or none of the possible ones.
class EntryReader {
public:
  explicit EntryReader(DictionaryAttr entries) : entries(entries) {}

  /// The one of `values` that is spelled as the entry says.
  template <typename T>
  T choice(StringRef key, std::initializer_list<T> values) {
    auto name = entries.getAs<StringAttr>(key);
    for (T value : values)
      if (name && name == stringify(value))
        return value;
    reject(key);
    return T();
  }
  bool isTransposed(StringRef key) {
    auto name = entries.getAs<StringAttr>(key);
    bool transposed = name && name.getValue() == "transposed";
    if (has(key) && !transposed && !(name && name.getValue() == "standard"))
      reject(key);
    return transposed;
  }
  int64_t number(StringRef key) {
    auto value = entries.getAs<IntegerAttr>(key);
    if (value && value.getType().isSignlessInteger(64) && value.getInt() >= 0)
      return value.getInt();
    reject(key);
    return 0;
  }
  std::optional<ElementType> elementType(StringRef key) {
    auto name = entries.getAs<StringAttr>(key);
    auto type = name ? parseElementType(name) : std::nullopt;
    if (has(key) && !type)
      reject(key);
    return type;
  }
  bool flag(StringRef key) {
    if (has(key) && !entries.getAs<UnitAttr>(key))
      reject(key);
    return has(key);
  }
  bool has(StringRef key) const { return bool(entries.get(key)); }

  std::optional<StringRef> rejected;

private:
  void reject(StringRef key) {
    if (!rejected)
      rejected = key;
  }
  DictionaryAttr entries;
};
} // namespace

static Schedule readEntries(EntryReader &reader) {
  Schedule schedule;
  schedule.strategy =
      reader.choice("strategy", {Strategy::StripCache, Strategy::Sequential,
                                 Strategy::Recompute});
  schedule.transpose = reader.choice(
      "transpose", {TransposeMode::Implicit, TransposeMode::Explicit});
  schedule.inputTransposed = reader.isTransposed("input_layout");
  schedule.outputTransposed = reader.isTransposed("output_layout");
  if (reader.has("half"))
    schedule.half = reader.number("half");
  // One size is as good as all of them: the others must be there too.
  if (llvm::none_of(llvm::make_first_range(blockFields),
                    [&](StringRef key) { return reader.has(key); }))
    return schedule;
  BlockPlan &blocks = schedule.blocks.emplace();
  for (auto [key, field] : blockFields)
    blocks.*field = reader.number(key);
  blocks.partials = reader.elementType("partials");
  blocks.rereadX = reader.flag("reread_x");
  blocks.prefetchX = reader.flag("prefetch_x");
  return schedule;
}

FailureOr<Schedule> mlir::trn::readSchedule(func::FuncOp kernel) {
  DictionaryAttr entries =
      getDialect(kernel)->getScheduleAttrHelper().getAttr(kernel);
  if (!entries)
    return kernel.emitError(
        "kernel has no trn.schedule; run trn-outline-kernels first");
  EntryReader reader(entries);
  Schedule schedule = readEntries(reader);
  if (reader.rejected)
    return kernel.emitError("trn.schedule has no valid ") << *reader.rejected;
  std::optional<ChainShape> shape = describe(kernel, schedule);
  if (!shape)
    return kernel.emitError(
        "kernel must take X, U, O or X, U, V, O, static matrices of bf16, f16 "
        "or f32 whose types and sizes agree with each other and with the "
        "layouts in trn.schedule");
  // It would pass for a single product.
  if (kernel.getNumArguments() == 4 && shape->r == 0)
    return kernel.emitError("dimension r is 0, but must be at least 1");
  schedule.shape = *shape;
  bool isHalf = schedule.half != 0;
  if (schedule.half > 2 || (isHalf && !shape->isSingle()) ||
      isHalf != (schedule.strategy == Strategy::Sequential))
    return kernel.emitError("trn.schedule must have a half of 1 or 2 for the "
                            "single products of a sequential chain, and for "
                            "them alone");
  if (!schedule.blocks)
    return schedule;
  FailureOr<Machine> machine = getMachine(kernel);
  if (failed(machine))
    return failure();
  if (llvm::Error error =
          checkPlan(*shape, schedule.strategy, schedule.transpose,
                    *schedule.blocks, *machine))
    return kernel.emitError("trn.schedule cannot be followed: ")
           << llvm::toString(std::move(error));
  return schedule;
}

FailureOr<Schedule> mlir::trn::readPlannedSchedule(func::FuncOp kernel) {
  FailureOr<Schedule> schedule = readSchedule(kernel);
  if (succeeded(schedule) && !schedule->blocks)
    return kernel.emitError(
        "kernel has no block sizes; run trn-choose-blocks first");
  return schedule;
}

FailureOr<Machine> mlir::trn::getTileLimits(func::FuncOp kernel) {
  FailureOr<Machine> machine = getMachine(kernel);
  if (failed(machine))
    return failure();
  llvm::Expected<Machine> limited = limitTiles(*machine);
  if (!limited)
    return kernel.emitError(llvm::toString(limited.takeError()));
  return *limited;
}
