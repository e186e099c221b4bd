//===- Array.h - Arrays and their types ---------------------------*- C -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_C_ARRAY_H
#define TRN_C_ARRAY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// These numbers never change; any other number is an error.
typedef int32_t TrnElementType;
enum {
  TrnElementTypeBF16 = 0, /// The upper half of an f32.
  TrnElementTypeF16 = 1,
  TrnElementTypeF32 = 2,
  TrnElementTypeI1 = 3, /// A byte, 0 or 1.
  TrnElementTypeI8 = 4,
  TrnElementTypeI16 = 5,
  TrnElementTypeI32 = 6,
  TrnElementTypeI64 = 7 /// `index` too.
};

/// A dense row-major array in the host's byte order, in its maker's memory. A
/// scalar has rank 0.
typedef struct TrnArray {
  TrnElementType type;
  intptr_t rank;
  const int64_t *shape; ///< `rank` sizes; may be NULL for rank 0.
  void *data;           ///< May be NULL if there is no element.
} TrnArray;

#ifdef __cplusplus
}
#endif

#endif // TRN_C_ARRAY_H
