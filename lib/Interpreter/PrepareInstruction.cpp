//===- PrepareInstruction.cpp - How an instruction steps through memory ---===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrepareInstruction.h"

#include "Collectives.h"
#include "LayoutParts.h"
#include "PartitionFunctions.h"

#include "trn/Program/RepeatedElements.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using llvm::ArrayRef;
using llvm::SmallVector;

/// What is read beside one element of a partition goes with all of them: a
/// column is repeated along the row.
static void repeatColumn(const OperandLayout &operand,
                         const OperandLayout &write, Dims &dims) {
  int64_t count = freeElements(write);
  if (freeElements(operand) == 1 && count != 1)
    dims.push_back({count, 0});
}

static std::string refuseSizes(const Instruction &source) {
  return "reads " + describeSizes(source.reads[0]) + " elements, but writes " +
         describeSizes(source.writes[0]);
}

static std::string prepareElementwise(PreparedInstruction &prepared,
                                      const Pitches &pitches) {
  const Instruction &source = *prepared.source;
  SmallVector<Dims, 4> dims;
  for (const OperandLayout &operand : prepared.operands) {
    Dims own = byteDims(operand, pitches);
    if (source.semantics == Semantics::Map && isOnChip(operand) &&
        isOnChip(prepared.write()))
      repeatColumn(operand, prepared.write(), own);
    dims.push_back(std::move(own));
  }
  return buildNest(dims, prepared.nest) ? "" : refuseSizes(source);
}

/// Both cores walk through the elements of one shape.
static std::string prepareSendReceive(PreparedInstruction &prepared,
                                      const Pitches &pitches) {
  const Instruction &source = *prepared.source;
  if (source.reads[0].type != source.writes[0].type)
    return "sends " + stringify(source.reads[0].type).str() + " and takes " +
           stringify(source.writes[0].type).str();
  for (const OperandLayout &operand : prepared.operands)
    if (operand.buffer->space != Space::Sbuf)
      return "exchanges what is not in SBUF";
  return prepareElementwise(prepared, pitches);
}

/// Level 0 of what is computed partition by partition.
static ElementNest::Level partitionLevel(const PreparedInstruction &prepared,
                                         const Pitches &pitches) {
  ElementNest::Level level = {prepared.write().partitions, {}};
  for (auto [index, operand] : llvm::enumerate(prepared.operands))
    level.strides[index] = pitchOf(operand, pitches);
  return level;
}

/// Why it cannot be computed partition by partition.
static std::string checkPartitions(const PreparedInstruction &prepared) {
  if (!llvm::all_of(prepared.operands, isOnChip))
    return "has an operand in HBM";
  for (const OperandLayout &operand : prepared.operands)
    if (operand.partitions != prepared.write().partitions)
      return "has operands of " + std::to_string(operand.partitions) + " and " +
             std::to_string(prepared.write().partitions) + " partitions";
  return "";
}

/// A Map with a fold, or a Scan.
static std::string prepareByPartition(PreparedInstruction &prepared,
                                      const Pitches &pitches) {
  const Instruction &source = *prepared.source;
  if (std::string error = checkPartitions(prepared); !error.empty())
    return error;
  if (source.fold && freeElements(prepared.writes().back()) != 1)
    return "folds a partition into " + describeSizes(source.writes.back());
  SmallVector<Dims, 4> dims;
  for (const OperandLayout &operand : prepared.operands)
    repeatColumn(operand, prepared.write(),
                 dims.emplace_back(freeDims(operand)));
  if (!buildNest(dims, prepared.nest))
    return refuseSizes(source);
  prepared.nest.levels.insert(prepared.nest.levels.begin(),
                              partitionLevel(prepared, pitches));
  return "";
}

