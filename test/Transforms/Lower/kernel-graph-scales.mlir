// RUN: trn-opt %s --trn-plan-kernels="effort=1 transpose=explicit" | FileCheck %s
// RUN: trn-opt %s --trn-plan-kernels=effort=1 | FileCheck %s --check-prefix=TURNED

// Numbers are scaled where that takes the fewest instructions, if none is rounded in between.

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// Scores are scaled by the exponential, which does it for nothing, and so are their maxima. What the exponentials are
// divided by divides the rows of the product, which has fewer columns.

// CHECK-LABEL: func.func private @both(
// CHECK-SAME: stages = [xt = transpose x, y1 = xt * w1 over k, y2 = max y1 over r1, y3 = exp(sub(mul(y1, 0.125), mul(y2, 0.125))), y4 = sum y3 over r1, y3t = transpose y3, o = div([y3t * w2 over r1], y4)]
func.func private @both(%x: memref<128x64xf32>, %w: memref<64x256xf32>, %v: memref<256x64xf32>, %o: memref<128x64xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x64xf32> to tensor<128x64xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<64x256xf32> to tensor<64x256xf32>
  %v_in = bufferization.to_tensor %v restrict : memref<256x64xf32> to tensor<256x64xf32>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<128x256xf32>
  %row = tensor.empty() : tensor<128xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x256xf32>) -> tensor<128x256xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<128x64xf32>, tensor<64x256xf32>) outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %s_init = tensor.empty() : tensor<128x256xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<128x256xf32>) outs(%s_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %old: f32):
    %scaled = arith.mulf %in, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<128x256xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<128x256xf32>) outs(%lows : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %greater = arith.maximumf %in, %old : f32
    linalg.yield %greater : f32
  } -> tensor<128xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %most : tensor<128x256xf32>, tensor<128xf32>) outs(%wide : tensor<128x256xf32>) {
  ^bb0(%in: f32, %greatest: f32, %old: f32):
    %less = arith.subf %in, %greatest : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<128x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<128x256xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %more = arith.addf %in, %old : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %p_init = tensor.empty() : tensor<128x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<128x256xf32>, tensor<128xf32>) outs(%p_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %all: f32, %old: f32):
    %share = arith.divf %in, %all : f32
    linalg.yield %share : f32
  } -> tensor<128x256xf32>
  %o_empty = tensor.empty() : tensor<128x64xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %product = linalg.matmul ins(%p, %v_in : tensor<128x256xf32>, tensor<256x64xf32>) outs(%o_init : tensor<128x64xf32>) -> tensor<128x64xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<128x64xf32>, memref<128x64xf32>) -> ()
  return
}

// Shares that are rounded are divided in front of the rounding, as the source has it.

