//===- Oracle.h - Where the right values come from --------------*- C++ -*-===//
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

/// Computes what a module computes, without the compiler: with f32 arithmetic
/// of our own where that knows every op, else by running the source itself as
/// host code.
class Oracle {
public:
  /// Chooses for @`entry` of `source`, which must outlive this. Emits an error
  /// if there is no way.
  static FailureOr<Oracle> create(ModuleOp source, StringRef entry,
                                  const Machine &machine);

  /// Whether the values are those of the source, run on the host.
  bool runsSource() const { return executable.has_value(); }

  /// How far from the values a right result may be: by the coarsest type that
  /// the source computes with.
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
