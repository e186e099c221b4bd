//===- CompressionJob.cpp - What trn-compress is asked to do --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/CompressionJob.h"

using namespace mlir::trn;
using llvm::StringRef;

StringRef mlir::trn::stringify(Allocation allocation) {
  switch (allocation) {
  case Allocation::Uniform:
    return "uniform";
  case Allocation::Relative:
    return "relative";
  case Allocation::Loss:
    return "loss";
  }
  return "";
}

StringRef mlir::trn::stringify(ErrorMetric metric) {
  return metric == ErrorMetric::Fisher ? "fisher" : "outputs";
}

StringRef mlir::trn::stringify(Export exported) {
  switch (exported) {
  case Export::Factors:
    return "factors";
  case Export::Dense:
    return "dense";
  case Export::Padded:
    return "padded";
  }
  return "";
}

StringRef mlir::trn::stringify(Recovery recovery) {
  switch (recovery) {
  case Recovery::None:
    return "none";
  case Recovery::Closed:
    return "closed";
  case Recovery::Block:
    return "block";
  case Recovery::Lora:
    return "lora";
  case Recovery::Distill:
    return "distill";
  }
  return "";
}