// CHECK-LABEL: func.func private @rounded(
// CHECK-SAME: stages = [xt = transpose x, y1 = xt * w1 over k, y2 = max y1 over r1, y3 = exp(sub(mul(y1, 0.125), mul(y2, 0.125))), y4 = sum y3 over r1, y5 = div(y3, y4), y5t = transpose y5, o = y5t * w2 over r1]
// With keys on the partitions it is rounded in front of the division (docs/Rows.md).
// TURNED-LABEL: func.func private @rounded(
// TURNED-SAME: minus : one x r1 bf16 constant -1.0, y2 : m x one bf16, y3t : r1 x m bf16, ones : r1 x one bf16 constant 1.0
// TURNED-SAME: stages = [xt = transpose x, y2 = max [xt * w1 over k] over r1, y2t = transpose y2, y3t = exp(mul([w1 * xt over k + minus * y2t over one], 0.125)), o = div([y3t * w2 over r1], [y3t * ones over r1])]
func.func private @rounded(%x: memref<128x64xbf16>, %w: memref<64x256xbf16>, %v: memref<256x64xbf16>, %o: memref<128x64xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x64xbf16> to tensor<128x64xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<64x256xbf16> to tensor<64x256xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<256x64xbf16> to tensor<256x64xbf16>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<128x256xf32>
  %row = tensor.empty() : tensor<128xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x256xf32>) -> tensor<128x256xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<128x64xbf16>, tensor<64x256xbf16>) outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %s_init = tensor.empty() : tensor<128x256xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<128x256xf32>) outs(%s_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %old: f32):
    %scaled = arith.mulf %in, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<128x256xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<128x256xf32>) outs(%lows : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %greater = arith.maximumf %in, %old : f32
    linalg.yield %greater : f32
  } -> tensor<128xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %most : tensor<128x256xf32>, tensor<128xf32>) outs(%wide : tensor<128x256xf32>) {
  ^bb0(%in: f32, %greatest: f32, %old: f32):
    %less = arith.subf %in, %greatest : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<128x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<128x256xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %more = arith.addf %in, %old : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %p_init = tensor.empty() : tensor<128x256xbf16>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<128x256xf32>, tensor<128xf32>) outs(%p_init : tensor<128x256xbf16>) {
  ^bb0(%in: f32, %all: f32, %old: bf16):
    %share = arith.divf %in, %all : f32
    %narrow = arith.truncf %share : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<128x256xbf16>
  %o_empty = tensor.empty() : tensor<128x64xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %product = linalg.matmul ins(%p, %v_in : tensor<128x256xbf16>, tensor<256x64xbf16>) outs(%o_init : tensor<128x64xf32>) -> tensor<128x64xf32>
  %result_init = tensor.empty() : tensor<128x64xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<128x64xf32>) outs(%result_init : tensor<128x64xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %narrow = arith.truncf %in : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<128x64xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<128x64xbf16>, memref<128x64xbf16>) -> ()
  return
}

// Scores that are rounded are scaled in front of it.

// CHECK-LABEL: func.func private @rounded_scores(
// CHECK-SAME: stages = [xt = transpose x, y1 = mul([xt * w1 over k], 0.125), y2 = max y1 over r1, y3 = exp(sub(y1, y2)), y4 = sum y3 over r1, y5 = div(y3, y4), y5t = transpose y5, o = y5t * w2 over r1]
func.func private @rounded_scores(%x: memref<128x64xbf16>, %w: memref<64x256xbf16>, %v: memref<256x64xbf16>, %o: memref<128x64xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x64xbf16> to tensor<128x64xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<64x256xbf16> to tensor<64x256xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<256x64xbf16> to tensor<256x64xbf16>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<128x256xf32>
  %row = tensor.empty() : tensor<128xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x256xf32>) -> tensor<128x256xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<128x64xbf16>, tensor<64x256xbf16>) outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %s_init = tensor.empty() : tensor<128x256xbf16>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<128x256xf32>) outs(%s_init : tensor<128x256xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %scaled = arith.mulf %in, %scale : f32
    %narrow = arith.truncf %scaled : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<128x256xbf16>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<128x256xbf16>) outs(%lows : tensor<128xf32>) {
  ^bb0(%in: bf16, %old: f32):
    %one = arith.extf %in : bf16 to f32
    %greater = arith.maximumf %one, %old : f32
    linalg.yield %greater : f32
  } -> tensor<128xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %most : tensor<128x256xbf16>, tensor<128xf32>) outs(%wide : tensor<128x256xf32>) {
  ^bb0(%in: bf16, %greatest: f32, %old: f32):
    %one = arith.extf %in : bf16 to f32
    %less = arith.subf %one, %greatest : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<128x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<128x256xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %more = arith.addf %in, %old : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %p_init = tensor.empty() : tensor<128x256xbf16>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<128x256xf32>, tensor<128xf32>) outs(%p_init : tensor<128x256xbf16>) {
  ^bb0(%in: f32, %all: f32, %old: bf16):
    %share = arith.divf %in, %all : f32
    %narrow = arith.truncf %share : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<128x256xbf16>
  %o_empty = tensor.empty() : tensor<128x64xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %product = linalg.matmul ins(%p, %v_in : tensor<128x256xbf16>, tensor<256x64xbf16>) outs(%o_init : tensor<128x64xf32>) -> tensor<128x64xf32>
  %result_init = tensor.empty() : tensor<128x64xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<128x64xf32>) outs(%result_init : tensor<128x64xbf16>) {
  ^bb0(%in: f32, %old: bf16):
    %narrow = arith.truncf %in : f32 to bf16
    linalg.yield %narrow : bf16
  } -> tensor<128x64xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<128x64xbf16>, memref<128x64xbf16>) -> ()
  return
}

