// RUN: trn-opt %s --split-input-file --trn-outline-kernels | FileCheck %s
// RUN: trn-opt %s --split-input-file --trn-outline-kernels=strategy=sequential | FileCheck %s --check-prefix=SEQ
// RUN: trn-opt %s --split-input-file --trn-outline-kernels="strategy=sequential transpose=explicit" | FileCheck %s --check-prefix=EXPLICIT

// Chains of any length become one kernel, as long as nobody else needs what lies between two
// products. What the kernel does with it is for the plan to say, so it has no schedule yet.

// CHECK-LABEL: func.func @three(
// CHECK-COUNT-1: call @three_kernel(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}})
// CHECK-NOT: call
// CHECK: func.func private @three_kernel(
// CHECK-SAME: memref<64x96xf32>, %{{.*}}: memref<96x32xf32>, %{{.*}}: memref<32x16xf32>, %{{.*}}: memref<16x48xf32>, %{{.*}}: memref<64x48xf32> {trn.result})
// 2 * 64 * (96 * 32 + 32 * 16 + 16 * 48) FLOPs
// CHECK-SAME: attributes {trn.flops = 557056 : i64, trn.kernel}
// CHECK-COUNT-3: linalg.matmul
// CHECK-NOT: linalg.matmul

// Cut, each product is a kernel. Implicitly transposed, they hand over Y1^T and Y2^T.

// SEQ-LABEL: func.func @three(
// SEQ: %[[O:.*]] = memref.alloc() {{.*}} : memref<64x48xf32>
// SEQ: %[[Y1:.*]] = memref.alloc() {{.*}} : memref<32x64xf32>
// SEQ: call @three_kernel(%{{.*}}, %{{.*}}, %[[Y1]])
// SEQ: %[[Y2:.*]] = memref.alloc() {{.*}} : memref<16x64xf32>
// SEQ: call @three_kernel_2(%[[Y1]], %{{.*}}, %[[Y2]])
// SEQ: call @three_kernel_3(%[[Y2]], %{{.*}}, %[[O]])
// SEQ: memref.dealloc %[[Y1]]
// SEQ: memref.dealloc %[[Y2]]
// SEQ: func.func private @three_kernel(
// SEQ: linalg.transpose
// SEQ: func.func private @three_kernel_2(%{{.*}}: memref<32x64xf32>, %{{.*}}: memref<32x16xf32>, %{{.*}}: memref<16x64xf32> {trn.result})
// SEQ: linalg.transpose
// SEQ: func.func private @three_kernel_3(
// SEQ: linalg.transpose ins(%{{.*}} : tensor<16x64xf32>)
// SEQ-NOT: linalg.transpose
// SEQ: return

// Explicitly transposed, they lie in HBM as in the source.

