// RUN: trn-run %s --compile=effort=1 --verify --out=@%t.negated.npy --out=@%t.product.npy
// RUN: trn-opt %s --trn-compile=effort=1 --canonicalize -o %t.mlir
// RUN: trn-run %t.mlir --out=@%t.negated2.npy --out=@%t.product2.npy
// RUN: cmp %t.negated.npy %t.negated2.npy && cmp %t.product.npy %t.product2.npy

// The host may not write to the product that a kernel reads later, also where
// that kernel takes the buffer of the product without a tensor in between.

func.func @main(%x: tensor<6x76xf32>, %u: tensor<76x2xf32>, %v: tensor<2x17xf32>) -> (tensor<6x2xf32>, tensor<6x17xf32>) {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<6x2xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<6x2xf32>) -> tensor<6x2xf32>
  %y = linalg.matmul ins(%x, %u : tensor<6x76xf32>, tensor<76x2xf32>) outs(%y_zero : tensor<6x2xf32>) -> tensor<6x2xf32>
  %negated = linalg.negf ins(%y : tensor<6x2xf32>) outs(%y : tensor<6x2xf32>) -> tensor<6x2xf32>
  %o_empty = tensor.empty() : tensor<6x17xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<6x17xf32>) -> tensor<6x17xf32>
  %o = linalg.matmul ins(%y, %v : tensor<6x2xf32>, tensor<2x17xf32>) outs(%o_zero : tensor<6x17xf32>) -> tensor<6x17xf32>
  return %negated, %o : tensor<6x2xf32>, tensor<6x17xf32>
}
