// A layer for any number of rows is what it is called with: nothing is asked for.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 153,600
// CHECK-NOT: host op
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel

func.func private @layer(%x: tensor<?x40xf32>, %w: tensor<40x40xf32>) -> tensor<?x40xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %rows = tensor.dim %x, %c0 : tensor<?x40xf32>
  %empty = tensor.empty(%rows) : tensor<?x40xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x40xf32>) -> tensor<?x40xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x40xf32>, tensor<40x40xf32>) outs(%zeros : tensor<?x40xf32>) -> tensor<?x40xf32>
  return %y : tensor<?x40xf32>
}

func.func private @layers(%x: tensor<?x40xf32>, %u: tensor<40x40xf32>, %v: tensor<40x40xf32>) -> tensor<?x40xf32> {
  %y = call @layer(%x, %u) : (tensor<?x40xf32>, tensor<40x40xf32>) -> tensor<?x40xf32>
  %z = call @layer(%y, %v) : (tensor<?x40xf32>, tensor<40x40xf32>) -> tensor<?x40xf32>
  return %z : tensor<?x40xf32>
}

func.func @main(%x: tensor<24x40xf32>, %u: tensor<40x40xf32>, %v: tensor<40x40xf32>) -> tensor<24x40xf32> {
  %any = tensor.cast %x : tensor<24x40xf32> to tensor<?x40xf32>
  %y = call @layers(%any, %u, %v) : (tensor<?x40xf32>, tensor<40x40xf32>, tensor<40x40xf32>) -> tensor<?x40xf32>
  %o = tensor.cast %y : tensor<?x40xf32> to tensor<24x40xf32>
  return %o : tensor<24x40xf32>
}
