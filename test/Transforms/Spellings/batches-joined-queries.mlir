// Text and image that attend together (MMDiT): queries and keys of both are put together, and the results are separated again.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops

func.func @main(%x: tensor<4x32x16xf32>, %y: tensor<4x16x16xf32>, %w: tensor<4x16x16xf32>, %xv: tensor<4x32x16xf32>, %yv: tensor<4x16x16xf32>) -> (tensor<4x32x16xf32>, tensor<4x16x16xf32>) {
  %zero = arith.constant 0.0 : f32
  %xe = tensor.empty() : tensor<4x32x16xf32>
  %xz = linalg.fill ins(%zero : f32) outs(%xe : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %ye = tensor.empty() : tensor<4x16x16xf32>
  %yz = linalg.fill ins(%zero : f32) outs(%ye : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %image = linalg.batch_matmul ins(%x, %w : tensor<4x32x16xf32>, tensor<4x16x16xf32>) outs(%xz : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %text = linalg.batch_matmul ins(%y, %w : tensor<4x16x16xf32>, tensor<4x16x16xf32>) outs(%yz : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %q = tensor.concat dim(1) %image, %text : (tensor<4x32x16xf32>, tensor<4x16x16xf32>) -> tensor<4x48x16xf32>
  %k = tensor.concat dim(1) %image, %text : (tensor<4x32x16xf32>, tensor<4x16x16xf32>) -> tensor<4x48x16xf32>
  %te = tensor.empty() : tensor<4x16x48xf32>
  %t = linalg.transpose ins(%k : tensor<4x48x16xf32>) outs(%te : tensor<4x16x48xf32>) permutation = [0, 2, 1]
  %se = tensor.empty() : tensor<4x48x48xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x48x48xf32>) -> tensor<4x48x48xf32>
  %scores = linalg.batch_matmul ins(%q, %t : tensor<4x48x16xf32>, tensor<4x16x48xf32>) outs(%sz : tensor<4x48x48xf32>) -> tensor<4x48x48xf32>
  %p = linalg.softmax dimension(2) ins(%scores : tensor<4x48x48xf32>) outs(%se : tensor<4x48x48xf32>) -> tensor<4x48x48xf32>
  %v = tensor.concat dim(1) %xv, %yv : (tensor<4x32x16xf32>, tensor<4x16x16xf32>) -> tensor<4x48x16xf32>
  %oe = tensor.empty() : tensor<4x48x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<4x48x16xf32>) -> tensor<4x48x16xf32>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x48x48xf32>, tensor<4x48x16xf32>) outs(%oz : tensor<4x48x16xf32>) -> tensor<4x48x16xf32>
  %minus = arith.negf %o : tensor<4x48x16xf32>
  %one = tensor.extract_slice %minus[0, 0, 0] [4, 32, 16] [1, 1, 1] : tensor<4x48x16xf32> to tensor<4x32x16xf32>
  %other = tensor.extract_slice %minus[0, 32, 0] [4, 16, 16] [1, 1, 1] : tensor<4x48x16xf32> to tensor<4x16x16xf32>
  return %one, %other : tensor<4x32x16xf32>, tensor<4x16x16xf32>
}
