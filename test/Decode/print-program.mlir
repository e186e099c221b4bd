// RUN: trn-opt %s --trn-print-program -o /dev/null | FileCheck %s

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// CHECK-LABEL: program @buffers
// CHECK: b0: hbm bf16 1024 bytes, argument 0
// CHECK: b1: hbm f32 2048 bytes, result argument 1
// CHECK: b2: sbuf bf16 128 x 1024 bytes, offset 4096, slots 2
// CHECK: b3: psum f32 64 x 2048 bytes, bank 3, offset 0
// CHECK: b4: hbm f16 256 bytes, scratch
// CHECK: alloc b2
// CHECK: alloc b3
// CHECK: dealloc b2
func.func private @buffers(%x: memref<8x64xbf16>, %y: memref<8x64xf32> {trn.result})
    attributes {trn.kernel} {
  %tile = trn.alloc buffers 2 offset 4096 : memref<128x4x128xbf16, #sbuf>
  %sums = trn.alloc bank 3 offset 0 : memref<64x512xf32, #psum>
  %scratch = memref.alloc() : memref<8x16xf16, #trn.mem<hbm>>
  trn.dealloc %tile : memref<128x4x128xbf16, #sbuf>
  memref.dealloc %scratch : memref<8x16xf16, #trn.mem<hbm>>
  return
}

// What all cores do together.
// CHECK-LABEL: program @collectives
// CHECK: collective all_reduce b1[0; 4:8, 8:1] <- {{.*}} reducing max cores 2 groups [0, 2, 1, 3]
// CHECK: collective all_to_all b2[0; 2:16, 16:1] <- b0[0; 4:8, 8:1] cores 2 split 0 concat 1
// CHECK: collective collective_permute b1[0; 4:8, 8:1] <- b0[0; 4:8, 8:1] cores 2 from [1, -1]
func.func private @collectives(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}, %z: memref<2x16xf32> {trn.result})
    attributes {trn.kernel} {
  trn.all_reduce %x to %y by max cores 2 groups [0, 2, 1, 3] : memref<4x8xf32> to memref<4x8xf32>
  trn.all_to_all %x to %z split 0 concat 1 cores 2 : memref<4x8xf32> to memref<2x16xf32>
  trn.collective_permute %x to %y from [1, -1] : memref<4x8xf32> to memref<4x8xf32>
  return
}

// What cores meet in.
// CHECK-LABEL: program @meetings
// CHECK: b1: hbm f32 1024 bytes, scratch, shared 5
// CHECK: collective core_barrier b0[0; 256:1] <- b0[0; 256:1] cores 2
// CHECK: collective send_receive b2[0:4, 0; 64:1] <- b2[0:4, 0; 64:1] cores 2 pipe 7
func.func private @meetings(%x: memref<256xf32> {trn.result}) attributes {trn.kernel} {
  %scratch = memref.alloc() {trn.shared = 5 : i64} : memref<256xf32>
  %tile = trn.alloc offset 0 : memref<4x64xf32, #sbuf>
  trn.core_barrier %x : memref<256xf32>
  trn.send_receive %tile to %tile pipe 7 : memref<4x64xf32, #sbuf> to memref<4x64xf32, #sbuf>
  return
}

// CHECK-LABEL: program @loops
// CHECK: loop i0 < 3 {
// CHECK:   loop i1 < 2 {
// Row 4 + 8 * i0 + 3 * i1 of 16 elements.
// CHECK:     store dma_copy b1[64 + 128*i0 + 48*i1; 16:1] <- b0[0; 16:1]
// CHECK:   }
// CHECK: }
// CHECK: loop i2 < 0 {
func.func private @loops(%x: memref<1x16xf32>, %y: memref<64x16xf32> {trn.result})
    attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %c28 = arith.constant 28 : index
  scf.for %i = %c4 to %c28 step %c8 {
    %end = arith.addi %i, %c4 : index
    scf.for %j = %i to %end step %c3 {
      %row = memref.subview %y[%j, 0] [1, 16] [1, 1]
          : memref<64x16xf32> to memref<1x16xf32, strided<[16, 1], offset: ?>>
      trn.dma_copy %x to %row : memref<1x16xf32> to memref<1x16xf32, strided<[16, 1], offset: ?>>
    }
  }
  scf.for %i = %c4 to %c0 step %c8 {
  }
  return
}

