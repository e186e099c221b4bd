// A product that writes partitions behind 0 is one of a part of the array's columns, which NKI wants to
// be told; `access_c7` says which parts there are.
// RUN: trn-translate %s --mlir-to-nki | FileCheck %s
// RUN: sed 's/"trn2"/"trn1"/; s/32, 0/64, 0/; s/4096/8192/' %s \
// RUN:   | trn-translate --mlir-to-nki --nki=beta1 | FileCheck %s --check-prefix=BETA

// CHECK: nisa.nc_matmul(dst=tile_psum[0:32, :],
// CHECK-NOT: tile_position
// CHECK: nisa.nc_matmul(dst=tile_psum[32:64, :],
// CHECK-NEXT: accumulate=False, tile_position=(0, 32), tile_size=(128, 32))

// BETA: tile_psum[0:32, :] = nisa.nc_matmul(
// BETA: tile_psum[64:96, :] = nisa.nc_matmul(
// BETA-NEXT: tile_position=(0, 64), tile_size=(128, 64))

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
#low = strided<[128, 1]>
#high = strided<[128, 1], offset: 4096>
module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @kernel(%x: memref<128x128xf32>, %o: memref<32x128xf32> {trn.result}) attributes {trn.kernel} {
    %tile = trn.alloc offset 0 : memref<128x128xf32, #sbuf>
    %sum = trn.alloc offset 512 : memref<32x128xf32, #sbuf>
    %bank = trn.alloc bank 0 offset 0 : memref<128x128xf32, #psum>
    trn.dma_copy %x to %tile : memref<128x128xf32> to memref<128x128xf32, #sbuf>
    %columns = memref.subview %tile[0, 0] [128, 32] [1, 1] : memref<128x128xf32, #sbuf> to memref<128x32xf32, #low, #sbuf>
    %first = memref.subview %bank[0, 0] [32, 128] [1, 1] : memref<128x128xf32, #psum> to memref<32x128xf32, #low, #psum>
    %second = memref.subview %bank[32, 0] [32, 128] [1, 1] : memref<128x128xf32, #psum> to memref<32x128xf32, #high, #psum>
    trn.matmul stationary(%columns : memref<128x32xf32, #low, #sbuf>) moving(%tile : memref<128x128xf32, #sbuf>) into %first : memref<32x128xf32, #low, #psum>
    trn.activation exp(%first : memref<32x128xf32, #low, #psum>) into %sum : memref<32x128xf32, #sbuf>
    trn.matmul stationary(%columns : memref<128x32xf32, #low, #sbuf>) moving(%tile : memref<128x128xf32, #sbuf>) into %second : memref<32x128xf32, #high, #psum>
    trn.tensor_tensor add(%sum : memref<32x128xf32, #sbuf>, %second : memref<32x128xf32, #high, #psum>) into %sum : memref<32x128xf32, #sbuf> on vector
    trn.dma_copy %sum to %o : memref<32x128xf32, #sbuf> to memref<32x128xf32>
    return
  }
}
