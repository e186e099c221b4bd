// RUN: trn-run %s --compile=effort=1 --verify --entry=rounds | FileCheck %s --check-prefix=ROUNDS
// RUN: trn-run %s --compile=effort=1 --verify --entry=exact | FileCheck %s --check-prefix=EXACT

// The coarsest type on the way decides, also in a function that is called. Another entry's
// types do not matter.
// ROUNDS: verify: result 0: relative error {{.*(e-0[6-9]|0e\+00)}}, at most 1.00e-02 is allowed
func.func @rounds(%x: tensor<40x30xf32>, %w: tensor<30x20xf32>) -> tensor<40x20xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<40x20xf32>) -> tensor<40x20xf32>
  %xn, %wn = call @narrow(%x, %w)
      : (tensor<40x30xf32>, tensor<30x20xf32>) -> (tensor<40x30xbf16>, tensor<30x20xbf16>)
  %o = linalg.matmul ins(%xn, %wn : tensor<40x30xbf16>, tensor<30x20xbf16>)
      outs(%init : tensor<40x20xf32>) -> tensor<40x20xf32>
  return %o : tensor<40x20xf32>
}
func.func private @narrow(%x: tensor<40x30xf32>, %w: tensor<30x20xf32>)
    -> (tensor<40x30xbf16>, tensor<30x20xbf16>) {
  %xn = arith.truncf %x : tensor<40x30xf32> to tensor<40x30xbf16>
  %wn = arith.truncf %w : tensor<30x20xf32> to tensor<30x20xbf16>
  return %xn, %wn : tensor<40x30xbf16>, tensor<30x20xbf16>
}

// EXACT: verify: result 0: relative error {{[0-9.e+-]+}}, at most 1.00e-05 is allowed
func.func @exact(%x: tensor<40x30xf32>, %w: tensor<30x20xf32>) -> tensor<40x20xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<40x20xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<40x20xf32>) -> tensor<40x20xf32>
  %o = linalg.matmul ins(%x, %w : tensor<40x30xf32>, tensor<30x20xf32>)
      outs(%init : tensor<40x20xf32>) -> tensor<40x20xf32>
  return %o : tensor<40x20xf32>
}
