// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s

// Columns that change places do so by a product with a constant matrix.

// The halves of a rotary embedding, by a concatenation:

// CHECK-LABEL: @halves(
// CHECK: %[[R:.*]] = arith.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00], [-1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, -1.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<4x4xf32>
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %[[R]] : tensor<8x4xf32>, tensor<4x4xf32>)
// CHECK-NOT: tensor.concat
func.func @halves(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %x[0, 2] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %n = arith.negf %b : tensor<8x2xf32>
  %o = tensor.concat dim(1) %n, %a : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// By insertions into a tensor, of heads, in bf16.

// CHECK-LABEL: @insertions(
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<{{.*}}xbf16>, tensor<4x4xbf16>)
// CHECK: arith.truncf
func.func @insertions(%x: tensor<8x3x4xbf16>) -> tensor<8x3x4xbf16> {
  %a = tensor.extract_slice %x[0, 0, 0] [8, 3, 2] [1, 1, 1] : tensor<8x3x4xbf16> to tensor<8x3x2xbf16>
  %b = tensor.extract_slice %x[0, 0, 2] [8, 3, 2] [1, 1, 1] : tensor<8x3x4xbf16> to tensor<8x3x2xbf16>
  %n = arith.negf %b : tensor<8x3x2xbf16>
  %e = tensor.empty() : tensor<8x3x4xbf16>
  %i = tensor.insert_slice %n into %e[0, 0, 0] [8, 3, 2] [1, 1, 1] : tensor<8x3x2xbf16> into tensor<8x3x4xbf16>
  %o = tensor.insert_slice %a into %i[0, 0, 2] [8, 3, 2] [1, 1, 1] : tensor<8x3x2xbf16> into tensor<8x3x4xbf16>
  return %o : tensor<8x3x4xbf16>
}

// -----

// Not so the columns of two tensors, or what is not all there.

