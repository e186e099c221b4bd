// A number for each head, broadcast to its rows and columns: what decays the state of a chunk.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops

func.func @main(%k: tensor<4x16x32xf32>, %v: tensor<4x32x16xf32>, %state: tensor<4x16x16xf32>, %decay: tensor<4xf32>) -> tensor<4x16x16xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x16x16xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %new = linalg.batch_matmul ins(%k, %v : tensor<4x16x32xf32>, tensor<4x32x16xf32>) outs(%z : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
  %power = math.exp %decay : tensor<4xf32>
  %decays = linalg.broadcast ins(%power : tensor<4xf32>) outs(%e : tensor<4x16x16xf32>) dimensions = [1, 2]
  %old = arith.mulf %state, %decays : tensor<4x16x16xf32>
  %next = arith.addf %old, %new : tensor<4x16x16xf32>
  return %next : tensor<4x16x16xf32>
}
