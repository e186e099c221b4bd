// Ranges of X, of weights and of a bias that the source takes itself: kernels read them where they are.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s --implicit-check-not="host op"
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s --check-prefix=IR
// CHECK: kernel main_kernel
// CHECK: kernel main_kernel_2
// IR: call @main_kernel({{.*}}) : (memref<24x100xbf16>, memref<40x112xbf16>, memref<24x32xf32>) -> ()
// IR: x : m x k bf16 input in 24 x 100 from (0, 7), w : k x n bf16 input in 40 x 112 from (0, 3),
// IR: memref.subview %{{.*}}[0, 3] [40, 32] [1, 1] : memref<40x112xbf16>

#id = affine_map<(i, j) -> (i, j)>
#b = affine_map<(i, j) -> (j)>
func.func @main(%x: tensor<24x100xbf16>, %w: tensor<40x112xbf16>, %bias: tensor<112xf32>) -> (tensor<24x32xf32>, tensor<24x50xf32>) {
  %z1 = arith.constant dense<0.0> : tensor<24x32xf32>
  %z2 = arith.constant dense<0.0> : tensor<24x50xf32>
  %xs = tensor.extract_slice %x[0, 7] [24, 40] [1, 1] : tensor<24x100xbf16> to tensor<24x40xbf16>
  %xt = tensor.extract_slice %x[0, 50] [24, 30] [1, 1] : tensor<24x100xbf16> to tensor<24x30xbf16>
  %wa = tensor.extract_slice %w[0, 3] [40, 32] [1, 1] : tensor<40x112xbf16> to tensor<40x32xbf16>
  %wb = tensor.extract_slice %w[5, 61] [30, 50] [1, 1] : tensor<40x112xbf16> to tensor<30x50xbf16>
  %y = linalg.matmul ins(%xs, %wa : tensor<24x40xbf16>, tensor<40x32xbf16>) outs(%z1 : tensor<24x32xf32>) -> tensor<24x32xf32>
  %v = linalg.matmul ins(%xt, %wb : tensor<24x30xbf16>, tensor<30x50xbf16>) outs(%z2 : tensor<24x50xf32>) -> tensor<24x50xf32>
  %bb = tensor.extract_slice %bias[20] [50] [1] : tensor<112xf32> to tensor<50xf32>
  %o = linalg.generic {indexing_maps = [#id, #b, #id], iterator_types = ["parallel", "parallel"]} ins(%v, %bb : tensor<24x50xf32>, tensor<50xf32>) outs(%z2 : tensor<24x50xf32>) {
  ^bb0(%a: f32, %c: f32, %out: f32):
    %p = arith.addf %a, %c : f32
    linalg.yield %p : f32
  } -> tensor<24x50xf32>
  return %y, %o : tensor<24x32xf32>, tensor<24x50xf32>
}