// A mask hides as much of what is not scaled yet.

// CHECK-LABEL: func.func private @band(
// CHECK-SAME: stages = [xt = transpose x, y1 = min([xt * w1 over k], c), y2 = max y1 over r1, y3 = exp(sub(mul(y1, 0.125), mul(y2, 0.125))), y4 = sum y3 over r1, y3t = transpose y3, o = div([y3t * w2 over r1], y4)]
func.func private @band(%x: memref<128x64xf32>, %w: memref<64x256xf32>, %c: memref<128x256xbf16> {trn.band = #trn.band<none to 0 of inf>}, %v: memref<256x64xf32>, %o: memref<128x64xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x64xf32> to tensor<128x64xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<64x256xf32> to tensor<64x256xf32>
  %v_in = bufferization.to_tensor %v restrict : memref<256x64xf32> to tensor<256x64xf32>
  %c_in = bufferization.to_tensor %c restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<128x256xf32>
  %row = tensor.empty() : tensor<128xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x256xf32>) -> tensor<128x256xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<128x64xf32>, tensor<64x256xf32>) outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %s_init = tensor.empty() : tensor<128x256xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %c_in : tensor<128x256xf32>, tensor<128x256xbf16>) outs(%s_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %mask: bf16, %old: f32):
    %scaled = arith.mulf %in, %scale : f32
    %number = arith.extf %mask : bf16 to f32
    %masked = arith.minimumf %scaled, %number : f32
    linalg.yield %masked : f32
  } -> tensor<128x256xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<128x256xf32>) outs(%lows : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %greater = arith.maximumf %in, %old : f32
    linalg.yield %greater : f32
  } -> tensor<128xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %most : tensor<128x256xf32>, tensor<128xf32>) outs(%wide : tensor<128x256xf32>) {
  ^bb0(%in: f32, %greatest: f32, %old: f32):
    %less = arith.subf %in, %greatest : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<128x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<128x256xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %more = arith.addf %in, %old : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %p_init = tensor.empty() : tensor<128x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<128x256xf32>, tensor<128xf32>) outs(%p_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %all: f32, %old: f32):
    %share = arith.divf %in, %all : f32
    linalg.yield %share : f32
  } -> tensor<128x256xf32>
  %o_empty = tensor.empty() : tensor<128x64xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %product = linalg.matmul ins(%p, %v_in : tensor<128x256xf32>, tensor<256x64xf32>) outs(%o_init : tensor<128x64xf32>) -> tensor<128x64xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<128x64xf32>, memref<128x64xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @band_of_zeros(
// CHECK-SAME: stages = [xt = transpose x, y1 = add([xt * w1 over k], c), y2 = max y1 over r1, y3 = exp(sub(mul(y1, 0.125), mul(y2, 0.125))), y4 = sum y3 over r1, y3t = transpose y3, o = div([y3t * w2 over r1], y4)]
func.func private @band_of_zeros(%x: memref<128x64xf32>, %w: memref<64x256xf32>, %c: memref<128x256xbf16> {trn.band = #trn.band<none to 0 of zero>}, %v: memref<256x64xf32>, %o: memref<128x64xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x64xf32> to tensor<128x64xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<64x256xf32> to tensor<64x256xf32>
  %v_in = bufferization.to_tensor %v restrict : memref<256x64xf32> to tensor<256x64xf32>
  %c_in = bufferization.to_tensor %c restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<128x256xf32>
  %row = tensor.empty() : tensor<128xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x256xf32>) -> tensor<128x256xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<128x64xf32>, tensor<64x256xf32>) outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %s_init = tensor.empty() : tensor<128x256xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %c_in : tensor<128x256xf32>, tensor<128x256xbf16>) outs(%s_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %mask: bf16, %old: f32):
    %scaled = arith.mulf %in, %scale : f32
    %number = arith.extf %mask : bf16 to f32
    %masked = arith.addf %scaled, %number : f32
    linalg.yield %masked : f32
  } -> tensor<128x256xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<128x256xf32>) outs(%lows : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %greater = arith.maximumf %in, %old : f32
    linalg.yield %greater : f32
  } -> tensor<128xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %most : tensor<128x256xf32>, tensor<128xf32>) outs(%wide : tensor<128x256xf32>) {
  ^bb0(%in: f32, %greatest: f32, %old: f32):
    %less = arith.subf %in, %greatest : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<128x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<128x256xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %more = arith.addf %in, %old : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %p_init = tensor.empty() : tensor<128x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<128x256xf32>, tensor<128xf32>) outs(%p_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %all: f32, %old: f32):
    %share = arith.divf %in, %all : f32
    linalg.yield %share : f32
  } -> tensor<128x256xf32>
  %o_empty = tensor.empty() : tensor<128x64xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %product = linalg.matmul ins(%p, %v_in : tensor<128x256xf32>, tensor<256x64xf32>) outs(%o_init : tensor<128x64xf32>) -> tensor<128x64xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<128x64xf32>, memref<128x64xf32>) -> ()
  return
}