/// Transposing is a copy whose source is walked columns first; these may have
/// several dimensions.
static std::string prepareTranspose(PreparedInstruction &prepared,
                                    const Pitches &pitches) {
  const OperandLayout &read = prepared.operands[0];
  const OperandLayout &write = prepared.write();
  ArrayRef<Access::Dim> from = read.access->dims, to = write.access->dims;
  int64_t rows = from.empty() ? 0 : from.front().size;
  if (from.size() < 2 || to.size() != 2 || rows != to[1].size ||
      read.access->numElements() != rows * to[0].size)
    return "transposes " + describeSizes(*read.access) + " to " +
           describeSizes(*write.access);
  auto stride = [&](const OperandLayout &operand, int dim) -> int64_t {
    if (dim == 0 && operand.buffer->space != Space::Hbm)
      return operand.buffer->space == Space::Sbuf ? pitches.sbuf : pitches.psum;
    return operand.access->dims[dim].stride * byteSize(operand.access->type);
  };
  auto &levels = prepared.nest.levels;
  int64_t below = 1;
  for (int dim = int(from.size()) - 1; dim > 0; --dim) {
    levels.insert(
        levels.begin(),
        {from[dim].size, {stride(read, dim), below * stride(write, 0)}});
    below *= from[dim].size;
  }
  levels.push_back({to[1].size, {stride(read, 0), stride(write, 1)}});
  return "";
}

/// The last level folds partitions.
static std::string preparePartitionReduce(PreparedInstruction &prepared,
                                          const Pitches &pitches) {
  const OperandLayout &read = prepared.operands[0];
  if (!buildNest({freeDims(read), freeDims(prepared.write())}, prepared.nest))
    return refuseSizes(*prepared.source);
  prepared.foldDepth = prepared.nest.levels.size();
  prepared.nest.levels.push_back(
      {read.partitions, {pitchOf(read, pitches), 0}});
  return "";
}

static std::string preparePartitions(PreparedInstruction &prepared,
                                     const Pitches &pitches) {
  if (std::string error = checkPartitions(prepared); !error.empty())
    return error;
  prepared.nest.levels.push_back(partitionLevel(prepared, pitches));
  prepared.cost *= 8;
  SmallVector<int64_t> reads, writes;
  for (const OperandLayout &read : prepared.reads())
    reads.push_back(freeElements(read));
  for (const OperandLayout &write : prepared.writes())
    writes.push_back(freeElements(write));
  return checkSizes(*prepared.source->partitionFunction, reads, writes);
}

static std::string prepareShuffle(PreparedInstruction &prepared,
                                  const Pitches &pitches) {
  const Instruction &source = *prepared.source;
  if (!llvm::all_of(prepared.operands, isOnChip))
    return "has an operand in HBM";
  if (freeElements(prepared.operands[0]) != freeElements(prepared.write()))
    return refuseSizes(source);
  int64_t partitions = prepared.operands[0].partitions;
  int64_t quadrant = int64_t(source.parameters.size());
  for (int64_t i = 0, e = prepared.write().partitions; i < e; ++i) {
    float from = source.parameters[i % quadrant];
    if (from < quadrant && i / quadrant * quadrant + from < partitions)
      continue;
    return "moves partition " + std::to_string(int64_t(from)) +
           " of a quadrant, which it does not have";
  }
  prepared.nest.levels.push_back(partitionLevel(prepared, pitches));
  prepared.isIndivisible = true;
  return "";
}

/// Behind the partitions come the levels of what is written, and then those
/// that are folded.
static std::string prepareReduce(PreparedInstruction &prepared,
                                 const Pitches &pitches) {
  const OperandLayout &read = prepared.operands[0];
  const OperandLayout &write = prepared.write();
  for (const OperandLayout *operand : {&read, &write})
    if (!isOnChip(*operand))
      return "has an operand in HBM";
  if (read.partitions > 1 && write.partitions == 1 &&
      freeElements(read) == freeElements(write))
    return preparePartitionReduce(prepared, pitches);
  Dims kept = freeDims(read), folded;
  int64_t each = freeElements(read) / freeElements(write), count = 1;
  while (count < each && !kept.empty()) {
    count *= kept.back().size;
    folded.insert(folded.begin(), kept.pop_back_val());
  }
  if (read.partitions != write.partitions || count != each ||
      !buildNest({kept, freeDims(write)}, prepared.nest))
    return "reduces " + describeSizes(*read.access) + " to " +
           describeSizes(*write.access);
  auto &levels = prepared.nest.levels;
  levels.insert(levels.begin(), partitionLevel(prepared, pitches));
  prepared.foldDepth = levels.size();
  coalesce(folded);
  for (const Access::Dim &dim : folded)
    levels.push_back({dim.size, {dim.stride, 0}});
  if (folded.empty())
    levels.push_back({1, {}});
  return "";
}

