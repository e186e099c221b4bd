// A rounding of a vector is a kernel of rows.
// RUN: trn-opt %s --trn-compile=effort=1 | FileCheck %s
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s --check-prefix=VALUES
// CHECK: func.func private @main_kernel(%{{[^:]*}}: memref<64x64xf32>, %{{[^:]*}}: memref<64x64xbf16>
// CHECK-NOT: func.func private
// VALUES: verify: result 0: relative error 0.00e+00
// VALUES-NOT: host_ops

func.func @main(%x: tensor<4096xf32>) -> tensor<4096xbf16> {
  %0 = arith.truncf %x : tensor<4096xf32> to tensor<4096xbf16>
  return %0 : tensor<4096xbf16>
}
