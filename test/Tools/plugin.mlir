// The unmodified mlir-opt of the distribution reads our dialect and runs our
// passes and pipelines when it loads the plugin. Our own tools, which have them,
// may load it too.
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
// RUN: trn-opt --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %t \
// RUN:   --trn-compile='strategy=strip-cache block-m=128' | diff %t.stock -
// RUN: trn-run --load-dialect-plugin=%plugin --load-pass-plugin=%plugin %t.stock --timing-only \
// RUN:   | FileCheck %s --check-prefix=TIMED
// TIMED: modelled on trn1
// RUN: not trn-run --load-pass-plugin=%t.absent.so %t 2>&1 | FileCheck %s --check-prefix=ABSENT
// RUN: not trn-run --load-dialect-plugin=%test_plugin %t 2>&1 | FileCheck %s --check-prefix=ENTRY
// ABSENT: trn-run: error: --load-pass-plugin: {{.*}}.absent.so: cannot open shared object file
// ENTRY: trn-run: error: --load-dialect-plugin: Plugin entry point not found in '{{.*}}trn-test-plugin
// COMPILED: trn.kernel
// COMPILED: trn.matmul
