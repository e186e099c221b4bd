// RUN: trn-opt %s --split-input-file --trn-outline-kernels | FileCheck %s

// What a mask is computed of is read, too: numbers of rows and columns, their
// comparison, and what is chosen, as JAX writes them.

// CHECK-LABEL: func.func private @steps_kernel(
// CHECK-SAME: memref<256x256xbf16> {trn.band = #trn.band<none to 0 of zero>}
#id = affine_map<(i, j) -> (i, j)>
func.func @steps(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %rowse = tensor.empty() : tensor<256x256xi32>
  %rows = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%rowse : tensor<256x256xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i32
    linalg.yield %v : i32
  } -> tensor<256x256xi32>
  %columnse = tensor.empty() : tensor<256x256xi32>
  %columns = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%columnse : tensor<256x256xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 1 : index
    %v = arith.index_cast %i : index to i32
    linalg.yield %v : i32
  } -> tensor<256x256xi32>
  %ce = tensor.empty() : tensor<256x256xi1>
  %holds = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%rows, %columns : tensor<256x256xi32>, tensor<256x256xi32>) outs(%ce : tensor<256x256xi1>) {
  ^bb0(%a: i32, %b: i32, %out: i1):
    %v = arith.cmpi sge, %a, %b : i32
    linalg.yield %v : i1
  } -> tensor<256x256xi1>
  %lows = arith.constant dense<0xFF80> : tensor<256x256xbf16>
  %zero = arith.constant 0.0 : bf16
  %ze = tensor.empty() : tensor<256x256xbf16>
  %zeros = linalg.fill ins(%zero : bf16) outs(%ze : tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %me = tensor.empty() : tensor<256x256xbf16>
  %mask = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%holds, %zeros, %lows : tensor<256x256xi1>, tensor<256x256xbf16>, tensor<256x256xbf16>) outs(%me : tensor<256x256xbf16>) {
  ^bb0(%is: i1, %a: bf16, %b: bf16, %out: bf16):
    %v = arith.select %is, %a, %b : bf16
    linalg.yield %v : bf16
  } -> tensor<256x256xbf16>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask : tensor<256x256xf32>, tensor<256x256xbf16>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %number: bf16, %out: f32):
    %wide = arith.extf %number : bf16 to f32
    %v = arith.addf %in, %wide : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// Or numbers that are repeated, with a distance, as torch-mlir writes them.

