//===- CoreOptions.cpp - The core that commands compile for ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CoreOptions.h"

#include "../ElementTypes.h"
#include "Commands.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/MachineIO.h"

using namespace mlir::trn;
namespace cl = llvm::cl;

#define COMPILING                                                              \
  cl::sub(getGenerateCommand()), cl::sub(getPerplexityCommand()),              \
      cl::sub(getTimeCommand()), cl::cat(getCategory())

CoreOptions::CoreOptions()
    : machine("machine",
              cl::desc("Machine: trn1, trn2 or a JSON file (default trn1)"),
              cl::value_desc("name or file"), COMPILING),
      type("dtype", cl::desc("Element type on the core (default bf16)"),
           floatTypes(), cl::init(ElementType::BF16), COMPILING),
      effort("effort",
             cl::desc("Plans of a kernel that are simulated at most (default "
                      "4000; few compile faster)"),
             cl::value_desc("count"), COMPILING),
      planCache("plan-cache",
                cl::desc("Keep the compiler's plans there, and take those that "
                         "were kept"),
                cl::value_desc("folder"), COMPILING),
      lnc("lnc",
          cl::desc("Cores of a logical core: the LNC degree (default 1)"),
          cl::value_desc("count"), COMPILING),
      dropMaxima("drop-maxima",
                 cl::desc("Subtract no maxima in softmax: attention is faster, "
                          "but scores must be small"),
                 COMPILING) {}

llvm::Expected<Machine> CoreOptions::load() const {
  Machine chosen = defaultMachine();
  if (machine.getNumOccurrences())
    if (llvm::Error error = loadMachine(machine).moveInto(chosen))
      return error;
  if (!lnc.getNumOccurrences())
    return chosen;
  if (lnc < 1)
    return llvm::createStringError("--lnc is " + llvm::Twine(lnc) +
                                   ", but a logical core has 1 core or more");
  chosen.lnc = lnc;
  if (llvm::Error error = verifyMachine(chosen, "--lnc"))
    return error;
  return chosen;
}

std::optional<int64_t> CoreOptions::getEffort() const {
  if (!effort.getNumOccurrences())
    return std::nullopt;
  return effort;
}

CoreOptions &mlir::trn::getCoreOptions() {
  static CoreOptions options;
  return options;
}
