// RUN: trn-opt %s --split-input-file --trn-normalize-products --trn-outline-kernels -o %t 2> %t.remarks
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=REMARK < %t.remarks

// Products with batches read and write tensors as they lie; kernels take all of their dimensions.

// CHECK-LABEL: func.func @heads_in_the_middle
// CHECK-NOT:     transpose
// CHECK:         call @heads_in_the_middle_kernel(%{{.*}}, %{{.*}}, %{{.*}}) : (memref<2x24x3x16xf32>, memref<2x31x3x16xf32>, memref<2x3x24x31xf32>) -> ()
// CHECK-LABEL: func.func private @heads_in_the_middle_kernel
// CHECK-SAME:    trn.flops = 142848
// CHECK:         linalg.contract indexing_maps = [#[[Q:.*]], #[[K:.*]], #[[S:.*]]] ins(
func.func @heads_in_the_middle(%q: tensor<2x24x3x16xf32>, %k: tensor<2x31x3x16xf32>) -> tensor<2x3x24x31xf32> {
  %zeros = arith.constant dense<0.0> : tensor<2x3x24x31xf32>
  %o = linalg.contract
      indexing_maps = [affine_map<(b, h, s, t, d) -> (b, s, h, d)>, affine_map<(b, h, s, t, d) -> (b, t, h, d)>, affine_map<(b, h, s, t, d) -> (b, h, s, t)>]
      ins(%q, %k : tensor<2x24x3x16xf32>, tensor<2x31x3x16xf32>) outs(%zeros : tensor<2x3x24x31xf32>) -> tensor<2x3x24x31xf32>
  return %o : tensor<2x3x24x31xf32>
}

// -----

// A batch that is the innermost dimension is moved by the host.
// REMARK: dimensions of its second operand are moved next to each other, by the host if no kernel stores or loads them so
// CHECK-LABEL: func.func @batch_innermost
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<40x56x3xf32>) outs(%{{.*}} : tensor<3x40x56xf32>)
// CHECK:         call @batch_innermost_kernel
func.func @batch_innermost(%x: tensor<3x24x40xf32>, %w: tensor<40x56x3xf32>) -> tensor<3x24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x24x56xf32>
  %o = linalg.contract
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n, b)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x, %w : tensor<3x24x40xf32>, tensor<40x56x3xf32>) outs(%zeros : tensor<3x24x56xf32>) -> tensor<3x24x56xf32>
  return %o : tensor<3x24x56xf32>
}

// -----

// What one kernel computes has all of its batches: the key, which heads share, is another kernel.
// REMARK: [[@LINE+13]]:{{.*}} not in the kernel of its operands: it runs over other batches, but a kernel has all of them in everything that it computes
// CHECK-LABEL: func.func @other_batches
// CHECK:         call @other_batches_kernel(
// CHECK:         call @other_batches_kernel_2(
// CHECK-LABEL: func.func private @other_batches_kernel(
// CHECK:         linalg.matmul
// CHECK-LABEL: func.func private @other_batches_kernel_2(
// CHECK:         linalg.contract
func.func @other_batches(%q: tensor<3x24x16xf32>, %x: tensor<31x40xf32>, %w: tensor<40x16xf32>) -> tensor<3x24x31xf32> {
  %k_zeros = arith.constant dense<0.0> : tensor<31x16xf32>
  %k = linalg.matmul ins(%x, %w : tensor<31x40xf32>, tensor<40x16xf32>) outs(%k_zeros : tensor<31x16xf32>) -> tensor<31x16xf32>
  %bias = arith.constant dense<1.0> : tensor<3x31x16xf32>
  %empty = tensor.empty() : tensor<3x31x16xf32>
  %keys = linalg.generic {
      indexing_maps = [affine_map<(h, t, d) -> (t, d)>, affine_map<(h, t, d) -> (h, t, d)>, affine_map<(h, t, d) -> (h, t, d)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%k, %bias : tensor<31x16xf32>, tensor<3x31x16xf32>) outs(%empty : tensor<3x31x16xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<3x31x16xf32>
  %zeros = arith.constant dense<0.0> : tensor<3x24x31xf32>
  %o = linalg.contract
      indexing_maps = [affine_map<(h, s, t, d) -> (h, s, d)>, affine_map<(h, s, t, d) -> (h, t, d)>, affine_map<(h, s, t, d) -> (h, s, t)>]
      ins(%q, %keys : tensor<3x24x16xf32>, tensor<3x31x16xf32>) outs(%zeros : tensor<3x24x31xf32>) -> tensor<3x24x31xf32>
  return %o : tensor<3x24x31xf32>
}

// -----

// A weight of each batch that is known when weights are loaded is turned then.
// CHECK-LABEL: func.func @loaded
// CHECK:         linalg.transpose ins(%{{.*}} : tensor<3x56x40xf32>) outs(%{{.*}} : tensor<3x40x56xf32>) permutation = [0, 2, 1]
// CHECK:         call @loaded_kernel(%{{.*}}, %{{.*}}, %{{.*}}) : (memref<3x24x40xf32>, memref<3x40x56xf32>, memref<3x24x56xf32>) -> ()
func.func @loaded(%x: tensor<3x24x40xf32>, %w: tensor<3x56x40xf32> {trn.param = "w"}) -> tensor<3x24x56xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x24x56xf32>
  %o = linalg.contract
      indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (b, n, k)>, affine_map<(b, m, n, k) -> (b, m, n)>]
      ins(%x, %w : tensor<3x24x40xf32>, tensor<3x56x40xf32>) outs(%zeros : tensor<3x24x56xf32>) -> tensor<3x24x56xf32>
  return %o : tensor<3x24x56xf32>
}
