// RUN: trn-run %s --compile --timing-only | FileCheck %s
// RUN: sed '/math.sin/d; s/%later/%y/' %s \
// RUN:   | trn-run - --compile --timing-only | FileCheck %s --check-prefix=ONE

// Kernels between which the host works are launched one by one.
// CHECK: launches{{ +}}2
// CHECK: launches: 2 launches of 15.0 us each
// CHECK-SAME: let the host do its work before or after all of these kernels

// ONE: launches{{ +}}1
// ONE-NOT: launches:
func.func @main(%x: tensor<128x256xbf16>, %w: tensor<256x256xbf16>, %v: tensor<256x512xbf16>) -> tensor<128x512xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<128x256xbf16>
  %f = linalg.fill ins(%zero : bf16) outs(%e : tensor<128x256xbf16>) -> tensor<128x256xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<128x256xbf16>, tensor<256x256xbf16>) outs(%f : tensor<128x256xbf16>) -> tensor<128x256xbf16>
  %later = math.sin %y : tensor<128x256xbf16>
  %e2 = tensor.empty() : tensor<128x512xbf16>
  %f2 = linalg.fill ins(%zero : bf16) outs(%e2 : tensor<128x512xbf16>) -> tensor<128x512xbf16>
  %o = linalg.matmul ins(%later, %v : tensor<128x256xbf16>, tensor<256x512xbf16>) outs(%f2 : tensor<128x512xbf16>) -> tensor<128x512xbf16>
  return %o : tensor<128x512xbf16>
}
