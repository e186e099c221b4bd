// RUN: trn-opt %s --split-input-file --trn-outline-kernels | FileCheck %s

// Masks that are computed from row and column numbers are arguments of which their diagonals are known.

// The condition says which scores are left.

// CHECK-LABEL: func.func private @causal_kernel(
// CHECK-SAME: memref<256x256xbf16> {trn.band = #trn.band<none to 0 of zero>}
func.func @causal(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : bf16
  %low = arith.constant 0xFF80 : bf16
  %e = tensor.empty() : tensor<256x256xbf16>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xbf16>) {
  ^bb0(%out: bf16):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %is = arith.cmpi sge, %r, %c : index
    %v = arith.select %is, %zero, %low : bf16
    linalg.yield %v : bf16
  } -> tensor<256x256xbf16>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xbf16>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: bf16, %out: f32):
    %wide = arith.extf %mask : bf16 to f32
    %v = arith.addf %in, %wide : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// Or which are not: the numbers are swapped. Integers of any width from 32 bits on.

// CHECK-LABEL: func.func private @strictly_above_kernel(
// CHECK-SAME: memref<256x256xbf16> {trn.band = #trn.band<none to 0 of zero>}
func.func @strictly_above(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : bf16
  %low = arith.constant 0xFF80 : bf16
  %e = tensor.empty() : tensor<256x256xbf16>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xbf16>) {
  ^bb0(%out: bf16):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %r32 = arith.index_cast %r : index to i32
    %c32 = arith.index_cast %c : index to i32
    %is = arith.cmpi sgt, %c32, %r32 : i32
    %v = arith.select %is, %low, %zero : bf16
    linalg.yield %v : bf16
  } -> tensor<256x256xbf16>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xbf16>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: bf16, %out: f32):
    %wide = arith.extf %mask : bf16 to f32
    %v = arith.addf %in, %wide : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// What scores are compared with.

// CHECK-LABEL: func.func private @infinity_kernel(
// CHECK-SAME: memref<256x256xf32> {trn.band = #trn.band<none to 0 of inf>}
func.func @infinity(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %low = arith.constant 0xFF800000 : f32
  %high = arith.constant 0x7F800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %is = arith.cmpi sle, %c, %r : index
    %v = arith.select %is, %high, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.minimumf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// The other triangle.

// CHECK-LABEL: func.func private @above_kernel(
// CHECK-SAME: memref<256x256xf32> {trn.band = #trn.band<0 to none of zero>}
func.func @above(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %is = arith.cmpi slt, %c, %r : index
    %v = arith.select %is, %low, %zero : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// Rows are the last ones of more columns.

// CHECK-LABEL: func.func private @cache_kernel(
// CHECK-SAME: memref<128x384xf32> {trn.band = #trn.band<none to 256 of zero>}
func.func @cache(%x: tensor<128x64xf32>, %w: tensor<64x384xf32>) -> tensor<128x384xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<128x384xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<128x384xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = arith.constant 256 : index
    %at = arith.addi %r, %o : index
    %is = arith.cmpi sge, %at, %c : index
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<128x384xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<128x384xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<128x384xf32>) -> tensor<128x384xf32>
  %s = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x384xf32>) outs(%init : tensor<128x384xf32>) -> tensor<128x384xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<128x384xf32>, tensor<128x384xf32>) outs(%se : tensor<128x384xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<128x384xf32>
  return %o : tensor<128x384xf32>
}

// -----

// A difference with a constant, which has not to be on one side.

