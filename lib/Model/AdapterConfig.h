//===- AdapterConfig.h - What adapter_config.json says ----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_MODEL_ADAPTERCONFIG_H
#define TRN_LIB_MODEL_ADAPTERCONFIG_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <string>

namespace mlir::trn {

/// Which rank and which scale the updates of modules have.
class AdapterConfig {
public:
  /// Fails, with the key, for what is no LoRA that can be merged.
  static llvm::Expected<AdapterConfig> parse(llvm::StringRef json);

  struct Update {
    int64_t rank;
    double scale;
  };
  llvm::Expected<Update> lookup(llvm::StringRef module) const;

  /// Weights are [in, out].
  bool isTransposed = false;

private:
  using Pattern = std::map<std::string, double>; // by expression

  AdapterConfig() = default;
  llvm::Error readSizes(const llvm::json::Object &object);
  llvm::Error readPattern(const llvm::json::Object &object, llvm::StringRef key,
                          Pattern &pattern);
  static llvm::Expected<double> match(llvm::StringRef key,
                                      const Pattern &pattern,
                                      llvm::StringRef module, double otherwise);

  double rank = 0, alpha = 0;
  bool dividesByRoot = false;
  Pattern ranks, alphas;
};

} // namespace mlir::trn

#endif // TRN_LIB_MODEL_ADAPTERCONFIG_H
