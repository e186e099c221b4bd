// RUN: trn-opt %s --trn-lower-kernels -o %t.once.mlir
// RUN: trn-opt %t.once.mlir --trn-lower-kernels | diff %t.once.mlir -
// RUN: FileCheck %s --input-file=%t.once.mlir

// Kernels that are lowered already stay, their schedules too; so does what is no kernel.

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @lowered(
// CHECK-NOT: linalg
func.func private @lowered(%x: memref<128x128xbf16>, %w: memref<128x32xbf16>, %o: memref<128x32xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 128, n = 32],
    matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = xt * w over k],
    nests = [o ()],
    homes = [xt at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x32xbf16> to tensor<128x32xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<128x32xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x32xf32>) -> tensor<128x32xf32>
  %o_sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x128xbf16>, tensor<128x32xbf16>) outs(%o_zero : tensor<128x32xf32>) -> tensor<128x32xf32>
  %o_init = tensor.empty() : tensor<128x32xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<128x32xf32>) outs(%o_init : tensor<128x32xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x32xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<128x32xbf16>, memref<128x32xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func @host(
// CHECK: linalg.fill
func.func @host(%x: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %y = linalg.fill ins(%zero : f32) outs(%x : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// CHECK-LABEL: func.func private @written_by_hand(
// CHECK-NEXT: trn.alloc : memref<4x4xf32
func.func private @written_by_hand(%x: memref<4x4xf32>) attributes {trn.kernel} {
  %tile = trn.alloc : memref<4x4xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<4x4xf32> to memref<4x4xf32, #trn.mem<sbuf>>
  return
}

// CHECK-LABEL: func.func private @declared(
func.func private @declared(memref<4x4xf32>) attributes {trn.kernel}