// Of any other matrix that is not known.

// CHECK-LABEL: func.func private @bias(
// CHECK-SAME: stages = [xt = transpose x, y1 = add(mul([xt * w1 over k], 0.125), c), y2 = max y1 over r1, y3 = exp(sub(y1, y2)), y4 = sum y3 over r1, y3t = transpose y3, o = div([y3t * w2 over r1], y4)]
func.func private @bias(%x: memref<128x64xf32>, %w: memref<64x256xf32>, %c: memref<128x256xbf16>, %v: memref<256x64xf32>, %o: memref<128x64xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x64xf32> to tensor<128x64xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<64x256xf32> to tensor<64x256xf32>
  %v_in = bufferization.to_tensor %v restrict : memref<256x64xf32> to tensor<256x64xf32>
  %c_in = bufferization.to_tensor %c restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<128x256xf32>
  %row = tensor.empty() : tensor<128xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x256xf32>) -> tensor<128x256xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<128x64xf32>, tensor<64x256xf32>) outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %s_init = tensor.empty() : tensor<128x256xf32>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %c_in : tensor<128x256xf32>, tensor<128x256xbf16>) outs(%s_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %mask: bf16, %old: f32):
    %scaled = arith.mulf %in, %scale : f32
    %number = arith.extf %mask : bf16 to f32
    %masked = arith.addf %scaled, %number : f32
    linalg.yield %masked : f32
  } -> tensor<128x256xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<128x256xf32>) outs(%lows : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %greater = arith.maximumf %in, %old : f32
    linalg.yield %greater : f32
  } -> tensor<128xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %most : tensor<128x256xf32>, tensor<128xf32>) outs(%wide : tensor<128x256xf32>) {
  ^bb0(%in: f32, %greatest: f32, %old: f32):
    %less = arith.subf %in, %greatest : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<128x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<128x256xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %more = arith.addf %in, %old : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %p_init = tensor.empty() : tensor<128x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<128x256xf32>, tensor<128xf32>) outs(%p_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %all: f32, %old: f32):
    %share = arith.divf %in, %all : f32
    linalg.yield %share : f32
  } -> tensor<128x256xf32>
  %o_empty = tensor.empty() : tensor<128x64xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %product = linalg.matmul ins(%p, %v_in : tensor<128x256xf32>, tensor<256x64xf32>) outs(%o_init : tensor<128x64xf32>) -> tensor<128x64xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<128x64xf32>, memref<128x64xf32>) -> ()
  return
}

