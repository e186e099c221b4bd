// A gradient and the step of AdamW, with elementwise ops and fills as ops on tensors: those of inputs alone are in kernels, too.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops

func.func @main(%x: tensor<32x64xf32>, %dy: tensor<32x96xf32>, %w: tensor<64x96xf32>, %m: tensor<64x96xf32>, %rate: tensor<1xf32>) -> (tensor<64x96xf32>, tensor<64x96xf32>) {
  %zero = arith.constant 0.0 : f32
  %near = arith.constant 0.9 : f32
  %far = arith.constant 0.1 : f32
  %te = tensor.empty() : tensor<64x32xf32>
  %t = linalg.transpose ins(%x : tensor<32x64xf32>) outs(%te : tensor<64x32xf32>) permutation = [1, 0]
  %e = tensor.empty() : tensor<64x96xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %g = linalg.matmul ins(%t, %dy : tensor<64x32xf32>, tensor<32x96xf32>) outs(%z : tensor<64x96xf32>) -> tensor<64x96xf32>
  %nears = linalg.fill ins(%near : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %fars = linalg.fill ins(%far : f32) outs(%e : tensor<64x96xf32>) -> tensor<64x96xf32>
  %old = arith.mulf %m, %nears : tensor<64x96xf32>
  %new = arith.mulf %g, %fars : tensor<64x96xf32>
  %next = arith.addf %old, %new : tensor<64x96xf32>
  %powers = math.exp %rate : tensor<1xf32>
  %power = tensor.collapse_shape %powers [] : tensor<1xf32> into tensor<f32>
  %rates = linalg.broadcast ins(%power : tensor<f32>) outs(%e : tensor<64x96xf32>) dimensions = [0, 1]
  %step = arith.mulf %next, %rates : tensor<64x96xf32>
  %o = arith.subf %w, %step : tensor<64x96xf32>
  return %o, %next : tensor<64x96xf32>, tensor<64x96xf32>
}
