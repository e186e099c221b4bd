// A product of elements and a bias, which is repeated for all rows, as ops on tensors: f16, four dimensions.
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s --check-prefix=VALUES
// RUN: trn-run %s --compile=effort=1 --verify --machine=trn2 | FileCheck %s --check-prefix=VALUES
// CHECK: func.func private @main_kernel(%{{[^:]*}}: memref<120x48xf16>, %{{[^:]*}}: memref<120x48xf16>, %{{[^:]*}}: memref<48xf16>
// CHECK-NOT: func.func private
// VALUES: verify: result 0: relative error 0.00e+00
// VALUES-NOT: host_ops

func.func @main(%a: tensor<2x3x20x48xf16>, %b: tensor<2x3x20x48xf16>, %c: tensor<48xf16>) -> tensor<2x3x20x48xf16> {
  %0 = arith.mulf %a, %b : tensor<2x3x20x48xf16>
  %empty = tensor.empty() : tensor<2x3x20x48xf16>
  %1 = linalg.broadcast ins(%c : tensor<48xf16>) outs(%empty : tensor<2x3x20x48xf16>) dimensions = [0, 1, 2]
  %2 = arith.addf %0, %1 : tensor<2x3x20x48xf16>
  return %2 : tensor<2x3x20x48xf16>
}