// What is the largest would be the least.

// CHECK-LABEL: func.func private @negative(
// CHECK-SAME: stages = [xt = transpose x, y1 = mul([xt * w1 over k], -0.125), y2 = max y1 over r1, y3 = exp(sub(y1, y2)), y4 = sum y3 over r1, y3t = transpose y3, o = div([y3t * w2 over r1], y4)]
func.func private @negative(%x: memref<128x64xf32>, %w: memref<64x256xf32>, %v: memref<256x64xf32>, %o: memref<128x64xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x64xf32> to tensor<128x64xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<64x256xf32> to tensor<64x256xf32>
  %v_in = bufferization.to_tensor %v restrict : memref<256x64xf32> to tensor<256x64xf32>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant -0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<128x256xf32>
  %row = tensor.empty() : tensor<128xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x256xf32>) -> tensor<128x256xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<128x64xf32>, tensor<64x256xf32>) outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %s_init = tensor.empty() : tensor<128x256xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<128x256xf32>) outs(%s_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %old: f32):
    %scaled = arith.mulf %in, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<128x256xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<128x256xf32>) outs(%lows : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %greater = arith.maximumf %in, %old : f32
    linalg.yield %greater : f32
  } -> tensor<128xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %most : tensor<128x256xf32>, tensor<128xf32>) outs(%wide : tensor<128x256xf32>) {
  ^bb0(%in: f32, %greatest: f32, %old: f32):
    %less = arith.subf %in, %greatest : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<128x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<128x256xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %more = arith.addf %in, %old : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %p_init = tensor.empty() : tensor<128x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<128x256xf32>, tensor<128xf32>) outs(%p_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %all: f32, %old: f32):
    %share = arith.divf %in, %all : f32
    linalg.yield %share : f32
  } -> tensor<128x256xf32>
  %o_empty = tensor.empty() : tensor<128x64xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %product = linalg.matmul ins(%p, %v_in : tensor<128x256xf32>, tensor<256x64xf32>) outs(%o_init : tensor<128x64xf32>) -> tensor<128x64xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<128x64xf32>, memref<128x64xf32>) -> ()
  return
}

// What is stored is scaled.

// CHECK-LABEL: func.func private @stored(
// CHECK-SAME: stages = [xt = transpose x, o1 = mul([xt * w1 over k], 0.125), y2 = max o1 over r1, y3 = exp(sub(o1, y2)), y4 = sum y3 over r1, y3t = transpose y3, o5 = div([y3t * w2 over r1], y4)]
func.func private @stored(%x: memref<128x64xf32>, %w: memref<64x256xf32>, %v: memref<256x64xf32>, %o: memref<128x64xf32> {trn.result}, %r: memref<128x256xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x64xf32> to tensor<128x64xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<64x256xf32> to tensor<64x256xf32>
  %v_in = bufferization.to_tensor %v restrict : memref<256x64xf32> to tensor<256x64xf32>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<128x256xf32>
  %row = tensor.empty() : tensor<128xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x256xf32>) -> tensor<128x256xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<128x64xf32>, tensor<64x256xf32>) outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %s_init = tensor.empty() : tensor<128x256xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<128x256xf32>) outs(%s_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %old: f32):
    %scaled = arith.mulf %in, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<128x256xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<128x256xf32>) outs(%lows : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %greater = arith.maximumf %in, %old : f32
    linalg.yield %greater : f32
  } -> tensor<128xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %most : tensor<128x256xf32>, tensor<128xf32>) outs(%wide : tensor<128x256xf32>) {
  ^bb0(%in: f32, %greatest: f32, %old: f32):
    %less = arith.subf %in, %greatest : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<128x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<128x256xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %more = arith.addf %in, %old : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %p_init = tensor.empty() : tensor<128x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<128x256xf32>, tensor<128xf32>) outs(%p_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %all: f32, %old: f32):
    %share = arith.divf %in, %all : f32
    linalg.yield %share : f32
  } -> tensor<128x256xf32>
  %o_empty = tensor.empty() : tensor<128x64xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %product = linalg.matmul ins(%p, %v_in : tensor<128x256xf32>, tensor<256x64xf32>) outs(%o_init : tensor<128x64xf32>) -> tensor<128x64xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<128x64xf32>, memref<128x64xf32>) -> ()
  bufferization.materialize_in_destination %s in restrict writable %r : (tensor<128x256xf32>, memref<128x256xf32>) -> ()
  return
}

