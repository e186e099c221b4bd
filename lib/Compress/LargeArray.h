//===- LargeArray.h - Arrays in large pages ---------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_LARGEARRAY_H
#define TRN_LIB_COMPRESS_LARGEARRAY_H

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"
#include <cstdlib>
#include <new>
#include <sys/mman.h>
#include <vector>

namespace mlir::trn {

/// Allocates large pages if the system has any: the first access to each small
/// page of a large matrix would take longer than the work on it. Elements that
/// get no value are not set.
template <typename T>
struct LargePages {
  using value_type = T;

  LargePages() = default;
  template <typename U>
  LargePages(const LargePages<U> &) {}

  T *allocate(size_t count) {
    constexpr size_t large = size_t(1) << 21, line = 64;
    const size_t alignment = count * sizeof(T) < large ? line : large,
                 bytes = llvm::alignTo(count * sizeof(T), alignment);
    void *memory = std::aligned_alloc(alignment, bytes);
    if (!memory)
      llvm::report_bad_alloc_error("no memory for a matrix");
#ifdef MADV_HUGEPAGE
    if (alignment == large)
      (void)madvise(memory, bytes, MADV_HUGEPAGE);
#endif
    return static_cast<T *>(memory);
  }
  void deallocate(T *memory, size_t) { std::free(memory); }

  template <typename U>
  void construct(U *) {}
  template <typename U, typename... Args>
  void construct(U *element, Args &&...args) {
    new (element) U(std::forward<Args>(args)...);
  }

  friend bool operator==(LargePages, LargePages) { return true; }
  friend bool operator!=(LargePages, LargePages) { return false; }
};

template <typename T>
using LargeArray = std::vector<T, LargePages<T>>;

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_LARGEARRAY_H
