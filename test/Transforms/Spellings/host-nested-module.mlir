// A module inside of a module is not compiled, which is said.
// RUN: trn-opt %s --trn-outline-kernels --verify-diagnostics | FileCheck %s
// CHECK-NOT: trn.kernel

module {
  module @inner {
    func.func @main(%x: tensor<24x40xf32>, %w: tensor<40x56xf32>) -> tensor<24x56xf32> {
      %zeros = arith.constant dense<0.0> : tensor<24x56xf32>
      // expected-remark @below {{product left on the host: it is in a module inside of the module that is compiled; move its function out of it}}
      %o = linalg.matmul ins(%x, %w : tensor<24x40xf32>, tensor<40x56xf32>) outs(%zeros : tensor<24x56xf32>) -> tensor<24x56xf32>
      return %o : tensor<24x56xf32>
    }
  }
}
