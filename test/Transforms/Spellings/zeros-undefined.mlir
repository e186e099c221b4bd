// Tests and tutorials accumulate onto tensor.empty, and mean zeros.
// RUN: trn-opt %s --trn-compile=effort=1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}flops 107,520
// CHECK-COUNT-1: {{^}}kernel main_kernel

func.func @main(%x: tensor<24x40xbf16>, %w: tensor<40x56xbf16>) -> tensor<24x56xf32> {
  %init = tensor.empty() : tensor<24x56xf32>
  // REMARK: [[#@LINE+1]]:{{[0-9]+}}: remark: product accumulates onto undefined elements of 'tensor.empty', which are taken for zeros
  %o = linalg.matmul ins(%x, %w : tensor<24x40xbf16>, tensor<40x56xbf16>) outs(%init : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %o : tensor<24x56xf32>
}
