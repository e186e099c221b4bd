// RUN: trn-opt %s | trn-opt | FileCheck %s

// What cores do together.

// CHECK-LABEL: func.func @kernel
func.func @kernel(%part: memref<4x64xbf16>, %sum: memref<4x64xbf16> {trn.result},
                  %whole: memref<4x128xbf16> {trn.result}, %piece: memref<2x64xbf16> {trn.result},
                  %ids: memref<4x64xi32>, %others: memref<8x32xi32> {trn.result})
    attributes {trn.kernel} {
  // CHECK: trn.all_reduce %{{.*}} to %{{.*}} cores 2 : memref<4x64xbf16> to memref<4x64xbf16>
  trn.all_reduce %part to %sum cores 2 : memref<4x64xbf16> to memref<4x64xbf16>
  // CHECK: trn.all_gather %{{.*}} to %{{.*}} dim 1 cores 2 : memref<4x64xbf16> to memref<4x128xbf16>
  trn.all_gather %part to %whole dim 1 cores 2 : memref<4x64xbf16> to memref<4x128xbf16>
  // CHECK: trn.reduce_scatter %{{.*}} to %{{.*}} dim 0 cores 2 : memref<4x64xbf16> to memref<2x64xbf16>
  trn.reduce_scatter %part to %piece dim 0 cores 2 : memref<4x64xbf16> to memref<2x64xbf16>
  // CHECK: trn.all_reduce %{{.*}} to %{{.*}} by max cores 2 : memref<4x64xbf16> to memref<4x64xbf16>
  trn.all_reduce %part to %sum by max cores 2 : memref<4x64xbf16> to memref<4x64xbf16>
  // CHECK: trn.reduce_scatter %{{.*}} to %{{.*}} dim 0 by mul cores 2 : memref<4x64xbf16> to memref<2x64xbf16>
  trn.reduce_scatter %part to %piece dim 0 by mul cores 2 : memref<4x64xbf16> to memref<2x64xbf16>
  // What only moves may have integers.
  // CHECK: trn.all_to_all %{{.*}} to %{{.*}} split 1 concat 0 cores 2 : memref<4x64xi32> to memref<8x32xi32>
  trn.all_to_all %ids to %others split 1 concat 0 cores 2 : memref<4x64xi32> to memref<8x32xi32>
  // CHECK: trn.all_reduce %{{.*}} to %{{.*}} by max cores 2 groups [0, 2, 1, 3] : memref<4x64xbf16> to memref<4x64xbf16>
  trn.all_reduce %part to %sum by max cores 2 groups [0, 2, 1, 3] : memref<4x64xbf16> to memref<4x64xbf16>
  // CHECK: trn.collective_permute %{{.*}} to %{{.*}} from [1, -1] : memref<4x64xbf16> to memref<4x64xbf16>
  trn.collective_permute %part to %sum from [1, -1] : memref<4x64xbf16> to memref<4x64xbf16>
  return
}

// The cores of a logical one.

// CHECK-LABEL: func.func private @one
// CHECK-SAME: trn.other_core = @other
func.func private @one(%sums: memref<2x128x64xf32> {trn.result})
    attributes {trn.kernel, trn.other_core = @other} {
  // CHECK: memref.alloc() {trn.shared = 3 : i64} : memref<128xi32>
  %scratch = memref.alloc() {trn.shared = 3 : i64} : memref<128xi32>
  %own = trn.alloc : memref<128x64xf32, #trn.mem<sbuf>>
  // CHECK: trn.core_barrier %{{.*}} : memref<2x128x64xf32>
  trn.core_barrier %sums : memref<2x128x64xf32>
  // CHECK: trn.core_barrier %{{.*}} : memref<128xi32>
  trn.core_barrier %scratch : memref<128xi32>
  // CHECK: trn.send_receive %{{.*}} to %{{.*}} pipe 1 : memref<128x64xf32, #trn.mem<sbuf>> to memref<128x64xf32, #trn.mem<sbuf>>
  trn.send_receive %own to %own pipe 1 : memref<128x64xf32, #trn.mem<sbuf>> to memref<128x64xf32, #trn.mem<sbuf>>
  return
}
func.func private @other(%sums: memref<2x128x64xf32> {trn.result}) attributes {trn.kernel} {
  return
}
