// A module without products says so where it begins.
// RUN: not trn-run %s --compile=effort=1 2>&1 | FileCheck %s
// CHECK: host-nothing.mlir:[[#@LINE+4]]:1: error: the compiler found nothing that it can compile
// CHECK-NEXT: func.func
// CHECK: note: there is no product in linalg on tensors (linalg.matmul, linalg.contract and the like)

func.func @main(%x: tensor<24x40xf32>) -> tensor<24x40xf32> {
  %o = arith.addf %x, %x : tensor<24x40xf32>
  return %o : tensor<24x40xf32>
}