// CHECK-LABEL: func.func private @distance_kernel(
// CHECK-SAME: memref<256x256xf32> {trn.band = #trn.band<-4 to none of zero>}
func.func @distance(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = arith.constant 5 : index
    %far = arith.subi %r, %c : index
    %is = arith.cmpi slt, %far, %o : index
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// Two bounds.

// CHECK-LABEL: func.func private @window_kernel(
// CHECK-SAME: memref<256x256xf32> {trn.band = #trn.band<-63 to 0 of zero>}
func.func @window(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = arith.constant 64 : index
    %first = arith.subi %r, %o : index
    %behind = arith.cmpi sgt, %c, %first : index
    %until = arith.cmpi sge, %r, %c : index
    %is = arith.andi %behind, %until : i1
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// The closer one of two.

// CHECK-LABEL: func.func private @twice_kernel(
// CHECK-SAME: memref<256x256xf32> {trn.band = #trn.band<none to 0 of zero>}
func.func @twice(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = arith.constant 64 : index
    %at = arith.addi %r, %o : index
    %one = arith.cmpi sle, %c, %at : index
    %other = arith.cmpi sle, %c, %r : index
    %is = arith.andi %one, %other : i1
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// The least number of a type is as good as infinity where each row has others.

// CHECK-LABEL: func.func private @finite_kernel(
// CHECK-SAME: memref<256x256xf16> {trn.band = #trn.band<none to 0 of zero>}
func.func @finite(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f16
  %least = arith.constant -65504.0 : f16
  %e = tensor.empty() : tensor<256x256xf16>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf16>) {
  ^bb0(%out: f16):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %is = arith.cmpi sge, %r, %c : index
    %v = arith.select %is, %zero, %least : f16
    linalg.yield %v : f16
  } -> tensor<256x256xf16>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf16>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f16, %out: f32):
    %wide = arith.extf %mask : f16 to f32
    %v = arith.addf %in, %wide : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// CHECK-LABEL: func.func private @finite_number_kernel(
// CHECK-SAME: memref<256x256xf32> {trn.band = #trn.band<none to 0 of zero>}
func.func @finite_number(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %small = arith.constant -1.0e+09 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %is = arith.cmpi sge, %r, %c : index
    %v = arith.select %is, %zero, %small : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// What is no band.

// The first row has nothing else, so what is subtracted from the lows is one of them.

// CHECK-LABEL: func.func private @rows_of_lows_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @rows_of_lows(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %small = arith.constant -1.0e+09 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %is = arith.cmpi sgt, %r, %c : index
    %v = arith.select %is, %zero, %small : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// Nor have the last ones.

// CHECK-LABEL: func.func private @last_rows_of_lows_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @last_rows_of_lows(%x: tensor<256x64xf32>, %w: tensor<64x128xf32>) -> tensor<256x128xf32> {
  %zero = arith.constant 0.0 : f32
  %small = arith.constant -1.0e+09 : f32
  %e = tensor.empty() : tensor<256x128xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x128xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %is = arith.cmpi sle, %r, %c : index
    %v = arith.select %is, %zero, %small : f32
    linalg.yield %v : f32
  } -> tensor<256x128xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x128xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x128xf32>) -> tensor<256x128xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x128xf32>) outs(%init : tensor<256x128xf32>) -> tensor<256x128xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x128xf32>, tensor<256x128xf32>) outs(%se : tensor<256x128xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x128xf32>
  return %o : tensor<256x128xf32>
}

// -----

// A number that leaves something.

// CHECK-LABEL: func.func private @bias_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @bias(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %bias = arith.constant -1.0e+04 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %is = arith.cmpi sge, %r, %c : index
    %v = arith.select %is, %zero, %bias : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// Neither zero nor infinity inside.

// CHECK-LABEL: func.func private @ones_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @ones(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %low = arith.constant 0xFF800000 : f32
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %is = arith.cmpi sge, %r, %c : index
    %v = arith.select %is, %one, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// All but a window.

// CHECK-LABEL: func.func private @outside_of_window_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @outside_of_window(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = arith.constant 64 : index
    %first = arith.subi %r, %o : index
    %behind = arith.cmpi sgt, %c, %first : index
    %until = arith.cmpi sge, %r, %c : index
    %is = arith.andi %behind, %until : i1
    %v = arith.select %is, %low, %zero : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// A window of no diagonal.

// CHECK-LABEL: func.func private @nothing_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @nothing(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %above = arith.cmpi sgt, %c, %r : index
    %below = arith.cmpi slt, %c, %r : index
    %is = arith.andi %above, %below : i1
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// Some columns of all rows.

// CHECK-LABEL: func.func private @columns_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @columns(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %c = linalg.index 1 : index
    %o = arith.constant 64 : index
    %is = arith.cmpi sge, %o, %c : index
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// CHECK-LABEL: func.func private @other_slope_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @other_slope(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %both = arith.addi %r, %c : index
    %o = arith.constant 64 : index
    %is = arith.cmpi sge, %o, %both : index
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// CHECK-LABEL: func.func private @scaled_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @scaled(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = arith.constant 2 : index
    %twice = arith.muli %r, %o : index
    %is = arith.cmpi sge, %twice, %c : index
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// CHECK-LABEL: func.func private @diagonal_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @diagonal(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %is = arith.cmpi eq, %r, %c : index
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// CHECK-LABEL: func.func private @without_sign_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @without_sign(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %o = arith.constant 64 : index
    %far = arith.subi %r, %o : index
    %is = arith.cmpi uge, %far, %c : index
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// Numbers from 128 on are negative in 8 bits.

// CHECK-LABEL: func.func private @narrow_kernel(
// CHECK-NOT: trn.band
// CHECK: return
func.func @narrow(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<256x256xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      outs(%e : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %r = linalg.index 0 : index
    %c = linalg.index 1 : index
    %r8 = arith.index_cast %r : index to i8
    %c8 = arith.index_cast %c : index to i8
    %is = arith.cmpi sge, %r8, %c8 : i8
    %v = arith.select %is, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r, c)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %c : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %mask: f32, %out: f32):
    %v = arith.addf %in, %mask : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}
