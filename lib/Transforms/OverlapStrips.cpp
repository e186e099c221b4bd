//===- OverlapStrips.cpp - Bring the next strip of X in early -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Engines work in program order, so while a strip of X is loaded and
// transposed, nothing is multiplied. X^T is needed in the first stage only;
// where SBUF has room for it beside the second one, the next strip comes in
// meanwhile, a raw block of X after every few block columns (or a piece of the
// one load, if X arrives transposed):
//
//   for m0:                         fill xt from X[0]
//     fill xt from X[m0]            for m0 but the last:
//     yt = U^T * xt                   yt = U^T * xt
//     for n0:                  =>     for groups of n0:
//       O[m0, n0] = yt^T * V[n0]        for n0: O[m0, n0] = yt^T * V[n0]
//                                       fill more of xt from X[m0 + BM]
//                                     for the other n0: O[m0, n0] = ..
//                                   yt, O[m0] of the last m0

#include "trn/Dialect/Trn/IR/Kernel.h"
#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Transforms/Passes.h"
#include "trn/Transforms/Schedule.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::trn {
#define GEN_PASS_DEF_OVERLAPSTRIPS
#include "trn/Transforms/Passes.h.inc"
} // namespace mlir::trn

using namespace mlir;
using namespace mlir::trn;

namespace {
/// A loop whose bounds are constants.
struct Span {
  int64_t lower, upper, step;
  int64_t trips() const { return llvm::divideCeilSigned(upper - lower, step); }
};

class StripOverlapper {
public:
  StripOverlapper(scf::ForOp strips, AllocOp x, int64_t tile)
      : strips(strips), x(x), tile(tile), rewriter(strips.getContext()),
        d0(rewriter.getAffineDimExpr(0)), d1(rewriter.getAffineDimExpr(1)) {}

  /// False if the loop has another form than the tiling passes give it.
  bool run();

private:
  bool collectFill();
  bool findHost();
  bool findRaw();
  void splitLoad();
  void fillFirst();
  void runLastApart();
  void fillNext();

  /// The fill's ops again, for the strip that starts at `row`.
  IRMapping mapTo(Value row);
  void clone(Operation *op, IRMapping &mapping) {
    rewriter.clone(*op, mapping);
  }
  Value constant(int64_t value) {
    return arith::ConstantIndexOp::create(rewriter, strips.getLoc(), value);
  }
  Value apply(AffineExpr expr, ValueRange operands);
  scf::ForOp createLoop(Span span);
  void cloneBody(scf::ForOp loop, IRMapping &mapping);
  /// `loop` once more, over a part of its span.
  scf::ForOp cloneOver(scf::ForOp loop, Span span, IRMapping &mapping);
  scf::ForOp group(scf::ForOp loop, Span span, int64_t size);

  scf::ForOp strips;
  AllocOp x;
  int64_t tile; // rows of it in a tile of the tensor engine
  IRRewriter rewriter;
  AffineExpr d0, d1;
  /// Ops of a strip that fill `x`, in program order, and the last op that
  /// reads it.
  SmallVector<Operation *> fill;
  Operation *lastRead = nullptr;
  /// The loop over raw blocks of the fill, if there is one, and the loop over
  /// block columns that hosts its iterations.
  scf::ForOp raw, host;
};
} // namespace

static std::optional<Span> getSpan(scf::ForOp loop) {
  std::optional<int64_t> lower = getConstantIntValue(loop.getLowerBound());
  std::optional<int64_t> upper = getConstantIntValue(loop.getUpperBound());
  std::optional<int64_t> step = getConstantIntValue(loop.getStep());
  if (!lower || !upper || !step || loop.getNumResults() != 0)
    return std::nullopt;
  return Span{*lower, *upper, *step};
}

static bool isExecuted(scf::ForOp loop) {
  std::optional<Span> span = getSpan(loop);
  return span && span->trips() > 0;
}

