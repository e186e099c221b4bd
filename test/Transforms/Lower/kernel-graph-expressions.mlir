// RUN: trn-opt %s --trn-plan-kernels=effort=1 -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: trn-opt %t.mlir --trn-lower-kernels | FileCheck %s --check-prefix=LOWERED

// Bodies as expressions. What is printed is read back as the same, or trn-lower-kernels would refuse it.

// LOWERED-COUNT-9: trn.matmul

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>

// x / (1 + exp(-x))

// CHECK-LABEL: func.func private @silu(
// CHECK-SAME: stages = [xt = transpose x, o = silu([xt * w over k])]
func.func private @silu(%x: memref<64x32xf32>, %w: memref<32x48xf32>, %o: memref<64x48xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x32xf32> to tensor<64x32xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<32x48xf32> to tensor<32x48xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<64x32xf32>, tensor<32x48xf32>) outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %result_init = tensor.empty() : tensor<64x48xf32>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<64x48xf32>) outs(%result_init : tensor<64x48xf32>) {
  ^bb0(%a: f32, %old: f32):
    %one = arith.constant 1.0 : f32
    %minus = arith.negf %a : f32
    %power = math.exp %minus : f32
    %below = arith.addf %one, %power : f32
    %silu = arith.divf %a, %below : f32
    linalg.yield %silu : f32
  } -> tensor<64x48xf32>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  return
}

// x * sigmoid(x), of a sum with a bias

// CHECK-LABEL: func.func private @silu_of_a_sum(
// CHECK-SAME: stages = [xt = transpose x, o = silu(add([xt * w over k], b))]
func.func private @silu_of_a_sum(%x: memref<64x32xf32>, %w: memref<32x48xf32>, %bias: memref<48xf32>, %o: memref<64x48xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x32xf32> to tensor<64x32xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<32x48xf32> to tensor<32x48xf32>
  %bias_in = bufferization.to_tensor %bias restrict : memref<48xf32> to tensor<48xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<64x32xf32>, tensor<32x48xf32>) outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %result_init = tensor.empty() : tensor<64x48xf32>
  %result = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %bias_in : tensor<64x48xf32>, tensor<48xf32>) outs(%result_init : tensor<64x48xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %one = arith.constant 1.0 : f32
    %sum = arith.addf %a, %b : f32
    %minus = arith.negf %sum : f32
    %power = math.exp %minus : f32
    %below = arith.addf %power, %one : f32
    %sigmoid = arith.divf %one, %below : f32
    %silu = arith.mulf %sigmoid, %sum : f32
    linalg.yield %silu : f32
  } -> tensor<64x48xf32>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  return
}

// x/2 * (1 + erf(x / sqrt(2)))

// CHECK-LABEL: func.func private @gelu(
// CHECK-SAME: stages = [xt = transpose x, o = gelu([xt * w over k])]
func.func private @gelu(%x: memref<64x32xf32>, %w: memref<32x48xf32>, %o: memref<64x48xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x32xf32> to tensor<64x32xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<32x48xf32> to tensor<32x48xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<64x32xf32>, tensor<32x48xf32>) outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %result_init = tensor.empty() : tensor<64x48xf32>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<64x48xf32>) outs(%result_init : tensor<64x48xf32>) {
  ^bb0(%a: f32, %old: f32):
    %one = arith.constant 1.0 : f32
    %half = arith.constant 0.5 : f32
    %root = arith.constant 1.41421354 : f32
    %halved = arith.mulf %half, %a : f32
    %scaled = arith.divf %a, %root : f32
    %erf = math.erf %scaled : f32
    %more = arith.addf %erf, %one : f32
    %gelu = arith.mulf %halved, %more : f32
    linalg.yield %gelu : f32
  } -> tensor<64x48xf32>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  return
}

// Not quite: 1 + exp(x).

// CHECK-LABEL: func.func private @no_silu(
// CHECK-SAME: stages = [xt = transpose x, o = div([xt * w over k], add(exp([xt * w over k]), 1.0))]
func.func private @no_silu(%x: memref<64x32xf32>, %w: memref<32x48xf32>, %o: memref<64x48xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x32xf32> to tensor<64x32xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<32x48xf32> to tensor<32x48xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<64x32xf32>, tensor<32x48xf32>) outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %result_init = tensor.empty() : tensor<64x48xf32>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<64x48xf32>) outs(%result_init : tensor<64x48xf32>) {
  ^bb0(%a: f32, %old: f32):
    %one = arith.constant 1.0 : f32
    %power = math.exp %a : f32
    %below = arith.addf %power, %one : f32
    %ratio = arith.divf %a, %below : f32
    linalg.yield %ratio : f32
  } -> tensor<64x48xf32>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  return
}

// x > 0 ? x : 0

