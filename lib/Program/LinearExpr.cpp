//===- LinearExpr.cpp - Linear functions of loop counters -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/LinearExpr.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <algorithm>

using namespace mlir::trn;

/// Two's complement arithmetic: absurd input must not be undefined behaviour.
static int64_t wrappingAdd(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) +
                              static_cast<uint64_t>(b));
}
static int64_t wrappingMul(int64_t a, int64_t b) {
  return static_cast<int64_t>(static_cast<uint64_t>(a) *
                              static_cast<uint64_t>(b));
}

LinearExpr LinearExpr::counter(int32_t loop, int64_t coefficient) {
  LinearExpr expr;
  if (coefficient != 0)
    expr.terms.push_back({loop, coefficient});
  return expr;
}

LinearExpr &LinearExpr::operator+=(const LinearExpr &other) {
  constant = wrappingAdd(constant, other.constant);
  llvm::SmallVector<Term, 3> merged;
  const Term *a = terms.begin(), *b = other.terms.begin();
  while (a != terms.end() || b != other.terms.end()) {
    if (b == other.terms.end() || (a != terms.end() && a->loop < b->loop)) {
      merged.push_back(*a++);
    } else if (a == terms.end() || b->loop < a->loop) {
      merged.push_back(*b++);
    } else {
      int64_t coefficient = wrappingAdd(a++->coefficient, b->coefficient);
      if (coefficient != 0)
        merged.push_back({b->loop, coefficient});
      ++b;
    }
  }
  terms = std::move(merged);
  return *this;
}

LinearExpr &LinearExpr::operator*=(int64_t factor) {
  constant = wrappingMul(constant, factor);
  for (Term &term : terms)
    term.coefficient = wrappingMul(term.coefficient, factor);
  llvm::erase_if(terms, [](const Term &term) { return term.coefficient == 0; });
  return *this;
}

LinearExpr &LinearExpr::operator/=(int64_t divisor) {
  constant /= divisor;
  for (Term &term : terms)
    term.coefficient /= divisor;
  return *this;
}

Interval mlir::trn::rangeOf(const LinearExpr &expr,
                            llvm::ArrayRef<int64_t> tripCounts) {
  Interval range = {expr.constant, expr.constant};
  for (const LinearExpr::Term &term : expr.terms) {
    int64_t last = std::max<int64_t>(tripCounts[term.loop] - 1, 0);
    int64_t &end = term.coefficient < 0 ? range.min : range.max;
    int64_t limit = term.coefficient < 0 ? std::numeric_limits<int64_t>::min()
                                         : std::numeric_limits<int64_t>::max();
    int64_t reach;
    if (llvm::MulOverflow(term.coefficient, last, reach) ||
        llvm::AddOverflow(end, reach, end))
      end = limit;
  }
  return range;
}
