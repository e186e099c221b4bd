// The unmodified mlir-opt of the distribution reads our dialect and runs our
// passes and pipelines when it loads the plugin.
// UNSUPPORTED: trn-sanitizers
// RUN: mlir-opt --load-dialect-plugin=%plugin %s | FileCheck %s

// CHECK-LABEL: @dialect
func.func @dialect() -> memref<128x512xf32, #trn.mem<psum>> {
  // CHECK: trn.alloc
  %tile = trn.alloc : memref<128x512xf32, #trn.mem<psum>>
  return %tile : memref<128x512xf32, #trn.mem<psum>>
}

// RUN: trn-gen xuv --m=256 --k=256 --r=128 --n=512 -o %t
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %t \
// RUN:   --pass-pipeline='builtin.module(trn-compile{strategy=strip-cache block-m=128})' > %t.stock
// RUN: FileCheck %s --check-prefix=COMPILED < %t.stock
// RUN: trn-opt --trn-compile='strategy=strip-cache block-m=128' %t | diff %t.stock -
// COMPILED: trn.kernel
// COMPILED: trn.matmul
