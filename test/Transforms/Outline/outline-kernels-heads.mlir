// RUN: trn-opt %s --split-input-file --trn-outline-kernels | FileCheck %s

// Kernels store results as heads, one behind the other.

// CHECK-LABEL: func.func @returned(
// CHECK-NOT: linalg.transpose
// CHECK: %[[BUFFER:.*]] = memref.alloc() {{.*}} : memref<4x64x64xf32>
// CHECK: call @returned_kernel(
// CHECK: %[[HEADS:.*]] = bufferization.to_tensor %[[BUFFER]]
// CHECK: return %[[HEADS]]
// CHECK-LABEL: func.func private @returned_kernel(
// CHECK: %[[P:.*]] = linalg.matmul
// CHECK: %[[H:.*]] = tensor.expand_shape %[[P]] {{\[\[}}0], [1, 2]] output_shape [64, 4, 64]
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[H]] : {{.*}} permutation = [1, 0, 2]
// CHECK: bufferization.materialize_in_destination %[[T]]
func.func @returned(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>) -> tensor<4x64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [64, 4, 64] : tensor<64x256xf32> into tensor<64x4x64xf32>
  %he = tensor.empty() : tensor<4x64x64xf32>
  %t = linalg.transpose ins(%h : tensor<64x4x64xf32>) outs(%he : tensor<4x64x64xf32>) permutation = [1, 0, 2]
  return %t : tensor<4x64x64xf32>
}

// -----

// What reads them beside each other reads them so, too.

// CHECK-LABEL: func.func @shared(
// CHECK-NOT: linalg.transpose
// CHECK: call @shared_kernel(
// CHECK: call @shared_kernel_2(
// CHECK-NOT: linalg
// CHECK: return
// CHECK: func.func private @shared_kernel_2(%{{.*}}: memref<4x64x64xf32>, %{{.*}}: memref<4x64x32xf32>,
// CHECK: linalg.contract
#q = affine_map<(b, m, n, k) -> (m, b, k)>
#y = affine_map<(b, m, n, k) -> (b, k, n)>
#o = affine_map<(b, m, n, k) -> (b, m, n)>
func.func @shared(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>, %y: tensor<4x64x32xf32>) -> (tensor<4x64x64xf32>, tensor<4x64x32xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [64, 4, 64] : tensor<64x256xf32> into tensor<64x4x64xf32>
  %he = tensor.empty() : tensor<4x64x64xf32>
  %t = linalg.transpose ins(%h : tensor<64x4x64xf32>) outs(%he : tensor<4x64x64xf32>) permutation = [1, 0, 2]
  %oe = tensor.empty() : tensor<4x64x32xf32>
  %of = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  %o = linalg.contract indexing_maps = [#q, #y, #o] ins(%h, %y : tensor<64x4x64xf32>, tensor<4x64x32xf32>) outs(%of : tensor<4x64x32xf32>) -> tensor<4x64x32xf32>
  return %t, %o : tensor<4x64x64xf32>, tensor<4x64x32xf32>
}

// -----

// Where the rows are returned, too, the host moves them.

// CHECK-LABEL: func.func @rows(
// CHECK: call @rows_kernel(
// CHECK: linalg.transpose
func.func @rows(%x: tensor<64x128xf32>, %w: tensor<128x256xf32>) -> (tensor<4x64x64xf32>, tensor<64x256xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x256xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x256xf32>) -> tensor<64x256xf32>
  %p = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x256xf32>) outs(%f : tensor<64x256xf32>) -> tensor<64x256xf32>
  %h = tensor.expand_shape %p [[0], [1, 2]] output_shape [64, 4, 64] : tensor<64x256xf32> into tensor<64x4x64xf32>
  %he = tensor.empty() : tensor<4x64x64xf32>
  %t = linalg.transpose ins(%h : tensor<64x4x64xf32>) outs(%he : tensor<4x64x64xf32>) permutation = [1, 0, 2]
  return %t, %p : tensor<4x64x64xf32>, tensor<64x256xf32>
}

// -----

// Buffers stay as they are.

// CHECK-LABEL: func.func @buffers(
// CHECK: linalg.transpose ins(%{{.*}} : memref<8x3x4xf32>) outs(%{{.*}} : memref<3x8x4xf32>) permutation = [1, 0, 2]
func.func @buffers(%x: memref<8x3x4xf32>, %o: memref<3x8x4xf32>) {
  linalg.transpose ins(%x : memref<8x3x4xf32>) outs(%o : memref<3x8x4xf32>) permutation = [1, 0, 2]
  return
}
