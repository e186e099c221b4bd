//===- Simulation.h - Models on the simulated core --------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TOOLS_TRN_LLM_SIMULATION_H
#define TRN_TOOLS_TRN_LLM_SIMULATION_H

#include "trn/Model/Score.h"
#include "trn/Run/SimulatedModel.h"

namespace mlir::trn {

/// Whether `--simulate` is given.
bool isSimulated();
/// Fails if an option of the simulated core is given without it.
llvm::Error checkSimulation();

/// Where a model is, and what runs it.
struct ModelPlace {
  llvm::StringRef path;
  unsigned threads;
};

/// Compiles the model of `config` for `rows` tokens of a prompt and, if
/// `positions` are more, for those tokens that follow, one at a time, until
/// there are so many.
llvm::Expected<std::unique_ptr<SimulatedModel>>
simulateGeneration(const ModelPlace &place, const ModelConfig &config,
                   int64_t rows, int64_t positions);

/// The perplexity of stories as kernels compute it.
llvm::Expected<Perplexity>
simulatePerplexity(const ModelPlace &place, const ModelConfig &config,
                   llvm::ArrayRef<HostModel::Tokens> stories,
                   HostModel::Progress progress, llvm::json::Object &figures);

/// Adds what a report has of the simulation to `figures`, and says on a
/// terminal how long the core would have taken.
void reportSimulation(const SimulatedModel &model, llvm::json::Object &figures);

} // namespace mlir::trn

#endif // TRN_TOOLS_TRN_LLM_SIMULATION_H
