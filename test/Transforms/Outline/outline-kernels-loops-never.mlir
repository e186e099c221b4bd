// A loop that may not run at all reads nothing before it: what it would read may be beyond the end.
// RUN: trn-opt %s --trn-outline-kernels | FileCheck %s
// CHECK-LABEL: func.func @main
// CHECK-NOT: tensor.extract
// CHECK: scf.for
// CHECK: tensor.extract

func.func @main(%x: tensor<20x64xf32>, %w: tensor<64x64xf32>, %starts: tensor<3xf32>, %n: index) -> tensor<20x64xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %last = arith.subi %n, %c1 : index
  %o = scf.for %i = %c0 to %n step %c1 iter_args(%h = %x) -> (tensor<20x64xf32>) {
    %start = tensor.extract %starts[%last] : tensor<3xf32>
    %e = tensor.empty() : tensor<20x64xf32>
    %f = linalg.fill ins(%start : f32) outs(%e : tensor<20x64xf32>) -> tensor<20x64xf32>
    %y = linalg.matmul ins(%h, %w : tensor<20x64xf32>, tensor<64x64xf32>) outs(%f : tensor<20x64xf32>) -> tensor<20x64xf32>
    scf.yield %y : tensor<20x64xf32>
  }
  return %o : tensor<20x64xf32>
}
