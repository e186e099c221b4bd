// Columns, and heads, that are cast to a type with an unknown size keep it; none of them is normalized.
// RUN: trn-opt %s --trn-normalize-rows --trn-normalize-products | FileCheck %s

// CHECK-LABEL: func.func @columns
// CHECK: tensor.cast %{{.*}} : tensor<4x32x48xf32> to tensor<?x32x48xf32>
func.func @columns(%x: tensor<4x32x96xf32>, %w: tensor<4x48x16xf32>) -> (tensor<4x32x16xf32>, tensor<?x32x48xf32>) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32x16xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %s = tensor.extract_slice %x[0,0,48][4,32,48][1,1,1] : tensor<4x32x96xf32> to tensor<4x32x48xf32>
  %d = tensor.cast %s : tensor<4x32x48xf32> to tensor<?x32x48xf32>
  %p = linalg.batch_matmul ins(%s, %w : tensor<4x32x48xf32>, tensor<4x48x16xf32>) outs(%z : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  return %p, %d : tensor<4x32x16xf32>, tensor<?x32x48xf32>
}

// CHECK-LABEL: func.func @heads
// CHECK: tensor.cast %{{.*}} : tensor<4x32x48xf32> to tensor<?x32x48xf32>
func.func @heads(%x: tensor<4x32x96xf32>, %w: tensor<4x48x16xf32>) -> (tensor<4x32x16xf32>, f32) {
  %c = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x32x16xf32>
  %z = linalg.fill ins(%c : f32) outs(%e : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %g = tensor.expand_shape %x [[0],[1],[2,3]] output_shape [4,32,2,48] : tensor<4x32x96xf32> into tensor<4x32x2x48xf32>
  %s = tensor.extract_slice %g[0,0,1,0][4,32,1,48][1,1,1,1] : tensor<4x32x2x48xf32> to tensor<4x32x48xf32>
  %d = tensor.cast %s : tensor<4x32x48xf32> to tensor<?x32x48xf32>
  %p = linalg.batch_matmul ins(%s, %w : tensor<4x32x48xf32>, tensor<4x48x16xf32>) outs(%z : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %i0 = arith.constant 1 : index
  %el = tensor.extract %d[%i0, %i0, %i0] : tensor<?x32x48xf32>
  return %p, %el : tensor<4x32x16xf32>, f32
}
