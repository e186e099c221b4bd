//===- ByteModel.cpp - A slow and simple interpreter ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ByteModel.h"
#include "KernelBuilder.h"

#include <cmath>

using namespace mlir::trn;

int32_t ByteModel::memoryOf(int32_t buffer) const {
  Space space = program.buffers[buffer].space;
  return space == Space::Hbm ? buffer : -int32_t(space);
}

void ByteModel::setArgument(int32_t argument, llvm::ArrayRef<float> data) {
  for (size_t buffer = 0; buffer < program.buffers.size(); ++buffer)
    if (program.buffers[buffer].argument == argument)
      for (size_t i = 0; i < data.size(); ++i)
        values[{int32_t(buffer), 0,
                int64_t(i) * byteSize(program.buffers[buffer].type)}] = data[i];
}

std::optional<float> ByteModel::result(int32_t argument,
                                       int64_t element) const {
  for (size_t buffer = 0; buffer < program.buffers.size(); ++buffer)
    if (program.buffers[buffer].argument == argument)
      if (auto found =
              values.find({int32_t(buffer), 0,
                           element * byteSize(program.buffers[buffer].type)});
          found != values.end())
        return found->second;
  return std::nullopt;
}

std::optional<int32_t> ByteModel::run() {
  while (const Step *next = walker.next())
    if (!step(*next))
      return next->kind == Step::Kind::Execute
                 ? program.instructions[next->index].op
             : next->kind == Step::Kind::Alloc ? program.buffers[next->index].op
                                               : next->op;
  for (size_t i = 0; i < program.buffers.size(); ++i)
    if (const Buffer &buffer = program.buffers[i]; buffer.result)
      for (int64_t byte = 0; byte < buffer.bytes; byte += byteSize(buffer.type))
        if (!values.count({int32_t(i), 0, byte}))
          return 0; // the kernel itself
  return std::nullopt;
}

bool ByteModel::step(const Step &step) {
  if (step.kind == Step::Kind::Alloc)
    return alloc(step.index);
  if (step.kind == Step::Kind::Dealloc)
    return live.erase({step.index, walker.slot(step.index)}) == 1;
  return execute(program.instructions[step.index]);
}

bool ByteModel::alloc(int32_t index) {
  auto range = [&](int32_t buffer, int64_t slot) {
    const Buffer &b = program.buffers[buffer];
    int64_t begin = b.space == Space::Sbuf
                        ? b.offset + slot * b.bytesPerPartition
                        : (b.bank + slot) * machine.psumBankBytes + b.offset;
    return std::make_pair(begin, begin + b.bytesPerPartition);
  };
  const Buffer &buffer = program.buffers[index];
  int64_t lo, hi;
  std::tie(lo, hi) = range(index, walker.slot(index));
  bool isSbuf = buffer.space == Space::Sbuf;
  if (buffer.partitions > machine.partitions ||
      hi > (isSbuf ? machine.sbufPartitionBytes
                   : machine.psumPartitionBytes()) ||
      (!isSbuf &&
       buffer.offset + buffer.bytesPerPartition > machine.psumBankBytes))
    return false;
  for (auto [other, slot] : live) {
    auto [otherLo, otherHi] = range(other, slot);
    if (other != index && memoryOf(other) == memoryOf(index) && lo < otherHi &&
        otherLo < hi)
      return false;
  }
  live.insert({index, walker.slot(index)});
  auto isTaken = [&](const Address &address) {
    auto [memory, partition, byte] = address;
    return memory == memoryOf(index) && partition < buffer.partitions &&
           byte >= lo && byte < hi;
  };
  for (auto it = values.begin(); it != values.end();)
    it = isTaken(it->first) ? values.erase(it) : std::next(it);
  for (auto &[bank, group] : groups)
    if (!isSbuf && std::any_of(group.begin(), group.end(), isTaken))
      group.clear();
  return true;
}

