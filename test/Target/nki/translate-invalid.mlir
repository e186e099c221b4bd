// RUN: trn-translate %s --mlir-to-nki --split-input-file --verify-diagnostics -o %t.py

// What NKI 0.6 has no words for.

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @nki_c2__select(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
    trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
    // expected-error @below {{has no form in NKI, whose predicates are tiles of integers; compute it by products and sums}}
    trn.select if(%a : memref<64x64xf32, #trn.mem<sbuf>>) then(%a : memref<64x64xf32, #trn.mem<sbuf>>) else(%a : memref<64x64xf32, #trn.mem<sbuf>>) into %a : memref<64x64xf32, #trn.mem<sbuf>>
    trn.dma_copy %a to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @nki_c3__two_types(%x: memref<64x64xbf16>, %w: memref<64x64xf16>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    %a = trn.alloc offset 0 : memref<64x64xbf16, #trn.mem<sbuf>>
    %b = trn.alloc offset 128 : memref<64x64xf16, #trn.mem<sbuf>>
    %t = trn.alloc bank 0 offset 0 : memref<64x64xf32, #trn.mem<psum>>
    %o = trn.alloc offset 256 : memref<64x64xf32, #trn.mem<sbuf>>
    trn.dma_copy %x to %a : memref<64x64xbf16> to memref<64x64xbf16, #trn.mem<sbuf>>
    trn.dma_copy %w to %b : memref<64x64xf16> to memref<64x64xf16, #trn.mem<sbuf>>
    // expected-error @below {{leaves float32 of bfloat16, but nc_transpose keeps the type; let the transposes into a buffer have one type, and convert elsewhere}}
    trn.transpose %a into %t : memref<64x64xbf16, #trn.mem<sbuf>> to memref<64x64xf32, #trn.mem<psum>> on tensor
    trn.transpose %b into %t : memref<64x64xf16, #trn.mem<sbuf>> to memref<64x64xf32, #trn.mem<psum>> on tensor
    trn.tensor_copy %t into %o : memref<64x64xf32, #trn.mem<psum>> to memref<64x64xf32, #trn.mem<sbuf>> on vector
    trn.dma_copy %o to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @nki_c6__filled_psum(%y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    %p = trn.alloc bank 0 offset 0 : memref<64x64xf32, #trn.mem<psum>>
    %o = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
    // expected-error @below {{fills PSUM, where no product may be added to it on trn1 and trn2; let the first product overwrite}}
    trn.memset %p, 0.0 : memref<64x64xf32, #trn.mem<psum>> on vector
    trn.tensor_copy %p into %o : memref<64x64xf32, #trn.mem<psum>> to memref<64x64xf32, #trn.mem<sbuf>> on vector
    trn.dma_copy %o to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @nki_c9__infinite(%y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    %o = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
    // expected-error @below {{has the constant -inf, but constants of NKI are finite}}
    trn.memset %o, 0xFF800000 : memref<64x64xf32, #trn.mem<sbuf>> on vector
    trn.dma_copy %o to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @nki_c9__divides_by_zero(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
    trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
    // expected-error @below {{divides by 0.0, whose reciprocal is not finite}}
    trn.tensor_scalar div(%a : memref<64x64xf32, #trn.mem<sbuf>>) constant 0.0 into %a : memref<64x64xf32, #trn.mem<sbuf>> on vector
    trn.dma_copy %a to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}

// -----

// expected-error @below {{is compiled for trn1, but NKI 0.6 is for trn2 and later machines; give --nki=beta1, or compile it with machine=trn2}}
func.func private @nki_c10__trn1(%y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
  return
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  // expected-error @below {{has no body; nothing says what it computes}}
  func.func private @declared(memref<64x64xf32> {trn.result}) attributes {trn.kernel}
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @virtual(%y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    // expected-error @below {{every buffer of a placed program has an address, but this one has none; run trn-place-buffers}}
    %o = trn.alloc : memref<64x64xf32, #trn.mem<sbuf>>
    trn.memset %o, 0.0 : memref<64x64xf32, #trn.mem<sbuf>> on vector
    trn.dma_copy %o to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}

// -----

// expected-error @below {{has no kernel to translate; compile it with trn-opt --trn-compile first}}
module {
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @nki_c12__scan(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
    %s = trn.alloc offset 256 : memref<64x1xf32, #trn.mem<sbuf>>
    trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
    // expected-error @below {{divides in a scan, but no engine of NKI divides; multiply by reciprocals}}
    trn.tensor_tensor_scan add, div(%a : memref<64x64xf32, #trn.mem<sbuf>>, %a : memref<64x64xf32, #trn.mem<sbuf>>) initial 0.0 into %a : memref<64x64xf32, #trn.mem<sbuf>>
    trn.dma_copy %a to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @nki_c12__reversed(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
    %s = trn.alloc offset 256 : memref<64x1xf32, #trn.mem<sbuf>>
    trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
    // expected-error @below {{reduces what it computes with a scalar on the left, but tensor_scalar_reduce has scalars on the right alone; reduce by another instruction}}
    trn.tensor_scalar sub(%a : memref<64x64xf32, #trn.mem<sbuf>>) constant 1.0 reversed reducing max(%s : memref<64x1xf32, #trn.mem<sbuf>>) into %a : memref<64x64xf32, #trn.mem<sbuf>> on vector
    trn.dma_copy %a to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @nki_c14__indices(%x: memref<64x64xf32>, %y: memref<64x8xf32> {trn.result}) attributes {trn.kernel} {
    %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
    %v = trn.alloc offset 256 : memref<64x8xf32, #trn.mem<sbuf>>
    %i = trn.alloc offset 320 : memref<64x8xf32, #trn.mem<sbuf>>
    trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
    trn.max8 %a into %v : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x8xf32, #trn.mem<sbuf>>
    // expected-error @below {{leaves indices in a tile of f32, but those of NKI are integers; leave them in one of ui32}}
    trn.find_index8 data(%a : memref<64x64xf32, #trn.mem<sbuf>>) values(%v : memref<64x8xf32, #trn.mem<sbuf>>) into %i : memref<64x8xf32, #trn.mem<sbuf>>
    trn.dma_copy %i to %y : memref<64x8xf32, #trn.mem<sbuf>> to memref<64x8xf32>
    return
  }
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @nki_c15__some_rows(%x: memref<100x64xf32>, %i: memref<32x1xi32>, %y: memref<32x64xf32> {trn.result}) attributes {trn.kernel} {
    %c = trn.alloc offset 0 : memref<32x1xi32, #trn.mem<sbuf>>
    %t = trn.alloc offset 4 : memref<32x64xf32, #trn.mem<sbuf>>
    trn.dma_copy %i to %c : memref<32x1xi32> to memref<32x1xi32, #trn.mem<sbuf>>
    %some = memref.subview %x[0, 0] [50, 64] [1, 1] : memref<100x64xf32> to memref<50x64xf32, strided<[64, 1]>>
    // expected-error @below {{chooses rows that are not all of a tensor's; take all rows, and add what is left out to the indices}}
    trn.dma_gather %some[%c] to %t : memref<50x64xf32, strided<[64, 1]>>[memref<32x1xi32, #trn.mem<sbuf>>] to memref<32x64xf32, #trn.mem<sbuf>>
    trn.dma_copy %t to %y : memref<32x64xf32, #trn.mem<sbuf>> to memref<32x64xf32>
    return
  }
}
