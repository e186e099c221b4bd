// RUN: trn-opt %s --verify-roundtrip | FileCheck %s
// RUN: trn-opt %s --emit-bytecode | trn-opt | FileCheck %s
// RUN: trn-opt %s --mlir-print-op-generic | trn-opt | FileCheck %s

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// CHECK-LABEL: @buffers
func.func @buffers() {
  // CHECK: %[[VIRTUAL:.*]] = trn.alloc : memref<128x512xbf16, #trn.mem<sbuf>>
  %virtual = trn.alloc : memref<128x512xbf16, #sbuf>
  // CHECK: trn.alloc buffers 2 offset 4096 : memref<128x512xbf16, #trn.mem<sbuf>>
  %rotated = trn.alloc buffers 2 offset 4096 : memref<128x512xbf16, #sbuf>
  // CHECK: trn.alloc buffers 8 bank 0 offset 0 : memref<128x512xf32, #trn.mem<psum>>
  %sums = trn.alloc buffers 8 bank 0 offset 0 : memref<128x512xf32, #psum>
  // CHECK: trn.dealloc %[[VIRTUAL]] : memref<128x512xbf16, #trn.mem<sbuf>>
  trn.dealloc %virtual : memref<128x512xbf16, #sbuf>
  return
}

// CHECK-LABEL: @transfers
func.func @transfers(%x: memref<64x128xbf16>, %tile: memref<64x128xf32, #sbuf>,
                     %turned: memref<128x64xbf16, #sbuf>) {
  // CHECK: trn.dma_copy %{{.*}} to %{{.*}} : memref<64x128xbf16> to memref<64x128xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<64x128xbf16> to memref<64x128xf32, #sbuf>
  // CHECK: trn.dma_transpose %{{.*}} to %{{.*}} : memref<64x128xbf16> to memref<128x64xbf16, #trn.mem<sbuf>>
  trn.dma_transpose %x to %turned : memref<64x128xbf16> to memref<128x64xbf16, #sbuf>
  return
}

