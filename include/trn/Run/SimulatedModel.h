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
/// `generateLlama`, compiled once. Weights stay in memory in their type, and so
/// do keys and values of earlier tokens.
class SimulatedModel {
public:
  struct Options {
    Machine machine;
    /// Of the interpreter; 0 = one per core of the host.
    unsigned threads = 0;
    /// Most plans that are simulated for a kernel; by default the compiler's.
    std::optional<int64_t> effort = std::nullopt;
    /// Plan cache of the compiler, or empty.
    std::string planCache = {};
    /// Logical cores that share the work of each layer.
    int64_t cores = 1;
    /// No maxima are subtracted in softmax (`trn-drop-maxima`).
    bool dropMaxima = false;
  };

  /// Compiles the functions of `spec`, including `@prefill`, and loads the
  /// weights. Fails if `generateLlama`, `WeightSource` or the compiler does, or
  /// if memory is short.
  static llvm::Expected<std::unique_ptr<SimulatedModel>>
  create(const LlamaSpec &spec, const WeightSource &weights,
         const Options &options);

  /// The rows of `@prefill`.
  int64_t getRows() const { return *spec.rows; }

  /// The logits after `tokens`, which follow all earlier ones; valid until the
  /// next call. The first call is for `@prefill` and has as many tokens as its
  /// rows. If it returns the logits of all rows, fewer are allowed, and the
  /// result has a row for each. Later calls take one token, until the caches of
  /// `@decode` are full. Fails for other numbers of tokens, a token outside the
  /// vocabulary, or a logit that is not finite.
  llvm::Expected<ArrayRef<float>> feed(ArrayRef<int32_t> tokens);
  /// Forgets all tokens.
  void reset() { past = 0; }

  /// Modelled times of the functions that have run: `prefill` for all rows,
  /// `decode` for one token.
  std::vector<std::pair<std::string, Report>> time() const;
  /// Host time so far: `compile_s`, `jit_s` for the code around the kernels,
  /// `interpret_s` for the values of kernels.
  std::vector<std::pair<std::string, double>> getHostSeconds() const;

private:
  /// An entry of the module, with its arguments and results except weights.
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