// CHECK-LABEL: func.func private @relu(
// CHECK-SAME: stages = [xt = transpose x, o = relu([xt * w over k])]
func.func private @relu(%x: memref<64x32xf32>, %w: memref<32x48xf32>, %o: memref<64x48xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x32xf32> to tensor<64x32xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<32x48xf32> to tensor<32x48xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<64x32xf32>, tensor<32x48xf32>) outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %result_init = tensor.empty() : tensor<64x48xf32>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<64x48xf32>) outs(%result_init : tensor<64x48xf32>) {
  ^bb0(%a: f32, %old: f32):
    %zero_ = arith.constant 0.0 : f32
    %above = arith.cmpf ugt, %a, %zero_ : f32
    %relu = arith.select %above, %a, %zero_ : f32
    linalg.yield %relu : f32
  } -> tensor<64x48xf32>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  return
}

// Each rounding is kept, with the function that it belongs to, and that of the result with the result.

// CHECK-LABEL: func.func private @roundings(
// CHECK-SAME: stages = [xt = transpose x, o = mul(bf16(exp([xt * w over k])), bf16([xt * w over k]))]
func.func private @roundings(%x: memref<64x32xf32>, %w: memref<32x48xf32>, %o: memref<64x48xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x32xf32> to tensor<64x32xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<32x48xf32> to tensor<32x48xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<64x32xf32>, tensor<32x48xf32>) outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %result_init = tensor.empty() : tensor<64x48xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<64x48xf32>) outs(%result_init : tensor<64x48xbf16>) {
  ^bb0(%a: f32, %old: bf16):
    %power = math.exp %a : f32
    %short = arith.truncf %power : f32 to bf16
    %own = arith.truncf %a : f32 to bf16
    %product = arith.mulf %short, %own : bf16
    linalg.yield %product : bf16
  } -> tensor<64x48xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<64x48xbf16>, memref<64x48xbf16>) -> ()
  return
}

// A result may be longer than what it was rounded to.

// CHECK-LABEL: func.func private @widened(
// CHECK-SAME: stages = [xt = transpose x, o = copy(bf16(exp([xt * w over k])))]
func.func private @widened(%x: memref<64x32xf32>, %w: memref<32x48xf32>, %o: memref<64x48xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x32xf32> to tensor<64x32xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<32x48xf32> to tensor<32x48xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<64x32xf32>, tensor<32x48xf32>) outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %result_init = tensor.empty() : tensor<64x48xf32>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<64x48xf32>) outs(%result_init : tensor<64x48xf32>) {
  ^bb0(%a: f32, %old: f32):
    %power = math.exp %a : f32
    %short = arith.truncf %power : f32 to bf16
    %long = arith.extf %short : bf16 to f32
    linalg.yield %long : f32
  } -> tensor<64x48xf32>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  return
}

// Constants are what f32 has, and functions of constants are constants.

// CHECK-LABEL: func.func private @constants(
// CHECK-SAME: stages = [xt = transpose x, o = sub(mul(-9.99999974E-6, [xt * w over k]), 4.00000006E+30)]
func.func private @constants(%x: memref<64x32xf32>, %w: memref<32x48xf32>, %o: memref<64x48xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x32xf32> to tensor<64x32xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<32x48xf32> to tensor<32x48xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<64x32xf32>, tensor<32x48xf32>) outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %result_init = tensor.empty() : tensor<64x48xf32>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<64x48xf32>) outs(%result_init : tensor<64x48xf32>) {
  ^bb0(%a: f32, %old: f32):
    %small = arith.constant -1.0e-05 : f32
    %large = arith.constant 2.0e+30 : f32
    %double = arith.addf %large, %large : f32
    %scaled = arith.mulf %small, %a : f32
    %rest = arith.subf %scaled, %double : f32
    linalg.yield %rest : f32
  } -> tensor<64x48xf32>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  return
}

// What is read twice is one value.

// CHECK-LABEL: func.func private @shared(
// CHECK-SAME: stages = [xt = transpose x, o = mul(tanh([xt * w over k]), add(tanh([xt * w over k]), square(c)))]
func.func private @shared(%x: memref<64x32xf32>, %w: memref<32x48xf32>, %other: memref<64x48xf32>, %o: memref<64x48xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<64x32xf32> to tensor<64x32xf32>
  %w_in = bufferization.to_tensor %w restrict : memref<32x48xf32> to tensor<32x48xf32>
  %other_in = bufferization.to_tensor %other restrict : memref<64x48xf32> to tensor<64x48xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<64x48xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<64x32xf32>, tensor<32x48xf32>) outs(%init : tensor<64x48xf32>) -> tensor<64x48xf32>
  %result_init = tensor.empty() : tensor<64x48xf32>
  %result = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %other_in : tensor<64x48xf32>, tensor<64x48xf32>) outs(%result_init : tensor<64x48xf32>) {
  ^bb0(%a: f32, %b: f32, %old: f32):
    %tanh = math.tanh %a : f32
    %square = arith.mulf %b, %b : f32
    %sum = arith.addf %tanh, %square : f32
    %product = arith.mulf %tanh, %sum : f32
    linalg.yield %product : f32
  } -> tensor<64x48xf32>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<64x48xf32>, memref<64x48xf32>) -> ()
  return
}
