//===- OperandLayout.cpp - How operands lie in memory ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LayoutParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using namespace mlir::trn;
using llvm::ArrayRef;
using llvm::SmallVector;

std::string mlir::trn::describeSizes(const Access &access) {
  std::string text;
  for (const Access::Dim &dim : access.dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim.size);
  return text.empty() ? "a single element" : text;
}

bool mlir::trn::isComputable(const Program &program, const LinearExpr &expr) {
  double largest = std::abs(double(expr.constant));
  for (const LinearExpr::Term &term : expr.terms)
    largest += std::abs(double(term.coefficient)) *
               double(program.loops[term.loop].tripCount);
  return largest < 0x1p56;
}

int64_t mlir::trn::pitchOf(const OperandLayout &operand,
                           const Pitches &pitches) {
  return operand.buffer->space == Space::Sbuf ? pitches.sbuf : pitches.psum;
}

Dims mlir::trn::freeDims(const OperandLayout &operand) {
  const Access &access = *operand.access;
  bool onChip = operand.buffer->space != Space::Hbm;
  Dims dims;
  for (const Access::Dim &dim :
       ArrayRef(access.dims).drop_front(onChip ? 1 : 0))
    if (dim.size != 1)
      dims.push_back({dim.size, dim.stride * byteSize(access.type)});
  return dims;
}

Dims mlir::trn::byteDims(const OperandLayout &operand, const Pitches &pitches) {
  Dims dims = freeDims(operand);
  if (operand.buffer->space != Space::Hbm && operand.partitions != 1)
    dims.insert(dims.begin(), {operand.partitions, pitchOf(operand, pitches)});
  return dims;
}

void mlir::trn::coalesce(Dims &dims) {
  Dims fused;
  for (const Access::Dim &dim : dims) {
    if (!fused.empty() && fused.back().stride == dim.size * dim.stride)
      fused.back() = {fused.back().size * dim.size, dim.stride};
    else
      fused.push_back(dim);
  }
  dims = std::move(fused);
}

std::string mlir::trn::layOut(const Program &program, const Access &access,
                              OperandLayout &operand) {
  operand.access = &access;
  operand.buffer = &program.buffers[access.buffer];
  bool onChip = operand.buffer->space != Space::Hbm;
  if (access.type != operand.buffer->type)
    return (llvm::Twine("accesses ") + stringify(access.type) +
            " elements of a buffer of " + stringify(operand.buffer->type))
        .str();
  if (onChip && access.dims.empty())
    return "accesses a buffer on chip without a partition dimension";
  int64_t limit = int64_t(1) << 40;
  int64_t count = 1;
  for (const Access::Dim &dim : access.dims)
    if (dim.size < 0 || dim.size > limit || std::abs(dim.stride) > limit ||
        (count *= dim.size) > limit)
      return "accesses a region of impossible size, " + describeSizes(access);
  if (!isComputable(program, access.offset) ||
      !isComputable(program, access.partition))
    return "has an address that overflows 64 bits";

  operand.partitions = onChip ? access.dims[0].size : 1;
  layOutRuns(freeDims(operand), operand);
  return "";
}

void mlir::trn::layOutRuns(Dims dims, OperandLayout &operand) {
  const Access &access = *operand.access;
  llvm::erase_if(dims, [](const Access::Dim &dim) { return dim.stride == 0; });
  coalesce(dims);
  operand.runBytes = byteSize(access.type);
  if (!dims.empty() && dims.back().stride == byteSize(access.type))
    operand.runBytes *= dims.pop_back_val().size;
  operand.outer.assign(dims.begin(), dims.end());
  operand.high = operand.runBytes;
  for (const Access::Dim &dim : dims)
    (dim.stride < 0 ? operand.low : operand.high) +=
        (dim.size - 1) * dim.stride;
}

bool mlir::trn::buildNest(SmallVector<Dims, 4> operands, ElementNest &nest) {
  SmallVector<ElementNest::Level, 4> levels;
  auto isDone = [](const Dims &dims) { return dims.empty(); };
  while (!llvm::all_of(operands, isDone)) {
    ElementNest::Level level{};
    level.size = std::numeric_limits<int64_t>::max();
    for (const Dims &dims : operands) {
      if (dims.empty())
        return false;
      level.size = std::min(level.size, dims.back().size);
    }
    for (auto [index, dims] : llvm::enumerate(operands)) {
      Access::Dim &last = dims.back();
      if (last.size % level.size != 0)
        return false;
      level.strides[index] = last.stride;
      last.stride *= level.size;
      last.size /= level.size;
      if (last.size == 1)
        dims.pop_back();
    }
    auto continues = [&](const ElementNest::Level &inner) {
      for (size_t i = 0; i < operands.size(); ++i)
        if (level.strides[i] != inner.strides[i] * inner.size)
          return false;
      return true;
    };
    if (!levels.empty() && continues(levels.back()))
      levels.back().size *= level.size;
    else
      levels.push_back(level);
  }
  if (levels.empty())
    levels.push_back({1, {}});
  nest.levels.assign(levels.rbegin(), levels.rend());
  return true;
}

int64_t mlir::trn::freeElements(const OperandLayout &operand) {
  int64_t count = 1;
  for (const Access::Dim &dim : ArrayRef(operand.access->dims).drop_front())
    count *= dim.size;
  return count;
}
