//===- BlockPlan.h - Which blocks a chain is cut into -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Block choice as a plain-data problem: shapes and a machine in, a plan with
// its reasons out. docs/Planning.md explains the schedule and the model.
//
//===----------------------------------------------------------------------===//

#ifndef TRN_PLANNING_BLOCKPLAN_H
#define TRN_PLANNING_BLOCKPLAN_H

#include "trn/Planning/TileLimits.h"
#include "trn/Support/FloatTypes.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mlir::trn {

struct Machine;

/// How a chain X*U*V becomes kernels.
enum class Strategy : uint8_t {
  StripCache, // one kernel; Y's strip is computed once and stays in SBUF
  Sequential, // two kernels, Y in HBM between them
  Recompute,  // one kernel; every output block computes its Y again
};

/// How Y gets into the layout of a stationary operand.
enum class TransposeMode : uint8_t {
  Implicit, // the first product yields Y^T
  Explicit, // the first product yields Y, the tensor engine transposes it
};

/// The spellings of the options: `strip-cache`, `implicit`, ...
llvm::StringRef stringify(Strategy strategy);
llvm::StringRef stringify(TransposeMode transpose);

/// X[m,k] * U[k,r] * V[r,n], or the single product X[m,k] * W[k,n] if r is 0.
struct ChainShape {
  int64_t m = 0, k = 0, r = 0, n = 0;
  ElementType type = ElementType::BF16;
  bool inputTransposed = false;  // X arrives as [k, m]
  bool outputTransposed = false; // O leaves as [n, m]

  bool isSingle() const { return r == 0; }
};

/// Block sizes that the user forces; 0 = choose.
struct BlockRequest {
  int64_t blockM = 0, blockK = 0, blockR = 0, blockN = 0;
  /// What users call block-n: block-r for the first half of a sequential chain.
  char nameOfN = 'n';
};

/// The plan. Sizes are in elements and clamped to the problem, so a block may
/// be as large as its dimension; otherwise it is a multiple of the partitions.
/// A single product has V for its W, and no U, Y or rank.
struct BlockPlan {
  int64_t blockM = 0, blockK = 0, blockR = 0, blockN = 0;
  int64_t blockX = 0; // columns (k) of a raw X block; 0: X arrives transposed

  /// Type of the partial sums in SBUF; none if PSUM accumulates over all of k
  /// (blockK == k). A chain keeps Y's, a single product O's. In the storage
  /// type they lie in the strip or block itself; otherwise in a buffer beside.
  std::optional<ElementType> partials;

  int64_t residentRank = 0; // rows of Y^T that stay in SBUF; r = no spill
  bool rereadX = false;     // single product: X is read once a block column
  bool prefetchX = false;   // stage 2 brings in X^T for the next strip

  // Rotating buffers of each kind: 0 (there is none), 1 or 2. These are what
  // the plan has room for; trn-multi-buffer decides. Spilled rows of Y^T pass
  // through [blockR, blockM] when saved (and reloaded in order to be added to),
  // and through [r - residentRank, one moving tile] in stage 2.
  int64_t slotsX = 1, slotsXRaw = 0, slotsU = 0, slotsV = 2, slotsO = 2;
  int64_t slotsSave = 0, slotsReload = 0;

  // The model's view of the result: busy times, and an estimate of how long the
  // loops take, which is what plans are compared by.
  double tensorNs = 0, dmaNs = 0, latencyNs = 0;
  int64_t hbmReadBytes = 0, hbmWriteBytes = 0; // with spills
  int64_t spillSaveBytes = 0, spillReloadBytes = 0;
  int64_t sbufPartitionBytes = 0; // placed high-water mark of a partition

  /// Sentences with numbers, for remarks.
  std::vector<std::string> reasons;

  /// What plans are compared by: the estimate, and that adding up sums over
  /// blocks of k in SBUF, which it leaves out, has to be worth it.
  double weighedNs() const { return latencyNs * (partials ? 1.05 : 1); }

  bool spills(const ChainShape &shape) const { return residentRank < shape.r; }
  int64_t hbmBytes() const { return hbmReadBytes + hbmWriteBytes; }
};

/// Chooses the blocks that `request` leaves open. Fails, with the rule, the
/// value, the limit and a hint, on shapes and requests that no schedule can
/// serve. `Sequential` needs single products: see `splitSequential`.
llvm::Expected<BlockPlan> planBlocks(const ChainShape &shape, Strategy strategy,
                                     TransposeMode transpose,
                                     const BlockRequest &request,
                                     const Machine &machine);

/// Fails, with the rule, the value and the limit, if `plan` is none that the
/// loops of docs/Planning.md can be made for. Whether it fits SBUF is for
/// placement to say.
llvm::Error checkPlan(const ChainShape &shape, Strategy strategy,
                      TransposeMode transpose, const BlockPlan &plan,
                      const Machine &machine);

/// The two products of a sequential chain. Implicit: Y^T lies in HBM between
/// them. The first product takes blockM, blockK and (as its block-n) blockR,
/// the second one blockM and blockN.
std::pair<ChainShape, ChainShape> splitSequential(const ChainShape &shape,
                                                  TransposeMode transpose);
std::pair<BlockRequest, BlockRequest>
splitSequential(const BlockRequest &request);

} // namespace mlir::trn

#endif // TRN_PLANNING_BLOCKPLAN_H
