// The unmodified mlir-opt of the distribution reads our dialect and runs our
// passes when it loads the plugin.
// UNSUPPORTED: trn-sanitizers
// RUN: mlir-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %s | FileCheck %s

// CHECK-LABEL: @dialect
func.func @dialect() -> memref<128x512xf32, #trn.mem<psum>> {
  // CHECK: trn.alloc
  %tile = trn.alloc : memref<128x512xf32, #trn.mem<psum>>
  return %tile : memref<128x512xf32, #trn.mem<psum>>
}
