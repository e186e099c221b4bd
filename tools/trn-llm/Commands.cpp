//===- Commands.cpp - What trn-llm can do ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Commands.h"

namespace cl = llvm::cl;

cl::OptionCategory &mlir::trn::getCategory() {
  static cl::OptionCategory category("trn-llm options");
  return category;
}

cl::SubCommand &mlir::trn::getGenerateCommand() {
  static cl::SubCommand command("generate", "Write how a text goes on");
  return command;
}

cl::SubCommand &mlir::trn::getPerplexityCommand() {
  static cl::SubCommand command("perplexity",
                                "Measure the perplexity of a text");
  return command;
}

cl::SubCommand &mlir::trn::getTimeCommand() {
  static cl::SubCommand command("time", "Model how long a model takes");
  return command;
}

cl::SubCommand &mlir::trn::getEncodeCommand() {
  static cl::SubCommand command("encode", "Print a text as tokens");
  return command;
}

cl::SubCommand &mlir::trn::getDecodeCommand() {
  static cl::SubCommand command("decode", "Print the text of tokens");
  return command;
}
