// RUN: trn-opt %s --trn-inline-helpers --split-input-file | FileCheck %s

// Helpers, and helpers of helpers, come to the product that uses them.
// CHECK-LABEL: func.func @main
// CHECK: linalg.matmul
// CHECK-NOT: call
// CHECK: math.exp
// CHECK-NOT: call
// CHECK: math.exp
// CHECK: return
// CHECK-NOT: func.func
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %sums: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%sums : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = call @twice(%y) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %a : tensor<64x64xf32>
}
func.func private @twice(%y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = call @exp(%y) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %b = call @exp(%a) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %b : tensor<64x64xf32>
}
func.func private @exp(%y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = math.exp %y : tensor<64x64xf32>
  return %a : tensor<64x64xf32>
}

// -----

// Layers stay functions, and so do public ones, what is only declared, functions of several blocks,
// what calls itself, and what nobody calls.
// CHECK-LABEL: func.func @main
// CHECK: call @layer
// CHECK: call @public
// CHECK: call @declared
// CHECK: call @blocks
// CHECK: call @recursive
// CHECK-LABEL: func.func @host
// CHECK-NEXT: math.exp
// CHECK-NOT: func.func private @helper
// CHECK-LABEL: func.func private @unused
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %sums: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%sums : tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = call @layer(%0, %w, %sums)
      : (tensor<64x64xf32>, tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = call @public(%1) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %3 = call @declared(%2) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %4 = call @blocks(%3) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %5 = call @recursive(%4) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %5 : tensor<64x64xf32>
}
func.func @host(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = call @helper(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
func.func private @helper(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = math.exp %x : tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
func.func private @unused(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  return %x : tensor<64x64xf32>
}
func.func private @layer(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %sums: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %0 = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%sums : tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}
func.func @public(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  return %x : tensor<64x64xf32>
}
func.func private @declared(tensor<64x64xf32>) -> tensor<64x64xf32>
func.func private @blocks(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  cf.br ^end
^end:
  return %x : tensor<64x64xf32>
}
func.func private @recursive(%x: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = call @recursive(%x) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %0 : tensor<64x64xf32>
}

// -----

// Where no function is public, any may be run, and helpers stay there, too.
// CHECK-LABEL: func.func private @main
// CHECK-NOT: call
// CHECK-LABEL: func.func private @exp
func.func private @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %sums: tensor<64x64xf32>)
    -> tensor<64x64xf32> {
  %y = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>)
                     outs(%sums : tensor<64x64xf32>) -> tensor<64x64xf32>
  %a = call @exp(%y) : (tensor<64x64xf32>) -> tensor<64x64xf32>
  return %a : tensor<64x64xf32>
}
func.func private @exp(%y: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %a = math.exp %y : tensor<64x64xf32>
  return %a : tensor<64x64xf32>
}
