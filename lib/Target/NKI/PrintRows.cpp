//===- PrintRows.cpp - Rows that a tile chooses as text -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintInstructions.h"

#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

/// The elements of a row of the tensor as NKI counts them: all behind its first
/// dimension, in another shape if need be. Nothing if `table` has not all rows
/// from its first one on, which is what an index is checked against.
static std::optional<SmallVector<int64_t, 4>> findShape(const Access &table,
                                                        Interval first,
                                                        ArrayRef<int64_t> shape,
                                                        bool &isOwn) {
  int64_t count = 1, row = 1, reach = first.max;
  for (int64_t size : shape)
    count *= size;
  for (int64_t size : shape.drop_front())
    row *= size;
  for (const Access::Dim &dim : ArrayRef(table.dims).drop_front())
    reach += (dim.size - 1) * std::abs(dim.stride);
  const Access::Dim &rows = table.dims.front();
  isOwn = rows.stride == row;
  bool isRows = rows.stride > 0 && count % rows.stride == 0 && first.min >= 0 &&
                reach < count &&
                rows.size == (count - 1 - reach) / rows.stride + 1;
  if (!isRows)
    return std::nullopt;
  if (isOwn)
    return SmallVector<int64_t, 4>(shape);
  if (rows.stride == 1)
    return SmallVector<int64_t, 4>{count};
  return SmallVector<int64_t, 4>{count / rows.stride, rows.stride};
}

/// In the beta an index is one of a grid, as those of dimensions are.
std::optional<std::string>
AccessText::indexedRows(const Access &table, const Access &indices) const {
  const Tensor &tensor = kernel.tensorOf(table);
  const Tensor &column = kernel.tensorOf(indices);
  std::optional<Subscripts> found =
      kernel.subscripts(table, tensor.type.getShape());
  std::optional<Subscripts> chosen =
      kernel.subscripts(indices, column.type.getShape());
  if (!found || !chosen || found->front().dim != 0u ||
      found->front().groupDim || found->front().step != 1)
    return std::nullopt;
  unsigned rank = table.dims.size();
  auto sum = [&](const LinearExpr &start, StringRef index) {
    return start == LinearExpr() ? index.str()
                                 : print(start) + " + " + index.str();
  };
  int64_t partitions = indices.dims.front().size;
  SmallVector<std::string, 4> places = {
      sum(chosen->front().start, axis(partitions, 0, rank))};
  for (const Subscript &one : ArrayRef(*chosen).drop_front())
    places.push_back(print(one.start));
  SmallVector<std::string, 4> texts = {
      (nameOf(column) + "[" + llvm::join(places, ", ") + "]").str()};
  for (const Subscript &one : ArrayRef(*found).drop_front()) {
    if (one.groupDim)
      return std::nullopt;
    texts.push_back(
        one.dim ? sum(one.start,
                      (one.step == 1 ? "" : std::to_string(one.step) + " * ") +
                          axis(one.size, *one.dim, rank))
                : print(one.start));
  }
  return (nameOf(tensor) + "[" + llvm::join(texts, ", ") + "]").str();
}

std::optional<std::string> AccessText::rows(const Access &table,
                                            const Access &indices,
                                            bool choosesBlock) const {
  const Tensor &tensor = kernel.tensorOf(table);
  bool isOwn = true;
  std::optional<SmallVector<int64_t, 4>> shape = findShape(
      table, kernel.rangeOf(table.offset), tensor.type.getShape(), isOwn);
  if (!shape || device)
    return std::nullopt;
  if (isBeta)
    return isOwn && !choosesBlock ? indexedRows(table, indices) : std::nullopt;
  std::optional<std::string> column = view(indices);
  if (!column)
    return std::nullopt;
  SmallVector<std::array<int64_t, 2>, 4> pattern;
  for (const Access::Dim &dim : table.dims)
    pattern.push_back({dim.stride, dim.size});
  if (choosesBlock)
    pattern.erase(pattern.begin());
  else
    pattern.front()[1] = indices.dims.front().size;
  std::string reshaped = isOwn ? "" : ".reshape(" + tupleOf(*shape) + ")";
  std::string offset =
      table.offset == LinearExpr() ? "" : ", offset=" + print(table.offset);
  return (nameOf(tensor) + reshaped + ".ap(pattern=" + pairsOf(pattern) +
          offset + (choosesBlock ? ", scalar_offset=" : ", vector_offset=") +
          *column + ", indirect_dim=0)")
      .str();
}

namespace {
/// A transfer of the rows of `table` that `indices` choose, to or from `tile`.
struct RowsMoved {
  explicit RowsMoved(DmaGatherOp op)
      : table(op.getSrc()), indices(op.getIndices()), tile(op.getDst()),
        isLoad(true), skips(op.getSkip()) {}
  explicit RowsMoved(DmaScatterOp op)
      : table(op.getDst()), indices(op.getIndices()), tile(op.getSrc()),
        isLoad(false), skips(op.getSkip()) {}

  bool choosesBlock() const {
    return cast<MemRefType>(table.getType()).getRank() >
           cast<MemRefType>(tile.getType()).getRank();
  }

  bool keepsType() const {
    return cast<MemRefType>(table.getType()).getElementType() ==
           cast<MemRefType>(tile.getType()).getElementType();
  }

  Value table, indices, tile;
  bool isLoad, skips;
};
} // namespace

namespace {
class RowPrinter : OpPrinter {
public:
  using OpPrinter::OpPrinter;

  LogicalResult print(Operation *op);
};
} // namespace

LogicalResult RowPrinter::print(Operation *op) {
  auto gather = dyn_cast<DmaGatherOp>(op);
  RowsMoved moved =
      gather ? RowsMoved(gather) : RowsMoved(cast<DmaScatterOp>(op));
  std::optional<std::string> rows =
      accesses.rows(kernel.access(moved.table, op),
                    kernel.access(moved.indices, op), moved.choosesBlock());
  // nki_c15
  if (isBeta() && moved.choosesBlock())
    return refuse("chooses a block by one index, for which the beta of NKI has "
                  "no form; choose a row for each partition");
  if (!rows)
    return refuse("chooses rows that are not all of a tensor's" +
                  Twine(isBeta() ? ", by its own first dimension" : "") +
                  "; take all rows, and add what is left out to the indices");
  FailureOr<std::string> tile = view(moved.tile, op);
  if (failed(tile))
    return failure();
  bool isPlain = isBeta() && moved.keepsType() && !moved.skips;
  if (isPlain && moved.isLoad)
    text.line((StringRef(*tile).ends_with("]") ? *tile : *tile + "[...]") +
              " = nl.load(" + *rows + ")");
  else if (isPlain)
    text.line("nl.store(" + *rows + ", value=" + *tile + ")");
  else
    printCall(moved.isLoad ? *tile : *rows, {}, "dma_copy",
              {{"src", moved.isLoad ? *rows : *tile},
               {"oob_mode", moved.skips ? "nisa.oob_mode.skip" : ""}},
              {});
  return success();
}

LogicalResult nki::printRows(PrintedKernel &kernel, Operation *op) {
  return RowPrinter(kernel).print(op);
}
