// RUN: trn-opt %s --trn-partition=cores=2 | FileCheck %s
// RUN: trn-opt %s --trn-partition=cores=2 --remark-format=emitRemark --remarks-filter=trn-partition 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: trn-run %s --compile="partition=2 effort=1" --verify | FileCheck %s --check-prefix=VERIFY

// Heads that are merged with a batch in front of them are split in each of its
// blocks. All ops on rows have a core's heads of all sequences. The result, which
// has no dimension of heads, is gathered block by block.

// REMARK: Gathered {{.*}}needs all of dimension 1
// VERIFY: verify: result 1: relative error

// CHECK-LABEL: @blocks(
// CHECK-SAME: %arg0: tensor<3x2x8xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 4>}
// CHECK-SAME: -> (tensor<3x2x16xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 4>}, tensor<12x16xf32>)
// CHECK: %[[ROWS:.*]] = tensor.collapse_shape %arg0 {{.*}} into tensor<6x8xf32>
// CHECK: %[[PRODUCT:.*]] = linalg.matmul ins(%[[ROWS]], %arg1 : tensor<6x8xf32>, tensor<8x16xf32>)
// CHECK: %[[HEADS:.*]] = tensor.expand_shape %[[PRODUCT]] {{.*}} into tensor<3x2x16xf32>
// CHECK: %[[BLOCKS:.*]] = tensor.expand_shape %[[PRODUCT]] {{.*}} into tensor<3x2x16xf32>
// CHECK: %[[ALL:.*]] = shard.all_gather %[[BLOCKS]] on @cores grid_axes = [0] gather_axis = 1 : tensor<3x2x16xf32> -> tensor<3x4x16xf32>
// CHECK: %[[WHOLE:.*]] = tensor.collapse_shape %[[ALL]] {{.*}} into tensor<12x16xf32>
// CHECK: return %[[HEADS]], %[[WHOLE]]
func.func @blocks(%x: tensor<3x4x8xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 4>},
                  %w: tensor<8x16xf32>) -> (tensor<3x4x16xf32>, tensor<12x16xf32>) {
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<3x4x8xf32> into tensor<12x8xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<12x16xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<12x16xf32>) -> tensor<12x16xf32>
  %product = linalg.matmul ins(%rows, %w : tensor<12x8xf32>, tensor<8x16xf32>) outs(%fill : tensor<12x16xf32>) -> tensor<12x16xf32>
  %heads = tensor.expand_shape %product [[0, 1], [2]] output_shape [3, 4, 16] : tensor<12x16xf32> into tensor<3x4x16xf32>
  return %heads, %product : tensor<3x4x16xf32>, tensor<12x16xf32>
}