/// A level for each dim that is counted.
static std::string prepareIota(PreparedInstruction &prepared,
                               const Pitches &pitches) {
  if (std::string error = checkPartitions(prepared); !error.empty())
    return error;
  ArrayRef<Access::Dim> counted = prepared.write().access->dims;
  prepared.nest.levels.push_back(partitionLevel(prepared, pitches));
  for (size_t dim = 1; dim < counted.size(); ++dim) {
    ElementNest::Level level = {counted[dim].size, {}};
    for (auto [index, operand] : llvm::enumerate(prepared.operands)) {
      ArrayRef<Access::Dim> own = operand.access->dims;
      if (freeElements(operand) == 1)
        continue;
      if (own.size() != counted.size() || own[dim].size != counted[dim].size)
        return refuseSizes(*prepared.source);
      level.strides[index] = own[dim].stride * byteSize(operand.access->type);
    }
    prepared.nest.levels.push_back(level);
  }
  if (counted.size() == 1)
    prepared.nest.levels.push_back({1, {}});
  return "";
}

//===----------------------------------------------------------------------===//
// Formulas
//===----------------------------------------------------------------------===//

/// Parameters in front of those of the formula.
static size_t ownParameters(const Instruction &source) {
  return source.semantics == Semantics::Iota ? source.writes[0].dims.size() + 1
                                             : 0;
}

static std::string prepareFormula(PreparedInstruction &prepared) {
  const Instruction &source = *prepared.source;
  bool isMoved = source.semantics != Semantics::Iota &&
                 source.formula.empty() && !source.fold;
  if (isMoved)
    return "";
  auto refuse = [&](Function function) {
    return "cannot compute " + stringify(function).str() + " of " +
           std::to_string(source.reads.size()) + " operands";
  };
  size_t read = source.semantics == Semantics::Iota ? 0 : 1;
  size_t parameter = ownParameters(source);
  for (FormulaStep step : source.formula) {
    RowStep added = {nullptr, read, parameter};
    if (arity(step.function) == 2 && step.third == Source::Read)
      return refuse(step.function);
    read += step.numReads();
    parameter += step.numConstants();
    // The result before comes from where a read would.
    if (source.semantics == Semantics::Scan && prepared.steps.empty())
      step.second = Source::Read;
    added.function = findMap(step);
    prepared.steps.push_back(added);
  }
  if (source.fold) {
    prepared.foldRow = findReduction(source.fold->function);
    if (!prepared.foldRow)
      return refuse(source.fold->function);
    read += source.fold->accumulates;
  }
  if (read != source.reads.size())
    return refuse(source.function());
  if (source.parameters.size() < parameter)
    return "computes a function of constants that are not given";
  return "";
}

