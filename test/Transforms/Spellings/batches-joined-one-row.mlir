// An image of one token beside a text, with heads side by side in the rows of the values: where rows of all heads lie below each other, trn1 turns each head to where a tile begins.
// RUN: trn-run %s --compile=effort=1 --machine=trn1 --verify | FileCheck %s
// CHECK: launches 1
// CHECK: stacking

func.func @main(%x: tensor<4x1x16xbf16>, %y: tensor<4x16x16xbf16>, %w: tensor<4x16x16xbf16>, %xv: tensor<4x1x16xbf16>, %yr: tensor<16x4x16xbf16>) -> (tensor<4x1x16xbf16>, tensor<4x16x16xbf16>) {
  %zero = arith.constant 0.0 : bf16
  %xe = tensor.empty() : tensor<4x1x16xbf16>
  %xz = linalg.fill ins(%zero : bf16) outs(%xe : tensor<4x1x16xbf16>) -> tensor<4x1x16xbf16>
  %ye = tensor.empty() : tensor<4x16x16xbf16>
  %yz = linalg.fill ins(%zero : bf16) outs(%ye : tensor<4x16x16xbf16>) -> tensor<4x16x16xbf16>
  %image = linalg.batch_matmul ins(%x, %w : tensor<4x1x16xbf16>, tensor<4x16x16xbf16>) outs(%xz : tensor<4x1x16xbf16>) -> tensor<4x1x16xbf16>
  %text = linalg.batch_matmul ins(%y, %w : tensor<4x16x16xbf16>, tensor<4x16x16xbf16>) outs(%yz : tensor<4x16x16xbf16>) -> tensor<4x16x16xbf16>
  %q = tensor.concat dim(1) %image, %text : (tensor<4x1x16xbf16>, tensor<4x16x16xbf16>) -> tensor<4x17x16xbf16>
  %k = tensor.concat dim(1) %image, %text : (tensor<4x1x16xbf16>, tensor<4x16x16xbf16>) -> tensor<4x17x16xbf16>
  %te = tensor.empty() : tensor<4x16x17xbf16>
  %t = linalg.transpose ins(%k : tensor<4x17x16xbf16>) outs(%te : tensor<4x16x17xbf16>) permutation = [0, 2, 1]
  %se = tensor.empty() : tensor<4x17x17xbf16>
  %sz = linalg.fill ins(%zero : bf16) outs(%se : tensor<4x17x17xbf16>) -> tensor<4x17x17xbf16>
  %scores = linalg.batch_matmul ins(%q, %t : tensor<4x17x16xbf16>, tensor<4x16x17xbf16>) outs(%sz : tensor<4x17x17xbf16>) -> tensor<4x17x17xbf16>
  %p = linalg.softmax dimension(2) ins(%scores : tensor<4x17x17xbf16>) outs(%se : tensor<4x17x17xbf16>) -> tensor<4x17x17xbf16>
  %ve = tensor.empty() : tensor<4x16x16xbf16>
  %yv = linalg.transpose ins(%yr : tensor<16x4x16xbf16>) outs(%ve : tensor<4x16x16xbf16>) permutation = [1, 0, 2]
  %v = tensor.concat dim(1) %xv, %yv : (tensor<4x1x16xbf16>, tensor<4x16x16xbf16>) -> tensor<4x17x16xbf16>
  %oe = tensor.empty() : tensor<4x17x16xbf16>
  %oz = linalg.fill ins(%zero : bf16) outs(%oe : tensor<4x17x16xbf16>) -> tensor<4x17x16xbf16>
  %o = linalg.batch_matmul ins(%p, %v : tensor<4x17x17xbf16>, tensor<4x17x16xbf16>) outs(%oz : tensor<4x17x16xbf16>) -> tensor<4x17x16xbf16>
  %minus = arith.negf %o : tensor<4x17x16xbf16>
  %one = tensor.extract_slice %minus[0, 0, 0] [4, 1, 16] [1, 1, 1] : tensor<4x17x16xbf16> to tensor<4x1x16xbf16>
  %other = tensor.extract_slice %minus[0, 1, 0] [4, 16, 16] [1, 1, 1] : tensor<4x17x16xbf16> to tensor<4x16x16xbf16>
  return %one, %other : tensor<4x1x16xbf16>, tensor<4x16x16xbf16>
}
