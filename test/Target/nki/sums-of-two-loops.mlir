// RUN: trn-translate %s --mlir-to-nki | FileCheck %s
// RUN: sed s/trn2/trn1/ %s | trn-translate --mlir-to-nki --nki=beta1 | FileCheck %s --check-prefix=BETA

// The second loop goes on with the sums of the first: it never overwrites.

// CHECK: nisa.nc_matmul(dst=tile_psum, {{.*}} accumulate=i > 0)
// CHECK: nisa.nc_matmul(dst=tile_psum, {{.*}} accumulate=True)
// BETA: tile_psum = nl.zeros(
// BETA: tile_psum[...] += nisa.nc_matmul(
// BETA: tile_psum[...] += nisa.nc_matmul(
module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @kernel(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
    %o = trn.alloc offset 256 : memref<64x64xf32, #trn.mem<sbuf>>
    %p = trn.alloc bank 0 offset 0 : memref<64x64xf32, #trn.mem<psum>>
    trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
    scf.for %k = %c0 to %c2 step %c1 {
      %row = affine.apply affine_map<(d0) -> (d0 * 64)>(%k)
      %later = arith.cmpi ne, %row, %c0 : index
      trn.matmul stationary(%a : memref<64x64xf32, #trn.mem<sbuf>>) moving(%a : memref<64x64xf32, #trn.mem<sbuf>>) into %p : memref<64x64xf32, #trn.mem<psum>> accumulate(%later)
    }
    scf.for %k = %c0 to %c2 step %c1 {
      %row = affine.apply affine_map<(d0) -> (d0 * 64 + 128)>(%k)
      %later = arith.cmpi ne, %row, %c0 : index
      trn.matmul stationary(%a : memref<64x64xf32, #trn.mem<sbuf>>) moving(%a : memref<64x64xf32, #trn.mem<sbuf>>) into %p : memref<64x64xf32, #trn.mem<psum>> accumulate(%later)
    }
    trn.tensor_copy %p into %o : memref<64x64xf32, #trn.mem<psum>> to memref<64x64xf32, #trn.mem<sbuf>> on vector
    trn.dma_copy %o to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}
