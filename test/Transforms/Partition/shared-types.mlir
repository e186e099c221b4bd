// RUN: trn-opt %s --trn-set-machine=machine=trn2 --trn-partition='cores=1 lnc=2' | FileCheck %s

// Tensors of indices and of complex numbers pass by work that the cores of a logical one share.

// CHECK: func.func @main(%{{.*}}: tensor<4xindex>, %{{.*}}: tensor<4xcomplex<f32>>, %{{.*}}: tensor<128x128xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 256>}
func.func @main(%ids: tensor<4xindex>, %c: tensor<4xcomplex<f32>>, %x: tensor<256x128xf32>, %w: tensor<128x256xf32>) -> (tensor<256x256xf32>, tensor<4xindex>, tensor<4xcomplex<f32>>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<256x256xf32>) -> tensor<256x256xf32>
  %product = linalg.matmul ins(%x, %w : tensor<256x128xf32>, tensor<128x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  return %product, %ids, %c : tensor<256x256xf32>, tensor<4xindex>, tensor<4xcomplex<f32>>
}
