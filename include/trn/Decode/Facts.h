//===- Facts.h - Facts about the values of a kernel -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DECODE_FACTS_H
#define TRN_DECODE_FACTS_H

#include "mlir/IR/Operation.h"
#include "mlir/IR/Value.h"
#include "llvm/ADT/DenseMap.h"
#include <string>

namespace mlir::trn {

/// Why kernels cannot compute a value.
struct Refusal {
  Operation *op;
  std::string reason;
};

/// Values with a fact, or with the reason why there is none. A value that
/// depends on a refused one inherits the refusal. So the diagnostic is at the
/// op at fault, and there is none unless the value is used.
template <typename Fact>
class Facts {
public:
  void set(Value value, Fact fact) {
    known.insert_or_assign(value, std::move(fact));
  }
  void refuse(Value value, Refusal refusal) {
    refused.insert_or_assign(value, std::move(refusal));
  }

  /// Null if the value is unknown.
  const Fact *find(Value value) const {
    auto it = known.find(value);
    return it == known.end() ? nullptr : &it->second;
  }
  const Refusal *findRefusal(Value value) const {
    auto it = refused.find(value);
    return it == refused.end() ? nullptr : &it->second;
  }

private:
  llvm::DenseMap<Value, Fact> known;
  llvm::DenseMap<Value, Refusal> refused;
};

/// Reports at the op at fault that `user` cannot use `value`.
InFlightDiagnostic emitRefusal(const Refusal *refusal, Value value,
                               Operation *user);

} // namespace mlir::trn

#endif // TRN_DECODE_FACTS_H
