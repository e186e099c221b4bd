// RUN: trn-translate %s --mlir-to-nki --addresses --verify-diagnostics -o %t.py
// RUN: not trn-translate %s --mlir-to-nki --addresses --nki=beta1 2>&1 | FileCheck %s --check-prefix=BETA

// No engine of NKI divides; what a reciprocal leaves needs a tile, which nobody has placed.

// BETA: error: --addresses is for --nki=0.6 and later: in the beta of NKI, addresses are for tensors with block dimensions

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @nki_c8__quotient(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
    trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
    // expected-error @below {{needs a tile for an intermediate value, which has no address; leave --addresses out}}
    trn.tensor_tensor div(%a : memref<64x64xf32, #trn.mem<sbuf>>, %a : memref<64x64xf32, #trn.mem<sbuf>>) into %a : memref<64x64xf32, #trn.mem<sbuf>> on vector
    trn.dma_copy %a to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}
