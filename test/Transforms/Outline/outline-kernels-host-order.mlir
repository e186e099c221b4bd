// RUN: trn-opt %s --trn-outline-kernels | FileCheck %s

// What the host computes of arguments comes before all kernels, and what it puts together behind them: between kernels it would end a launch.

#id = affine_map<(r, c) -> (r, c)>

// CHECK-LABEL: func.func @main(
// CHECK: linalg.generic
// CHECK: arith.select
// CHECK: call @main_kernel
// CHECK-NOT: tensor.concat
// CHECK: call @main_kernel
// CHECK: linalg.transpose
// CHECK: tensor.concat
// CHECK: return
func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %mask: tensor<96x64xi1>, %v: tensor<96x64xf32>, %cache: tensor<64x32xf32>)
    -> (tensor<96x64xf32>, tensor<64x96xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %t = linalg.transpose ins(%y : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) permutation = [1, 0]
  %c = tensor.concat dim(1) %cache, %t : (tensor<64x32xf32>, tensor<64x64xf32>) -> tensor<64x96xf32>
  %e2 = tensor.empty() : tensor<96x64xf32>
  %m = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%mask : tensor<96x64xi1>) outs(%e2 : tensor<96x64xf32>) {
  ^bb0(%in: i1, %out: f32):
    %low = arith.constant -1.0e9 : f32
    %z = arith.constant 0.0 : f32
    %r = arith.select %in, %z, %low : f32
    linalg.yield %r : f32
  } -> tensor<96x64xf32>
  %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<96x64xf32>) -> tensor<96x64xf32>
  %p = linalg.matmul ins(%v, %y : tensor<96x64xf32>, tensor<64x64xf32>) outs(%f2 : tensor<96x64xf32>) -> tensor<96x64xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %m : tensor<96x64xf32>, tensor<96x64xf32>) outs(%e2 : tensor<96x64xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %r = arith.addf %in, %bias : f32
    linalg.yield %r : f32
  } -> tensor<96x64xf32>
  return %o, %c : tensor<96x64xf32>, tensor<64x96xf32>
}

// Angles of positions are put together for that, too.

// CHECK-LABEL: func.func @angles(
// CHECK: tensor.concat
// CHECK: math.cos
// CHECK: call @angles_kernel
func.func @angles(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %angles: tensor<64x32xf32>, %v: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %both = tensor.concat dim(1) %angles, %angles : (tensor<64x32xf32>, tensor<64x32xf32>) -> tensor<64x64xf32>
  %cos = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%both : tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %out: f32):
    %r = math.cos %in : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  %p = linalg.matmul ins(%v, %y : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%p, %cos : tensor<64x64xf32>, tensor<64x64xf32>) outs(%e : tensor<64x64xf32>) {
  ^bb0(%in: f32, %c: f32, %out: f32):
    %r = arith.mulf %in, %c : f32
    linalg.yield %r : f32
  } -> tensor<64x64xf32>
  return %o : tensor<64x64xf32>
}

// A division stays behind the assertion that its divisor is not zero.

// CHECK-LABEL: func.func @guarded(
// CHECK: cf.assert
// CHECK: arith.divsi
func.func @guarded(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>, %tokens: index, %pages: index) -> (tensor<64x64xf32>, index) {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : index
  %e = tensor.empty() : tensor<64x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x64xf32>, tensor<64x64xf32>) outs(%f : tensor<64x64xf32>) -> tensor<64x64xf32>
  %any = arith.cmpi ne, %pages, %none : index
  cf.assert %any, "no pages"
  %each = arith.divsi %tokens, %pages : index
  return %y, %each : tensor<64x64xf32>, index
}
