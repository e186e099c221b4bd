// A module without any op of linalg, or elementwise op on tensors, says so where it begins.
// RUN: not trn-run %s --compile=effort=1 2>&1 | FileCheck %s
// CHECK: host-nothing.mlir:[[#@LINE+4]]:1: error: the compiler found nothing that it can compile
// CHECK-NEXT: func.func
// CHECK: note: kernels compute products in linalg on tensors (linalg.matmul, linalg.contract and the like), reductions of rows, and what is computed element by element, but there is none of these

func.func @main(%x: tensor<24x40xf32>) -> tensor<24x40xf32> {
  return %x : tensor<24x40xf32>
}
