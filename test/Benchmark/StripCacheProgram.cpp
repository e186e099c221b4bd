//===- StripCacheProgram.cpp - A fused chain written by hand --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "StripCacheProgram.h"

#include "trn/Program/ProgramBuilder.h"

using namespace mlir::trn;

namespace {

class StripCacheBuilder : ProgramBuilder {
public:
  StripCacheBuilder(const ChainSizes &sizes, const Machine &machine)
      : ProgramBuilder("chain"), s(sizes), p(machine.partitions),
        moving(machine.movingFreeMax) {}

  Program build();

private:
  void loadXStrip(const LinearExpr &m0);
  void makeYStrip();
  void makeOutput(const LinearExpr &m0);
  LinearExpr loop(int64_t tripCount) {
    return LinearExpr::counter(beginLoop(tripCount));
  }
  void evict(const Access &from, const Access &to, Engine engine) {
    execute(engine, Semantics::Copy, {from}, to).work.cycles =
        from.numElements() / p;
  }
  void transfer(Engine queue, const Access &from, const Access &to,
                int64_t run) {
    Work &work = execute(queue, Semantics::Copy, {from}, to).work;
    work.bytes = from.numBytes();
    work.descriptors = from.numElements() / run;
  }
  void multiply(const Access &stationary, const Access &moving,
                const Access &into, const LinearExpr &step);

  const ChainSizes s;
  const int64_t p, moving;
  const ElementType bf16 = ElementType::BF16, f32 = ElementType::F32;
  int32_t x, u, v, o;
  int32_t xRaw, xStrip, uBlock, yStrip, vBlock, oBlock, transposed, sums;
};

} // namespace

Program StripCacheBuilder::build() {
  x = argument(bf16, s.m * s.k);
  u = argument(bf16, s.k * s.r);
  v = argument(bf16, s.r * s.n);
  o = argument(bf16, s.m * s.n, /*result=*/true);
  // Byte offsets: Y stays, then the first stage, in whose place the second is.
  int64_t offset = 0;
  auto place = [&](const char *name, int64_t elements, int64_t slots) {
    op(name);
    int32_t buffer = sbuf(bf16, p, elements, offset, slots);
    offset += elements * byteSize(bf16) * slots;
    return buffer;
  };
  yStrip = place("y strip", s.r / p * s.blockM, 1);
  int64_t end = offset;
  xStrip = place("x strip", s.k / p * s.blockM, 1);
  xRaw = place("x block", s.blockM / p * s.blockX, 2);
  uBlock = place("u block", s.k / p * s.blockR, 2);
  offset = end;
  vBlock = place("v block", s.r / p * s.blockN, 2);
  oBlock = place("o block", s.blockM / p * s.blockN, 2);
  transposed = psum(f32, p, p, /*bank=*/0, /*slots=*/2);
  sums = psum(f32, p, moving, /*bank=*/2, /*slots=*/6);

  LinearExpr m0 = loop(s.m / s.blockM) * s.blockM;
  alloc(xStrip);
  loadXStrip(m0);
  alloc(yStrip);
  makeYStrip();
  dealloc(xStrip);
  makeOutput(m0);
  dealloc(yStrip);
  endLoop();
  return take();
}

/// X blocks [blockM, blockX] come in rows and leave as tiles of X^T.
void StripCacheBuilder::loadXStrip(const LinearExpr &m0) {
  int64_t rowTiles = s.blockM / p;
  LinearExpr block = loop(s.k / s.blockX);
  alloc(xRaw);
  transfer(Engine::Load,
           hbm(x, m0 * s.k + block * s.blockX,
               {{p, s.k}, {rowTiles, p * s.k}, {s.blockX, 1}}),
           tile(xRaw, 0, p, 0, {{rowTiles, s.blockX}, {s.blockX, 1}}),
           s.blockX);
  LinearExpr row = loop(rowTiles), column = loop(s.blockX / p);
  alloc(transposed);
  Work &work = execute(Engine::Tensor, Semantics::Transpose,
                       {tile(xRaw, p, row * s.blockX + column * p, p)},
                       tile(transposed, p, 0, p))
                   .work;
  work.cycles = p;
  work.transposeFlops = 2 * p * p * p;
  evict(tile(transposed, p, 0, p),
        tile(xStrip, p, (block * (s.blockX / p) + column) * s.blockM + row * p,
             p),
        Engine::Scalar);
  dealloc(transposed);
  endLoop();
  endLoop();
  dealloc(xRaw);
  endLoop();
}