bool ByteModel::locate(const Access &access,
                       std::vector<Address> &elements) const {
  const Buffer &buffer = program.buffers[access.buffer];
  bool onChip = buffer.space != Space::Hbm;
  int64_t slot = walker.slot(access.buffer), size = byteSize(access.type);
  if (onChip && !live.count({access.buffer, slot}))
    return false;
  int64_t begin = 0;
  if (buffer.space == Space::Sbuf)
    begin = buffer.offset + slot * buffer.bytesPerPartition;
  if (buffer.space == Space::Psum)
    begin = (buffer.bank + slot) * machine.psumBankBytes + buffer.offset;
  for (int64_t i = 0; i < access.numElements(); ++i) {
    int64_t partition =
        onChip ? access.partition.evaluate(walker.counters()) : 0;
    int64_t offset = access.offset.evaluate(walker.counters());
    int64_t rest = i;
    for (size_t dim = access.dims.size(); dim-- > 0;) {
      int64_t index = rest % access.dims[dim].size;
      rest /= access.dims[dim].size;
      if (onChip && dim == 0)
        partition += index;
      else
        offset += index * access.dims[dim].stride;
    }
    if (offset < 0 || (offset + 1) * size >
                          (onChip ? buffer.bytesPerPartition : buffer.bytes))
      return false;
    if (onChip && (partition < 0 || partition >= buffer.partitions))
      return false;
    elements.push_back(
        {memoryOf(access.buffer), partition, begin + offset * size});
  }
  return true;
}

bool ByteModel::read(const Access &access, std::vector<float> &result) const {
  std::vector<Address> elements;
  if (!locate(access, elements))
    return false;
  for (const Address &address : elements) {
    auto found = values.find(address);
    if (found == values.end())
      return false;
    result.push_back(found->second);
  }
  return true;
}

/// Of a Gather or Scatter, one row after the other.
bool ByteModel::moveRows(const Instruction &instruction) {
  bool isGather = instruction.semantics == Semantics::Gather;
  const Access &from = instruction.reads[0], &to = instruction.writes[0];
  const Access &table = isGather ? from : to;
  std::vector<float> indices, tile;
  std::vector<Address> sources, targets;
  std::vector<std::vector<Address>> written;
  if (!read(instruction.reads[1], indices) || !locate(from, sources) ||
      (!isGather && !read(from, tile)) || !locate(to, targets) ||
      !claim(instruction, to, /*accumulate=*/false, written))
    return false;
  int64_t width =
      (isGather ? to : from).numElements() / int64_t(indices.size());
  std::set<Address> met;
  for (size_t partition = 0; partition < indices.size(); ++partition) {
    int64_t row = int64_t(indices[partition]);
    if (row < 0 || row >= table.dims[0].size) {
      if (instruction.skipsMissing)
        continue;
      return false;
    }
    for (int64_t i = 0; i < width; ++i) {
      int64_t inTable = row * width + i, inTile = partition * width + i;
      auto found = values.find(sources[isGather ? inTable : inTile]);
      const Address &target = targets[isGather ? inTile : inTable];
      if (found == values.end() || !met.insert(target).second)
        return false;
      values[target] = roundTo(to.type, found->second);
    }
  }
  return true;
}

bool ByteModel::execute(const Instruction &instruction) {
  if (isIndirect(instruction.semantics))
    return moveRows(instruction);
  std::vector<std::vector<float>> inputs;
  for (const Access &access : instruction.reads)
    if (!read(access, inputs.emplace_back()))
      return false;
  bool accumulate = instruction.accumulate &&
                    instruction.accumulate->evaluate(walker.counters());
  std::vector<std::vector<Address>> written;
  for (const Access &write : instruction.writes)
    if (!claim(instruction, write, accumulate, written))
      return false;
  std::vector<float> output;
  if (!compute(instruction, accumulate, written[0], inputs, output))
    return false;
  store(instruction.writes[0], written[0], output);
  if (instruction.writes.size() > 1)
    store(instruction.writes[1], written[1],
          fold(instruction, inputs.back(), output));
  return true;
}

/// Finds what `write` is of, which nothing else of the instruction may be of
/// but a read in place.
bool ByteModel::claim(const Instruction &instruction, const Access &write,
                      bool accumulate,
                      std::vector<std::vector<Address>> &written) {
  const Buffer &target = program.buffers[write.buffer];
  std::vector<Address> own;
  if ((target.argument >= 0 && !target.result) || !locate(write, own))
    return false;
  if (std::set<Address>(own.begin(), own.end()).size() != own.size())
    return false;
  auto meets = [&](const std::vector<Address> &elements) {
    return std::any_of(elements.begin(), elements.end(), [&](const auto &at) {
      return std::find(own.begin(), own.end(), at) != own.end();
    });
  };
  for (const Access &access : instruction.reads) {
    std::vector<Address> elements;
    locate(access, elements);
    bool inPlace =
        elements == own && instruction.semantics != Semantics::Transpose;
    if (!inPlace && meets(elements))
      return false;
  }
  if (std::any_of(written.begin(), written.end(), meets))
    return false;
  if (target.space == Space::Psum &&
      !updateGroups(instruction, accumulate, own))
    return false;
  written.push_back(std::move(own));
  return true;
}

