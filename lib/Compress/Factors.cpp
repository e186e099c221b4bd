//===- Factors.cpp - Factors of a weight, and how they are found ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Compress/Factors.h"

using namespace mlir::trn;

llvm::StringRef mlir::trn::stringify(Svd svd) {
  switch (svd) {
  case Svd::Mixed:
    return "mixed";
  case Svd::Exact:
    return "exact";
  case Svd::Fast:
    return "fast";
  }
  return "";
}

llvm::StringRef mlir::trn::stringify(SigmaSide side) {
  switch (side) {
  case SigmaSide::Balanced:
    return "balanced";
  case SigmaSide::Sqrt:
    return "sqrt";
  case SigmaSide::U:
    return "u";
  case SigmaSide::V:
    return "v";
  }
  return "";
}

llvm::StringRef mlir::trn::stringify(RootForm form) {
  switch (form) {
  case RootForm::Diagonal:
    return "diagonal";
  case RootForm::Cholesky:
    return "cholesky";
  case RootForm::Eigenvectors:
    return "eigenvectors";
  }
  return "";
}