// EXPLICIT-LABEL: func.func @three(
// EXPLICIT: memref.alloc() {{.*}} : memref<64x48xf32>
// EXPLICIT: memref.alloc() {{.*}} : memref<64x32xf32>
// EXPLICIT: memref.alloc() {{.*}} : memref<64x16xf32>
// EXPLICIT-NOT: linalg.transpose
// EXPLICIT: func.func private @three_kernel_3(
func.func @three(%x: tensor<64x96xf32>, %a: tensor<96x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x48xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %y1_empty = tensor.empty() : tensor<64x32xf32>
  %y1_zero = linalg.fill ins(%zero : f32) outs(%y1_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y1 = linalg.matmul ins(%x, %a : tensor<64x96xf32>, tensor<96x32xf32>) outs(%y1_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y2_empty = tensor.empty() : tensor<64x16xf32>
  %y2_zero = linalg.fill ins(%zero : f32) outs(%y2_empty : tensor<64x16xf32>) -> tensor<64x16xf32>
  %y2 = linalg.matmul ins(%y1, %b : tensor<64x32xf32>, tensor<32x16xf32>) outs(%y2_zero : tensor<64x16xf32>) -> tensor<64x16xf32>
  %o_empty = tensor.empty() : tensor<64x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %o = linalg.matmul ins(%y2, %c : tensor<64x16xf32>, tensor<16x48xf32>) outs(%o_zero : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}

// -----

// One weight may come several times.

// CHECK-LABEL: func.func @four(
// CHECK-COUNT-4: bufferization.to_buffer %arg1
// CHECK: call @four_kernel(
// CHECK: func.func private @four_kernel(
// CHECK-COUNT-4: linalg.matmul
func.func @four(%x: tensor<8x8xf32>, %a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %y1_empty = tensor.empty() : tensor<8x8xf32>
  %y1_zero = linalg.fill ins(%zero : f32) outs(%y1_empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y1 = linalg.matmul ins(%x, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%y1_zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y2_empty = tensor.empty() : tensor<8x8xf32>
  %y2_zero = linalg.fill ins(%zero : f32) outs(%y2_empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y2 = linalg.matmul ins(%y1, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%y2_zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y3_empty = tensor.empty() : tensor<8x8xf32>
  %y3_zero = linalg.fill ins(%zero : f32) outs(%y3_empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y3 = linalg.matmul ins(%y2, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%y3_zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o_empty = tensor.empty() : tensor<8x8xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%y3, %a : tensor<8x8xf32>, tensor<8x8xf32>) outs(%o_zero : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}

// -----

// O^T = C^T * Y2^T ends a chain, too.

// CHECK-LABEL: func.func @columns(
// CHECK: func.func private @columns_kernel(
// CHECK-SAME: memref<48x64xf32> {trn.result})
// CHECK-COUNT-3: linalg.matmul
// CHECK: linalg.transpose {{.*}} permutation = [1, 0]

// SEQ-LABEL: func.func @columns(
// SEQ: memref.alloc() {{.*}} : memref<48x64xf32>
// SEQ: memref.alloc() {{.*}} : memref<32x64xf32>
// SEQ: memref.alloc() {{.*}} : memref<16x64xf32>
func.func @columns(%x: tensor<64x96xf32>, %a: tensor<96x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x48xf32>) -> tensor<48x64xf32> {
  %zero = arith.constant 0.0 : f32
  %y1_empty = tensor.empty() : tensor<64x32xf32>
  %y1_zero = linalg.fill ins(%zero : f32) outs(%y1_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y1 = linalg.matmul ins(%x, %a : tensor<64x96xf32>, tensor<96x32xf32>) outs(%y1_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y2_empty = tensor.empty() : tensor<64x16xf32>
  %y2_zero = linalg.fill ins(%zero : f32) outs(%y2_empty : tensor<64x16xf32>) -> tensor<64x16xf32>
  %y2 = linalg.matmul ins(%y1, %b : tensor<64x32xf32>, tensor<32x16xf32>) outs(%y2_zero : tensor<64x16xf32>) -> tensor<64x16xf32>
  %o_empty = tensor.empty() : tensor<48x64xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<48x64xf32>) -> tensor<48x64xf32>
  %o = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%c, %y2 : tensor<16x48xf32>, tensor<64x16xf32>) outs(%o_zero : tensor<48x64xf32>) -> tensor<48x64xf32>
  return %o : tensor<48x64xf32>
}

// -----

// Y1 is returned, so it is a result of the kernel, too.

// CHECK-LABEL: func.func @used_in_between(
// CHECK: call @used_in_between_kernel(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %[[Y1:.*]], %[[O:.*]]) :
// CHECK-DAG: %[[R1:.*]] = bufferization.to_tensor %[[Y1]] restrict
// CHECK-DAG: %[[R2:.*]] = bufferization.to_tensor %[[O]] restrict
// CHECK: return %[[R1]], %[[R2]]
// CHECK: func.func private @used_in_between_kernel(
// CHECK-COUNT-3: linalg.matmul
func.func @used_in_between(%x: tensor<64x96xf32>, %a: tensor<96x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x48xf32>) -> (tensor<64x32xf32>, tensor<64x48xf32>) {
  %zero = arith.constant 0.0 : f32
  %y1_empty = tensor.empty() : tensor<64x32xf32>
  %y1_zero = linalg.fill ins(%zero : f32) outs(%y1_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y1 = linalg.matmul ins(%x, %a : tensor<64x96xf32>, tensor<96x32xf32>) outs(%y1_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y2_empty = tensor.empty() : tensor<64x16xf32>
  %y2_zero = linalg.fill ins(%zero : f32) outs(%y2_empty : tensor<64x16xf32>) -> tensor<64x16xf32>
  %y2 = linalg.matmul ins(%y1, %b : tensor<64x32xf32>, tensor<32x16xf32>) outs(%y2_zero : tensor<64x16xf32>) -> tensor<64x16xf32>
  %o_empty = tensor.empty() : tensor<64x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %o = linalg.matmul ins(%y2, %c : tensor<64x16xf32>, tensor<16x48xf32>) outs(%o_zero : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %y1, %o : tensor<64x32xf32>, tensor<64x48xf32>
}

// -----

// What is no product cuts a chain in two.

// CHECK-LABEL: func.func @host_in_between(
// CHECK: call @host_in_between_kernel(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) :
// CHECK: math.exp
// CHECK: call @host_in_between_kernel_2(%{{.*}}, %{{.*}}, %{{.*}}) :
func.func @host_in_between(%x: tensor<64x96xf32>, %a: tensor<96x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x48xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %y1_empty = tensor.empty() : tensor<64x32xf32>
  %y1_zero = linalg.fill ins(%zero : f32) outs(%y1_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y1 = linalg.matmul ins(%x, %a : tensor<64x96xf32>, tensor<96x32xf32>) outs(%y1_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y2_empty = tensor.empty() : tensor<64x16xf32>
  %y2_zero = linalg.fill ins(%zero : f32) outs(%y2_empty : tensor<64x16xf32>) -> tensor<64x16xf32>
  %y2 = linalg.matmul ins(%y1, %b : tensor<64x32xf32>, tensor<32x16xf32>) outs(%y2_zero : tensor<64x16xf32>) -> tensor<64x16xf32>
  %e = math.exp %y2 : tensor<64x16xf32>
  %o_empty = tensor.empty() : tensor<64x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %o = linalg.matmul ins(%e, %c : tensor<64x16xf32>, tensor<16x48xf32>) outs(%o_zero : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}

// -----

// So does one that has to stay where it is.

// CHECK-LABEL: func.func @accumulates_in_between(
// CHECK: call @accumulates_in_between_kernel(
// CHECK: linalg.matmul
// CHECK: call @accumulates_in_between_kernel_2(
// CHECK: func.func private @accumulates_in_between_kernel(
func.func @accumulates_in_between(%x: tensor<64x96xf32>, %a: tensor<96x32xf32>, %b: tensor<32x16xf32>, %c: tensor<16x48xf32>, %bias: tensor<64x16xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %y1_empty = tensor.empty() : tensor<64x32xf32>
  %y1_zero = linalg.fill ins(%zero : f32) outs(%y1_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y1 = linalg.matmul ins(%x, %a : tensor<64x96xf32>, tensor<96x32xf32>) outs(%y1_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y2 = linalg.matmul ins(%y1, %b : tensor<64x32xf32>, tensor<32x16xf32>) outs(%bias : tensor<64x16xf32>) -> tensor<64x16xf32>
  %o_empty = tensor.empty() : tensor<64x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %o = linalg.matmul ins(%y2, %c : tensor<64x16xf32>, tensor<16x48xf32>) outs(%o_zero : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}

// -----

// X * (A * B): what is computed first is read as a weight, so there are two kernels.

// CHECK-LABEL: func.func @weights_first(
// CHECK: call @weights_first_kernel(
// CHECK: call @weights_first_kernel_2(
func.func @weights_first(%x: tensor<64x96xf32>, %a: tensor<96x32xf32>, %b: tensor<32x16xf32>) -> tensor<64x16xf32> {
  %zero = arith.constant 0.0 : f32
  %ab_empty = tensor.empty() : tensor<96x16xf32>
  %ab_zero = linalg.fill ins(%zero : f32) outs(%ab_empty : tensor<96x16xf32>) -> tensor<96x16xf32>
  %ab = linalg.matmul ins(%a, %b : tensor<96x32xf32>, tensor<32x16xf32>) outs(%ab_zero : tensor<96x16xf32>) -> tensor<96x16xf32>
  %o_empty = tensor.empty() : tensor<64x16xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x16xf32>) -> tensor<64x16xf32>
  %o = linalg.matmul ins(%x, %ab : tensor<64x96xf32>, tensor<96x16xf32>) outs(%o_zero : tensor<64x16xf32>) -> tensor<64x16xf32>
  return %o : tensor<64x16xf32>
}
