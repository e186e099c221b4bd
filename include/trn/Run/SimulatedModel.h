//===- SimulatedModel.h - A language model on the core ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_RUN_SIMULATEDMODEL_H
#define TRN_RUN_SIMULATEDMODEL_H

#include "trn/Generate/Llama.h"
#include "trn/Model/WeightSource.h"
#include "trn/Report/Report.h"
#include "trn/Runtime/Runtime.h"

namespace mlir::trn {

/// Runs a language model on the simulated core: the functions of
/// `generateLlama`, compiled once. Weights stay in memory in the type of the
/// functions, and so do keys and values of the tokens before.
class SimulatedModel {
public:
  struct Options {
    Machine machine;
    /// Of the interpreter; 0 = one for each core.
    unsigned threads = 0;
    /// How many plans of a kernel are simulated at most; if not given, as many
    /// as the compiler finds worth it.
    std::optional<int64_t> effort = std::nullopt;
    /// Folder of plans for the compiler, or empty.
    std::string planCache = {};
    /// Logical cores that share the work of each layer.
    int64_t cores = 1;
  };

  /// Compiles the functions of `spec`, one of which must be `@prefill`, and
  /// loads the weights. Fails where `generateLlama` and `WeightSource` do, if
  /// there is too little memory, or if the compiler does.
  static llvm::Expected<std::unique_ptr<SimulatedModel>>
  create(const LlamaSpec &spec, const WeightSource &weights,
         const Options &options);

  /// Of `@prefill`.
  int64_t getRows() const { return *spec.rows; }

  /// The logits after `tokens`, which follow all tokens before; valid until the
  /// next call. The first tokens are those of `@prefill`, as many as it has
  /// rows. If it returns the logits of all rows, there may be fewer, and the
  /// result has a row for each of them. Later tokens come one by one, until the
  /// caches of `@decode` are full. Fails if these are not such tokens, or one
  /// is outside of the vocabulary, or if a logit is not finite.
  llvm::Expected<ArrayRef<float>> feed(ArrayRef<int32_t> tokens);
  /// Forgets all tokens.
  void reset() { past = 0; }

  /// The modelled times of those functions that have run: of all rows of
  /// `prefill`, and of one token of `decode`.
  std::vector<std::pair<std::string, Report>> time() const;
  /// What the host took so far: `compile_s`, `jit_s` for the code around the
  /// kernels, `interpret_s` for the values of kernels.
  std::vector<std::pair<std::string, double>> getHostSeconds() const;

private:
  /// An entry of the module, and what it takes and gives but for the weights.
  struct Function {
    func::FuncOp entry;
    std::optional<Executable> executable;
    SmallVector<HostTensor> inputs, results;
    bool hasRun = false;
  };

  SimulatedModel(const LlamaSpec &spec, const Options &options);
  LogicalResult compile(ModuleOp module);
  LogicalResult prepare(StringRef name, std::optional<Function> &function);
  llvm::Error load(const WeightSource &source);
  llvm::Error check(ArrayRef<int32_t> tokens) const;
  llvm::Error run(Function &function);
  void keepRows(Function &from, int64_t rows);

  LlamaSpec spec;
  Options options;
  MLIRContext context;
  OwningOpRef<ModuleOp> module;
  std::vector<HostTensor> weights;
  std::optional<Function> prefill, decode;
  double compileSeconds = 0, jitSeconds = 0, kernelSeconds = 0;
  int64_t past = 0;
};

} // namespace mlir::trn

#endif // TRN_RUN_SIMULATEDMODEL_H
