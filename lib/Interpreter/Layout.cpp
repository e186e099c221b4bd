//===- Layout.cpp - How an instruction steps through memory ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Layout.h"

#include "trn/Program/RepeatedElements.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include <cmath>

using namespace mlir::trn;
using llvm::ArrayRef;
using llvm::SmallVector;

using Dims = SmallVector<Access::Dim, 6>;

static std::string describeSizes(const Access &access) {
  std::string text;
  for (const Access::Dim &dim : access.dims)
    text += (text.empty() ? "" : "x") + std::to_string(dim.size);
  return text.empty() ? "a single element" : text;
}

/// Whether `expr` stays far from overflow in every iteration.
static bool isComputable(const Program &program, const LinearExpr &expr) {
  double largest = std::abs(double(expr.constant));
  for (const LinearExpr::Term &term : expr.terms)
    largest += std::abs(double(term.coefficient)) *
               double(program.loops[term.loop].tripCount);
  return largest < 0x1p56;
}

/// The dims that walk through memory in bytes, without those of size one.
/// On chip the first one steps from partition to partition.
static Dims byteDims(const OperandLayout &operand, const Pitches &pitches) {
  const Access &access = *operand.access;
  Dims dims;
  for (auto [index, dim] : llvm::enumerate(access.dims)) {
    bool isPartition = operand.buffer->space != Space::Hbm && index == 0;
    int64_t pitch =
        operand.buffer->space == Space::Sbuf ? pitches.sbuf : pitches.psum;
    if (dim.size != 1)
      dims.push_back(
          {dim.size, isPartition ? pitch : dim.stride * byteSize(access.type)});
  }
  return dims;
}

/// Fuses neighbours that together are one evenly strided dim.
static void coalesce(Dims &dims) {
  Dims fused;
  for (const Access::Dim &dim : dims) {
    if (!fused.empty() && fused.back().stride == dim.size * dim.stride)
      fused.back() = {fused.back().size * dim.size, dim.stride};
    else
      fused.push_back(dim);
  }
  dims = std::move(fused);
}

static std::string layOut(const Program &program, const Access &access,
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

  Dims dims;
  for (const Access::Dim &dim :
       ArrayRef(access.dims).drop_front(onChip ? 1 : 0))
    if (dim.size != 1)
      dims.push_back({dim.size, dim.stride * byteSize(access.type)});
  coalesce(dims);
  operand.partitions = onChip ? access.dims[0].size : 1;
  operand.runBytes = byteSize(access.type);
  if (!dims.empty() && dims.back().stride == byteSize(access.type))
    operand.runBytes *= dims.pop_back_val().size;
  operand.outer.assign(dims.begin(), dims.end());
  operand.high = operand.runBytes;
  for (const Access::Dim &dim : dims)
    (dim.stride < 0 ? operand.low : operand.high) +=
        (dim.size - 1) * dim.stride;
  return "";
}

