// A module without products and reductions says so where it begins.
// RUN: not trn-run %s --compile=effort=1 2>&1 | FileCheck %s
// CHECK: host-nothing.mlir:[[#@LINE+4]]:1: error: the compiler found nothing that it can compile
// CHECK-NEXT: func.func
// CHECK: note: a kernel begins with a product in linalg on tensors (linalg.matmul, linalg.contract and the like) or with a reduction of rows, but there is neither

func.func @main(%x: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %o = arith.addf %x, %x : tensor<24x40xf32>
  return %o : tensor<24x40xf32>
}
