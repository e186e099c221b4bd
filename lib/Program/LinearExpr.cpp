//===- LinearExpr.cpp - Linear functions of loop counters -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/LinearExpr.h"

using namespace mlir::trn;

LinearExpr LinearExpr::counter(int32_t loop, int64_t coefficient) {
  LinearExpr expr;
  if (coefficient != 0)
    expr.terms.push_back({loop, coefficient});
  return expr;
}

LinearExpr &LinearExpr::operator+=(const LinearExpr &other) {
  constant += other.constant;
  llvm::SmallVector<Term, 3> merged;
  const Term *a = terms.begin(), *b = other.terms.begin();
  while (a != terms.end() || b != other.terms.end()) {
    if (b == other.terms.end() || (a != terms.end() && a->loop < b->loop)) {
      merged.push_back(*a++);
    } else if (a == terms.end() || b->loop < a->loop) {
      merged.push_back(*b++);
    } else {
      int64_t coefficient = a++->coefficient + b->coefficient;
      if (coefficient != 0)
        merged.push_back({b->loop, coefficient});
      ++b;
    }
  }
  terms = std::move(merged);
  return *this;
}

LinearExpr &LinearExpr::operator*=(int64_t factor) {
  constant *= factor;
  if (factor == 0)
    terms.clear();
  for (Term &term : terms)
    term.coefficient *= factor;
  return *this;
}
