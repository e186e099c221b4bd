//===- OneDNN.h - Products in each version of oneDNN ------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_ONEDNN_H
#define TRN_SUPPORT_ONEDNN_H

#include "dnnl.hpp"

namespace mlir::trn {

/// The primitive of oneDNN for a matrix product; throws `dnnl::error` if there
/// is none. Versions 2 and 3 differ in their constructors.
inline dnnl::matmul::primitive_desc
describeMatmul(const dnnl::engine &engine, const dnnl::memory::desc &src,
               const dnnl::memory::desc &weights, const dnnl::memory::desc &dst,
               const dnnl::primitive_attr &attributes = {}) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine, src, weights, dst, attributes};
#else
  return {dnnl::matmul::desc(src, weights, dst), attributes, engine};
#endif
}

} // namespace mlir::trn

#endif // TRN_SUPPORT_ONEDNN_H