// CHECK-LABEL: program @functions
// CHECK: gpsimd iota b1[0:128, 0; 4:1] <- 3, 2, -1
// CHECK: vector memset b2[0:128, 0; 4:1] <- -0.5
// CHECK: scalar activation b1[0:128, 0; 4:1] <- exp(b2[0:128, 0; 4:1])
// CHECK: scalar activation b1[0:128, 0; 4:1] <- silu(b2[0:128, 0; 4:1] * 0.5 + b0[0:128, 0; 1:1])
// CHECK: vector tensor_tensor b2[0:128, 0; 4:1] <- mul(b1[0:128, 0; 4:1], b2[0:128, 0; 4:1])
// CHECK: vector tensor_scalar b2[0:128, 0; 4:1] <- sub(1, b1[0:128, 0; 4:1])
// CHECK: vector select b2[0:128, 0; 4:1] <- select(b1[0:128, 0; 4:1], b1[0:128, 0; 4:1], b2[0:128, 0; 4:1])
// CHECK: vector tensor_reduce b0[0:128, 0; 1:1] <- max(b1[0:128, 0; 4:1])
// CHECK: vector tensor_reduce b0[0:128, 0; 1:1] <- mul(max(b1[0:128, 0; 4:1]), -1)
// CHECK: vector tensor_scalar b2[0:128, 0; 4:1] <- add(mul(2, b1[0:128, 0; 4:1]), b0[0:128, 0; 1:1])
// CHECK: vector scalar_tensor_tensor b2[0:128, 0; 4:1] <- sub(b2[0:128, 0; 4:1], mul(b1[0:128, 0; 4:1], 2))
// CHECK: scalar activation b1[0:128, 0; 4:1], b0[0:128, 0; 1:1] <- exp(b2[0:128, 0; 4:1]) reducing add accumulate
// CHECK: vector tensor_tensor_scan b2[0:128, 0; 4:1] <- add(mul(b1[0:128, 0; 4:1], 0.5), b2[0:128, 0; 4:1])
// CHECK: gpsimd affine_select b2[0:128, 0; 4:1] <- select(ge(count(1, 1, -1), 0), b1[0:128, 0; 4:1], -3)
func.func private @functions() attributes {trn.kernel} {
  %c = trn.alloc offset 0 : memref<128x1xf32, #sbuf>
  %a = trn.alloc offset 32 : memref<128x4xf32, #sbuf>
  %b = trn.alloc offset 64 : memref<128x4xf32, #sbuf>
  trn.iota %a start 3 step -1 partition_step 2 : memref<128x4xf32, #sbuf>
  trn.memset %b, -0.5 : memref<128x4xf32, #sbuf>
  trn.activation exp(%b : memref<128x4xf32, #sbuf>) into %a : memref<128x4xf32, #sbuf>
  trn.activation silu(%b : memref<128x4xf32, #sbuf>) scale 0.5 biases(%c : memref<128x1xf32, #sbuf>)
      into %a : memref<128x4xf32, #sbuf>
  trn.tensor_tensor mul(%a : memref<128x4xf32, #sbuf>, %b : memref<128x4xf32, #sbuf>)
      into %b : memref<128x4xf32, #sbuf>
  trn.tensor_scalar sub(%a : memref<128x4xf32, #sbuf>) constant 1.0 reversed
      into %b : memref<128x4xf32, #sbuf>
  trn.select if(%a : memref<128x4xf32, #sbuf>) then(%a : memref<128x4xf32, #sbuf>)
      else(%b : memref<128x4xf32, #sbuf>) into %b : memref<128x4xf32, #sbuf>
  trn.tensor_reduce max(%a : memref<128x4xf32, #sbuf>) into %c : memref<128x1xf32, #sbuf>
  trn.tensor_reduce max(%a : memref<128x4xf32, #sbuf>) negated into %c : memref<128x1xf32, #sbuf>
  trn.tensor_scalar mul(%a : memref<128x4xf32, #sbuf>) constant 2.0 reversed
      then add scalars(%c : memref<128x1xf32, #sbuf>) into %b : memref<128x4xf32, #sbuf>
  trn.scalar_tensor_tensor mul(%a : memref<128x4xf32, #sbuf>) constant 2.0
      then sub(%b : memref<128x4xf32, #sbuf>) reversed into %b : memref<128x4xf32, #sbuf>
  trn.activation exp(%b : memref<128x4xf32, #sbuf>) reducing add(%c : memref<128x1xf32, #sbuf>) accumulate
      into %a : memref<128x4xf32, #sbuf>
  trn.tensor_tensor_scan mul, add(%a : memref<128x4xf32, #sbuf>, %b : memref<128x4xf32, #sbuf>) initial 0.5
      into %b : memref<128x4xf32, #sbuf>
  trn.affine_select ge(%a : memref<128x4xf32, #sbuf>) start 1 partition_step 1 steps [-1] otherwise -3.0
      into %b : memref<128x4xf32, #sbuf>
  return
}

// CHECK-LABEL: program @accumulation
// CHECK: loop i0 < 4 {
// CHECK: tensor matmul b2[0:64, 0; 512:1] <- b0[0:128, 0; 64:1], b1[0:128, 512*i0; 512:1] accumulate 128*i0 != 0
func.func private @accumulation() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c512 = arith.constant 512 : index
  %w = trn.alloc offset 0 : memref<128x64xbf16, #sbuf>
  %x = trn.alloc offset 1024 : memref<128x4x512xbf16, #sbuf>
  %y = trn.alloc bank 0 offset 0 : memref<64x512xf32, #psum>
  scf.for %k = %c0 to %c512 step %c128 {
    %block = affine.apply affine_map<(k) -> (k floordiv 128)>(%k)
    %moving = memref.subview %x[0, %block, 0] [128, 1, 512] [1, 1, 1]
        : memref<128x4x512xbf16, #sbuf> to memref<128x512xbf16, strided<[2048, 1], offset: ?>, #sbuf>
    %more = arith.cmpi ne, %k, %c0 : index
    trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>)
        moving(%moving : memref<128x512xbf16, strided<[2048, 1], offset: ?>, #sbuf>)
        into %y : memref<64x512xf32, #psum> accumulate(%more)
  }
  return
}

// Functions without the attribute are left alone.
// CHECK-NOT: program @host
func.func @host(%x: memref<?xf32>) {
  return
}

// CHECK-LABEL: program @rows
// CHECK: b0: hbm f32 12800 bytes, argument 0
// CHECK: b2: sbuf i32 32 x 4 bytes, offset 0
// CHECK: load dma_gather b3[0:32, 0; 32:1] <- b0[32; 50:64, 32:1], b2[0:32, 0; 1:1] skip
// CHECK: store dma_scatter b1[0; 50:32, 32:1] <- b3[0:32, 0; 32:1], b2[0:32, 0; 1:1]
func.func private @rows(%x: memref<50x64xf32>, %y: memref<50x32xf32> {trn.result})
    attributes {trn.kernel} {
  %which = trn.alloc offset 0 : memref<32x1xi32, #sbuf>
  %tile = trn.alloc offset 4 : memref<32x32xf32, #sbuf>
  trn.iota %which start 0 step 0 partition_step 1 : memref<32x1xi32, #sbuf>
  %right = memref.subview %x[0, 32] [50, 32] [1, 1]
      : memref<50x64xf32> to memref<50x32xf32, strided<[64, 1], offset: 32>>
  trn.dma_gather %right[%which] to %tile skip
      : memref<50x32xf32, strided<[64, 1], offset: 32>>[memref<32x1xi32, #sbuf>]
      to memref<32x32xf32, #sbuf>
  trn.dma_scatter %tile to %y[%which]
      : memref<32x32xf32, #sbuf> to memref<50x32xf32>[memref<32x1xi32, #sbuf>]
  return
}
