// RUN: trn-opt %s | trn-opt | FileCheck %s

// What cores do together.

// CHECK-LABEL: func.func @kernel
func.func @kernel(%part: memref<4x64xbf16>, %sum: memref<4x64xbf16> {trn.result},
                  %whole: memref<4x128xbf16> {trn.result}, %piece: memref<2x64xbf16> {trn.result})
    attributes {trn.kernel} {
  // CHECK: trn.all_reduce %{{.*}} to %{{.*}} cores 2 : memref<4x64xbf16> to memref<4x64xbf16>
  trn.all_reduce %part to %sum cores 2 : memref<4x64xbf16> to memref<4x64xbf16>
  // CHECK: trn.all_gather %{{.*}} to %{{.*}} dim 1 cores 2 : memref<4x64xbf16> to memref<4x128xbf16>
  trn.all_gather %part to %whole dim 1 cores 2 : memref<4x64xbf16> to memref<4x128xbf16>
  // CHECK: trn.reduce_scatter %{{.*}} to %{{.*}} dim 0 cores 2 : memref<4x64xbf16> to memref<2x64xbf16>
  trn.reduce_scatter %part to %piece dim 0 cores 2 : memref<4x64xbf16> to memref<2x64xbf16>
  return
}
