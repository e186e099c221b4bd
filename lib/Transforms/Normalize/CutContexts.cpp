//===- CutContexts.cpp - Keys whose rows do not fill tiles ----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A few queries read all keys and values of a cache, and take as long as the
// DMA needs for these. Where rows fill all tiles, a partition gets neighbouring
// ones, in long pieces. Other caches are two parts, of which the first one
// does:
//
//   %score = linalg.batch_matmul %query, %keys            [8, 4, 1025]
//
// becomes
//
//   %first = tensor.extract_slice %keys[0, 0, 0]          [8, 896, 64]
//   %rest = tensor.extract_slice %keys[0, 896, 0]         [8, 129, 64]
//   %before = linalg.batch_matmul %query, %first          [8, 4, 896]
//   %behind = linalg.batch_matmul %query, %rest           [8, 4, 129]
//
// and so on, as if these had been put together.

#include "JoinedDims.h"
#include "NormalizeSteps.h"
#include "ReduceDims.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Transforms/Normalize/DimRange.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/ProductMatcher.h"

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::trn;

/// How many rows of keys, of `size` bytes each, are cut off; 0 if they come as
/// fast together.
static int64_t countWhole(int64_t rows, int64_t size) {
  // Few tiles gain little, and a single row is no product.
  const int64_t fewTiles = 2, leastRest = 2, longRow = 256;
  int64_t tile = defaultMachine().partitions;
  int64_t whole = (rows - leastRest) / tile * tile;
  return rows % tile && whole >= fewTiles * tile && size <= longRow ? whole : 0;
}

/// Whether `product` sums values for a few rows of what `joined` has found.
/// What is repeated for several heads is read by one row of each.
static bool isOfFewRows(linalg::LinalgOp product, const JoinedDims &joined,
                        int64_t batches) {
  auto isOf = [&](unsigned operand, unsigned loop) {
    return product.getIndexingMapsArray()[operand].isFunctionOfDim(loop);
  };
  unsigned shares = joined.contains(product.getDpsInputs()[0]) ? 0 : 1;
  int64_t rows = 1, heads = 1;
  for (auto [loop, size] : llvm::enumerate(product.getStaticLoopRanges()))
    if (product.getIteratorTypesArray()[loop] ==
            utils::IteratorType::parallel &&
        isOf(shares, loop))
      (isOf(1 - shares, loop) ? heads : rows) *= size;
  return rows <= (heads == batches ? fewRows : 1);
}

/// What is computed of the keys `cut`, if that should be done part by part.
static std::optional<JoinedDims> findAttention(tensor::ConcatOp cut,
                                               int64_t batches) {
  std::optional<JoinedDims> joined = JoinedDims::find(cut);
  if (!joined)
    return std::nullopt;
  auto isProduct = [](auto sum) { return isProductLike(sum.first); };
  auto isSlow = [&](auto sum) {
    return isProduct(sum) && !isOfFewRows(sum.first, *joined, batches);
  };
  bool isAttention = llvm::any_of(joined->sinks(), isProduct) &&
                     !llvm::all_of(joined->sinks(), isProduct);
  if (!isAttention || llvm::any_of(joined->sinks(), isSlow))
    return std::nullopt;
  return joined;
}

/// Lets what is computed of `keys` read two parts of them, if it is attention.
static bool cutContext(BlockArgument keys) {
  auto type = dyn_cast<RankedTensorType>(keys.getType());
  if (!type || !type.hasStaticShape() || type.getRank() < 2 ||
      !type.getElementType().isIntOrFloat() || !type.getNumElements())
    return false;
  int64_t dim = type.getRank() - 2, rows = type.getDimSize(dim);
  int64_t columns = type.getShape().back();
  int64_t whole = countWhole(rows, columns * type.getElementTypeBitWidth() / 8);
  if (!whole)
    return false;
  OpBuilder builder(keys.getContext());
  builder.setInsertionPointToStart(keys.getOwner());
  SmallVector<Value> parts;
  for (auto [begin, size] :
       {std::pair(int64_t(0), whole), std::pair(whole, rows - whole)})
    parts.push_back(emitRange(builder, keys, DimRange{dim, begin, size, 1}));
  auto cut = tensor::ConcatOp::create(builder, keys.getLoc(), type, dim, parts);
  keys.replaceUsesWithIf(cut, [](OpOperand &use) {
    return isReshape(use.getOwner()) || isa<linalg::LinalgOp>(use.getOwner());
  });
  std::optional<JoinedDims> joined =
      findAttention(cut, type.getNumElements() / (rows * columns));
  if (joined)
    computeParts(*joined);
  // Nothing has to put them together.
  cut.replaceAllUsesWith(keys);
  cut.erase();
  for (Value part : parts)
    if (part.use_empty())
      part.getDefiningOp()->erase();
  return joined.has_value();
}

void mlir::trn::cutContexts(func::FuncOp func) {
  bool isAny = false;
  for (BlockArgument argument : func.getArguments())
    isAny |= cutContext(argument);
  IRRewriter rewriter(func.getContext());
  if (isAny)
    (void)runRegionDCE(rewriter, func->getRegions());
}
