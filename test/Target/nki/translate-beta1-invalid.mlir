// RUN: trn-translate %s --mlir-to-nki --nki=beta1 --split-input-file --verify-diagnostics -o %t.py

// What the beta of NKI has no words for. In it no product overwrites what is in PSUM.

func.func private @nki_c4__across_tiles(%x: memref<64x4x16xf32>, %y: memref<64x32xf32> {trn.result}) attributes {trn.kernel} {
  %a = trn.alloc offset 0 : memref<64x4x16xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %a : memref<64x4x16xf32> to memref<64x4x16xf32, #trn.mem<sbuf>>
  %flat = memref.collapse_shape %a [[0], [1, 2]] : memref<64x4x16xf32, #trn.mem<sbuf>> into memref<64x64xf32, #trn.mem<sbuf>>
  %half = memref.subview %flat[0, 8] [64, 32] [1, 1] : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x32xf32, strided<[64, 1], offset: 8>, #trn.mem<sbuf>>
  // expected-error @below {{accesses tile_sb in an order that no indices of its dimensions have, as all accesses of this version are written}}
  trn.dma_copy %half to %y : memref<64x32xf32, strided<[64, 1], offset: 8>, #trn.mem<sbuf>> to memref<64x32xf32>
  return
}

// -----

func.func private @nki_c5__gaps(%x: memref<64x4x16xf32>, %y: memref<64x1xf32> {trn.result}) attributes {trn.kernel} {
  %a = trn.alloc offset 0 : memref<64x4x16xf32, #trn.mem<sbuf>>
  %s = trn.alloc offset 256 : memref<64x1xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %a : memref<64x4x16xf32> to memref<64x4x16xf32, #trn.mem<sbuf>>
  %half = memref.subview %a[0, 0, 0] [64, 4, 8] [1, 1, 1] : memref<64x4x16xf32, #trn.mem<sbuf>> to memref<64x4x8xf32, strided<[64, 16, 1]>, #trn.mem<sbuf>>
  // expected-error @below {{reduces free dimensions with gaps between them, but NKI is given one; reduce tiles of two dimensions}}
  trn.tensor_reduce add(%half : memref<64x4x8xf32, strided<[64, 16, 1]>, #trn.mem<sbuf>>) into %s : memref<64x1xf32, #trn.mem<sbuf>>
  trn.dma_copy %s to %y : memref<64x1xf32, #trn.mem<sbuf>> to memref<64x1xf32>
  return
}

// -----

func.func private @nki_c7__again_in_a_loop(%x: memref<64x64xf32>, %y: memref<4x64x64xf32> {trn.result}) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
  %o = trn.alloc offset 256 : memref<64x64xf32, #trn.mem<sbuf>>
  %p = trn.alloc bank 0 offset 0 : memref<64x64xf32, #trn.mem<psum>>
  trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
  scf.for %i = %c0 to %c4 step %c1 {
    scf.for %k = %c0 to %c2 step %c1 {
      %later = arith.cmpi ne, %k, %c0 : index
      // expected-error @below {{overwrites sums of an earlier iteration, but sums begin as zeros where their tile is declared; allocate the tile in the loop}}
      trn.matmul stationary(%a : memref<64x64xf32, #trn.mem<sbuf>>) moving(%a : memref<64x64xf32, #trn.mem<sbuf>>) into %p : memref<64x64xf32, #trn.mem<psum>> accumulate(%later)
    }
    trn.tensor_copy %p into %o : memref<64x64xf32, #trn.mem<psum>> to memref<64x64xf32, #trn.mem<sbuf>> on vector
    %slice = memref.subview %y[%i, 0, 0] [1, 64, 64] [1, 1, 1] : memref<4x64x64xf32> to memref<64x64xf32, strided<[64, 1], offset: ?>>
    trn.dma_copy %o to %slice : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32, strided<[64, 1], offset: ?>>
  }
  return
}

// -----

func.func private @nki_c7__another_product(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
  %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
  %o = trn.alloc offset 256 : memref<64x64xf32, #trn.mem<sbuf>>
  %p = trn.alloc bank 0 offset 0 : memref<64x64xf32, #trn.mem<psum>>
  trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
  %true = arith.constant true
  // expected-error @below {{overwrites sums of another product, but sums begin as zeros where their tile is declared; allocate a tile for each}}
  trn.matmul stationary(%a : memref<64x64xf32, #trn.mem<sbuf>>) moving(%a : memref<64x64xf32, #trn.mem<sbuf>>) into %p : memref<64x64xf32, #trn.mem<psum>>
  trn.matmul stationary(%a : memref<64x64xf32, #trn.mem<sbuf>>) moving(%a : memref<64x64xf32, #trn.mem<sbuf>>) into %p : memref<64x64xf32, #trn.mem<psum>> accumulate(%true)
  trn.tensor_copy %p into %o : memref<64x64xf32, #trn.mem<psum>> to memref<64x64xf32, #trn.mem<sbuf>> on vector
  trn.matmul stationary(%a : memref<64x64xf32, #trn.mem<sbuf>>) moving(%a : memref<64x64xf32, #trn.mem<sbuf>>) into %p : memref<64x64xf32, #trn.mem<psum>>
  trn.tensor_copy %p into %o : memref<64x64xf32, #trn.mem<psum>> to memref<64x64xf32, #trn.mem<sbuf>> on vector
  trn.dma_copy %o to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
  return
}

// -----

func.func private @nki_c7__another_instruction(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
  %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
  %o = trn.alloc offset 256 : memref<64x64xf32, #trn.mem<sbuf>>
  %p = trn.alloc bank 0 offset 0 : memref<64x64xf32, #trn.mem<psum>>
  trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
  trn.transpose %a into %p : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32, #trn.mem<psum>> on tensor
  trn.tensor_copy %p into %o : memref<64x64xf32, #trn.mem<psum>> to memref<64x64xf32, #trn.mem<sbuf>> on vector
  %true = arith.constant true
  // expected-error @below {{overwrites what another instruction wrote, but sums begin as zeros where their tile is declared; allocate a tile for each}}
  trn.matmul stationary(%a : memref<64x64xf32, #trn.mem<sbuf>>) moving(%o : memref<64x64xf32, #trn.mem<sbuf>>) into %p : memref<64x64xf32, #trn.mem<psum>>
  trn.matmul stationary(%a : memref<64x64xf32, #trn.mem<sbuf>>) moving(%o : memref<64x64xf32, #trn.mem<sbuf>>) into %p : memref<64x64xf32, #trn.mem<psum>> accumulate(%true)
  trn.tensor_copy %p into %o : memref<64x64xf32, #trn.mem<psum>> to memref<64x64xf32, #trn.mem<sbuf>> on vector
  trn.dma_copy %o to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
  return
}

// -----

func.func private @nki_c7__in_the_middle(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
  %o = trn.alloc offset 256 : memref<64x64xf32, #trn.mem<sbuf>>
  %p = trn.alloc bank 0 offset 0 : memref<64x64xf32, #trn.mem<psum>>
  trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
  scf.for %k = %c0 to %c4 step %c1 {
    %later = arith.cmpi sgt, %k, %c2 : index
    // expected-error @below {{overwrites sums in other iterations than the first one, but sums begin as zeros where their tile is declared; accumulate where a counter is not zero}}
    trn.matmul stationary(%a : memref<64x64xf32, #trn.mem<sbuf>>) moving(%a : memref<64x64xf32, #trn.mem<sbuf>>) into %p : memref<64x64xf32, #trn.mem<psum>> accumulate(%later)
  }
  trn.tensor_copy %p into %o : memref<64x64xf32, #trn.mem<psum>> to memref<64x64xf32, #trn.mem<sbuf>> on vector
  trn.dma_copy %o to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
  return
}

// -----

module attributes {trn.machine = #trn.machine<"trn2">} {
  // expected-error @below {{is compiled for trn2, but the beta of NKI is for trn1; give --nki=0.6, or compile it with machine=trn1}}
  func.func private @nki_c10__trn2(%y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    return
  }
}

// -----

// A machine that only its name makes a trn1.
module attributes {trn.machine = #trn.machine<"trn1", {dma_transpose = true}>} {
  func.func private @nki_c11__dma_transposes(%x: memref<64x32xbf16>, %y: memref<32x64xbf16> {trn.result}) attributes {trn.kernel} {
    %a = trn.alloc offset 0 : memref<32x64xbf16, #trn.mem<sbuf>>
    // expected-error @below {{has no form in the beta of NKI, as no DMA of a trn1 transposes; transpose on the tensor engine}}
    trn.dma_transpose %x to %a : memref<64x32xbf16> to memref<32x64xbf16, #trn.mem<sbuf>>
    trn.dma_copy %a to %y : memref<32x64xbf16, #trn.mem<sbuf>> to memref<32x64xbf16>
    return
  }
}

// -----

func.func private @nki_c13__gelu_apprx_sigmoid_dx(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
  %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
  // expected-error @below {{computes gelu_apprx_sigmoid_dx, which this version of NKI does not have; compute it by other functions}}
  trn.activation gelu_apprx_sigmoid_dx(%a : memref<64x64xf32, #trn.mem<sbuf>>) into %a : memref<64x64xf32, #trn.mem<sbuf>>
  trn.dma_copy %a to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
  return
}

// -----

func.func private @nki_c15__block(%x: memref<8x64x32xf32>, %y: memref<64x32xf32> {trn.result}) attributes {trn.kernel} {
  %i = trn.alloc offset 0 : memref<1x1xi32, #trn.mem<sbuf>>
  %a = trn.alloc offset 4 : memref<64x32xf32, #trn.mem<sbuf>>
  trn.memset %i, 1.0 : memref<1x1xi32, #trn.mem<sbuf>> on vector
  // expected-error @below {{chooses a block by one index, for which the beta of NKI has no form; choose a row for each partition}}
  trn.dma_gather %x[%i] to %a : memref<8x64x32xf32>[memref<1x1xi32, #trn.mem<sbuf>>] to memref<64x32xf32, #trn.mem<sbuf>>
  trn.dma_copy %a to %y : memref<64x32xf32, #trn.mem<sbuf>> to memref<64x32xf32>
  return
}

// -----

func.func private @nki_c16__barrier(%y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
  // expected-error @below {{has no form in the beta of NKI, which is for one core of a trn1}}
  trn.core_barrier %y : memref<64x64xf32>
  return
}

// -----

func.func private @nki_c17__gather(%y: memref<64x8xf32> {trn.result}) attributes {trn.kernel} {
  %a = trn.alloc offset 0 : memref<64x8xf32, #trn.mem<sbuf>>
  %i = trn.alloc offset 32 : memref<64x8xui32, #trn.mem<sbuf>>
  trn.memset %a, 1.0 : memref<64x8xf32, #trn.mem<sbuf>> on vector
  trn.memset %i, 1.0 : memref<64x8xui32, #trn.mem<sbuf>> on vector
  // expected-error @below {{has no form in the beta of NKI, which chooses no elements within a partition}}
  trn.partition_gather data(%a : memref<64x8xf32, #trn.mem<sbuf>>) indices(%i : memref<64x8xui32, #trn.mem<sbuf>>) into %a : memref<64x8xf32, #trn.mem<sbuf>>
  trn.dma_copy %a to %y : memref<64x8xf32, #trn.mem<sbuf>> to memref<64x8xf32>
  return
}
