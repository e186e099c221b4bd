// RUN: trn-opt %s -split-input-file -trn-drop-maxima -remarks-filter=trn-drop-maxima -remark-format=emitRemark -verify-diagnostics | FileCheck %s

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// Sums of rows divide columns.

// CHECK-LABEL: @other_order
// CHECK: maximumf
func.func @other_order(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: linalg.generic reads it in another order}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// Sums over rows add up what is scaled by different numbers.

// CHECK-LABEL: @sums_over_rows
// CHECK: maximumf
func.func @sums_over_rows(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: linalg.generic reduces rows that have maxima of their own}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %l = linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]} ins(%p : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// A small number beside the sum is not scaled as that is.

// CHECK-LABEL: @epsilon
// CHECK: maximumf
func.func @epsilon(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: arith.addf depends on it}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %small = arith.constant 1.0e-6 : f32
    %sum = arith.addf %b, %small : f32
    %c = arith.divf %a, %sum : f32
    linalg.yield %c : f32
  } -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// What is checked is a tensor.

// CHECK-LABEL: @computed_divisor
// CHECK: maximumf
func.func @computed_divisor(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: arith.divf divides by what is computed there}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %two = arith.constant 2.0 : f32
    %sum = arith.mulf %b, %two : f32
    %c = arith.divf %a, %sum : f32
    linalg.yield %c : f32
  } -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// Nothing is divided: no exponentials are computed.

// CHECK-LABEL: @difference
// CHECK: maximumf
func.func @difference(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: no sum of exponentials divides anything}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = arith.addf %c, %b : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  return %d : tensor<8x8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// Exponentials in f16 are infinite from 11.1 on.

// CHECK-LABEL: @narrow
// CHECK: maximumf
func.func @narrow(%x: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %zero = arith.constant 0.0 : f16
  %low = arith.constant 0xFC00 : f16
  %row = tensor.empty() : tensor<8xf16>
  %all = tensor.empty() : tensor<8x8xf16>
  %lows = linalg.fill ins(%low : f16) outs(%row : tensor<8xf16>) -> tensor<8xf16>
  %zeros = linalg.fill ins(%zero : f16) outs(%row : tensor<8xf16>) -> tensor<8xf16>
  // expected-remark @+1 {{maxima of rows are computed: arith.subf is of a type with a small range}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf16>) outs(%lows : tensor<8xf16>) {
  ^bb0(%a: f16, %o: f16):
    %b = arith.maximumf %a, %o : f16
    linalg.yield %b : f16
  } -> tensor<8xf16>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x8xf16>, tensor<8xf16>) outs(%all : tensor<8x8xf16>) {
  ^bb0(%a: f16, %b: f16, %o: f16):
    %c = arith.subf %a, %b : f16
    %d = math.exp %c : f16
    linalg.yield %d : f16
  } -> tensor<8x8xf16>
  return %p : tensor<8x8xf16>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// Rows that have lost their places.

// CHECK-LABEL: @reshaped
// CHECK: maximumf
func.func @reshaped(%x: tensor<8x8xf32>) -> tensor<64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: tensor.collapse_shape reshapes rows that have maxima of their own}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %f = tensor.collapse_shape %p [[0, 1]] : tensor<8x8xf32> into tensor<64xf32>
  return %f : tensor<64xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// A named op is no generic yet.

// CHECK-LABEL: @named
// CHECK: maximumf
func.func @named(%x: tensor<8x8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: linalg.exp reads it}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %e = linalg.exp ins(%m : tensor<8xf32>) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  return %e : tensor<8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// Another block may read it at another time.

// CHECK-LABEL: @other_block
// CHECK: maximumf
func.func @other_block(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: func.return reads it elsewhere}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  cf.br ^end
^end:
  return %p : tensor<8x8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// An element of a tensor may be one of another row.

// CHECK-LABEL: @extracted
// CHECK: maximumf
func.func @extracted(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: tensor.extract may read any row of it}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x8xf32>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<8x8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %b = tensor.extract %p[%i, %i] : tensor<8x8xf32>
    %c = arith.subf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// Squares of exponentials vanish before their sum is out of range.

// CHECK-LABEL: @squares
// CHECK: maximumf
func.func @squares(%x: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: arith.mulf depends on it}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<8x8xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%all : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %square = arith.mulf %a, %a : f32
    %d = arith.divf %square, %b : f32
    %c = arith.divf %d, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x8xf32>
  return %q : tensor<8x8xf32>
}