// CHECK-LABEL: @rows
func.func @rows(%x: memref<500x128xbf16>, %i: memref<64x1xi32, #sbuf>, %u: memref<64x1xui32, #sbuf>,
                %tile: memref<64x128xf32, #sbuf>) {
  // CHECK: trn.dma_gather %{{.*}}[%{{.*}}] to %{{.*}} : memref<500x128xbf16>[memref<64x1xi32, #trn.mem<sbuf>>] to memref<64x128xf32, #trn.mem<sbuf>>
  trn.dma_gather %x[%i] to %tile : memref<500x128xbf16>[memref<64x1xi32, #sbuf>] to memref<64x128xf32, #sbuf>
  // CHECK: trn.dma_scatter %{{.*}} to %{{.*}}[%{{.*}}] skip : memref<64x128xf32, #trn.mem<sbuf>> to memref<500x128xbf16>[memref<64x1xui32, #trn.mem<sbuf>>]
  trn.dma_scatter %tile to %x[%u] skip : memref<64x128xf32, #sbuf> to memref<500x128xbf16>[memref<64x1xui32, #sbuf>]
  return
}

// CHECK-LABEL: @folded_views
func.func @folded_views(%x: memref<128x4x512xbf16, #sbuf>, %w: memref<128x64xbf16, #sbuf>,
                        %y: memref<64x512xf32, #psum>, %i: index) {
  %tile = memref.subview %x[0, %i, 0] [128, 1, 512] [1, 1, 1]
      : memref<128x4x512xbf16, #sbuf> to memref<128x512xbf16, strided<[2048, 1], offset: ?>, #sbuf>
  // CHECK: trn.matmul stationary(%{{.*}}) moving(%{{.*}} : memref<128x512xbf16, strided<[2048, 1], offset: ?>, #trn.mem<sbuf>>)
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>)
             moving(%tile : memref<128x512xbf16, strided<[2048, 1], offset: ?>, #sbuf>)
             into %y : memref<64x512xf32, #psum>
  return
}

// CHECK-LABEL: @tensor_engine
func.func @tensor_engine(%w: memref<128x64xbf16, #sbuf>, %x: memref<128x512xbf16, #sbuf>,
                         %y: memref<64x512xf32, #psum>, %t: memref<64x128xf32, #psum>,
                         %not_first: i1) {
  // CHECK: trn.matmul stationary(%{{.*}} : memref<128x64xbf16, #trn.mem<sbuf>>) moving(%{{.*}} : memref<128x512xbf16, #trn.mem<sbuf>>) into %{{.*}} : memref<64x512xf32, #trn.mem<psum>> accumulate(%{{.*}})
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>)
             moving(%x : memref<128x512xbf16, #sbuf>)
             into %y : memref<64x512xf32, #psum> accumulate(%not_first)
  // CHECK: trn.transpose %{{.*}} into %{{.*}} : memref<128x64xbf16, #trn.mem<sbuf>> to memref<64x128xf32, #trn.mem<psum>> on tensor
  trn.transpose %w into %t : memref<128x64xbf16, #sbuf> to memref<64x128xf32, #psum> on tensor
  %pair = memref.expand_shape %x [[0], [1, 2]] output_shape [128, 2, 256]
      : memref<128x512xbf16, #sbuf> into memref<128x2x256xbf16, #sbuf>
  %halves = memref.subview %pair[0, 0, 64] [128, 2, 32] [1, 1, 1]
      : memref<128x2x256xbf16, #sbuf> to memref<128x2x32xbf16, strided<[512, 256, 1], offset: 64>, #sbuf>
  // CHECK: trn.transpose %{{.*}} into %{{.*}} : memref<128x2x32xbf16, strided<[512, 256, 1], offset: 64>, #trn.mem<sbuf>> to memref<64x128xf32, #trn.mem<psum>>
  trn.transpose %halves into %t : memref<128x2x32xbf16, strided<[512, 256, 1], offset: 64>, #sbuf> to memref<64x128xf32, #psum>
  return
}

// CHECK-LABEL: @elementwise
func.func @elementwise(%sums: memref<128x512xf32, #psum>, %tile: memref<128x512xbf16, #sbuf>,
                       %column: memref<128x1xf32, #sbuf>) {
  // CHECK: trn.tensor_copy %{{.*}} into %{{.*}} : memref<128x512xf32, #trn.mem<psum>> to memref<128x512xbf16, #trn.mem<sbuf>> on vector
  trn.tensor_copy %sums into %tile : memref<128x512xf32, #psum> to memref<128x512xbf16, #sbuf> on vector
  // CHECK: trn.activation silu(%{{.*}} : memref<128x512xf32, #trn.mem<psum>>) into %{{.*}} : memref<128x512xbf16, #trn.mem<sbuf>>
  trn.activation silu(%sums : memref<128x512xf32, #psum>) into %tile : memref<128x512xbf16, #sbuf>
  // CHECK: trn.activation exp(%{{.*}} : {{.*}}) scale 1.250000e-01 biases(%{{.*}} : memref<128x1xf32, #trn.mem<sbuf>>) into
  trn.activation exp(%sums : memref<128x512xf32, #psum>) scale 0.125 biases(%column : memref<128x1xf32, #sbuf>) into %tile : memref<128x512xbf16, #sbuf>
  // CHECK: trn.activation square(%{{.*}} : {{.*}}) scales(%{{.*}} : {{.*}}) bias 1.000000e+00 into
  trn.activation square(%sums : memref<128x512xf32, #psum>) scales(%column : memref<128x1xf32, #sbuf>) bias 1.0 into %tile : memref<128x512xbf16, #sbuf>
  // CHECK: trn.tensor_tensor add(%{{.*}} : {{.*}}, %{{.*}} : {{.*}}) into %{{.*}} : memref<128x512xbf16, #trn.mem<sbuf>> on vector
  trn.tensor_tensor add(%tile : memref<128x512xbf16, #sbuf>, %sums : memref<128x512xf32, #psum>) into %tile : memref<128x512xbf16, #sbuf> on vector
  // CHECK: trn.tensor_scalar sub(%{{.*}} : {{.*}}) constant 1.000000e+00 reversed into %{{.*}} : {{.*}}
  trn.tensor_scalar sub(%tile : memref<128x512xbf16, #sbuf>) constant 1.0 reversed into %tile : memref<128x512xbf16, #sbuf>
  // CHECK: trn.tensor_scalar mul(%{{.*}} : {{.*}}) scalars(%{{.*}} : memref<128x1xf32, #trn.mem<sbuf>>) into %{{.*}} : {{.*}} on gpsimd
  trn.tensor_scalar mul(%tile : memref<128x512xbf16, #sbuf>) scalars(%column : memref<128x1xf32, #sbuf>) into %tile : memref<128x512xbf16, #sbuf> on gpsimd
  // CHECK: trn.reciprocal %{{.*}} into %{{.*}} : memref<128x1xf32, #trn.mem<sbuf>> to memref<128x1xf32, #trn.mem<sbuf>>
  trn.reciprocal %column into %column : memref<128x1xf32, #sbuf> to memref<128x1xf32, #sbuf>
  // CHECK: trn.select if(%{{.*}} : memref<128x512xbf16, #trn.mem<sbuf>>) then(%{{.*}} : memref<128x512xf32, #trn.mem<psum>>) else(%{{.*}} : memref<128x512xbf16, #trn.mem<sbuf>>) into %{{.*}} : memref<128x512xbf16, #trn.mem<sbuf>>
  trn.select if(%tile : memref<128x512xbf16, #sbuf>) then(%sums : memref<128x512xf32, #psum>)
             else(%tile : memref<128x512xbf16, #sbuf>) into %tile : memref<128x512xbf16, #sbuf>
  // CHECK: trn.iota %{{.*}} start -5 step 1 : memref<128x512xbf16, #trn.mem<sbuf>>
  trn.iota %tile start -5 step 1 : memref<128x512xbf16, #sbuf>
  // CHECK: trn.iota %{{.*}} start 0 step 0 partition_step 512 : memref<128x1xf32, #trn.mem<sbuf>>
  trn.iota %column start 0 step 0 partition_step 512 : memref<128x1xf32, #sbuf>
  // CHECK: trn.memset %{{.*}}, 0.000000e+00 : memref<128x512xbf16, #trn.mem<sbuf>>
  trn.memset %tile, 0.0 : memref<128x512xbf16, #sbuf>
  return
}

// CHECK-LABEL: @reductions
func.func @reductions(%sums: memref<128x512xf32, #psum>, %tile: memref<128x4x512xbf16, #sbuf>,
                      %column: memref<128x1xf32, #sbuf>) {
  // CHECK: trn.tensor_reduce add(%{{.*}} : memref<128x512xf32, #trn.mem<psum>>) into %{{.*}} : memref<128x1xf32, #trn.mem<sbuf>>
  trn.tensor_reduce add(%sums : memref<128x512xf32, #psum>) into %column : memref<128x1xf32, #sbuf>
  // CHECK: trn.tensor_reduce max(%{{.*}} : memref<128x4x512xbf16, #trn.mem<sbuf>>) into
  trn.tensor_reduce max(%tile : memref<128x4x512xbf16, #sbuf>) into %column : memref<128x1xf32, #sbuf>
  // CHECK: trn.tensor_reduce min(
  trn.tensor_reduce min(%column : memref<128x1xf32, #sbuf>) into %column : memref<128x1xf32, #sbuf>
  return
}

// CHECK-LABEL: @ranks
func.func @ranks(%w: memref<128x2x32xbf16, #sbuf>, %x: memref<128x4x128xbf16, #sbuf>, %y: memref<64x4x128xf32, #psum>,
                 %a: memref<128x8x64xf32, #sbuf>, %b: memref<128x8xf32, #sbuf>, %c: memref<128x8x1xf32, #sbuf>) {
  // CHECK: trn.matmul stationary(%{{.*}} : memref<128x2x32xbf16, #trn.mem<sbuf>>) moving(%{{.*}} : memref<128x4x128xbf16, #trn.mem<sbuf>>) into %{{.*}} : memref<64x4x128xf32, #trn.mem<psum>>
  trn.matmul stationary(%w : memref<128x2x32xbf16, #sbuf>) moving(%x : memref<128x4x128xbf16, #sbuf>)
             into %y : memref<64x4x128xf32, #psum>
  // CHECK: trn.tensor_reduce max(%{{.*}} : memref<128x8x64xf32, #trn.mem<sbuf>>) negated into %{{.*}} : memref<128x8xf32, #trn.mem<sbuf>>
  trn.tensor_reduce max(%a : memref<128x8x64xf32, #sbuf>) negated into %b : memref<128x8xf32, #sbuf>
  // CHECK: trn.tensor_reduce mul(%{{.*}} : memref<128x8x64xf32, #trn.mem<sbuf>>) into %{{.*}} : memref<128x8x1xf32, #trn.mem<sbuf>>
  trn.tensor_reduce mul(%a : memref<128x8x64xf32, #sbuf>) into %c : memref<128x8x1xf32, #sbuf>
  // CHECK: trn.tensor_tensor mul(%{{.*}} : memref<128x8x64xf32, #trn.mem<sbuf>>, %{{.*}} : memref<128x8x64xf32, strided<[512, 0, 1]>, #trn.mem<sbuf>>)
  %repeated = memref.reinterpret_cast %a to offset: [0], sizes: [128, 8, 64], strides: [512, 0, 1]
      : memref<128x8x64xf32, #sbuf> to memref<128x8x64xf32, strided<[512, 0, 1]>, #sbuf>
  trn.tensor_tensor mul(%a : memref<128x8x64xf32, #sbuf>, %repeated : memref<128x8x64xf32, strided<[512, 0, 1]>, #sbuf>)
      into %a : memref<128x8x64xf32, #sbuf>
  return
}

// CHECK-LABEL: @chains
func.func @chains(%x: memref<128x512xf32, #sbuf>, %c: memref<128x1xf32, #sbuf>, %p: memref<128x1xf32, #psum>) {
  // CHECK: trn.activation exp(%{{.*}} : {{.*}}) scales(%{{.*}} : memref<128x1xf32, #trn.mem<psum>>) into
  trn.activation exp(%x : memref<128x512xf32, #sbuf>) scales(%p : memref<128x1xf32, #psum>) into %x : memref<128x512xf32, #sbuf>
  // CHECK: trn.tensor_scalar mul(%{{.*}} : {{.*}}) constant 2.000000e+00 reversed then add scalars(%{{.*}} : {{.*}}) reversed into %{{.*}} : {{.*}} on vector
  trn.tensor_scalar mul(%x : memref<128x512xf32, #sbuf>) constant 2.0 reversed
      then add scalars(%c : memref<128x1xf32, #sbuf>) reversed into %x : memref<128x512xf32, #sbuf> on vector
  // CHECK: trn.tensor_scalar ge(%{{.*}} : {{.*}}) scalars(%{{.*}} : {{.*}}) then mul constant 4.000000e+00 into
  trn.tensor_scalar ge(%x : memref<128x512xf32, #sbuf>) scalars(%c : memref<128x1xf32, #sbuf>)
      then mul constant 4.0 into %x : memref<128x512xf32, #sbuf>
  // CHECK: trn.tensor_scalar mul(%{{.*}} : {{.*}}) constant 2.000000e+00 reducing max(%{{.*}} : memref<128x1xf32, #trn.mem<sbuf>>) accumulate into
  trn.tensor_scalar mul(%x : memref<128x512xf32, #sbuf>) constant 2.0
      reducing max(%c : memref<128x1xf32, #sbuf>) accumulate into %x : memref<128x512xf32, #sbuf>
  // CHECK: trn.activation exp(%{{.*}} : {{.*}}) scale 5.000000e-01 biases(%{{.*}} : {{.*}}) reducing add(%{{.*}} : memref<128x1xf32, #trn.mem<sbuf>>) into %{{.*}} : {{.*}}
  trn.activation exp(%x : memref<128x512xf32, #sbuf>) scale 0.5 biases(%c : memref<128x1xf32, #sbuf>)
      reducing add(%c : memref<128x1xf32, #sbuf>) into %x : memref<128x512xf32, #sbuf>
  // CHECK: trn.scalar_tensor_tensor mul(%{{.*}} : {{.*}}) constant 2.000000e+00 reversed then sub(%{{.*}} : {{.*}}) reversed into %{{.*}} : {{.*}} on vector
  trn.scalar_tensor_tensor mul(%x : memref<128x512xf32, #sbuf>) constant 2.0 reversed
      then sub(%x : memref<128x512xf32, #sbuf>) reversed into %x : memref<128x512xf32, #sbuf> on vector
  // CHECK: trn.tensor_tensor_scan mul, add(%{{.*}} : {{.*}}, %{{.*}} : {{.*}}) initial 0.000000e+00 into
  trn.tensor_tensor_scan mul, add(%x : memref<128x512xf32, #sbuf>, %x : memref<128x512xf32, #sbuf>)
      initial 0.0 into %x : memref<128x512xf32, #sbuf>
  // CHECK: trn.tensor_tensor_scan sub, max(%{{.*}} : {{.*}}, %{{.*}} : {{.*}}) initials(%{{.*}} : {{.*}}) reversed0 reversed1 into
  trn.tensor_tensor_scan sub, max(%x : memref<128x512xf32, #sbuf>, %x : memref<128x512xf32, #sbuf>)
      initials(%c : memref<128x1xf32, #sbuf>) reversed0 reversed1 into %x : memref<128x512xf32, #sbuf>
  return
}

// CHECK-LABEL: @counts
func.func @counts(%x: memref<128x4x128xf32, #sbuf>) {
  // CHECK: trn.iota %{{.*}} start 0 steps [512, 1] partition_step 1 : memref<128x4x128xf32, #trn.mem<sbuf>>
  trn.iota %x start 0 steps [512, 1] partition_step 1 : memref<128x4x128xf32, #sbuf>
  // CHECK: trn.affine_select ge(%{{.*}} : {{.*}}) start 3 partition_step 1 steps [0, -1] otherwise -3.000000e+38 into
  trn.affine_select ge(%x : memref<128x4x128xf32, #sbuf>) start 3 partition_step 1 steps [0, -1]
      otherwise -3.0e38 into %x : memref<128x4x128xf32, #sbuf>
  return
}

// CHECK-LABEL: @partitions
func.func @partitions(%x: memref<32x64xf32, #sbuf>, %sums: memref<1x64xf32, #sbuf>, %stats: memref<32x6xf32, #sbuf>,
                      %moments: memref<32x2xf32, #sbuf>, %top: memref<32x8xf32, #sbuf>) {
  // CHECK: trn.partition_reduce max(%{{.*}} : memref<32x64xf32, #trn.mem<sbuf>>) into %{{.*}} : memref<1x64xf32, #trn.mem<sbuf>>
  trn.partition_reduce max(%x : memref<32x64xf32, #sbuf>) into %sums : memref<1x64xf32, #sbuf>
  // CHECK: trn.bn_stats %{{.*}} into %{{.*}} : memref<32x64xf32, #trn.mem<sbuf>> to memref<32x6xf32, #trn.mem<sbuf>>
  trn.bn_stats %x into %stats : memref<32x64xf32, #sbuf> to memref<32x6xf32, #sbuf>
  // CHECK: trn.bn_aggr %{{.*}} into %{{.*}} : memref<32x6xf32, #trn.mem<sbuf>> to memref<32x2xf32, #trn.mem<sbuf>>
  trn.bn_aggr %stats into %moments : memref<32x6xf32, #sbuf> to memref<32x2xf32, #sbuf>
  // CHECK: trn.max8 %{{.*}} into %{{.*}} : memref<32x64xf32, #trn.mem<sbuf>> to memref<32x8xf32, #trn.mem<sbuf>>
  trn.max8 %x into %top : memref<32x64xf32, #sbuf> to memref<32x8xf32, #sbuf>
  // CHECK: trn.find_index8 data(%{{.*}} : memref<32x64xf32, #trn.mem<sbuf>>) values(%{{.*}} : memref<32x8xf32, #trn.mem<sbuf>>) into %{{.*}} : memref<32x8xf32, #trn.mem<sbuf>>
  trn.find_index8 data(%x : memref<32x64xf32, #sbuf>) values(%top : memref<32x8xf32, #sbuf>) into %top : memref<32x8xf32, #sbuf>
  %places = trn.alloc : memref<32x8xui32, #sbuf>
  // CHECK: trn.partition_gather data(%{{.*}} : memref<32x64xf32, #trn.mem<sbuf>>) indices(%{{.*}} : memref<32x8xui32, #trn.mem<sbuf>>) into %{{.*}} : memref<32x8xf32, #trn.mem<sbuf>>
  trn.partition_gather data(%x : memref<32x64xf32, #sbuf>) indices(%places : memref<32x8xui32, #sbuf>) into %top : memref<32x8xf32, #sbuf>
  // CHECK: trn.match_replace8 data(%{{.*}} : {{.*}}) values(%{{.*}} : {{.*}}) replacement -3.000000e+38 into
  trn.match_replace8 data(%x : memref<32x64xf32, #sbuf>) values(%top : memref<32x8xf32, #sbuf>) replacement -3.0e38
      into %x : memref<32x64xf32, #sbuf>
  // CHECK: trn.match_replace8 data(%{{.*}} : {{.*}}) values(%{{.*}} : {{.*}}) replacement 0.000000e+00 indices(%{{.*}} : memref<32x8xf32, #trn.mem<sbuf>>) into
  trn.match_replace8 data(%x : memref<32x64xf32, #sbuf>) values(%top : memref<32x8xf32, #sbuf>) replacement 0.0
      indices(%top : memref<32x8xf32, #sbuf>) into %x : memref<32x64xf32, #sbuf>
  // CHECK: trn.stream_shuffle %{{.*}} into %{{.*}} mask [255, 0, 0, {{.*}}, 0] : memref<32x64xf32, #trn.mem<sbuf>> to memref<32x64xf32, #trn.mem<sbuf>>
  trn.stream_shuffle %x into %x mask [255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
      0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : memref<32x64xf32, #sbuf> to memref<32x64xf32, #sbuf>
  return
}

// CHECK-LABEL: @weights_of_eight_bits
func.func @weights_of_eight_bits(%w: memref<128x512xi8>, %f: memref<128x512xf8E4M3FN>, %stored: memref<128x512xi8, #sbuf>,
                                 %small: memref<128x512xf8E4M3, #sbuf>, %wide: memref<128x512xbf16, #sbuf>) {
  // CHECK: trn.dma_copy %{{.*}} to %{{.*}} : memref<128x512xi8> to memref<128x512xi8, #trn.mem<sbuf>>
  trn.dma_copy %w to %stored : memref<128x512xi8> to memref<128x512xi8, #sbuf>
  // CHECK: trn.tensor_copy %{{.*}} into %{{.*}} : memref<128x512xi8, #trn.mem<sbuf>> to memref<128x512xbf16, #trn.mem<sbuf>> on gpsimd
  trn.tensor_copy %stored into %wide : memref<128x512xi8, #sbuf> to memref<128x512xbf16, #sbuf> on gpsimd
  // CHECK: trn.dma_copy %{{.*}} to %{{.*}} : memref<128x512xf8E4M3FN> to memref<128x512xf8E4M3, #trn.mem<sbuf>>
  trn.dma_copy %f to %small : memref<128x512xf8E4M3FN> to memref<128x512xf8E4M3, #sbuf>
  // CHECK: trn.activation copy(%{{.*}} : memref<128x512xf8E4M3, #trn.mem<sbuf>>) into %{{.*}} : memref<128x512xbf16, #trn.mem<sbuf>>
  trn.activation copy(%small : memref<128x512xf8E4M3, #sbuf>) into %wide : memref<128x512xbf16, #sbuf>
  return
}

// CHECK-LABEL: @pieces
// CHECK-SAME: tensor<5x4xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 9>}
// CHECK-SAME: tensor<9x4xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 9>}
// CHECK-SAME: -> (tensor<4x5xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 9>})
func.func private @pieces(tensor<5x4xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 9>},
                          tensor<9x4xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 9>})
    -> (tensor<4x5xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 9>})

// CHECK: module @machine attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = 393216 : i64}>}
module @machine attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = 393216 : i64}>} {
}
