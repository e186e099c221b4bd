// RUN: trn-opt %s --trn-outline-collectives | FileCheck %s

// As upstream starts a sum over cores. Nothing depends on the core.

shard.grid @cores(shape = 2)

// CHECK-LABEL: func.func @zeros
func.func @zeros(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %first = arith.constant 0 : index
  %empty = tensor.empty() : tensor<4x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x64xf32>) -> tensor<4x64xf32>
  %core = shard.process_linear_index on @cores : index
  %is_first = arith.cmpi eq, %core, %first : index
  // CHECK: linalg.fill
  // CHECK-NOT: scf.if
  // CHECK: %[[START:.*]] = linalg.fill
  // CHECK: linalg.add ins(%{{.*}}, %[[START]]
  %start = scf.if %is_first -> tensor<4x64xf32> {
    scf.yield %init : tensor<4x64xf32>
  } else {
    %own = tensor.empty() : tensor<4x64xf32>
    %zeros = linalg.fill ins(%zero : f32) outs(%own : tensor<4x64xf32>) -> tensor<4x64xf32>
    scf.yield %zeros : tensor<4x64xf32>
  }
  %sum = linalg.add ins(%x, %start : tensor<4x64xf32>, tensor<4x64xf32>) outs(%empty : tensor<4x64xf32>) -> tensor<4x64xf32>
  return %sum : tensor<4x64xf32>
}

// CHECK-LABEL: func.func @other
func.func @other(%x: tensor<4x64xf32>) -> tensor<4x64xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %first = arith.constant 0 : index
  %empty = tensor.empty() : tensor<4x64xf32>
  // CHECK: shard.process_linear_index on @cores
  %core = shard.process_linear_index on @cores : index
  %is_first = arith.cmpi eq, %core, %first : index
  // CHECK: scf.if
  %start = scf.if %is_first -> tensor<4x64xf32> {
    %ones = linalg.fill ins(%one : f32) outs(%empty : tensor<4x64xf32>) -> tensor<4x64xf32>
    scf.yield %ones : tensor<4x64xf32>
  } else {
    %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x64xf32>) -> tensor<4x64xf32>
    scf.yield %zeros : tensor<4x64xf32>
  }
  return %start : tensor<4x64xf32>
}
