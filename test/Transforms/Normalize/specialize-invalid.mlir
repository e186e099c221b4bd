// RUN: trn-opt %s --split-input-file --trn-specialize=sizes=3x8 --verify-diagnostics
// RUN: not trn-opt %s --split-input-file --trn-specialize=sizes=0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not trn-opt %s --split-input-file --trn-specialize=sizes=4x 2>&1 | FileCheck %s --check-prefix=OPEN
// RUN: not trn-opt %s --split-input-file --trn-specialize=sizes=2147483648 2>&1 | FileCheck %s --check-prefix=LARGE
// ZERO: error: specialize takes sizes from 1 to 2147483647 with x between them, as in 1x128, but '0' is given
// OPEN: error: specialize takes sizes from 1 to 2147483647 with x between them, as in 1x128, but '4x' is given
// LARGE: error: specialize takes sizes from 1 to 2147483647 with x between them, as in 1x128, but '2147483648' is given

// expected-error @below {{specialize is 3x8, but @one needs a size for each dynamic dimension that varies on its own: dimension 0 of argument 1}}
func.func @one(%x: tensor<4xf32>, %y: tensor<?x8xf32>, %z: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %o = arith.addf %y, %z : tensor<?x8xf32>
  return %o : tensor<?x8xf32>
}

// -----

// expected-error @below {{specialize is 3x8, but @three needs a size for each dynamic dimension that varies on its own: dimension 1 of argument 0, dimension 0 of argument 1, dimension 1 of argument 1}}
func.func @three(%x: tensor<4x?xf32>, %y: tensor<?x?xf32>) {
  return
}

// -----

// expected-error @below {{@called cannot be specialized: this module needs it as it is; let it call a private function instead}}
func.func @called(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}
func.func @caller(%x: tensor<3x8xf32>) -> tensor<?x?xf32> {
  %dynamic = tensor.cast %x : tensor<3x8xf32> to tensor<?x?xf32>
  %y = call @called(%dynamic) : (tensor<?x?xf32>) -> tensor<?x?xf32>
  return %y : tensor<?x?xf32>
}

// -----

// expected-error @below {{specialize has sizes, but no public function has arguments with dynamic dimensions}}
module {
  func.func @static(%x: tensor<3x8xf32>) -> tensor<3x8xf32> {
    return %x : tensor<3x8xf32>
  }
}
