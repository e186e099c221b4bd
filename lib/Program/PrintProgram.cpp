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
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/SmallString.h"
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
  case Semantics::Iota:
    return "iota";
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
    if (instruction.formula) {
      os << " <- ";
      printFormula(instruction);
    } else if (!instruction.reads.empty()) {
      os << " <- ";
      llvm::interleaveComma(instruction.reads, os, printOne);
    } else if (!instruction.parameters.empty()) {
      os << " <- ";
      llvm::interleaveComma(instruction.parameters, os,
                            [&](float value) { printConstant(value); });
    }
    if (instruction.accumulate) {
      os << " accumulate ";
      print(instruction.accumulate->expr, os);
      os << ' ' << spell(instruction.accumulate->predicate) << " 0";
    }
  }

  void printFormula(const Instruction &instruction) {
    const Formula &formula = *instruction.formula;
    auto printValue = [&](int64_t place) {
      Source source = place == 0   ? Source::Read
                      : place == 1 ? formula.second
                                   : formula.third;
      if (source == Source::Constant)
        return printConstant(instruction.parameters[place - 1]);
      bool isNext = place == 2 && formula.second == Source::Constant;
      printAccess(instruction.reads[isNext ? 1 : place]);
    };
    os << stringify(formula.function) << '(';
    int64_t count = arity(formula.function);
    if (instruction.semantics == Semantics::Reduce || isUnscaled(instruction)) {
      printValue(0);
    } else if (count == 1) {
      printValue(0);
      os << " * ";
      printValue(1);
      os << " + ";
      printValue(2);
    } else {
      llvm::interleaveComma(llvm::seq(count), os, [&](int64_t place) {
        printValue(formula.reversed ? count - 1 - place : place);
      });
    }
    os << ')';
  }

  /// Whether a function of one value has its usual scale and bias, 1 and 0.
  static bool isUnscaled(const Instruction &instruction) {
    llvm::ArrayRef<float> parameters = instruction.parameters;
    return arity(instruction.formula->function) == 1 &&
           instruction.formula->numReads() == 1 && parameters[0] == 1 &&
           parameters[1] == 0 && !std::signbit(parameters[1]);
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