/// Splits the dims of all operands into common levels, innermost first. Fails
/// if their sizes do not line up.
static bool buildNest(SmallVector<Dims, 4> operands, ElementNest &nest) {
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

static int64_t freeElements(const OperandLayout &operand) {
  int64_t count = 1;
  for (const Access::Dim &dim : ArrayRef(operand.access->dims).drop_front())
    count *= dim.size;
  return count;
}

static std::string prepareElementwise(PreparedInstruction &prepared,
                                      const Pitches &pitches) {
  const Instruction &source = *prepared.source;
  const Buffer &destination = *prepared.write().buffer;
  SmallVector<Dims, 4> dims;
  for (const OperandLayout &operand : prepared.operands) {
    Dims own = byteDims(operand, pitches);
    // A column is repeated along the row.
    if (source.semantics == Semantics::Map && destination.space != Space::Hbm &&
        operand.buffer->space != Space::Hbm && freeElements(operand) == 1 &&
        freeElements(prepared.write()) != 1)
      own.push_back({freeElements(prepared.write()), 0});
    dims.push_back(std::move(own));
  }
  if (!buildNest(dims, prepared.nest))
    return "reads " + describeSizes(source.reads[0]) +
           " elements, but writes " + describeSizes(source.writes[0]);
  return "";
}

/// One matrix; its free dims must be one evenly strided dim.
static std::string layOutMatrix(const OperandLayout &operand,
                                const Pitches &pitches, MatrixLayout &matrix) {
  int64_t size = byteSize(operand.access->type);
  matrix.rows = operand.partitions;
  if (operand.buffer->space == Space::Hbm) {
    return "has an operand in HBM";
  }
  if (operand.outer.size() + (operand.runBytes > size) > 1)
    return "has an operand with more than one free dimension, " +
           describeSizes(*operand.access);
  matrix.columns = operand.runBytes / size;
  if (!operand.outer.empty()) {
    matrix.columns = operand.outer[0].size;
    matrix.columnStride = operand.outer[0].stride / size;
  }
  return "";
}

static std::string prepareMatmul(PreparedInstruction &prepared,
                                 const Pitches &pitches) {
  for (auto [operand, matrix] :
       llvm::zip_equal(prepared.operands, prepared.matrices))
    if (std::string error = layOutMatrix(operand, pitches, matrix);
        !error.empty())
      return error;
  auto &[stationary, moving, result] = prepared.matrices;
  const OperandLayout &write = prepared.write();
  if (write.access->type != ElementType::F32 ||
      write.buffer->space != Space::Psum)
    return "must write f32 values to PSUM";
  if (result.columnStride != 1 && result.columns != 1)
    return "must write contiguous rows, but their stride is " +
           std::to_string(result.columnStride);
  for (const OperandLayout &read : prepared.reads())
    if (read.buffer->space != Space::Sbuf)
      return "must read both operands from SBUF";
  if (stationary.rows != moving.rows)
    return "contracts " + std::to_string(stationary.rows) + " with " +
           std::to_string(moving.rows) + " partitions";
  if (stationary.columns != result.rows || moving.columns != result.columns)
    return "yields " + std::to_string(stationary.columns) + "x" +
           std::to_string(moving.columns) + " elements, but writes " +
           describeSizes(*write.access);
  return "";
}

/// Transposing is a copy whose source is walked columns first.
static std::string prepareTranspose(PreparedInstruction &prepared,
                                    const Pitches &pitches) {
  const OperandLayout &read = prepared.operands[0];
  const OperandLayout &write = prepared.write();
  if (read.access->dims.size() != 2 || write.access->dims.size() != 2)
    return "must have operands of rank two, not " +
           describeSizes(*read.access) + " and " + describeSizes(*write.access);
  ArrayRef<Access::Dim> from = read.access->dims, to = write.access->dims;
  if (from[0].size != to[1].size || from[1].size != to[0].size)
    return "transposes " + describeSizes(*read.access) + " to " +
           describeSizes(*write.access);
  auto stride = [&](const OperandLayout &operand, int dim) -> int64_t {
    if (dim == 0 && operand.buffer->space != Space::Hbm)
      return operand.buffer->space == Space::Sbuf ? pitches.sbuf : pitches.psum;
    return operand.access->dims[dim].stride * byteSize(operand.access->type);
  };
  prepared.nest.levels.push_back(
      {to[0].size, {stride(read, 1), stride(write, 0)}});
  prepared.nest.levels.push_back(
      {to[1].size, {stride(read, 0), stride(write, 1)}});
  return "";
}

/// Level 0 walks over partitions, so that each is reduced in one piece; the
/// others walk over what one partition folds.
static std::string prepareReduce(PreparedInstruction &prepared,
                                 const Pitches &pitches) {
  const OperandLayout &read = prepared.operands[0];
  const OperandLayout &write = prepared.write();
  for (const OperandLayout *operand : {&read, &write})
    if (operand->buffer->space == Space::Hbm)
      return "has an operand in HBM";
  if (read.partitions != write.partitions || freeElements(write) != 1)
    return "reduces " + describeSizes(*read.access) + " to " +
           describeSizes(*write.access);
  auto pitch = [&](const OperandLayout &operand) {
    return operand.buffer->space == Space::Sbuf ? pitches.sbuf : pitches.psum;
  };
  prepared.nest.levels.push_back(
      {read.partitions, {pitch(read), pitch(write)}});
  for (const Access::Dim &dim : read.outer)
    prepared.nest.levels.push_back({dim.size, {dim.stride, 0}});
  int64_t size = byteSize(read.access->type);
  if (read.runBytes > size || read.outer.empty())
    prepared.nest.levels.push_back({read.runBytes / size, {size, 0}});
  return "";
}

static std::string prepareIota(PreparedInstruction &prepared,
                               const Pitches &pitches) {
  const OperandLayout &write = prepared.write();
  const Access &access = *write.access;
  if (write.buffer->space == Space::Hbm)
    return "has an operand in HBM";
  if (access.dims.size() != 2)
    return "must have an operand of rank two, not " + describeSizes(access);
  prepared.nest.levels.push_back(
      {write.partitions,
       {write.buffer->space == Space::Sbuf ? pitches.sbuf : pitches.psum}});
  prepared.nest.levels.push_back(
      {access.dims[1].size, {access.dims[1].stride * byteSize(access.type)}});
  return "";
}

static std::string prepareFormula(PreparedInstruction &prepared) {
  const Instruction &source = *prepared.source;
  if (!source.formula)
    return "computes a function that is not given";
  const Formula &formula = *source.formula;
  bool isReduce = source.semantics == Semantics::Reduce;
  prepared.row = isReduce ? findReduction(formula.function) : findMap(formula);
  int64_t reads = isReduce ? 1 : formula.numReads();
  if (!prepared.row || reads != int64_t(source.reads.size()))
    return "cannot compute " + stringify(formula.function).str() + " of " +
           std::to_string(source.reads.size()) + " operands";
  // A function of one value has a scale and a bias, used or not.
  size_t constants =
      arity(formula.function) == 1 ? 2 : formula.second == Source::Constant;
  if (!isReduce && source.parameters.size() < constants)
    return "computes a function of constants that are not given";
  return "";
}

static std::string prepare(const Program &program, const Pitches &pitches,
                           PreparedInstruction &prepared) {
  const Instruction &source = *prepared.source;
  if (source.writes.size() != 1)
    return "writes " + std::to_string(source.writes.size()) +
           " operands, but one is expected";
  size_t least = 1, most = 1;
  if (source.semantics == Semantics::Fill ||
      source.semantics == Semantics::Iota)
    least = most = 0;
  if (source.semantics == Semantics::Matmul)
    least = most = 2;
  if (source.semantics == Semantics::Map)
    most = ElementNest::maxOperands - 1;
  if (source.reads.size() < least || source.reads.size() > most)
    return "reads " + std::to_string(source.reads.size()) +
           " operands, but at most " + std::to_string(most) + " and at least " +
           std::to_string(least) + " are expected";
  if (source.semantics == Semantics::Fill && source.parameters.empty())
    return "fills with a value that is not given";
  if (source.semantics == Semantics::Iota && source.parameters.size() != 3)
    return "counts with a start or steps that are not given";
  if (source.semantics == Semantics::Map ||
      source.semantics == Semantics::Reduce) {
    std::string error = prepareFormula(prepared);
    if (!error.empty())
      return error;
  }

  SmallVector<const Access *, 4> accesses;
  for (const Access &read : source.reads)
    accesses.push_back(&read);
  accesses.push_back(&source.writes[0]);
  for (const Access *access : accesses) {
    std::string error =
        layOut(program, *access, prepared.operands.emplace_back());
    if (!error.empty())
      return error;
    prepared.isEmpty |= access->numElements() == 0;
    prepared.cost += access->numBytes() / 8;
  }
  if (source.accumulate && !isComputable(program, source.accumulate->expr))
    return "has a condition that overflows 64 bits";
  bool onChip = prepared.write().buffer->space != Space::Hbm;
  if (hasRepeatedElements(
          ArrayRef(prepared.write().access->dims).drop_front(onChip ? 1 : 0))) {
    prepared.rule = "access_c6";
    return "writes an element more than once; its value would depend on the "
           "order of elements";
  }
  if (prepared.isEmpty)
    return "";
  switch (source.semantics) {
  case Semantics::Copy:
  case Semantics::Fill:
  case Semantics::Map:
    return prepareElementwise(prepared, pitches);
  case Semantics::Reduce:
    return prepareReduce(prepared, pitches);
  case Semantics::Iota:
    return prepareIota(prepared, pitches);
  case Semantics::Transpose:
    prepared.cost *= 4;
    return prepareTranspose(prepared, pitches);
  case Semantics::Matmul:
    prepared.cost = source.reads[0].numElements() *
                    source.reads[1].numElements() /
                    std::max<int64_t>(prepared.operands[0].partitions, 1) / 150;
    return prepareMatmul(prepared, pitches);
  }
  return "has unknown semantics";
}

PreparedInstruction
mlir::trn::prepareInstruction(const Program &program,
                              const Instruction &instruction,
                              const Pitches &pitches) {
  PreparedInstruction prepared;
  prepared.source = &instruction;
  prepared.rule = "program_c1";
  prepared.error = prepare(program, pitches, prepared);
  return prepared;
}