namespace {
/// An op of a block that uses a buffer, itself or in a region.
struct Use {
  Operation *op;
  bool writes;
};
} // namespace

static bool isInSbuf(AllocOp alloc) {
  return getMemorySpace(alloc.getBuffer().getType()) == MemorySpace::Sbuf;
}

/// The uses of `value` and of its views.
static void collectUses(Value value, Block *block, SmallVectorImpl<Use> &uses) {
  for (Operation *user : value.getUsers()) {
    if (isPure(user)) {
      for (Value result : user->getResults())
        collectUses(result, block, uses);
      continue;
    }
    auto effects = dyn_cast<MemoryEffectOpInterface>(user);
    bool writes =
        effects && effects.getEffectOnValue<MemoryEffects::Write>(value);
    uses.push_back({block->findAncestorOpInBlock(*user), writes});
  }
}

/// Finds what fills `x`: its writers before it is read, and what these need.
bool StripOverlapper::collectFill() {
  Block *body = strips.getBody();
  SmallVector<Use> uses;
  collectUses(x.getBuffer(), body, uses);
  SmallVector<Operation *> worklist;
  Operation *firstRead = nullptr;
  for (Use use : uses) {
    if (use.writes) {
      worklist.push_back(use.op);
      continue;
    }
    if (!firstRead || use.op->isBeforeInBlock(firstRead))
      firstRead = use.op;
    if (!lastRead || lastRead->isBeforeInBlock(use.op))
      lastRead = use.op;
  }
  if (!lastRead)
    return false;
  llvm::SmallSetVector<Operation *, 16> needed;
  while (!worklist.empty()) {
    Operation *op = worklist.pop_back_val();
    if (op == x || !needed.insert(op))
      continue;
    // Whoever writes a buffer that is read here is needed too.
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      SmallVector<Use> others;
      collectUses(alloc.getBuffer(), body, others);
      for (Use use : others)
        worklist.push_back(use.op);
    }
    op->walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (Operation *def = operand.getDefiningOp())
          if (def->getBlock() == body)
            worklist.push_back(def);
    });
  }
  fill = needed.takeVector();
  llvm::sort(fill,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  // Nothing but the fill comes in between.
  return llvm::all_of(
      fill, [&](Operation *op) { return op->isBeforeInBlock(firstRead); });
}

bool StripOverlapper::findHost() {
  for (Operation *op = lastRead->getNextNode(); op && !host;
       op = op->getNextNode())
    host = dyn_cast<scf::ForOp>(op);
  return host && isExecuted(host);
}

/// Whether the raw blocks, if there are any, can be counted.
bool StripOverlapper::findRaw() {
  for (Operation *op : fill)
    if (auto loop = dyn_cast<scf::ForOp>(op);
        loop && !raw && !loop.getOps<DmaCopyOp>().empty())
      raw = loop;
  return !raw || isExecuted(raw);
}

/// X that arrives transposed is one load. Cut into some pieces, it leaves room
/// between them for the loads of the host.
void StripOverlapper::splitLoad() {
  const int64_t most = 8;
  auto load = llvm::find_if(fill, [&](Operation *op) {
    auto copy = dyn_cast<DmaCopyOp>(op);
    return copy && copy.getDst() == x.getBuffer();
  });
  if (load == fill.end())
    return;
  auto copy = cast<DmaCopyOp>(*load);
  MemRefType type = x.getBuffer().getType();
  int64_t rows = type.getDimSize(0);
  int64_t piece = tile * llvm::divideCeilSigned(rows, tile * most);
  if (rows <= piece)
    return;
  int64_t full = rows - rows % piece;
  auto copyPart = [&](OpFoldResult start, int64_t size) {
    auto part = [&](Value matrix) -> Value {
      OpFoldResult zero = rewriter.getIndexAttr(0),
                   one = rewriter.getIndexAttr(1);
      return memref::SubViewOp::create(
          rewriter, copy.getLoc(), matrix, ArrayRef<OpFoldResult>{start, zero},
          ArrayRef<OpFoldResult>{rewriter.getIndexAttr(size),
                                 rewriter.getIndexAttr(type.getDimSize(1))},
          ArrayRef<OpFoldResult>{one, one});
    };
    Value source = part(copy.getSrc());
    DmaCopyOp::create(rewriter, copy.getLoc(), source, part(x.getBuffer()));
  };
  rewriter.setInsertionPoint(copy);
  scf::ForOp loop = createLoop({0, full, piece});
  if (full < rows)
    copyPart(rewriter.getIndexAttr(full), rows - full);
  rewriter.setInsertionPointToStart(loop.getBody());
  copyPart(loop.getInductionVar(), piece);
  rewriter.eraseOp(copy);
  collectFill();
  findRaw();
}

