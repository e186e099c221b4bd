//===- PrintProgram.cpp - Programs as text --------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/PrintProgram.h"

#include "trn/Support/Escape.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace mlir::trn;

llvm::StringRef mlir::trn::stringify(Engine engine) {
  switch (engine) {
  case Engine::Tensor:
    return "tensor";
  case Engine::Vector:
    return "vector";
  case Engine::Scalar:
    return "scalar";
  case Engine::GpSimd:
    return "gpsimd";
  case Engine::Load:
    return "load";
  case Engine::Store:
    return "store";
  case Engine::Collective:
    return "collective";
  }
  return "unknown";
}

llvm::StringRef mlir::trn::stringify(Space space) {
  switch (space) {
  case Space::Hbm:
    return "hbm";
  case Space::Sbuf:
    return "sbuf";
  case Space::Psum:
    return "psum";
  }
  return "unknown";
}

llvm::StringRef mlir::trn::stringify(Semantics semantics) {
  switch (semantics) {
  case Semantics::Copy:
    return "copy";
  case Semantics::Fill:
    return "fill";
  case Semantics::Matmul:
    return "matmul";
  case Semantics::Transpose:
    return "transpose";
  case Semantics::Map:
    return "map";
  case Semantics::Reduce:
    return "reduce";
  case Semantics::Scan:
    return "scan";
  case Semantics::Partition:
    return "partition";
  case Semantics::Shuffle:
    return "shuffle";
  case Semantics::Iota:
    return "iota";
  case Semantics::Gather:
    return "gather";
  case Semantics::Scatter:
    return "scatter";
  case Semantics::AllReduce:
    return "all_reduce";
  case Semantics::AllGather:
    return "all_gather";
  case Semantics::ReduceScatter:
    return "reduce_scatter";
  case Semantics::AllToAll:
    return "all_to_all";
  case Semantics::Permute:
    return "collective_permute";
  case Semantics::Barrier:
    return "core_barrier";
  case Semantics::SendReceive:
    return "send_receive";
  }
  return "unknown";
}

void mlir::trn::print(const LinearExpr &expr, llvm::raw_ostream &os) {
  if (expr.constant != 0 || expr.isConstant())
    os << expr.constant;
  bool first = expr.constant == 0;
  for (const LinearExpr::Term &term : expr.terms) {
    int64_t coefficient = term.coefficient;
    if (!first)
      os << (coefficient < 0 ? " - " : " + ");
    else if (coefficient < 0)
      os << '-';
    first = false;
    uint64_t magnitude = coefficient < 0
                             ? 0 - static_cast<uint64_t>(coefficient)
                             : static_cast<uint64_t>(coefficient);
    if (magnitude != 1)
      os << magnitude << '*';
    os << 'i' << term.loop;
  }
}

static llvm::StringRef spell(Condition::Predicate predicate) {
  constexpr llvm::StringLiteral spellings[] = {"==", "!=", "<",
                                               "<=", ">",  ">="};
  return spellings[static_cast<unsigned>(predicate)];
}

namespace {
/// Prints one program, keeping track of the indentation.
class Printer {
public:
  Printer(const Program &program, llvm::raw_ostream &os)
      : program(program), os(os) {}

  void printAll() {
    os << "program @" << escapeUnprintable(program.name) << " {\n";
    for (auto [index, buffer] : llvm::enumerate(program.buffers))
      printBuffer(index, buffer);
    for (const Step &step : program.steps)
      printStep(step);
    os << "}\n";
  }

private:
  void printBuffer(size_t index, const Buffer &buffer) {
    os << "  b" << index << ": " << stringify(buffer.space) << ' '
       << stringify(buffer.type) << ' ';
    if (buffer.space == Space::Hbm) {
      os << buffer.bytes << " bytes";
      if (buffer.argument >= 0)
        os << (buffer.result ? ", result argument " : ", argument ")
           << buffer.argument;
      else
        os << ", scratch";
      if (buffer.shared >= 0)
        os << ", shared " << buffer.shared;
    } else {
      os << buffer.partitions << " x " << buffer.bytesPerPartition << " bytes";
      if (buffer.space == Space::Psum)
        os << ", bank " << buffer.bank;
      os << ", offset " << buffer.offset;
      if (buffer.slots != 1)
        os << ", slots " << buffer.slots;
    }
    os << '\n';
  }

  void printStep(const Step &step) {
    if (step.kind == Step::Kind::EndLoop)
      --depth;
    os.indent(2 + 2 * depth);
    switch (step.kind) {
    case Step::Kind::BeginLoop:
      os << "loop i" << step.index << " < "
         << program.loops[step.index].tripCount << " {";
      ++depth;
      break;
    case Step::Kind::EndLoop:
      os << '}';
      break;
    case Step::Kind::Alloc:
      os << "alloc b" << step.index;
      break;
    case Step::Kind::Dealloc:
      os << "dealloc b" << step.index;
      break;
    case Step::Kind::Execute:
      printInstruction(program.instructions[step.index]);
      break;
    }
    os << '\n';
  }

