// RUN: trn-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(trn-tile-strips))'

#id = affine_map<(i, j) -> (i, j)>

// expected-error @below {{kernel has no trn.schedule; run trn-outline-kernels first}}
func.func private @no_schedule(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel} {
  %in = tensor.empty() : tensor<64x32xf32>
  %out = tensor.empty() : tensor<64x32xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x32xf32>) outs(%out : tensor<64x32xf32>) {
  ^bb0(%value: f32, %old: f32):
    linalg.yield %value : f32
  } -> tensor<64x32xf32>
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// expected-error @below {{kernel has no block sizes; run trn-choose-blocks first}}
func.func private @no_blocks(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {strategy = "strip-cache", transpose = "implicit"}} {
  %in = tensor.empty() : tensor<64x32xf32>
  %out = tensor.empty() : tensor<64x32xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x32xf32>) outs(%out : tensor<64x32xf32>) {
  ^bb0(%value: f32, %old: f32):
    linalg.yield %value : f32
  } -> tensor<64x32xf32>
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// expected-error @below {{trn.schedule has no valid strategy}}
func.func private @unknown_strategy(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {strategy = "magic", transpose = "implicit"}} {
  %in = tensor.empty() : tensor<64x32xf32>
  %out = tensor.empty() : tensor<64x32xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x32xf32>) outs(%out : tensor<64x32xf32>) {
  ^bb0(%value: f32, %old: f32):
    linalg.yield %value : f32
  } -> tensor<64x32xf32>
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// expected-error @below {{trn.schedule has no valid block_r}}
func.func private @missing_size(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {block_k = 96 : i64, block_m = 64 : i64, strategy = "strip-cache", transpose = "implicit"}} {
  %in = tensor.empty() : tensor<64x32xf32>
  %out = tensor.empty() : tensor<64x32xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x32xf32>) outs(%out : tensor<64x32xf32>) {
  ^bb0(%value: f32, %old: f32):
    linalg.yield %value : f32
  } -> tensor<64x32xf32>
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// expected-error @below {{kernel must take X, U, O or X, U, V, O, static matrices}}
func.func private @no_matrices(%x: memref<64xf32>) attributes {trn.kernel, trn.schedule = {strategy = "strip-cache", transpose = "implicit"}} {
  %in = tensor.empty() : tensor<64x32xf32>
  %out = tensor.empty() : tensor<64x32xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x32xf32>) outs(%out : tensor<64x32xf32>) {
  ^bb0(%value: f32, %old: f32):
    linalg.yield %value : f32
  } -> tensor<64x32xf32>
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

func.func private @no_product(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {block_k = 96 : i64, block_m = 64 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
  %in = tensor.empty() : tensor<64x32xf32>
  %out = tensor.empty() : tensor<64x32xf32>
  // expected-error @below {{must round a product, since it is the last stage of a kernel}}
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x32xf32>) outs(%out : tensor<64x32xf32>) {
  ^bb0(%value: f32, %old: f32):
    linalg.yield %value : f32
  } -> tensor<64x32xf32>
  return
}
