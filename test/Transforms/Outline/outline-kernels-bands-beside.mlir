// RUN: trn-opt %s --split-input-file --trn-outline-kernels | FileCheck %s

// What a number hides of a row is what remains of it if an argument hides the rest, so it is computed: no band.

// CHECK-LABEL: func.func private @argument_kernel(
// CHECK-SAME: memref<64x64xf32>, %{{[a-z0-9]*}}: memref<64xf32>
// CHECK-NOT: trn.band
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @argument(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>, %hidden: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %mask = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x64xf32>) {
  ^bb0(%out: f32):
    %low = arith.constant -1.0e9 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi sge, %i, %j : index
    %v = arith.select %seen, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask, %hidden : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %m: f32, %h: f32, %out: f32):
    %masked = arith.addf %in, %m : f32
    %v = arith.addf %masked, %h : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  return %o : tensor<64x64xf32>
}

// -----

// A weight hides nothing.

// CHECK-LABEL: func.func private @weight_kernel(
// CHECK-SAME: {trn.band = #trn.band<none to 0 of zero>}
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @weight(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>, %bias: tensor<64xf32> {trn.param = "bias"}) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %mask = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x64xf32>) {
  ^bb0(%out: f32):
    %low = arith.constant -1.0e9 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi sge, %i, %j : index
    %v = arith.select %seen, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask, %bias : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %m: f32, %h: f32, %out: f32):
    %masked = arith.addf %in, %m : f32
    %v = arith.addf %masked, %h : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  return %o : tensor<64x64xf32>
}

// -----

// A mask that is known hides the rest, too.

// CHECK-LABEL: func.func private @known_kernel(
// CHECK-NOT: trn.band
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @known(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %mask = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x64xf32>) {
  ^bb0(%out: f32):
    %low = arith.constant -1.0e9 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi sge, %i, %j : index
    %v = arith.select %seen, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %re = tensor.empty() : tensor<64xf32>
  %hidden = linalg.generic {indexing_maps = [affine_map<(j) -> (j)>], iterator_types = ["parallel"]} outs(%re : tensor<64xf32>) {
  ^bb0(%out: f32):
    %low = arith.constant -1.0e9 : f32
    %first = arith.constant 10 : index
    %j = linalg.index 0 : index
    %late = arith.cmpi sge, %j, %first : index
    %v = arith.select %late, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask, %hidden : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %m: f32, %h: f32, %out: f32):
    %masked = arith.addf %in, %m : f32
    %v = arith.addf %masked, %h : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  return %o : tensor<64x64xf32>
}

// -----

// Nothing is less than minus infinity.

// CHECK-LABEL: func.func private @infinite_kernel(
// CHECK-SAME: {trn.band = #trn.band<none to 0 of zero>}
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
func.func @infinite(%x: tensor<64x32xf32>, %w: tensor<32x64xf32>, %hidden: tensor<64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %mask = linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<64x64xf32>) {
  ^bb0(%out: f32):
    %low = arith.constant 0xFF800000 : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi sge, %i, %j : index
    %v = arith.select %seen, %zero, %low : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  %init = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %s = linalg.matmul ins(%x, %w : tensor<64x32xf32>, tensor<32x64xf32>) outs(%init : tensor<64x64xf32>) -> tensor<64x64xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%s, %mask, %hidden : tensor<64x64xf32>, tensor<64x64xf32>, tensor<64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %m: f32, %h: f32, %out: f32):
    %masked = arith.addf %in, %m : f32
    %v = arith.addf %masked, %h : f32
    linalg.yield %v : f32
  } -> tensor<64x64xf32>
  return %o : tensor<64x64xf32>
}
