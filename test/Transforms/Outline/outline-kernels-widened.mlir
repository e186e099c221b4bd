// Weights that the host widens when it loads them say how much more a kernel reads.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --remark-format=emitRemark --remarks-filter=.* -o /dev/null 2>&1 \
// RUN:   | grep 'remark:' | FileCheck %s --implicit-check-not="times the bytes"

// CHECK: widened.mlir:[[#@LINE+6]]:8: remark: [Analysis] Weight | Category:trn-outline-kernels | Function=of_a_constant_kernel | Remark="stored as f16: 4 times the bytes of i4"
func.func @of_a_constant(%x: tensor<128x128xf16>) -> tensor<128x128xf32> {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %narrow = arith.constant dense<3> : tensor<128x128xi4>
  %scale = arith.constant dense<0.5> : tensor<128xf16>
  %empty = tensor.empty() : tensor<128x128xf16>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%narrow, %scale : tensor<128x128xi4>, tensor<128xf16>) outs(%empty : tensor<128x128xf16>) {
  ^bb0(%in: i4, %s: f16, %o: f16):
    %f = arith.sitofp %in : i4 to f16
    %scaled = arith.mulf %f, %s : f16
    linalg.yield %scaled : f16
  } -> tensor<128x128xf16>
  %y = linalg.matmul ins(%x, %w : tensor<128x128xf16>, tensor<128x128xf16>) outs(%zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}

// CHECK: Function=of_parameters_kernel | Remark="stored as f32: 4 times the bytes of f8E5M2"
func.func @of_parameters(%x: tensor<128x128xf32>, %p: tensor<128x128xf8E5M2> {trn.param = "p"}) -> tensor<128x128xf32> {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %w = arith.extf %p : tensor<128x128xf8E5M2> to tensor<128x128xf32>
  %y = linalg.matmul ins(%x, %w : tensor<128x128xf32>, tensor<128x128xf32>) outs(%zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}

// The kernel widens it, nothing is loaded, or nothing is wider.
func.func @in_the_kernel(%x: tensor<128x128xf16>, %p: tensor<128x128xi8> {trn.param = "p"}) -> tensor<128x128xf32> {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %w = arith.sitofp %p : tensor<128x128xi8> to tensor<128x128xf16>
  %y = linalg.matmul ins(%x, %w : tensor<128x128xf16>, tensor<128x128xf16>) outs(%zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}

func.func @of_an_argument(%x: tensor<128x128xf16>, %p: tensor<128x128xi8>) -> tensor<128x128xf32> {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %w = arith.sitofp %p : tensor<128x128xi8> to tensor<128x128xf16>
  %y = linalg.matmul ins(%x, %w : tensor<128x128xf16>, tensor<128x128xf16>) outs(%zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}

func.func @of_its_own_type(%x: tensor<128x128xf16>, %w: tensor<128x128xf16> {trn.param = "w"}) -> tensor<128x128xf32> {
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %y = linalg.matmul ins(%x, %w : tensor<128x128xf16>, tensor<128x128xf16>) outs(%zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %y : tensor<128x128xf32>
}
