// RUN: trn-opt %s --trn-partition=cores=4 | FileCheck %s

// Two cores each have the same piece of %keys: of what all cores have, every other
// piece is taken.

// CHECK-LABEL: @keys(%arg0: tensor<3x5xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 6>})
// CHECK: %[[ALL:.*]] = shard.all_gather %arg0 on @cores grid_axes = [0] gather_axis = 0 : tensor<3x5xf32> -> tensor<12x5xf32>
// CHECK: %[[AXES:.*]] = tensor.expand_shape %[[ALL]] {{\[\[}}0, 1, 2], [3]] output_shape [2, 2, 3, 5]
// CHECK: %[[OWN:.*]] = tensor.extract_slice %[[AXES]][0, 0, 0, 0] [2, 1, 3, 5] [1, 1, 1, 1] : tensor<2x2x3x5xf32> to tensor<2x3x5xf32>
// CHECK: %[[WHOLE:.*]] = tensor.collapse_shape %[[OWN]] {{\[\[}}0, 1], [2]]
// CHECK: call @observe(%[[WHOLE]])

func.func private @observe(tensor<6x5xf32>) -> tensor<6x5xf32>
func.func private @observe_groups(tensor<2x4x3xf32>) -> tensor<2x4x3xf32>

func.func @keys(%keys: tensor<6x5xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 6>}) -> tensor<6x5xf32> {
  %seen = call @observe(%keys) : (tensor<6x5xf32>) -> tensor<6x5xf32>
  return %seen : tensor<6x5xf32>
}

// Groups of queries are split over both axes, in two dimensions.

// CHECK-LABEL: @groups(%arg0: tensor<2x3xf32>
// CHECK: %[[GROUPS:.*]] = tensor.expand_shape %arg0 {{.*}} output_shape [1, 2, 3]
// CHECK: %[[ALL:.*]] = shard.all_gather %[[GROUPS]] on @cores grid_axes = [0] gather_axis = 0 : tensor<1x2x3xf32> -> tensor<4x2x3xf32>
// CHECK: %[[AXES:.*]] = tensor.expand_shape %[[ALL]] {{.*}} output_shape [2, 2, 1, 2, 3]
// CHECK: %[[ORDERED:.*]] = linalg.transpose ins(%[[AXES]] : {{.*}}) outs(%{{.*}} : tensor<2x1x2x2x3xf32>) permutation = [0, 2, 1, 3, 4]
// CHECK: %[[WHOLE:.*]] = tensor.collapse_shape %[[ORDERED]] {{\[\[}}0, 1], [2, 3], [4]]
// CHECK: call @observe_groups(%[[WHOLE]])
func.func @groups(%queries: tensor<8x3xf32> {trn.shard = #trn.shard<dim = 0, pieces = 4, size = 8>}) -> tensor<2x4x3xf32> {
  %groups = tensor.expand_shape %queries [[0, 1], [2]] output_shape [2, 4, 3] : tensor<8x3xf32> into tensor<2x4x3xf32>
  %seen = call @observe_groups(%groups) : (tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %seen : tensor<2x4x3xf32>
}
