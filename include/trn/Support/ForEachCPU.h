//===- ForEachCPU.h - Loops compiled for several CPUs -----------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_FOREACHCPU_H
#define TRN_SUPPORT_FOREACHCPU_H

// Put this before a function with a long loop: it is compiled for several kinds
// of CPU, and the loader chooses. Sanitizers cannot run the code that chooses.
#if defined(__x86_64__) && defined(__clang__)
#if !__has_feature(address_sanitizer) && !__has_feature(memory_sanitizer) &&   \
    !__has_feature(thread_sanitizer) &&                                        \
    !__has_feature(undefined_behavior_sanitizer)
#define TRN_FOR_EACH_CPU                                                       \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#endif
#endif
#ifndef TRN_FOR_EACH_CPU
#define TRN_FOR_EACH_CPU
#endif

#endif // TRN_SUPPORT_FOREACHCPU_H
