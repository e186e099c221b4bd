//===- Oracle.h - Reference values ------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_VALIDATE_ORACLE_H
#define TRN_VALIDATE_ORACLE_H

#include "trn/Runtime/Runtime.h"

namespace mlir::trn {

/// Computes the results of a module without the compiler. Uses our own f32
/// arithmetic if that knows every op, else runs the source as host code.
class Oracle {
public:
  /// Chooses the method for @`entry` of `source`, which must outlive this.
  /// Emits an error if there is none.
  static FailureOr<Oracle> create(ModuleOp source, StringRef entry,
                                  const Machine &machine);

  /// Whether values come from running the source on the host.
  bool runsSource() const { return executable.has_value(); }

  /// The permitted distance of a right result: by the coarsest type in the
  /// source's arithmetic.
  double getTolerance() const;

  /// The results for these inputs, which a source that takes buffers may
  /// overwrite.
  FailureOr<SmallVector<std::shared_ptr<const HostTensor>>>
  compute(MutableArrayRef<HostTensor> inputs);

private:
  explicit Oracle(func::FuncOp entry) : entry(entry) {}

  func::FuncOp entry;
  std::optional<Executable> executable;
};

} // namespace mlir::trn

#endif // TRN_VALIDATE_ORACLE_H
