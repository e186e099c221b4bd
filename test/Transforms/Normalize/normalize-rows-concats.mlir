// RUN: trn-opt %s --split-input-file --trn-normalize-rows | FileCheck %s

// What is computed of tensors that are put together is computed part by part,
// up to sums and maxima over these parts.

// Sums of products, one for each part:

// CHECK-LABEL: @columns(
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<64x96xf32>, %[[B:[a-z0-9]*]]: tensor<64x32xf32>, %[[W:[a-z0-9]*]]: tensor<128x40xf32>
// CHECK-DAG: %[[W1:.*]] = tensor.extract_slice %[[W]][0, 0] [96, 40] [1, 1]
// CHECK-DAG: %[[W2:.*]] = tensor.extract_slice %[[W]][96, 0] [32, 40] [1, 1]
// CHECK-DAG: %[[O1:.*]] = linalg.matmul ins(%[[A]], %[[W1]] :
// CHECK-DAG: %[[O2:.*]] = linalg.matmul ins(%[[B]], %[[W2]] :
// CHECK: %[[O:.*]] = linalg.generic {{.*}} ins(%[[O1]], %[[O2]] :
// CHECK: arith.addf
// CHECK-NOT: tensor.concat
// CHECK: return %[[O]]
func.func @columns(%a: tensor<64x96xf32>, %b: tensor<64x32xf32>, %w: tensor<128x40xf32>) -> tensor<64x40xf32> {
  %c = tensor.concat dim(1) %a, %b : (tensor<64x96xf32>, tensor<64x32xf32>) -> tensor<64x128xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x40xf32>) -> tensor<64x40xf32>
  %o = linalg.matmul ins(%c, %w : tensor<64x128xf32>, tensor<128x40xf32>) outs(%f : tensor<64x40xf32>) -> tensor<64x40xf32>
  return %o : tensor<64x40xf32>
}

// -----

// Sums that are rounded are rounded once.

// CHECK-LABEL: @narrow(
// CHECK-COUNT-2: linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} {{.*}} outs(%{{.*}} : tensor<64x40xf32>)
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK: arith.truncf
func.func @narrow(%a: tensor<64x96xbf16>, %b: tensor<64x32xbf16>, %w: tensor<128x40xbf16>) -> tensor<64x40xbf16> {
  %c = tensor.concat dim(1) %a, %b : (tensor<64x96xbf16>, tensor<64x32xbf16>) -> tensor<64x128xbf16>
  %z = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<64x40xbf16>
  %f = linalg.fill ins(%z : bf16) outs(%e : tensor<64x40xbf16>) -> tensor<64x40xbf16>
  %o = linalg.matmul ins(%c, %w : tensor<64x128xbf16>, tensor<128x40xbf16>) outs(%f : tensor<64x40xbf16>) -> tensor<64x40xbf16>
  return %o : tensor<64x40xbf16>
}

// -----

// A cache and one new row, the other way round, which are returned, too; a
// mask by indices counts on. What is one row takes part without a sum.

#row = affine_map<(h, t) -> (h, t)>
#one = affine_map<(h, t) -> (h)>

