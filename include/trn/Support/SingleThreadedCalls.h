//===- SingleThreadedCalls.h - oneDNN on the calling thread -----*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_SINGLETHREADEDCALLS_H
#define TRN_SUPPORT_SINGLETHREADEDCALLS_H

namespace mlir::trn {

/// While alive, oneDNN calls from this thread use no others. Their number would
/// change the split of a product, and so the order of sums.
class SingleThreadedCalls {
public:
  SingleThreadedCalls();
  ~SingleThreadedCalls();
  SingleThreadedCalls(const SingleThreadedCalls &) = delete;
  SingleThreadedCalls &operator=(const SingleThreadedCalls &) = delete;

private:
  int before = 0;
};

} // namespace mlir::trn

#endif // TRN_SUPPORT_SINGLETHREADEDCALLS_H
