// RUN: trn-opt %s --split-input-file --verify-diagnostics --trn-outline-kernels | FileCheck %s

// Where all of it together has no plan, the parts are kernels of their own.

// Columns of the last product and of what it reads would be one dim: what adds them is with the product, and reads
// the other one from HBM.
// CHECK-LABEL: func.func @residual_of_a_square(
// CHECK: call @residual_of_a_square_kernel({{.*}}) : (memref<8x4xf32>, memref<4x6xf32>, memref<8x6xf32>)
// CHECK: call @residual_of_a_square_kernel_2({{.*}}) : (memref<8x6xf32>, memref<6x6xf32>, memref<8x6xf32>, memref<8x6xf32>)
// CHECK-NOT: arith.addf
// CHECK: func.func private
#id = affine_map<(i, j) -> (i, j)>
func.func @residual_of_a_square(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<6x6xf32>) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %z = linalg.matmul ins(%y, %v : tensor<8x6xf32>, tensor<6x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %z : tensor<8x6xf32>, tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Rows of a matrix and its columns would be one dim: a second kernel is given it twice.
// CHECK-LABEL: func.func @symmetric(
// CHECK: call @symmetric_kernel(
// CHECK: call @symmetric_kernel_2({{.*}}) : (memref<8x8xf32>, memref<8x8xf32>, memref<8x8xf32>)
// CHECK-NOT: arith.addf
// CHECK: func.func private
#id = affine_map<(i, j) -> (i, j)>
#turned = affine_map<(i, j) -> (j, i)>
func.func @symmetric(%x: tensor<8x4xf32>, %w: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %empty = tensor.empty() : tensor<8x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  // expected-remark @below {{not in the kernel of its operands: a kernel cannot compute it: the rows and columns of this matrix would be one dim}}
  %o = linalg.generic {indexing_maps = [#id, #turned, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %y : tensor<8x8xf32>, tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  return %o : tensor<8x8xf32>
}

// -----

// What the engines cannot compute stays behind the kernel.
// CHECK-LABEL: func.func @root(
// CHECK: call @root_kernel(
// CHECK: math.cbrt
#id = affine_map<(i, j) -> (i, j)>
func.func @root(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  // expected-remark @below {{not in the kernel of its operands: 'math.cbrt' in its body is nothing that the engines compute}}
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = math.cbrt %a : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func.func @scaled_by_an_argument(
// CHECK: call @scaled_by_an_argument_kernel(
// CHECK: linalg.generic
#id = affine_map<(i, j) -> (i, j)>
func.func @scaled_by_an_argument(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %scale: f32) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{it reads a scalar that is no constant; make it a tensor<1xf32>}}
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.mulf %a, %scale : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func.func @indices(
// CHECK: call @indices_kernel(
// CHECK: linalg.index
#id = affine_map<(i, j) -> (i, j)>
func.func @indices(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{it computes with indices}}
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %i = linalg.index 1 : index
    %whole = arith.index_cast %i : index to i32
    %column = arith.sitofp %whole : i32 to f32
    %s = arith.mulf %a, %column : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func.func @updated(
// CHECK: call @updated_kernel(
// CHECK: linalg.generic
#id = affine_map<(i, j) -> (i, j)>
func.func @updated(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %old: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{it reads what it overwrites}}
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%old : tensor<8x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = arith.mulf %a, %out : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func.func @mask(
// CHECK: call @mask_kernel(
// CHECK: arith.cmpf
#id = affine_map<(i, j) -> (i, j)>
func.func @mask(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<8x6xi1> {
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xi1>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{it works on tensor<8x6xi1>, but kernels compute static tensors of bf16, f16 and f32}}
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty : tensor<8x6xi1>) {
  ^bb0(%a: f32, %out: i1):
    %s = arith.cmpf ogt, %a, %zero : f32
    linalg.yield %s : i1
  } -> tensor<8x6xi1>
  return %o : tensor<8x6xi1>
}

// -----

// CHECK-LABEL: func.func @both(
// CHECK: call @both_kernel(
// CHECK: linalg.generic
#id = affine_map<(i, j) -> (i, j)>
func.func @both(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{it has 2 results}}
  %o:2 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty, %empty : tensor<8x6xf32>, tensor<8x6xf32>) {
  ^bb0(%a: f32, %out: f32, %out2: f32):
    %s = arith.mulf %a, %a : f32
    %t = arith.addf %a, %a : f32
    linalg.yield %s, %t : f32, f32
  } -> (tensor<8x6xf32>, tensor<8x6xf32>)
  return %o#0, %o#1 : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// CHECK-LABEL: func.func @shifted(
// CHECK: call @shifted_kernel(
// CHECK: linalg.generic
#id = affine_map<(i, j) -> (i, j)>
func.func @shifted(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<8x5xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x5xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{it reads or writes elements in the order of (d0, d1) -> (d0, d1 + 1)}}
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j + 1)>, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty : tensor<8x5xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<8x5xf32>
  return %o : tensor<8x5xf32>
}

// -----

// CHECK-LABEL: func.func @one_column(
// CHECK: call @one_column_kernel(
// CHECK: linalg.generic
#id = affine_map<(i, j) -> (i, j)>
func.func @one_column(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{it reads or writes elements in the order of (d0, d1) -> (d0, 0)}}
  %o = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// From the product to the result there are 2^7 paths.
// CHECK-LABEL: func.func @many_roundings(
// CHECK: call @many_roundings_kernel(
// CHECK: linalg.generic
#id = affine_map<(i, j) -> (i, j)>
func.func @many_roundings(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  // expected-remark @below {{it rounds in more different ways than can be compared with those of a kernel}}
  // expected-remark @below {{left on the host: a kernel cannot compute it: 'linalg.generic' op is an expression of more than 256 values}}
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%v0: f32, %out: f32):
    %t0 = arith.truncf %v0 : f32 to bf16
    %e0 = arith.extf %t0 : bf16 to f32
    %v1 = arith.addf %v0, %e0 : f32
    %t1 = arith.truncf %v1 : f32 to f16
    %e1 = arith.extf %t1 : f16 to f32
    %v2 = arith.addf %v1, %e1 : f32
    %t2 = arith.truncf %v2 : f32 to bf16
    %e2 = arith.extf %t2 : bf16 to f32
    %v3 = arith.addf %v2, %e2 : f32
    %t3 = arith.truncf %v3 : f32 to f16
    %e3 = arith.extf %t3 : f16 to f32
    %v4 = arith.addf %v3, %e3 : f32
    %t4 = arith.truncf %v4 : f32 to bf16
    %e4 = arith.extf %t4 : bf16 to f32
    %v5 = arith.addf %v4, %e4 : f32
    %t5 = arith.truncf %v5 : f32 to f16
    %e5 = arith.extf %t5 : f16 to f32
    %v6 = arith.addf %v5, %e5 : f32
    %t6 = arith.truncf %v6 : f32 to bf16
    %e6 = arith.extf %t6 : bf16 to f32
    %v7 = arith.addf %v6, %e6 : f32
    linalg.yield %v7 : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Only the turned copy is left apart.
// CHECK-LABEL: func.func @both_ways(
// CHECK: call @both_ways_kernel(
// CHECK-NOT: linalg.generic
// CHECK: linalg.transpose
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
func.func @both_ways(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> (tensor<8x6xf32>, tensor<6x8xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %s = math.tanh %a : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  %turned = tensor.empty() : tensor<6x8xf32>
  // expected-remark @below {{stores a matrix that another result holds, in the same layout or transposed, but a kernel stores each once}}
  %t = linalg.transpose ins(%o : tensor<8x6xf32>) outs(%turned : tensor<6x8xf32>) permutation = [1, 0]
  return %o, %t : tensor<8x6xf32>, tensor<6x8xf32>
}

// -----

// A product is a kernel whatever becomes of the one that reads its result.
// CHECK-LABEL: func.func @intermediate_not_rounded(
// CHECK: call @intermediate_not_rounded_kernel(
// CHECK: linalg.matmul

func.func @intermediate_not_rounded(%x: tensor<64x96xbf16>, %u: tensor<96x32xbf16>, %v: tensor<32x48xbf16>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<64x32xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<64x32xf32>) -> tensor<64x32xf32>
  %y = linalg.matmul ins(%x, %u : tensor<64x96xbf16>, tensor<96x32xbf16>) outs(%y_zero : tensor<64x32xf32>) -> tensor<64x32xf32>
  %o_empty = tensor.empty() : tensor<64x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  // expected-remark @below {{its operands are f32 and bf16}}
  %o = linalg.matmul ins(%y, %v : tensor<64x32xf32>, tensor<32x48xbf16>) outs(%o_zero : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %o : tensor<64x48xf32>
}
