// RUN: trn-opt %s -split-input-file -trn-drop-maxima -remarks-filter=trn-drop-maxima -remark-format=emitRemark -verify-diagnostics | FileCheck %s

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>

// Nothing is subtracted, and what is divided by is checked.

// CHECK-LABEL: @softmax
// CHECK-NOT: maximumf
// CHECK: %[[POWERS:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<8x64xf32>)
// CHECK-NEXT: ^bb0(%[[IN:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[POWER:.*]] = math.exp %[[IN]]
// CHECK-NEXT: linalg.yield %[[POWER]]
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[POWERS]] :
// CHECK: %[[CHECKED:.*]] = linalg.generic {{.*}} ins(%[[SUMS]] : tensor<8xf32>)
// CHECK-NEXT: ^bb0(%[[SUM:.*]]: f32, %{{.*}}: f32):
// CHECK: %[[LEAST:.*]] = arith.constant 5.42101086E-20
// CHECK: %[[ABOVE:.*]] = arith.maximumf %[[SUM]], %[[LEAST]]
// CHECK: %[[MOST:.*]] = arith.constant 7.92281625E+28
// CHECK: %[[CLAMPED:.*]] = arith.minimumf %[[ABOVE]], %[[MOST]]
// CHECK: %[[IS_IN:.*]] = arith.cmpf oeq, %[[SUM]], %[[CLAMPED]]
// CHECK: %[[ONE:.*]] = arith.uitofp %[[IS_IN]]
// CHECK: arith.mulf %[[SUM]], %[[ONE]]
// CHECK: linalg.generic {{.*}} ins(%[[POWERS]], %[[CHECKED]] :
func.func @softmax(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x64xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{no maxima are subtracted: rows whose exponentials do not add up to 2^-64 to 2^96 have no finite results}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x64xf32>, tensor<8xf32>) outs(%all : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<8x64xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x64xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<8x64xf32>, tensor<8xf32>) outs(%all : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x64xf32>
  return %q : tensor<8x64xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#left = affine_map<(r, n, c) -> (r, c)>
#right = affine_map<(r, n, c) -> (c, n)>
#out = affine_map<(r, n, c) -> (r, n)>

// A difference and its exponential may be two ops, scaled and masked between
// them, and the quotient may come behind a product.

// CHECK-LABEL: @divided_behind
// CHECK-NOT: maximumf
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<8xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[SUMS]] : tensor<8xf32>)
// CHECK: arith.cmpf oeq
func.func @divided_behind(%x: tensor<8x64xf32>, %v: tensor<64x16xf32>) -> tensor<8x16xf32> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.125 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x64xf32>
  %values = tensor.empty() : tensor<8x16xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %none = linalg.fill ins(%zero : f32) outs(%values : tensor<8x16xf32>) -> tensor<8x16xf32>
  // expected-remark @+1 {{no maxima are subtracted}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x64xf32>, tensor<8xf32>) outs(%all : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %minus = arith.negf %b : f32
    %c = arith.addf %a, %minus : f32
    %e = arith.mulf %c, %scale : f32
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %seen = arith.cmpi sge, %i, %j : index
    %f = arith.select %seen, %e, %low : f32
    linalg.yield %f : f32
  } -> tensor<8x64xf32>
  %p = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<8x64xf32>) outs(%all : tensor<8x64xf32>) {
  ^bb0(%a: f32, %o: f32):
    %c = math.exp %a : f32
    linalg.yield %c : f32
  } -> tensor<8x64xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<8x64xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %u = linalg.contract indexing_maps = [#left, #right, #out] ins(%p, %v : tensor<8x64xf32>, tensor<64x16xf32>) outs(%none : tensor<8x16xf32>) -> tensor<8x16xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%u, %l : tensor<8x16xf32>, tensor<8xf32>) outs(%values : tensor<8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<8x16xf32>
  return %q : tensor<8x16xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#one = affine_map<(r) -> (r)>

// The logarithm of a sum of exponentials, less the maximum or not. JAX takes
// the larger one of a maximum and minus infinity.

// CHECK-LABEL: @log_sum
// CHECK-NOT: maximumf %in, %out
// CHECK: arith.cmpf oeq
// CHECK: math.log
func.func @log_sum(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x64xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{no maxima are subtracted}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %l = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %m : tensor<8x64xf32>, tensor<8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %top = arith.maximumf %b, %low : f32
    %c = arith.subf %a, %top : f32
    %d = math.exp %c : f32
    %e = arith.addf %d, %o : f32
    linalg.yield %e : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#one, #one, #one], iterator_types = ["parallel"]} ins(%l, %m : tensor<8xf32>, tensor<8xf32>) outs(%row : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = math.log %a : f32
    %d = arith.addf %c, %b : f32
    linalg.yield %d : f32
  } -> tensor<8xf32>
  return %q : tensor<8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// CHECK-LABEL: @returned
// CHECK: maximumf
func.func @returned(%x: tensor<8x64xf32>) -> tensor<8xf32> {
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: func.return reads it}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  return %m : tensor<8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// Exponentials that are returned are not those of the source.

// CHECK-LABEL: @not_divided
// CHECK: maximumf
func.func @not_divided(%x: tensor<8x64xf32>) -> tensor<8x64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x64xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{maxima of rows are computed: func.return takes it}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<8x64xf32>, tensor<8xf32>) outs(%all : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<8x64xf32>
  return %p : tensor<8x64xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// One of shares is a maximum, too, and reads the dropped one.

// CHECK-LABEL: @largest_share
// CHECK-COUNT-1: maximumf %{{.*}}, %out
// CHECK-NOT: maximumf %{{.*}}, %out
func.func @largest_share(%x: tensor<8x64xf32>) -> (tensor<8x64xf32>, tensor<8xf32>) {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %row = tensor.empty() : tensor<8xf32>
  %all = tensor.empty() : tensor<8x64xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // expected-remark @+1 {{no maxima are subtracted}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x64xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<8xf32>
  %l = linalg.generic {indexing_maps = [#id, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %m : tensor<8x64xf32>, tensor<8xf32>) outs(%zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    %e = arith.addf %d, %o : f32
    linalg.yield %e : f32
  } -> tensor<8xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m, %l : tensor<8x64xf32>, tensor<8xf32>, tensor<8xf32>) outs(%all : tensor<8x64xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    %e = arith.divf %d, %s : f32
    linalg.yield %e : f32
  } -> tensor<8x64xf32>
  // expected-remark @+1 {{maxima of rows are computed: func.return reads it}}
  %t = linalg.generic {indexing_maps = [#id, #row, #row, #row], iterator_types = ["parallel", "reduction"]} ins(%x, %m, %l : tensor<8x64xf32>, tensor<8xf32>, tensor<8xf32>) outs(%lows : tensor<8xf32>) {
  ^bb0(%a: f32, %b: f32, %s: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    %e = arith.divf %d, %s : f32
    %f = arith.maximumf %e, %o : f32
    linalg.yield %f : f32
  } -> tensor<8xf32>
  return %q, %t : tensor<8x64xf32>, tensor<8xf32>
}

// -----

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// CHECK-LABEL: @dynamic
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<?xf32>)
// CHECK: tensor.dim %[[SUMS]]
// CHECK: arith.cmpf oeq
func.func @dynamic(%x: tensor<?x64xf32>) -> tensor<?x64xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x64xf32>
  %row = tensor.empty(%n) : tensor<?xf32>
  %all = tensor.empty(%n) : tensor<?x64xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<?xf32>) -> tensor<?xf32>
  // expected-remark @+1 {{no maxima are subtracted}}
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<?x64xf32>) outs(%lows : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.maximumf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<?xf32>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<?x64xf32>, tensor<?xf32>) outs(%all : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    linalg.yield %d : f32
  } -> tensor<?x64xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%p : tensor<?x64xf32>) outs(%zeros : tensor<?xf32>) {
  ^bb0(%a: f32, %o: f32):
    %b = arith.addf %a, %o : f32
    linalg.yield %b : f32
  } -> tensor<?xf32>
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%p, %l : tensor<?x64xf32>, tensor<?xf32>) outs(%all : tensor<?x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %c = arith.divf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<?x64xf32>
  return %q : tensor<?x64xf32>
}
