// RUN: trn-opt %s --trn-outline-kernels=output-layout=transposed -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not="see current operation"

// A remark names a place. It does not print the op there, for which all values of its
// function would be numbered again and again.

func.func @main(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>, %n: tensor<4x4xbf16>)
    -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x4xf32>) -> tensor<4x4xf32>
  %y = linalg.matmul ins(%x, %w : tensor<4x4xf32>, tensor<4x4xf32>)
                     outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  // CHECK: [[#@LINE+2]]:8: remark: product left on the host: its operands are f32 and bf16
  // CHECK: [[#@LINE-8]]:1: remark: function keeps its output layout
  %o = linalg.matmul ins(%y, %n : tensor<4x4xf32>, tensor<4x4xbf16>)
                     outs(%f : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y, %o : tensor<4x4xf32>, tensor<4x4xf32>
}