IRMapping StripOverlapper::mapTo(Value row) {
  IRMapping mapping;
  mapping.map(strips.getInductionVar(), row);
  return mapping;
}

void StripOverlapper::fillFirst() {
  rewriter.setInsertionPoint(strips);
  rewriter.moveOpBefore(x, strips);
  IRMapping mapping = mapTo(strips.getLowerBound());
  for (Operation *op : fill)
    clone(op, mapping);
}

void StripOverlapper::runLastApart() {
  Span range = *getSpan(strips);
  rewriter.setInsertionPoint(strips);
  Value last = constant(range.lower + (range.trips() - 1) * range.step);
  strips.setUpperBound(last);
  rewriter.setInsertionPointAfter(strips);
  IRMapping mapping = mapTo(last);
  for (Operation &op : strips.getBody()->without_terminator())
    if (isPure(&op) || !llvm::is_contained(fill, &op))
      clone(&op, mapping);
}

scf::ForOp StripOverlapper::createLoop(Span span) {
  return scf::ForOp::create(rewriter, strips.getLoc(), constant(span.lower),
                            constant(span.upper), constant(span.step));
}

void StripOverlapper::cloneBody(scf::ForOp loop, IRMapping &mapping) {
  for (Operation &op : loop.getBody()->without_terminator())
    clone(&op, mapping);
}

scf::ForOp StripOverlapper::cloneOver(scf::ForOp loop, Span span,
                                      IRMapping &mapping) {
  scf::ForOp part = createLoop(span);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(part.getBody());
  mapping.map(loop.getInductionVar(), part.getInductionVar());
  cloneBody(loop, mapping);
  return part;
}

Value StripOverlapper::apply(AffineExpr expr, ValueRange operands) {
  return affine::AffineApplyOp::create(rewriter, strips.getLoc(),
                                       AffineMap::get(operands.size(), 0, expr),
                                       operands);
}

/// `loop` once more, over a part of its span, in groups of `size` iterations;
/// returns the loop over the groups.
scf::ForOp StripOverlapper::group(scf::ForOp loop, Span span, int64_t size) {
  IRMapping same;
  if (size == 1)
    return cloneOver(loop, span, same);
  Span groups{span.lower, span.upper, size * span.step};
  auto outer = createLoop(groups);
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPointToStart(outer.getBody());
  auto inner = createLoop({0, groups.step, span.step});
  rewriter.setInsertionPointToStart(inner.getBody());
  same.map(loop.getInductionVar(),
           apply(d0 + d1, {outer.getInductionVar(), inner.getInductionVar()}));
  cloneBody(loop, same);
  return outer;
}