void ByteModel::store(const Access &write, const std::vector<Address> &written,
                      const std::vector<float> &output) {
  for (size_t i = 0; i < written.size(); ++i) {
    largest = std::max(largest, std::abs(output[i]));
    values[written[i]] = roundTo(write.type, output[i]);
  }
}

/// The sum of each row.
std::vector<float> ByteModel::fold(const Instruction &instruction,
                                   const std::vector<float> &before,
                                   const std::vector<float> &output) {
  int64_t width = instruction.writes[0].dims[1].size;
  std::vector<float> sums;
  for (size_t i = 0; i < output.size(); ++i) {
    size_t row = i / width;
    if (row < sums.size())
      sums[row] += output[i];
    else
      sums.push_back(instruction.fold->accumulates ? before[row] + output[i]
                                                   : output[i]);
  }
  return sums;
}

bool ByteModel::updateGroups(const Instruction &instruction, bool accumulate,
                             const std::vector<Address> &written) {
  std::set<Address> &group =
      groups[std::get<2>(written[0]) / machine.psumBankBytes];
  auto isIn = [&](const Address &address) { return group.count(address) == 1; };
  if (accumulate)
    return std::all_of(written.begin(), written.end(), isIn);
  if (instruction.semantics == Semantics::Matmul)
    group = std::set<Address>(written.begin(), written.end());
  else if (std::any_of(written.begin(), written.end(), isIn))
    group.clear();
  return true;
}

bool ByteModel::compute(const Instruction &instruction, bool accumulate,
                        const std::vector<Address> &written,
                        const std::vector<std::vector<float>> &inputs,
                        std::vector<float> &output) {
  auto columns = [](const Access &access) { return access.dims[1].size; };
  for (size_t i = 0; i < written.size(); ++i) {
    switch (instruction.semantics) {
    case Semantics::Copy:
      output.push_back(inputs[0][i]);
      break;
    case Semantics::Fill:
      output.push_back(instruction.parameters[0]);
      break;
    case Semantics::Map: {
      // A constant scale and a bias, which may be a column.
      int64_t row = i / columns(instruction.writes[0]);
      bool isColumn = inputs[1].size() != written.size();
      output.push_back(inputs[0][i] * instruction.parameters[0] +
                       inputs[1][isColumn ? row : i]);
      break;
    }
    case Semantics::Reduce: {
      size_t free = inputs[0].size() / written.size();
      float sum = inputs[0][i * free];
      for (size_t j = 1; j < free; ++j)
        sum += inputs[0][i * free + j];
      output.push_back(sum);
      break;
    }
    case Semantics::Scan: {
      // x * the result before + y, from a constant on.
      bool isFirst = i % columns(instruction.writes[0]) == 0;
      float state = isFirst ? instruction.parameters[0] : output.back();
      output.push_back(inputs[0][i] * state + inputs[1][i]);
      break;
    }
    case Semantics::Partition:
    case Semantics::Shuffle:
    case Semantics::Gather: // see moveRows
    case Semantics::Scatter:
    case Semantics::AllReduce:
    case Semantics::AllGather:
    case Semantics::ReduceScatter:
    case Semantics::AllToAll:
    case Semantics::Permute:
    case Semantics::Barrier:
    case Semantics::SendReceive:
      return false; // not among the random programs
    case Semantics::Iota: {
      int64_t width = columns(instruction.writes[0]);
      output.push_back(instruction.parameters[0] +
                       float(i / width) * instruction.parameters[1] +
                       float(i % width) * instruction.parameters[2]);
      break;
    }
    case Semantics::Transpose: {
      int64_t width = columns(instruction.writes[0]);
      output.push_back(
          inputs[0][i % width * columns(instruction.reads[0]) + i / width]);
      break;
    }
    case Semantics::Matmul: {
      int64_t m = columns(instruction.reads[0]),
              n = columns(instruction.reads[1]);
      float sum = accumulate ? values[written[i]] : 0;
      for (int64_t k = 0; k < instruction.reads[0].dims[0].size; ++k)
        sum += inputs[0][k * m + i / n] * inputs[1][k * n + i % n];
      output.push_back(sum);
      break;
    }
    }
  }
  return true;
}