  void printInstruction(const Instruction &instruction) {
    llvm::StringRef name = program.ops[instruction.op].name;
    name.consume_front("trn.");
    os << stringify(instruction.engine) << ' ' << name << ' ';
    auto printOne = [&](const Access &access) { printAccess(access); };
    llvm::interleaveComma(instruction.writes, os, printOne);
    bool isComputed = !instruction.formula.empty() || instruction.fold;
    if (isComputed) {
      os << " <- " << formulaText(instruction);
    } else if (!instruction.reads.empty()) {
      os << " <- ";
      llvm::interleaveComma(instruction.reads, os, printOne);
      if (!instruction.parameters.empty())
        os << " by ";
      printConstants(instruction.parameters);
    } else if (!instruction.parameters.empty()) {
      os << " <- ";
      printConstants(instruction.parameters);
    }
    if (instruction.fold && instruction.semantics != Semantics::Reduce)
      os << " reducing " << stringify(instruction.fold->function)
         << (instruction.fold->accumulates ? " accumulate" : "");
    if (instruction.skipsMissing)
      os << " skip";
    if (instruction.collective)
      printCollective(instruction.semantics, *instruction.collective);
    if (instruction.accumulate) {
      os << " accumulate ";
      print(instruction.accumulate->expr, os);
      os << ' ' << spell(instruction.accumulate->predicate) << " 0";
    }
  }

  void printCollective(Semantics semantics, const Collective &collective) {
    auto printCores = [&](llvm::StringRef word, llvm::ArrayRef<int64_t> cores) {
      if (cores.empty())
        return;
      os << ' ' << word << " [";
      llvm::interleaveComma(cores, os);
      os << ']';
    };
    os << " cores " << collective.cores;
    printCores("groups", collective.groups);
    printCores("from", collective.sources);
    if (semantics == Semantics::SendReceive)
      os << " pipe " << collective.pipe;
    if (semantics == Semantics::AllToAll)
      os << " split " << collective.splitDim << " concat "
         << collective.concatDim;
  }

  /// Text of what `print` prints.
  template <typename Print>
  std::string textOf(Print print) {
    std::string text;
    llvm::raw_string_ostream stream(text);
    Printer nested(program, stream);
    print(nested);
    return text;
  }

  /// Reads and constants that are not printed yet.
  struct Rest {
    llvm::ArrayRef<Access> reads;
    llvm::ArrayRef<float> constants;
  };

  std::string text(Source source, float constant, Rest &rest) {
    if (source == Source::Constant)
      return textOf([&](Printer &nested) { nested.printConstant(constant); });
    const Access &read = rest.reads.front();
    rest.reads = rest.reads.drop_front();
    return textOf([&](Printer &nested) { nested.printAccess(read); });
  }

  /// The steps around each other: `add(mul(b0[...], 2), b1[...])`.
  std::string formulaText(const Instruction &instruction) {
    Rest rest = {instruction.reads, instruction.parameters};
    std::string x = startText(instruction, rest);
    for (const FormulaStep &step : instruction.formula)
      x = stepText(step, x, rest);
    return x;
  }

  std::string startText(const Instruction &instruction, Rest &rest) {
    if (instruction.semantics == Semantics::Iota) {
      size_t count = instruction.writes.front().dims.size() + 1;
      llvm::ArrayRef<float> counted = rest.constants.take_front(count);
      rest.constants = rest.constants.drop_front(counted.size());
      return "count(" +
             textOf([&](Printer &nested) { nested.printConstants(counted); }) +
             ")";
    }
    std::string x = text(Source::Read, /*constant=*/0, rest);
    if (instruction.semantics != Semantics::Reduce)
      return x;
    return (stringify(instruction.fold->function) + "(" + x + ")").str();
  }

  std::string stepText(const FormulaStep &step, const std::string &x,
                       Rest &rest) {
    llvm::ArrayRef<float> own = rest.constants.take_front(step.numConstants());
    rest.constants = rest.constants.drop_front(own.size());
    llvm::StringRef name = stringify(step.function);
    int64_t count = arity(step.function);
    if (count == 1) {
      bool isUnscaled = step.numReads() == 0 && own[0] == 1 && own[1] == 0 &&
                        !std::signbit(own[1]);
      if (isUnscaled)
        return (name + "(" + x + ")").str();
      std::string scale = text(step.second, own[0], rest);
      std::string bias = text(step.third, own[1], rest);
      return (name + "(" + x + " * " + scale + " + " + bias + ")").str();
    }
    llvm::SmallVector<std::string, 3> values = {x};
    for (int64_t place = 1; place < count; ++place) {
      Source source = place == 1 ? step.second : step.third;
      values.push_back(text(source, own.empty() ? 0 : own.front(), rest));
      if (source == Source::Constant)
        own = own.drop_front();
    }
    if (step.reversed)
      std::reverse(values.begin(), values.end());
    return (name + "(" + llvm::join(values, ", ") + ")").str();
  }

  void printConstants(llvm::ArrayRef<float> values) {
    llvm::interleaveComma(values, os,
                          [&](float value) { printConstant(value); });
  }

  void printConstant(float value) {
    llvm::SmallString<16> text;
    llvm::APFloat(value).toString(text);
    os << text;
  }

  void printAccess(const Access &access) {
    llvm::ArrayRef<Access::Dim> dims = access.dims;
    os << 'b' << access.buffer << '[';
    if (program.buffers[access.buffer].space != Space::Hbm && !dims.empty()) {
      print(access.partition, os);
      os << ':' << dims.front().size << ", ";
      dims = dims.drop_front();
    }
    print(access.offset, os);
    os << (dims.empty() ? "" : "; ");
    llvm::interleaveComma(dims, os, [&](const Access::Dim &dim) {
      os << dim.size << ':' << dim.stride;
    });
    os << ']';
  }

  const Program &program;
  llvm::raw_ostream &os;
  unsigned depth = 0;
};
} // namespace

void mlir::trn::print(const Program &program, llvm::raw_ostream &os) {
  Printer(program, os).printAll();
}