// CHECK-LABEL: func.func private @repeated_kernel(
// CHECK-SAME: memref<256x256xbf16> {trn.band = #trn.band<none to 3 of zero>}
#one = affine_map<(i) -> (i)>
#row = affine_map<(i, j) -> (i, 0)>
#column = affine_map<(i, j) -> (j)>
#id = affine_map<(i, j) -> (i, j)>
func.func @repeated(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %numberse = tensor.empty() : tensor<256xi32>
  %numbers = linalg.generic {indexing_maps = [#one], iterator_types = ["parallel"]} outs(%numberse : tensor<256xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 0 : index
    %v = arith.index_cast %i : index to i32
    linalg.yield %v : i32
  } -> tensor<256xi32>
  %three = arith.constant 3 : i32
  %le = tensor.empty() : tensor<256xi32>
  %later = linalg.generic {indexing_maps = [#one, #one], iterator_types = ["parallel"]} ins(%numbers : tensor<256xi32>) outs(%le : tensor<256xi32>) {
  ^bb0(%a: i32, %out: i32):
    %v = arith.addi %a, %three : i32
    linalg.yield %v : i32
  } -> tensor<256xi32>
  %rows = tensor.expand_shape %later [[0, 1]] output_shape [256, 1] : tensor<256xi32> into tensor<256x1xi32>
  %ce = tensor.empty() : tensor<256x256xi1>
  %holds = linalg.generic {indexing_maps = [#row, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%rows, %numbers : tensor<256x1xi32>, tensor<256xi32>) outs(%ce : tensor<256x256xi1>) {
  ^bb0(%a: i32, %b: i32, %out: i1):
    %v = arith.cmpi sge, %a, %b : i32
    linalg.yield %v : i1
  } -> tensor<256x256xi1>
  %lows = arith.constant dense<0xFF80> : tensor<256x256xbf16>
  %zero = arith.constant 0.0 : bf16
  %ze = tensor.empty() : tensor<256x256xbf16>
  %zeros = linalg.fill ins(%zero : bf16) outs(%ze : tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %me = tensor.empty() : tensor<256x256xbf16>
  %mask = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%holds, %zeros, %lows : tensor<256x256xi1>, tensor<256x256xbf16>, tensor<256x256xbf16>) outs(%me : tensor<256x256xbf16>) {
  ^bb0(%is: i1, %a: bf16, %b: bf16, %out: bf16):
    %v = arith.select %is, %a, %b : bf16
    linalg.yield %v : bf16
  } -> tensor<256x256xbf16>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask : tensor<256x256xf32>, tensor<256x256xbf16>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %number: bf16, %out: f32):
    %wide = arith.extf %number : bf16 to f32
    %v = arith.addf %in, %wide : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// Conditions on what only the run knows are none on diagonals.

// CHECK-LABEL: func.func private @given_kernel(
// CHECK-NOT: trn.band
#id = affine_map<(i, j) -> (i, j)>
func.func @given(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>, %rows: tensor<256x256xi32>) -> tensor<256x256xf32> {
  %columnse = tensor.empty() : tensor<256x256xi32>
  %columns = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%columnse : tensor<256x256xi32>) {
  ^bb0(%out: i32):
    %i = linalg.index 1 : index
    %v = arith.index_cast %i : index to i32
    linalg.yield %v : i32
  } -> tensor<256x256xi32>
  %ce = tensor.empty() : tensor<256x256xi1>
  %holds = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%rows, %columns : tensor<256x256xi32>, tensor<256x256xi32>) outs(%ce : tensor<256x256xi1>) {
  ^bb0(%a: i32, %b: i32, %out: i1):
    %v = arith.cmpi sge, %a, %b : i32
    linalg.yield %v : i1
  } -> tensor<256x256xi1>
  %lows = arith.constant dense<0xFF80> : tensor<256x256xbf16>
  %zero = arith.constant 0.0 : bf16
  %ze = tensor.empty() : tensor<256x256xbf16>
  %zeros = linalg.fill ins(%zero : bf16) outs(%ze : tensor<256x256xbf16>) -> tensor<256x256xbf16>
  %me = tensor.empty() : tensor<256x256xbf16>
  %mask = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%holds, %zeros, %lows : tensor<256x256xi1>, tensor<256x256xbf16>, tensor<256x256xbf16>) outs(%me : tensor<256x256xbf16>) {
  ^bb0(%is: i1, %a: bf16, %b: bf16, %out: bf16):
    %v = arith.select %is, %a, %b : bf16
    linalg.yield %v : bf16
  } -> tensor<256x256xbf16>
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask : tensor<256x256xf32>, tensor<256x256xbf16>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %number: bf16, %out: f32):
    %wide = arith.extf %number : bf16 to f32
    %v = arith.addf %in, %wide : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}

// -----

// Numbers of rows that wrap are none on diagonals.

// CHECK-LABEL: func.func private @wraps_kernel(
// CHECK-NOT: trn.band
#id = affine_map<(i, j) -> (i, j)>
func.func @wraps(%x: tensor<256x64xf32>, %w: tensor<64x256xf32>) -> tensor<256x256xf32> {
  %most = arith.constant 2147483647 : i32
  %back = arith.constant -2147483647 : i32
  %low = arith.constant 0xFF800000 : f32
  %f0 = arith.constant 0.0 : f32
  %se = tensor.empty() : tensor<256x256xf32>
  %mask = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%se : tensor<256x256xf32>) {
  ^bb0(%out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %row = arith.index_cast %i : index to i32
    %column = arith.index_cast %j : index to i32
    %above = arith.addi %row, %most : i32
    %wide = arith.extsi %above : i32 to i64
    %wideBack = arith.extsi %back : i32 to i64
    %again = arith.addi %wide, %wideBack : i64
    %wideColumn = arith.extsi %column : i32 to i64
    %is = arith.cmpi sge, %again, %wideColumn : i64
    %v = arith.select %is, %f0, %low : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  %init = linalg.fill ins(%f0 : f32) outs(%se : tensor<256x256xf32>) -> tensor<256x256xf32>
  %s = linalg.matmul ins(%x, %w : tensor<256x64xf32>, tensor<64x256xf32>) outs(%init : tensor<256x256xf32>) -> tensor<256x256xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask : tensor<256x256xf32>, tensor<256x256xf32>) outs(%se : tensor<256x256xf32>) {
  ^bb0(%in: f32, %number: f32, %out: f32):
    %v = arith.addf %in, %number : f32
    linalg.yield %v : f32
  } -> tensor<256x256xf32>
  return %o : tensor<256x256xf32>
}
