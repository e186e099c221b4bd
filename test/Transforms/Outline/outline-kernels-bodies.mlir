// RUN: trn-opt %s --split-input-file --verify-diagnostics --trn-outline-kernels | FileCheck %s

// A kernel computes the sum of plain products and nothing else: whatever else
// the body of a contraction does keeps it on the host.

// CHECK-NOT: trn.kernel

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @operand(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'math.absf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %positive = math.absf %b : f32
    %p = arith.mulf %a, %positive : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @term(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'arith.negf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %n = arith.negf %p : f32
    %s = arith.addf %n, %sum : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @sum(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'math.tanh' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    %t = math.tanh %s : f32
    linalg.yield %t : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @previous_sum(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'arith.negf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %n = arith.negf %sum : f32
    %s = arith.addf %n, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @difference(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'arith.subf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.subf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @longest_path(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'arith.maximumf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %longest: f32):
    %p = arith.addf %a, %b : f32
    %s = arith.maximumf %longest, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @square(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'arith.mulf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @captured(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>, %scale: f32) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'arith.mulf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %scaled = arith.mulf %a, %scale : f32
    %p = arith.mulf %scaled, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @yields_term(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'arith.mulf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %p : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @integers(%x: tensor<8x6xi32>, %w: tensor<6x4xi32>) -> tensor<8x4xi32> {
  %zero = arith.constant 0 : i32
  %empty = tensor.empty() : tensor<8x4xi32>
  %init = linalg.fill ins(%zero : i32) outs(%empty : tensor<8x4xi32>) -> tensor<8x4xi32>
  // expected-remark @below {{it multiplies i32 and sums in i32, but the tensor engine takes bf16, f16 and f32}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xi32>, tensor<6x4xi32>) outs(%init : tensor<8x4xi32>) {
  ^bb0(%a: i32, %b: i32, %sum: i32):
    %p = arith.muli %a, %b : i32
    %s = arith.addi %sum, %p : i32
    linalg.yield %s : i32
  } -> tensor<8x4xi32>
  return %o : tensor<8x4xi32>
}

// -----

func.func @complex(%x: tensor<8x6xcomplex<f32>>, %w: tensor<6x4xcomplex<f32>>, %init: tensor<8x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>> {
  // expected-remark @below {{it multiplies complex<f32> and sums in complex<f32>, but}}
  %o = linalg.matmul ins(%x, %w : tensor<8x6xcomplex<f32>>, tensor<6x4xcomplex<f32>>) outs(%init : tensor<8x4xcomplex<f32>>) -> tensor<8x4xcomplex<f32>>
  return %o : tensor<8x4xcomplex<f32>>
}

// -----

// linalg.matmul rounds its operands to the type of its result.

func.func @named_op_rounds_operands(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xbf16> {
  %zero = arith.constant 0.0 : bf16
  %empty = tensor.empty() : tensor<8x4xbf16>
  %init = linalg.fill ins(%zero : bf16) outs(%empty : tensor<8x4xbf16>) -> tensor<8x4xbf16>
  // expected-remark @below {{'arith.truncf' in its body is in the way}}
  %o = linalg.matmul ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xbf16>) -> tensor<8x4xbf16>
  return %o : tensor<8x4xbf16>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @rounded_operand(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'arith.truncf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %short = arith.truncf %b : f32 to f16
    %again = arith.extf %short : f16 to f32
    %p = arith.mulf %a, %again : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

// The product is rounded to bf16 before it is widened.

func.func @short_term(%x: tensor<8x6xbf16>, %w: tensor<6x4xbf16>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'arith.extf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xbf16>, tensor<6x4xbf16>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: bf16, %b: bf16, %sum: f32):
    %p = arith.mulf %a, %b : bf16
    %wide = arith.extf %p : bf16 to f32
    %s = arith.addf %sum, %wide : f32
    linalg.yield %s : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>

func.func @rounded_sum(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x4xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{'arith.extf' in its body is in the way}}
  %o = linalg.generic {indexing_maps = [#mk, #kn, #mn], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %sum: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %sum, %p : f32
    %short = arith.truncf %s : f32 to bf16
    %again = arith.extf %short : bf16 to f32
    linalg.yield %again : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// Sums in f64 are more exact than those of a kernel, however they are rounded.

#mk = affine_map<(m, n, k) -> (m, k)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(m, n) -> (m, n)>

func.func @long_sum(%x: tensor<8x6xf32>, %w: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f64
  %empty = tensor.empty() : tensor<8x4xf64>
  %init = linalg.fill ins(%zero : f64) outs(%empty : tensor<8x4xf64>) -> tensor<8x4xf64>
  // expected-remark @below {{it multiplies f32 and sums in f64, but}}
  %sum = linalg.matmul ins(%x, %w : tensor<8x6xf32>, tensor<6x4xf32>) outs(%init : tensor<8x4xf64>) -> tensor<8x4xf64>
  %short = tensor.empty() : tensor<8x4xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%sum : tensor<8x4xf64>) outs(%short : tensor<8x4xf32>) {
  ^bb0(%in: f64, %out: f32):
    %rounded = arith.truncf %in : f64 to f32
    linalg.yield %rounded : f32
  } -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