/// Spreads the fill for the next strip over the iterations of the host: after
/// every `apart` of them come `each` raw blocks, `hosts` times.
void StripOverlapper::fillNext() {
  Span columns = *getSpan(host);
  rewriter.setInsertionPoint(host);
  IRMapping next =
      mapTo(apply(d0 + getSpan(strips)->step, strips.getInductionVar()));
  ArrayRef<Operation *> rest = fill;
  if (raw)
    for (; rest.front() != raw; rest = rest.drop_front())
      clone(rest.front(), next);

  // Even numbers of iterations, so that every part begins with the same slot.
  auto even = [](int64_t count) {
    return count > 1 ? count - count % 2 : count;
  };
  int64_t trips = columns.trips(), blocks = raw ? getSpan(raw)->trips() : 1;
  int64_t each = llvm::divideCeilSigned(blocks, trips);
  int64_t hosts = even(blocks / each), apart = even(trips / hosts);
  int64_t split = columns.lower + hosts * apart * columns.step;
  scf::ForOp groups = group(host, {columns.lower, split, columns.step}, apart);
  if (raw) {
    Span part = *getSpan(raw);
    int64_t share = each * part.step;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPoint(groups.getBody()->getTerminator());
    Value start =
        apply((d0 - columns.lower).floorDiv(apart * columns.step) * share +
                  part.lower,
              groups.getInductionVar());
    if (each > 1) {
      auto inner = createLoop({0, share, part.step});
      rewriter.setInsertionPointToStart(inner.getBody());
      start = apply(d0 + d1, {start, inner.getInductionVar()});
    }
    IRMapping mapping = next;
    mapping.map(raw.getInductionVar(), start);
    cloneBody(raw, mapping);
  }
  for (Operation *op : rest) {
    if (op != raw) {
      clone(op, next);
      continue;
    }
    Span left = *getSpan(raw);
    left.lower += hosts * each * left.step;
    if (left.trips() > 0)
      cloneOver(raw, left, next);
  }
  if (split < columns.upper)
    group(host, {split, columns.upper, columns.step}, 1);
  rewriter.eraseOp(host);
  for (Operation *op : llvm::reverse(fill))
    if (op->use_empty())
      rewriter.eraseOp(op);
}

bool StripOverlapper::run() {
  if (!collectFill() || !findHost() || !findRaw())
    return false;
  if (!raw)
    splitLoad();
  fillFirst();
  runLastApart();
  fillNext();
  return true;
}

/// The loop over strips of X and the buffer for X^T in it, if there are at
/// least two strips.
static std::pair<scf::ForOp, AllocOp> findStrips(func::FuncOp kernel) {
  for (scf::ForOp loop : kernel.getOps<scf::ForOp>()) {
    std::optional<Span> range = getSpan(loop);
    for (AllocOp alloc : loop.getOps<AllocOp>())
      if (isInSbuf(alloc))
        return {range && range->trips() > 1 ? loop : scf::ForOp(), alloc};
  }
  return {};
}

namespace {
struct OverlapStripsPass final
    : trn::impl::OverlapStripsBase<OverlapStripsPass> {
  using Base::Base;

  void runOnOperation() override {
    func::FuncOp kernel = getOperation();
    if (!isKernel(kernel) || !getContext()
                                  .getLoadedDialect<TrnDialect>()
                                  ->getScheduleAttrHelper()
                                  .isAttrPresent(kernel))
      return;
    FailureOr<Schedule> schedule = readSchedule(kernel);
    FailureOr<Machine> machine = getMachine(kernel);
    if (failed(schedule) || failed(machine))
      return signalPassFailure();
    auto [strips, x] = findStrips(kernel);
    if (!schedule->blocks || !schedule->blocks->prefetchX || !strips)
      return;
    if (!StripOverlapper(strips, x, machine->partitions).run()) {
      remark::missed(kernel.getLoc(), remark::RemarkOpts::name("Strips")
                                          .category("trn-overlap-strips")
                                          .function(kernel.getName()))
          << "strips have another form than the tiling passes give them";
      return;
    }
    RewritePatternSet patterns(&getContext());
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, &getContext());
    scf::ForOp::getCanonicalizationPatterns(patterns, &getContext());
    memref::SubViewOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(kernel, std::move(patterns))))
      return signalPassFailure();
    IRRewriter rewriter(&getContext());
    DominanceInfo dominance(kernel);
    eliminateCommonSubExpressions(rewriter, dominance, kernel);
  }
};
} // namespace
