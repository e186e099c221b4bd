// Patches of two images with channels first, a bias of features, and the transposition to tokens: the features of a patch are a row from the product on.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: launches 1

#all = affine_map<(n, f, p, q) -> (n, f, p, q)>
#features = affine_map<(n, f, p, q) -> (f)>

func.func @main(%image: tensor<2x3x24x24xf32>, %kernel: tensor<64x3x4x4xf32>, %bias: tensor<64xf32>, %w: tensor<64x40xf32>) -> tensor<72x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x64x6x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x64x6x6xf32>) -> tensor<2x64x6x6xf32>
  %patches = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<4> : vector<2xi64>} ins(%image, %kernel : tensor<2x3x24x24xf32>, tensor<64x3x4x4xf32>) outs(%z : tensor<2x64x6x6xf32>) -> tensor<2x64x6x6xf32>
  %biased = linalg.generic {indexing_maps = [#all, #features, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%patches, %bias : tensor<2x64x6x6xf32>, tensor<64xf32>) outs(%e : tensor<2x64x6x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x64x6x6xf32>
  %flat = tensor.collapse_shape %biased [[0], [1], [2, 3]] : tensor<2x64x6x6xf32> into tensor<2x64x36xf32>
  %te = tensor.empty() : tensor<2x36x64xf32>
  %tokens = linalg.transpose ins(%flat : tensor<2x64x36xf32>) outs(%te : tensor<2x36x64xf32>) permutation = [0, 2, 1]
  %rows = tensor.collapse_shape %tokens [[0, 1], [2]] : tensor<2x36x64xf32> into tensor<72x64xf32>
  %ne = tensor.empty() : tensor<72x64xf32>
  %n = linalg.softmax dimension(1) ins(%rows : tensor<72x64xf32>) outs(%ne : tensor<72x64xf32>) -> tensor<72x64xf32>
  %oe = tensor.empty() : tensor<72x40xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<72x40xf32>) -> tensor<72x40xf32>
  %o = linalg.matmul ins(%n, %w : tensor<72x64xf32>, tensor<64x40xf32>) outs(%oz : tensor<72x40xf32>) -> tensor<72x40xf32>
  return %o : tensor<72x40xf32>
}