// CHECK-LABEL: func.func private @shares_stored(
// CHECK-SAME: stages = [xt = transpose x, y1 = xt * w1 over k, y2 = max y1 over r1, y3 = exp(sub(mul(y1, 0.125), mul(y2, 0.125))), y4 = sum y3 over r1, o5 = div(y3, y4), o5t = transpose o5, o6 = o5t * w2 over r1]
func.func private @shares_stored(%x: memref<128x64xf32>, %w: memref<64x256xf32>, %v: memref<256x64xf32>, %o: memref<128x64xf32> {trn.result}, %r: memref<128x256xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x64xf32> to tensor<128x64xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<64x256xf32> to tensor<64x256xf32>
  %v_in = bufferization.to_tensor %v restrict : memref<256x64xf32> to tensor<256x64xf32>
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %wide = tensor.empty() : tensor<128x256xf32>
  %row = tensor.empty() : tensor<128xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%wide : tensor<128x256xf32>) -> tensor<128x256xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<128x64xf32>, tensor<64x256xf32>) outs(%init : tensor<128x256xf32>) -> tensor<128x256xf32>
  %s_init = tensor.empty() : tensor<128x256xf32>
  %s = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<128x256xf32>) outs(%s_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %old: f32):
    %scaled = arith.mulf %in, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<128x256xf32>
  %most = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<128x256xf32>) outs(%lows : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %greater = arith.maximumf %in, %old : f32
    linalg.yield %greater : f32
  } -> tensor<128xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %most : tensor<128x256xf32>, tensor<128xf32>) outs(%wide : tensor<128x256xf32>) {
  ^bb0(%in: f32, %greatest: f32, %old: f32):
    %less = arith.subf %in, %greatest : f32
    %power = math.exp %less : f32
    linalg.yield %power : f32
  } -> tensor<128x256xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<128x256xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%in: f32, %old: f32):
    %more = arith.addf %in, %old : f32
    linalg.yield %more : f32
  } -> tensor<128xf32>
  %p_init = tensor.empty() : tensor<128x256xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<128x256xf32>, tensor<128xf32>) outs(%p_init : tensor<128x256xf32>) {
  ^bb0(%in: f32, %all: f32, %old: f32):
    %share = arith.divf %in, %all : f32
    linalg.yield %share : f32
  } -> tensor<128x256xf32>
  %o_empty = tensor.empty() : tensor<128x64xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x64xf32>) -> tensor<128x64xf32>
  %product = linalg.matmul ins(%p, %v_in : tensor<128x256xf32>, tensor<256x64xf32>) outs(%o_init : tensor<128x64xf32>) -> tensor<128x64xf32>
  bufferization.materialize_in_destination %product in restrict writable %o : (tensor<128x64xf32>, memref<128x64xf32>) -> ()
  bufferization.materialize_in_destination %p in restrict writable %r : (tensor<128x256xf32>, memref<128x256xf32>) -> ()
  return
}
