// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s

// Reductions of rows, and what surrounds them, become generics without dimensions of one index.

// CHECK-LABEL: @softmax(
// CHECK-NOT: linalg.softmax
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.maxnumf
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK: arith.addf
// CHECK: arith.divf
func.func @softmax(%x: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %e = tensor.empty() : tensor<128x256xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %r : tensor<128x256xf32>
}

// -----

// Nobody reads the index of the maximum, and one index is no dimension.

// CHECK-LABEL: @maximum_with_index(
// CHECK: %[[X:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2]] : tensor<1x64x128xf32> into tensor<64x128xf32>
// CHECK: %[[MAX:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%[[X]] : tensor<64x128xf32>) outs(%{{.*}} : tensor<64xf32>)
// CHECK-NOT: linalg.index
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[MAX]] : tensor<64x128xf32>, tensor<64xf32>)
func.func @maximum_with_index(%x: tensor<1x64x128xf32>) -> tensor<1x64x128xf32> {
  %low = arith.constant 0xFF800000 : f32
  %first = arith.constant 0 : i64
  %e = tensor.empty() : tensor<1x64xf32>
  %ei = tensor.empty() : tensor<1x64xi64>
  %l = linalg.fill ins(%low : f32) outs(%e : tensor<1x64xf32>) -> tensor<1x64xf32>
  %i = linalg.fill ins(%first : i64) outs(%ei : tensor<1x64xi64>) -> tensor<1x64xi64>
  %m:2 = linalg.generic {indexing_maps = [affine_map<(b, r, c) -> (b, r, c)>, affine_map<(b, r, c) -> (b, r)>, affine_map<(b, r, c) -> (b, r)>],
                         iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x : tensor<1x64x128xf32>) outs(%l, %i : tensor<1x64xf32>, tensor<1x64xi64>) {
  ^bb0(%in: f32, %most: f32, %at: i64):
    %c = linalg.index 2 : index
    %here = arith.index_cast %c : index to i64
    %larger = arith.maximumf %in, %most : f32
    %is = arith.cmpf ogt, %in, %most : f32
    %where = arith.select %is, %here, %at : i64
    linalg.yield %larger, %where : f32, i64
  } -> (tensor<1x64xf32>, tensor<1x64xi64>)
  %kept = tensor.expand_shape %m#0 [[0], [1, 2]] output_shape [1, 64, 1] : tensor<1x64xf32> into tensor<1x64x1xf32>
  %d = tensor.empty() : tensor<1x64x128xf32>
  %o = linalg.generic {indexing_maps = [affine_map<(b, r, c) -> (b, r, c)>, affine_map<(b, r, c) -> (0, r, 0)>, affine_map<(b, r, c) -> (b, r, c)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x, %kept : tensor<1x64x128xf32>, tensor<1x64x1xf32>) outs(%d : tensor<1x64x128xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.subf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<1x64x128xf32>
  return %o : tensor<1x64x128xf32>
}

// -----

// One row stays a row: a kernel has rows and columns.

// CHECK-LABEL: @one_row(
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<1x128xf32>) outs(%{{.*}} : tensor<1xf32>)
func.func @one_row(%x: tensor<1x128xf32>) -> tensor<1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1xf32>) -> tensor<1xf32>
  %s = linalg.reduce { arith.addf } ins(%x : tensor<1x128xf32>) outs(%z : tensor<1xf32>) dimensions = [1]
  return %s : tensor<1xf32>
}

// -----

// Without reductions, and without floats, functions stay as they are.

// CHECK-LABEL: @elementwise(
// CHECK-NEXT: arith.addi %{{.*}} : tensor<1x64xi32>
func.func @elementwise(%x: tensor<1x64xi32>) -> tensor<1x64xi32> {
  %o = arith.addi %x, %x : tensor<1x64xi32>
  return %o : tensor<1x64xi32>
}

// -----

// So do dynamic shapes.

// CHECK-LABEL: @dynamic(
// CHECK: linalg.reduce
func.func @dynamic(%x: tensor<?x128xf32>, %z: tensor<?xf32>) -> tensor<?xf32> {
  %s = linalg.reduce { arith.addf } ins(%x : tensor<?x128xf32>) outs(%z : tensor<?xf32>) dimensions = [1]
  return %s : tensor<?xf32>
}

// -----

// A tensor of which elements are gathered is computed once, not in front of each of them.

// CHECK-LABEL: @gathered(
// CHECK: %[[ALL:.*]] = arith.truncf %{{.*}} : tensor<16x32xf32> to tensor<16x32xbf16>
// CHECK: linalg.generic
// CHECK: tensor.extract %[[ALL]]
func.func @gathered(%x: tensor<16x32xf32>, %w: tensor<32x32xf32>) -> tensor<16xbf16> {
  %zeros = arith.constant dense<0.0> : tensor<16x32xf32>
  %p = linalg.matmul ins(%x, %w : tensor<16x32xf32>, tensor<32x32xf32>) outs(%zeros : tensor<16x32xf32>) -> tensor<16x32xf32>
  %narrow = arith.truncf %p : tensor<16x32xf32> to tensor<16x32xbf16>
  %e = tensor.empty() : tensor<16x16xbf16>
  %shifted = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<16x16xbf16>) {
  ^bb0(%out: bf16):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %at = arith.addi %i, %j : index
    %y = tensor.extract %narrow[%i, %at] : tensor<16x32xbf16>
    linalg.yield %y : bf16
  } -> tensor<16x16xbf16>
  %least = arith.constant 0xFF80 : bf16
  %me = tensor.empty() : tensor<16xbf16>
  %mi = linalg.fill ins(%least : bf16) outs(%me : tensor<16xbf16>) -> tensor<16xbf16>
  %m = linalg.reduce { arith.maximumf } ins(%shifted : tensor<16x16xbf16>) outs(%mi : tensor<16xbf16>) dimensions = [1]
  return %m : tensor<16xbf16>
}