// CHECK-LABEL: @cache(
// CHECK-SAME: %[[Q:[a-z0-9]*]]: tensor<40x1x8xf32>, %[[K:[a-z0-9]*]]: tensor<40x8x16xf32>, %[[N:[a-z0-9]*]]: tensor<40x8x1xf32>
// CHECK: %[[C:.*]] = tensor.concat dim(2) %[[K]], %[[N]]
// CHECK: linalg.batch_matmul ins(%[[Q]], %[[K]] :
// CHECK: arith.mulf
// CHECK: linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]}
// CHECK-NEXT: ^
// CHECK-NEXT: arith.addf
// CHECK: %[[MOST:.*]] = linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]} ins(%{{.*}} : tensor<40x16xf32>)
// CHECK-NEXT: ^
// CHECK-NEXT: arith.maximumf
// CHECK: %[[BOTH:.*]] = linalg.generic {{.*}} ins(%[[MOST]], %{{.*}} :
// CHECK-NEXT: ^
// CHECK-NEXT: arith.maximumf
// CHECK: return %[[BOTH]], %[[C]]
func.func @cache(%q: tensor<40x1x8xf32>, %k: tensor<40x8x16xf32>, %n: tensor<40x8x1xf32>) -> (tensor<40xf32>, tensor<40x8x17xf32>) {
  %c = tensor.concat dim(2) %k, %n : (tensor<40x8x16xf32>, tensor<40x8x1xf32>) -> tensor<40x8x17xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<40x1x17xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<40x1x17xf32>) -> tensor<40x1x17xf32>
  %p = linalg.batch_matmul ins(%q, %c : tensor<40x1x8xf32>, tensor<40x8x17xf32>) outs(%f : tensor<40x1x17xf32>) -> tensor<40x1x17xf32>
  %s = tensor.collapse_shape %p [[0, 1], [2]] : tensor<40x1x17xf32> into tensor<40x17xf32>
  %e1 = tensor.empty() : tensor<40x17xf32>
  %m = linalg.generic {indexing_maps = [#row, #row], iterator_types = ["parallel", "parallel"]}
      ins(%s : tensor<40x17xf32>) outs(%e1 : tensor<40x17xf32>) {
  ^bb0(%in: f32, %out: f32):
    %t = linalg.index 1 : index
    %i = arith.index_cast %t : index to i32
    %r = arith.sitofp %i : i32 to f32
    %a = arith.addf %in, %r : f32
    linalg.yield %a : f32
  } -> tensor<40x17xf32>
  %inf = arith.constant 0xFF800000 : f32
  %e2 = tensor.empty() : tensor<40xf32>
  %f2 = linalg.fill ins(%inf : f32) outs(%e2 : tensor<40xf32>) -> tensor<40xf32>
  %o = linalg.generic {indexing_maps = [#row, #one], iterator_types = ["parallel", "reduction"]}
      ins(%m : tensor<40x17xf32>) outs(%f2 : tensor<40xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.maximumf %in, %out : f32
    linalg.yield %a : f32
  } -> tensor<40xf32>
  return %o, %c : tensor<40xf32>, tensor<40x8x17xf32>
}

// -----

// Not so what is computed of all parts and needed as a whole, nor more parts
// than a few.

// CHECK-LABEL: @returned(
// CHECK: tensor.concat
// CHECK: linalg.matmul ins(%{{.*}} : tensor<64x128xf32>
func.func @returned(%a: tensor<64x96xf32>, %b: tensor<64x32xf32>, %w: tensor<128x40xf32>) -> (tensor<64x40xf32>, tensor<64x128xf32>) {
  %c = tensor.concat dim(1) %a, %b : (tensor<64x96xf32>, tensor<64x32xf32>) -> tensor<64x128xf32>
  %t = math.tanh %c : tensor<64x128xf32>
  %e0 = tensor.empty() : tensor<64x128xf32>
  %n = linalg.negf ins(%c : tensor<64x128xf32>) outs(%e0 : tensor<64x128xf32>) -> tensor<64x128xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x40xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<64x40xf32>) -> tensor<64x40xf32>
  %o = linalg.matmul ins(%n, %w : tensor<64x128xf32>, tensor<128x40xf32>) outs(%f : tensor<64x40xf32>) -> tensor<64x40xf32>
  return %o, %n : tensor<64x40xf32>, tensor<64x128xf32>
}

// CHECK-LABEL: @nine(
// CHECK: tensor.concat
func.func @nine(%a: tensor<8x8xf32>, %w: tensor<72x24xf32>) -> tensor<8x24xf32> {
  %c = tensor.concat dim(1) %a, %a, %a, %a, %a, %a, %a, %a, %a : (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x72xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8x24xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<8x24xf32>) -> tensor<8x24xf32>
  %o = linalg.matmul ins(%c, %w : tensor<8x72xf32>, tensor<72x24xf32>) outs(%f : tensor<8x24xf32>) -> tensor<8x24xf32>
  return %o : tensor<8x24xf32>
}

// -----

// Queries of all tokens meet keys of all.

// CHECK-LABEL: @tokens(
// CHECK: tensor.concat
func.func @tokens(%a: tensor<1x24xf32>, %b: tensor<40x24xf32>) -> tensor<41xf32> {
  %c = tensor.concat dim(0) %a, %b : (tensor<1x24xf32>, tensor<40x24xf32>) -> tensor<41x24xf32>
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<41x41xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<41x41xf32>) -> tensor<41x41xf32>
  %s = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%c, %c : tensor<41x24xf32>, tensor<41x24xf32>) outs(%f : tensor<41x41xf32>) -> tensor<41x41xf32>
  %e2 = tensor.empty() : tensor<41xf32>
  %f2 = linalg.fill ins(%z : f32) outs(%e2 : tensor<41xf32>) -> tensor<41xf32>
  %o = linalg.reduce ins(%s : tensor<41x41xf32>) outs(%f2 : tensor<41xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %a0 = arith.addf %in, %out : f32
      linalg.yield %a0 : f32
    }
  return %o : tensor<41xf32>
}