/// Y^T[r, blockM] = U^T * X^T.
void StripCacheBuilder::makeYStrip() {
  int64_t kTiles = s.k / p;
  LinearExpr block = loop(s.r / s.blockR);
  alloc(uBlock);
  transfer(
      Engine::Load,
      hbm(u, block * s.blockR, {{p, s.r}, {kTiles, p * s.r}, {s.blockR, 1}}),
      tile(uBlock, 0, p, 0, {{kTiles, s.blockR}, {s.blockR, 1}}), s.blockR);
  LinearExpr r = loop(s.blockR / p), m = loop(s.blockM / moving);
  alloc(sums);
  LinearExpr k = loop(kTiles);
  multiply(tile(uBlock, p, k * s.blockR + r * p, p),
           tile(xStrip, p, k * s.blockM + m * moving, moving),
           tile(sums, p, 0, moving), k);
  endLoop();
  evict(tile(sums, p, 0, moving),
        tile(yStrip, p, (block * (s.blockR / p) + r) * s.blockM + m * moving,
             moving),
        Engine::Scalar);
  dealloc(sums);
  endLoop();
  endLoop();
  dealloc(uBlock);
  endLoop();
}

/// O[blockM, n] = (Y^T)^T * V, block by block.
void StripCacheBuilder::makeOutput(const LinearExpr &m0) {
  int64_t rTiles = s.r / p, rowTiles = s.blockM / p;
  LinearExpr block = loop(s.n / s.blockN);
  alloc(vBlock);
  transfer(
      Engine::Load,
      hbm(v, block * s.blockN, {{p, s.n}, {rTiles, p * s.n}, {s.blockN, 1}}),
      tile(vBlock, 0, p, 0, {{rTiles, s.blockN}, {s.blockN, 1}}), s.blockN);
  alloc(oBlock);
  LinearExpr m = loop(rowTiles), n = loop(s.blockN / moving);
  alloc(sums);
  LinearExpr r = loop(rTiles);
  multiply(tile(yStrip, p, r * s.blockM + m * p, p),
           tile(vBlock, p, r * s.blockN + n * moving, moving),
           tile(sums, p, 0, moving), r);
  endLoop();
  evict(tile(sums, p, 0, moving),
        tile(oBlock, p, m * s.blockN + n * moving, moving), Engine::Vector);
  dealloc(sums);
  endLoop();
  endLoop();
  dealloc(vBlock);
  transfer(Engine::Store,
           tile(oBlock, 0, p, 0, {{rowTiles, s.blockN}, {s.blockN, 1}}),
           hbm(o, m0 * s.n + block * s.blockN,
               {{p, s.n}, {rowTiles, p * s.n}, {s.blockN, 1}}),
           s.blockN);
  dealloc(oBlock);
  endLoop();
}

void StripCacheBuilder::multiply(const Access &stationary,
                                 const Access &movingTile, const Access &into,
                                 const LinearExpr &step) {
  Instruction &added = execute(Engine::Tensor, Semantics::Matmul,
                               {stationary, movingTile}, into);
  added.accumulate = Condition{Condition::Predicate::Ne, step};
  added.work.cycles = moving;
  added.work.flops = 2 * p * p * moving;
}

Program mlir::trn::stripCacheProgram(const ChainSizes &sizes,
                                     const Machine &machine) {
  return StripCacheBuilder(sizes, machine).build();
}