/// How many operands an instruction has, and whether what it computes is given.
static std::string checkForm(const Instruction &source) {
  Semantics semantics = source.semantics;
  bool isMap = semantics == Semantics::Map || semantics == Semantics::Scan ||
               semantics == Semantics::Iota;
  size_t results = isMap && source.fold ? 2 : 1;
  if (semantics == Semantics::Partition && source.writes.size() == 2)
    results = 2;
  if (source.writes.size() != results)
    return "writes " + std::to_string(source.writes.size()) +
           " operands, but " + (results == 1 ? "one is" : "two are") +
           " expected";
  size_t least = 1, most = 1;
  if (semantics == Semantics::Fill)
    least = most = 0;
  if (semantics == Semantics::Matmul || isIndirect(semantics))
    least = most = 2;
  if (semantics == Semantics::Partition || semantics == Semantics::Shuffle)
    most = 2;
  if (isMap) {
    least = semantics == Semantics::Iota ? 0 : 1;
    most = ElementNest::maxOperands - results;
  }
  if (source.reads.size() < least || source.reads.size() > most)
    return "reads " + std::to_string(source.reads.size()) +
           " operands, but at most " + std::to_string(most) + " and at least " +
           std::to_string(least) + " are expected";
  if (semantics == Semantics::Fill && source.parameters.empty())
    return "fills with a value that is not given";
  if (semantics == Semantics::Iota &&
      source.parameters.size() < ownParameters(source))
    return "counts with a start or steps that are not given";
  bool isGiven =
      semantics == Semantics::Reduce      ? source.fold.has_value()
      : semantics == Semantics::Partition ? source.partitionFunction.has_value()
      : semantics == Semantics::Shuffle   ? !source.parameters.empty()
      : semantics == Semantics::Scan      ? !source.formula.empty()
      : isCollective(semantics)           ? source.collective.has_value()
      : isMeeting(semantics)              ? source.collective.has_value()
      : semantics == Semantics::Map ? !source.formula.empty() || source.fold
                                    : true;
  return isGiven ? "" : "computes a function that is not given";
}

static std::string prepareOperands(PreparedInstruction &prepared,
                                   const Program &program) {
  const Instruction &source = *prepared.source;
  for (const auto &accesses :
       {ArrayRef<Access>(source.reads), ArrayRef<Access>(source.writes)})
    for (const Access &access : accesses) {
      std::string error =
          layOut(program, access, prepared.operands.emplace_back());
      if (!error.empty())
        return error;
      prepared.isEmpty |= access.numElements() == 0;
      prepared.hasIntegers |= isInteger(access.type);
      prepared.cost += access.numBytes() / 8;
    }
  for (const OperandLayout &write : prepared.writes()) {
    if (hasRepeatedElements(
            ArrayRef(write.access->dims)
                // Which rows a scatter writes only a run shows.
                .drop_front(
                    isOnChip(write) || isIndirect(source.semantics) ? 1 : 0))) {
      prepared.rule = "access_c6";
      return "writes an element more than once; its value would depend on the "
             "order of elements";
    }
  }
  return "";
}

static std::string prepare(const Program &program, const Pitches &pitches,
                           PreparedInstruction &prepared) {
  const Instruction &source = *prepared.source;
  if (std::string error = checkForm(source); !error.empty())
    return error;
  if (std::string error = prepareFormula(prepared); !error.empty())
    return error;
  if (source.accumulate && !isComputable(program, source.accumulate->expr))
    return "has a condition that overflows 64 bits";
  if (std::string error = prepareOperands(prepared, program); !error.empty())
    return error;
  if (prepared.isEmpty)
    return "";
  switch (source.semantics) {
  case Semantics::Copy:
  case Semantics::Fill:
    return prepareElementwise(prepared, pitches);
  case Semantics::Map:
    return source.fold ? prepareByPartition(prepared, pitches)
                       : prepareElementwise(prepared, pitches);
  case Semantics::Scan:
    prepared.cost *= 8;
    return prepareByPartition(prepared, pitches);
  case Semantics::Reduce:
    return prepareReduce(prepared, pitches);
  case Semantics::Iota:
    return prepareIota(prepared, pitches);
  case Semantics::Partition:
    return preparePartitions(prepared, pitches);
  case Semantics::Shuffle:
    return prepareShuffle(prepared, pitches);
  case Semantics::Transpose:
    prepared.cost *= 4;
    return prepareTranspose(prepared, pitches);
  case Semantics::Gather:
  case Semantics::Scatter:
    return prepareRows(prepared, pitches);
  case Semantics::AllReduce:
  case Semantics::AllGather:
  case Semantics::ReduceScatter:
  case Semantics::AllToAll:
  case Semantics::Permute:
    return prepareCollective(prepared);
  case Semantics::Barrier:
    return "";
  case Semantics::SendReceive:
    return prepareSendReceive(prepared, pitches);
  case Semantics::Matmul:
    for (const Access &read : source.reads)
      if (isInteger(read.type))
        return "multiplies integers";
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
