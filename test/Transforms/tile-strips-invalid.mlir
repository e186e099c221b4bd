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

// -----

#id = affine_map<(i, j) -> (i, j)>

// expected-error @below {{trn.schedule cannot be followed: block_k is 0, but must be 96}}
func.func private @block_of_nothing(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {block_k = 0 : i64, block_m = 64 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
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

// expected-error @below {{trn.schedule has no valid block_n}}
func.func private @wrong_integer(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {block_k = 96 : i64, block_m = 64 : i64, block_n = 32 : i32, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
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

// expected-error @below {{trn.schedule has no valid block_m}}
func.func private @no_block_m(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {block_k = 96 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
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

// expected-error @below {{trn.schedule has no valid output_layout}}
func.func private @unknown_layout(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {output_layout = "sideways", block_k = 96 : i64, block_m = 64 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
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

// expected-error @below {{trn.schedule has no valid partials}}
func.func private @unknown_partials(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {partials = "f64", block_k = 96 : i64, block_m = 64 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
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

// expected-error @below {{trn.schedule has no valid reread_x}}
func.func private @flag_with_value(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {reread_x = 1 : i64, block_k = 96 : i64, block_m = 64 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
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

// expected-error @below {{trn.schedule must have a half of 1 or 2}}
func.func private @half_of_nothing(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {half = 1 : i64, block_k = 96 : i64, block_m = 64 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
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

// expected-error @below {{trn.schedule cannot be followed: dimension m is 0, but must be at least 1}}
func.func private @no_rows(%x: memref<0x96xf32>, %w: memref<96x32xf32>, %o: memref<0x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {block_k = 96 : i64, block_m = 0 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
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

// expected-error @below {{kernel must take X, U, O or X, U, V, O}}
func.func private @sizes_disagree(%x: memref<64x96xf32>, %w: memref<95x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {block_k = 96 : i64, block_m = 64 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
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

func.func private @rows_times_columns(%x: memref<64x96xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {block_k = 96 : i64, block_m = 64 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 96 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x96xf32> to tensor<64x96xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<96x32xf32> to tensor<96x32xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  // expected-error @below {{must hold the contraction first in both operands; run trn-implicit-transpose first}}
  %sum = linalg.matmul ins(%x_in, %w_in : tensor<64x96xf32>, tensor<96x32xf32>) outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
  %out = tensor.empty() : tensor<64x32xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<64x32xf32>) outs(%out : tensor<64x32xf32>) {
  ^bb0(%value: f32, %old: f32):
    linalg.yield %value : f32
  } -> tensor<64x32xf32>
  bufferization.materialize_in_destination %rounded in restrict writable %o : (tensor<64x32xf32>, memref<64x32xf32>) -> ()
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func private @rounds_part(%x: memref<96x64xf32>, %w: memref<96x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {input_layout = "transposed", block_k = 96 : i64, block_m = 64 : i64, block_n = 32 : i64, block_r = 0 : i64, block_x = 0 : i64, resident_rank = 0 : i64, strategy = "strip-cache", transpose = "implicit"}} {
  %x_in = tensor.empty() : tensor<96x60xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<96x32xf32> to tensor<96x32xf32>
  %init = tensor.empty() : tensor<60x32xf32>
  %sum = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x_in, %w_in : tensor<96x60xf32>, tensor<96x32xf32>) outs(%init : tensor<60x32xf32>) -> tensor<60x32xf32>
  %out = tensor.empty() : tensor<60x32xf32>
  // expected-error @below {{must have the type of the result argument, 'memref<64x32xf32>'}}
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<60x32xf32>) outs(%out : tensor<60x32xf32>) {
  ^bb0(%value: f32, %old: f32):
    linalg.yield %value : f32
  } -> tensor<60x32xf32>
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>
#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// expected-error @below {{kernel must hold one product of X and U, or that and its product with V}}
func.func private @half_a_chain(%x: memref<96x64xf32>, %u: memref<96x32xf32>, %v: memref<32x32xf32>, %o: memref<64x32xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {input_layout = "transposed", block_k = 96 : i64, block_m = 64 : i64, block_n = 32 : i64, block_r = 32 : i64, block_x = 0 : i64, resident_rank = 32 : i64, strategy = "strip-cache", transpose = "implicit"}} {
  %x_in = bufferization.to_tensor %x restrict : memref<96x64xf32> to tensor<96x64xf32>
  %u_in = bufferization.to_tensor %u restrict : memref<96x32xf32> to tensor<96x32xf32>
  %init = tensor.empty() : tensor<64x32xf32>
  %sum = linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%x_in, %u_in : tensor<96x64xf32>, tensor<96x32xf32>) outs(%init : tensor<64x32xf32>) -> tensor<64x32xf32>
  %out = tensor.empty() : tensor<64x32xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<64x32xf32>) outs(%out : tensor<64x32xf32>) {
  ^bb0(%value: f32, %old: f32):
    linalg.yield %value : f32
  } -> tensor<64x32xf32>
  return
}

// -----

#id = affine_map<(i, j) -> (i, j)>

// An intermediate without columns is none of a single product.

// expected-error @below {{dimension r is 0, but must be at least 1}}
func.func private @empty_intermediate(%x: memref<32x16xf32>, %u: memref<16x0xf32>, %v: memref<0x48xf32>, %o: memref<32x48xf32> {trn.result}) attributes {trn.kernel, trn.schedule = {strategy = "strip-cache", transpose = "implicit"}} {
  %in = tensor.empty() : tensor<64x32xf32>
  %out = tensor.empty() : tensor<64x32xf32>
  %rounded = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%in : tensor<64x32xf32>) outs(%out : tensor<64x32xf32>) {
  ^bb0(%value: f32, %old: f32):
    linalg.yield %value : f32
  } -> tensor<64x32xf32>
  return
}
