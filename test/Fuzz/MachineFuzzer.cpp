//===- MachineFuzzer.cpp - Feed text to the reader of machines ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/MachineIO.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>

using namespace mlir::trn;

static std::string print(const Machine &machine) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printMachine(machine, os);
  return text;
}

extern "C" int LLVMFuzzerTestOneInput(const char *data, size_t size) {
  llvm::Expected<Machine> machine = parseMachine({data, size}, "fuzz.json");
  if (!machine) {
    llvm::consumeError(machine.takeError());
    return 0;
  }
  // A machine that is accepted is one that can be written and read again.
  std::string text = print(*machine);
  if (print(llvm::cantFail(parseMachine(text, "fuzz.json"))) != text)
    std::abort();
  return 0;
}
