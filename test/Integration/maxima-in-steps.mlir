// Maxima of 80 slices that lie beside each other, and of 196 that lie one below the other, are taken in two steps:
// without transpositions, and in one launch.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// RUN: trn-opt %s --trn-normalize-rows | FileCheck %s --check-prefix=CODE
// CHECK: verify: result 0: relative error 0.00e+00
// CHECK: verify: result 1: relative error 0.00e+00
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK: transpose_flops 0
// CODE-COUNT-10: tensor.extract_slice {{.*}} to tensor<100x512xf32>
// CODE-COUNT-8: tensor.extract_slice {{.*}} to tensor<100x64xf32>
// CODE-NOT: "reduction"

func.func @main(%x: tensor<100x80x64xf32>, %y: tensor<196x40x48xbf16>) -> (tensor<100x64xf32>, tensor<40x48xbf16>) {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<100x64xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<100x64xf32>) -> tensor<100x64xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<100x80x64xf32>) outs(%f : tensor<100x64xf32>) dimensions = [1]
  %low = arith.constant 0xFF80 : bf16
  %g = tensor.empty() : tensor<40x48xbf16>
  %h = linalg.fill ins(%low : bf16) outs(%g : tensor<40x48xbf16>) -> tensor<40x48xbf16>
  %n = linalg.reduce { arith.maximumf } ins(%y : tensor<196x40x48xbf16>) outs(%h : tensor<40x48xbf16>) dimensions = [0]
  return %m, %n : tensor<100x64xf32>, tensor<40x48xbf16>
}
