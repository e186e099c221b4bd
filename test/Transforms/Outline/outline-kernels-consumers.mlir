// RUN: trn-opt %s --split-input-file --trn-outline-kernels | FileCheck %s

// What a kernel takes over behind a product must read the product, and must
// round as a kernel does.

// The product is only the memory that the transposition is written to.

// CHECK-LABEL: func.func @destination_of_transpose(
// CHECK-SAME: %[[X:[a-z0-9]*]]: tensor<8x8xf32>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[X]] :
// CHECK: return %[[T]]
func.func @destination_of_transpose(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %t = linalg.transpose ins(%x : tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) permutation = [1, 0]
  return %t : tensor<8x8xf32>
}

// -----

// CHECK-LABEL: func.func @destination_of_truncation(
// CHECK-SAME: %[[A:[a-z0-9]*]]: tensor<8x8xf32>)
// CHECK: %[[T:.*]] = linalg.copy ins(%[[A]] :
// CHECK: return %[[T]]
func.func @destination_of_truncation(%x: tensor<8x8xbf16>, %w: tensor<8x8xbf16>, %a: tensor<8x8xf32>) -> tensor<8x8xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<8x8xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<8x8xbf16>, tensor<8x8xbf16>) outs(%init : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  %t = linalg.copy ins(%a : tensor<8x8xf32>) outs(%y : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %t : tensor<8x8xbf16>
}

// -----

// Nobody reads the first product.

// CHECK-LABEL: func.func @destination_of_fill(
// CHECK-SAME: %{{.*}}: tensor<8x8xf32>, %[[W:[a-z0-9]*]]: tensor<8x8xf32>)
// CHECK: %[[B:.*]] = bufferization.to_buffer %[[W]]
// CHECK: call @destination_of_fill_kernel(%{{[a-z0-9_]*}}, %[[B]], %[[O:[a-z0-9_]*]])
// CHECK: %[[R:.*]] = bufferization.to_tensor %[[O]]
// CHECK: return %[[R]]
func.func @destination_of_fill(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %x : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %again = linalg.fill ins(%zero : f32) outs(%y : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%again : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}

// -----

// A product that another one accumulates onto is no intermediate of a chain.

// CHECK-LABEL: func.func @destination_of_product(
// CHECK: call @destination_of_product_kernel(
// CHECK: linalg.matmul
func.func @destination_of_product(%x: tensor<8x8xf32>, %w: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%x, %w : tensor<8x8xf32>, tensor<8x8xf32>) outs(%y : tensor<8x8xf32>) -> tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}

// -----

// Kernels round to nearest; other roundings stay with the host.

// CHECK-LABEL: func.func @rounding_mode(
// CHECK: call @rounding_mode_kernel({{.*}} memref<8x8xf32>) -> ()
// CHECK: arith.truncf %{{.*}} downward
#id = affine_map<(i, j) -> (i, j)>
func.func @rounding_mode(%x: tensor<8x8xf16>, %w: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x8xf16>, tensor<8x8xf16>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %short = tensor.empty() : tensor<8x8xf16>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x8xf32>) outs(%short : tensor<8x8xf16>) {
  ^bb0(%in: f32, %out: f16):
    %rounded = arith.truncf %in downward : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<8x8xf16>
  return %o : tensor<8x8xf16>
}

// -----

// CHECK-LABEL: func.func @nearest(
// CHECK: call @nearest_kernel({{.*}} memref<8x8xf16>) -> ()
// CHECK-NOT: arith.truncf
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
func.func @nearest(%x: tensor<8x8xf16>, %w: tensor<8x8xf16>) -> tensor<8x8xf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x8xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x8xf16>, tensor<8x8xf16>) outs(%init : tensor<8x8xf32>) -> tensor<8x8xf32>
  %short = tensor.empty() : tensor<8x8xf16>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x8xf32>) outs(%short : tensor<8x8xf16>) {
  ^bb0(%in: f32, %out: f16):
    %rounded = arith.truncf %in to_nearest_even : f32 to f16
    linalg.yield %rounded : f16
  } -> tensor<8x8xf16>
  return %o : tensor<8x8xf16>
}