// CHECK-LABEL: @two_tensors(
// CHECK: tensor.concat
func.func @two_tensors(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %y[0, 2] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %o = tensor.concat dim(1) %b, %a : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// CHECK-LABEL: @rows(
// CHECK: tensor.concat
func.func @rows(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %b = tensor.extract_slice %x[4, 0] [4, 4] [1, 1] : tensor<8x4xf32> to tensor<4x4xf32>
  %o = tensor.concat dim(0) %b, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// CHECK-LABEL: @with_a_gap(
// CHECK: tensor.insert_slice
func.func @with_a_gap(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %o = tensor.insert_slice %a into %y[0, 2] [8, 2] [1, 1] : tensor<8x2xf32> into tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// Halves that are computed in ways of their own are products, and so is what
// puts them together: a sum of two.

// CHECK-LABEL: @halves_apart(
// CHECK-SAME: %[[X:.*]]: tensor<8x4xf32>
// CHECK-DAG: %[[FIRST:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00]]> : tensor<4x2xf32>
// CHECK-DAG: %[[TO_FIRST:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00]]> : tensor<2x4xf32>
// CHECK-DAG: linalg.generic {{.*}} ins(%[[X]], %[[FIRST]] : tensor<8x4xf32>, tensor<4x2xf32>)
// CHECK: %[[A:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %[[TO_FIRST]] : tensor<8x2xf32>, tensor<2x4xf32>)
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x2xf32>, tensor<2x4xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[A]], %[[B]] : tensor<8x4xf32>, tensor<8x4xf32>)
// CHECK: arith.addf
func.func @halves_apart(%x: tensor<8x4xf32>, %c: tensor<8x2xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %x[0, 2] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %ac = arith.mulf %a, %c : tensor<8x2xf32>
  %bc = arith.addf %b, %c : tensor<8x2xf32>
  %o = tensor.concat dim(1) %bc, %ac : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// Neighbours, by slices with steps and a dimension for the pair.

// CHECK-LABEL: @neighbours(
// CHECK: arith.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [-1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00, -1.000000e+00, 0.000000e+00]]> : tensor<4x4xf32>
// CHECK-NOT: arith.constant dense
// CHECK: return
func.func @neighbours(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 2] : tensor<8x4xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %x[0, 1] [8, 2] [1, 2] : tensor<8x4xf32> to tensor<8x2xf32>
  %n = arith.negf %b : tensor<8x2xf32>
  %e = tensor.empty() : tensor<8x2x2xf32>
  %i = tensor.insert_slice %n into %e[0, 0, 0] [8, 2, 1] [1, 1, 1] : tensor<8x2xf32> into tensor<8x2x2xf32>
  %p = tensor.insert_slice %a into %i[0, 0, 1] [8, 2, 1] [1, 1, 1] : tensor<8x2xf32> into tensor<8x2x2xf32>
  %o = tensor.collapse_shape %p [[0], [1, 2]] : tensor<8x2x2xf32> into tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// By slices of pairs, which are concatenated as pairs.

// CHECK-LABEL: @pairs(
// CHECK: arith.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 0.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00, 1.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00]]> : tensor<4x4xf32>
// CHECK-NOT: tensor.concat
// CHECK: return
func.func @pairs(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %s = tensor.expand_shape %x [[0], [1, 2]] output_shape [8, 2, 2] : tensor<8x4xf32> into tensor<8x2x2xf32>
  %a = tensor.extract_slice %s[0, 0, 0] [8, 2, 1] [1, 1, 1] : tensor<8x2x2xf32> to tensor<8x2x1xf32>
  %b = tensor.extract_slice %s[0, 0, 1] [8, 2, 1] [1, 1, 1] : tensor<8x2x2xf32> to tensor<8x2x1xf32>
  %p = tensor.concat dim(2) %b, %a : (tensor<8x2x1xf32>, tensor<8x2x1xf32>) -> tensor<8x2x2xf32>
  %o = tensor.collapse_shape %p [[0], [1, 2]] : tensor<8x2x2xf32> into tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// A slice of a slice, and columns that stay: a partial rotary embedding.

// CHECK-LABEL: @part(
// CHECK: arith.constant dense<{{\[\[}}0.000000e+00, 1.000000e+00, 0.000000e+00], [1.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 1.000000e+00]]> : tensor<3x3xf32>
// CHECK-NOT: tensor.concat
// CHECK: return
func.func @part(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
  %turned = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x3xf32> to tensor<8x2xf32>
  %passed = tensor.extract_slice %x[0, 2] [8, 1] [1, 1] : tensor<8x3xf32> to tensor<8x1xf32>
  %a = tensor.extract_slice %turned[0, 0] [8, 1] [1, 1] : tensor<8x2xf32> to tensor<8x1xf32>
  %b = tensor.extract_slice %turned[0, 1] [8, 1] [1, 1] : tensor<8x2xf32> to tensor<8x1xf32>
  %o = tensor.concat dim(1) %b, %a, %passed : (tensor<8x1xf32>, tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x3xf32>
  return %o : tensor<8x3xf32>
}

// -----

// As JAX writes a concatenation, by an index.

#map = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @by_index(
// CHECK: arith.constant dense<{{\[\[}}0.000000e+00, 0.000000e+00, 1.000000e+00], [1.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00, 0.000000e+00]]> : tensor<3x3xf32>
// CHECK-NOT: scf.if
// CHECK: return
func.func @by_index(%x: tensor<8x3xf32>) -> tensor<8x3xf32> {
  %c2 = arith.constant 2 : index
  %a = tensor.extract_slice %x[0, 1] [8, 2] [1, 1] : tensor<8x3xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %x[0, 0] [8, 1] [1, 1] : tensor<8x3xf32> to tensor<8x1xf32>
  %e = tensor.empty() : tensor<8x3xf32>
  %o = linalg.generic {indexing_maps = [#map], iterator_types = ["parallel", "parallel"]} outs(%e : tensor<8x3xf32>) {
  ^bb0(%old: f32):
    %row = linalg.index 0 : index
    %column = linalg.index 1 : index
    %is_first = arith.cmpi ult, %column, %c2 : index
    %value = scf.if %is_first -> (f32) {
      %first = tensor.extract %a[%row, %column] : tensor<8x2xf32>
      scf.yield %first : f32
    } else {
      %rest = arith.subi %column, %c2 : index
      %second = tensor.extract %b[%row, %rest] : tensor<8x1xf32>
      scf.yield %second : f32
    }
    linalg.yield %value : f32
  } -> tensor<8x3xf32>
  return %o : tensor<8x3xf32>
}

// -----

// An op for each result of what computes both halves.

#map = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: @two_results(
// CHECK-NOT: :2 = linalg.generic
// CHECK: return
func.func @two_results(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %b = tensor.extract_slice %x[0, 2] [8, 2] [1, 1] : tensor<8x4xf32> to tensor<8x2xf32>
  %e = tensor.empty() : tensor<8x2xf32>
  %both:2 = linalg.generic {indexing_maps = [#map, #map, #map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b : tensor<8x2xf32>, tensor<8x2xf32>) outs(%e, %e : tensor<8x2xf32>, tensor<8x2xf32>) {
  ^bb0(%first: f32, %second: f32, %old: f32, %old2: f32):
    %sum = arith.addf %first, %second : f32
    %product = arith.mulf %first, %second : f32
    linalg.yield %sum, %product : f32, f32
  } -> (tensor<8x2xf32>, tensor<8x2xf32>)
  %o = tensor.concat dim(1) %both#0, %both#1 : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// Not so what is computed of whole tensors, or more columns than a head has.

// CHECK-LABEL: @of_no_slices(
// CHECK: tensor.concat
func.func @of_no_slices(%x: tensor<8x2xf32>) -> tensor<8x4xf32> {
  %n = arith.negf %x : tensor<8x2xf32>
  %o = tensor.concat dim(1) %n, %x : (tensor<8x2xf32>, tensor<8x2xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// CHECK-LABEL: @wide(
// CHECK: tensor.concat
func.func @wide(%x: tensor<8x512xf32>) -> tensor<8x512xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 256] [1, 1] : tensor<8x512xf32> to tensor<8x256xf32>
  %b = tensor.extract_slice %x[0, 256] [8, 256] [1, 1] : tensor<8x512xf32> to tensor<8x256xf32>
  %o = tensor.concat dim(1) %b, %a : (tensor<8x256xf32>, tensor<8x256xf32>) -> tensor<8x512xf32>
  return %o : tensor<8x512xf32>
}

// -----

// What a kernel computes by reducing rows, and rotates, is read by products alone: one with ones on the
// diagonal for x * c. Not so what comes from elsewhere.

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// CHECK-LABEL: @normed(
// CHECK: %[[N:.*]] = linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<8x2xf32>, tensor<8xf32>)
// CHECK: %[[I:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 0.000000e+00], [0.000000e+00, 1.000000e+00]]> : tensor<2x2xf32>
// CHECK: %[[SAME:.*]] = linalg.generic {{.*}} ins(%[[N]], %[[I]] : tensor<8x2xf32>, tensor<2x2xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[N]], %{{.*}} : tensor<8x2xf32>, tensor<2x2xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SAME]], %{{.*}} : tensor<8x2xf32>, tensor<8x2xf32>)
func.func @normed(%x: tensor<8x2xf32>, %c: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<8xf32>
  %we = tensor.empty() : tensor<8x2xf32>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<8xf32>) -> tensor<8xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<8x2xf32>) outs(%z : tensor<8xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %r = arith.addf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  %n = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<8x2xf32>, tensor<8xf32>) outs(%we : tensor<8x2xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %r = arith.divf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<8x2xf32>
  %a = tensor.extract_slice %n[0, 0] [8, 1] [1, 1] : tensor<8x2xf32> to tensor<8x1xf32>
  %b = tensor.extract_slice %n[0, 1] [8, 1] [1, 1] : tensor<8x2xf32> to tensor<8x1xf32>
  %t = tensor.concat dim(1) %b, %a : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x2xf32>
  %nc = arith.mulf %n, %c : tensor<8x2xf32>
  %o = arith.addf %nc, %t : tensor<8x2xf32>
  return %o : tensor<8x2xf32>
}

// CHECK-LABEL: @given(
// CHECK-SAME: %[[X:.*]]: tensor<8x2xf32>, %[[C:.*]]: tensor<8x2xf32>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[C]] : tensor<8x2xf32>, tensor<8x2xf32>)
func.func @given(%x: tensor<8x2xf32>, %c: tensor<8x2xf32>) -> tensor<8x2xf32> {
  %a = tensor.extract_slice %x[0, 0] [8, 1] [1, 1] : tensor<8x2xf32> to tensor<8x1xf32>
  %b = tensor.extract_slice %x[0, 1] [8, 1] [1, 1] : tensor<8x2xf32> to tensor<8x1xf32>
  %t = tensor.concat dim(1) %b, %a : (tensor<8x1xf32>, tensor<8x1xf32>) -> tensor<8x2xf32>
  %xc = arith.mulf %x, %c : tensor<8x2xf32>
  %o = arith.addf %xc, %t : tensor<8x2xf32>
  return %o : tensor<8x2xf32>
}

// -----

// Heads that a function returns one after the other, though they were columns of one product, are a product if a kernel
// does not store them so: blocks of 9 columns in
// whole tiles have 1,152. Others read them where they are.

// CHECK-LABEL: @heads(
// CHECK: %[[HEADS:.*]] = linalg.transpose {{.*}} permutation = [1, 0, 2]
// CHECK: arith.constant dense<{{\[\[}}1.000000e+00, 0.000000e+00, {{.*}}> : tensor<9x9xf32>
// CHECK: %[[MOVED:.*]] = linalg.generic {{.*}} ins(%[[HEADS]], %{{.*}} : tensor<2x8x9xf32>, tensor<9x9xf32>)
// CHECK: %[[SUMS:.*]] = linalg.batch_matmul ins(%[[HEADS]],
// CHECK: return %[[MOVED]], %[[SUMS]]
func.func @heads(%x: tensor<8x4xf32>, %w: tensor<4x18xf32>, %y: tensor<2x9x5xf32>) -> (tensor<2x8x9xf32>, tensor<2x8x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x18xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x18xf32>) -> tensor<8x18xf32>
  %v = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x18xf32>) outs(%z : tensor<8x18xf32>) -> tensor<8x18xf32>
  %split = tensor.expand_shape %v [[0], [1, 2]] output_shape [8, 2, 9] : tensor<8x18xf32> into tensor<8x2x9xf32>
  %he = tensor.empty() : tensor<2x8x9xf32>
  %h = linalg.transpose ins(%split : tensor<8x2x9xf32>) outs(%he : tensor<2x8x9xf32>) permutation = [1, 0, 2]
  %oe = tensor.empty() : tensor<2x8x5xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x8x5xf32>) -> tensor<2x8x5xf32>
  %o = linalg.batch_matmul ins(%h, %y : tensor<2x8x9xf32>, tensor<2x9x5xf32>) outs(%oz : tensor<2x8x5xf32>) -> tensor<2x8x5xf32>
  return %h, %o : tensor<2x8x9xf32>, tensor<2x8x5xf32>
}

// -----

// A kernel stores these, even with a batch of one.

// CHECK-LABEL: @stored(
// CHECK: %[[HEADS:.*]] = linalg.transpose {{.*}} permutation = [0, 2, 1, 3]
// CHECK-NOT: dense<
// CHECK: return %[[HEADS]]
func.func @stored(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<1x3x8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x6xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<8x6xf32>) -> tensor<8x6xf32>
  %v = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%z : tensor<8x6xf32>) -> tensor<8x6xf32>
  %split = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [1, 8, 3, 2] : tensor<8x6xf32> into tensor<1x8x3x2xf32>
  %he = tensor.empty() : tensor<1x3x8x2xf32>
  %h = linalg.transpose ins(%split : tensor<1x8x3x2xf32>) outs(%he : tensor<1x3x8x2xf32>) permutation = [0, 2, 1, 3]
  return %h : tensor<1x3x8x2xf32>
}

// -----

// Buffers stay as they are.

// CHECK-LABEL: @buffers(
// CHECK: linalg.transpose ins(%{{.*}} : memref<8x3x4xf32>) outs(%{{.*}} : memref<3x8x4xf32>) permutation = [1, 0, 2]
func.func @buffers(%x: memref<8x3x4xf32>, %o: memref<3x8x4xf32>) {
  linalg.transpose ins(%x : memref<8x3x4xf32>) outs(%o : memref<3x8x4xf32>) permutation = [1, 0, 2]
  return
}

// -----

// Columns that are computed one by one lie beside others.

// CHECK-LABEL: @single(
// CHECK: dense<{{.*}}> : tensor<1x8xf32>
// CHECK: dense<{{.*}}> : tensor<1x8xf32>
// CHECK: arith.addf {{.*}} : f32
// CHECK: return %{{.*}} : tensor<3x8xf32>
func.func @single(%x: tensor<3x8xf32>, %c: tensor<3x1xf32>) -> tensor<3x8xf32> {
  %a = tensor.extract_slice %x[0, 0] [3, 1] [1, 1] : tensor<3x8xf32> to tensor<3x1xf32>
  %b = tensor.extract_slice %x[0, 1] [3, 1] [1, 1] : tensor<3x8xf32> to tensor<3x1xf32>
  %l = arith.mulf %c, %a : tensor<3x1xf32>
  %r = arith.mulf %b, %c : tensor<3x1xf32>
  %rest = tensor.extract_slice %x[0, 2] [3, 6] [1, 1] : tensor<3x8xf32> to tensor<3x6xf32>
  %o = tensor.concat dim(1) %l, %r, %rest : (tensor<3x1xf32>, tensor<3x1xf32>, tensor<3x6xf32>) -> tensor<3x8xf32>
  return %o : tensor<3x8xf32>
}
