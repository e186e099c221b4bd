// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// VectorE computes two functions as one instruction, if each combines what it gets with a constant or a column.

#id = affine_map<(d0, d1) -> (d0, d1)>
#column = affine_map<(d0, d1) -> (d0, 0)>

// Two constants, and the second one first.

// CHECK-LABEL: func.func private @clamped(
// CHECK: trn.matmul {{.*}} into %[[BANK:.*]] :
// CHECK: trn.tensor_scalar max(%[[BANK]] : {{.*}}) constant -1.000000e+00 then sub constant 1.000000e+00 reversed into {{.*}} : memref<128x512xbf16
// CHECK-NOT: trn.tensor_scalar
func.func private @clamped(%x: memref<128x128xbf16>, %w: memref<128x512xbf16>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 128, n = 512],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = sub(1.0, max([x * w over k], -1.0))],
    nests = [o ()],
    homes = [x at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x128xbf16>, tensor<128x512xbf16>) outs(%init : tensor<128x512xf32>) -> tensor<128x512xf32>
  %narrow = tensor.empty() : tensor<128x512xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<128x512xf32>) outs(%narrow : tensor<128x512xbf16>) {
  ^bb0(%in0: f32, %old: bf16):
    %one = arith.constant 1.0 : f32
    %minus = arith.constant -1.0 : f32
    %first = arith.maximumf %in0, %minus : f32
    %last = arith.subf %one, %first : f32
    %rounded = arith.truncf %last : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x512xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<128x512xbf16>, memref<128x512xbf16>) -> ()
  return
}

// Two columns.

// CHECK-LABEL: func.func private @normed(
// CHECK: trn.tensor_scalar sub({{.*}}) scalars({{.*}} : memref<128x1xf32, {{.*}}) then mul scalars({{.*}} : memref<128x1xf32, {{.*}}) into {{.*}} : memref<128x512xbf16
// CHECK-NOT: trn.tensor_scalar
func.func private @normed(%x: memref<128x128xbf16>, %w: memref<128x512xbf16>, %s: memref<128x1xf32>, %b: memref<128x1xf32>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 128, n = 512, u = 1, v = 1],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, s : m x u f32 input, b : m x v f32 input, o : m x n bf16 result],
    stages = [o = mul(sub([x * w over k], s), b)],
    nests = [o ()],
    homes = [x at kernel, w at kernel, s at kernel, b at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %s_in = bufferization.to_tensor %s restrict : memref<128x1xf32> to tensor<128x1xf32>
  %b_in = bufferization.to_tensor %b restrict : memref<128x1xf32> to tensor<128x1xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x128xbf16>, tensor<128x512xbf16>) outs(%init : tensor<128x512xf32>) -> tensor<128x512xf32>
  %narrow = tensor.empty() : tensor<128x512xbf16>
  %result = linalg.generic {indexing_maps = [#id, #column, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %s_in, %b_in : tensor<128x512xf32>, tensor<128x1xf32>, tensor<128x1xf32>) outs(%narrow : tensor<128x512xbf16>) {
  ^bb0(%in0: f32, %in1: f32, %in2: f32, %old: bf16):
    %first = arith.subf %in0, %in1 : f32
    %last = arith.mulf %first, %in2 : f32
    %rounded = arith.truncf %last : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x512xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<128x512xbf16>, memref<128x512xbf16>) -> ()
  return
}

// What is rounded in between is an instruction of its own.

// CHECK-LABEL: func.func private @rounded(
// CHECK: trn.tensor_scalar max({{.*}}) constant -1.000000e+00 into {{.*}} : memref<128x512xbf16
// CHECK: trn.tensor_scalar min({{.*}} : memref<128x512xbf16, {{.*}}) constant 1.000000e+00 into
func.func private @rounded(%x: memref<128x128xbf16>, %w: memref<128x512xbf16>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 128, n = 512],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = min(bf16(max([x * w over k], -1.0)), 1.0)],
    nests = [o ()],
    homes = [x at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x128xbf16>, tensor<128x512xbf16>) outs(%init : tensor<128x512xf32>) -> tensor<128x512xf32>
  %narrow = tensor.empty() : tensor<128x512xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<128x512xf32>) outs(%narrow : tensor<128x512xbf16>) {
  ^bb0(%in0: f32, %old: bf16):
    %one = arith.constant 1.0 : f32
    %minus = arith.constant -1.0 : f32
    %first = arith.maximumf %in0, %minus : f32
    %between = arith.truncf %first : f32 to bf16
    %wide = arith.extf %between : bf16 to f32
    %last = arith.minimumf %wide, %one : f32
    %rounded = arith.truncf %last : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x512xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<128x512xbf16>, memref<128x512xbf16>) -> ()
  return
}

// So is what is read twice.

// CHECK-LABEL: func.func private @twice(
// CHECK: trn.tensor_scalar max({{.*}}) constant -1.000000e+00 into
// CHECK: trn.tensor_scalar min({{.*}}) constant 1.000000e+00 into
// CHECK: trn.tensor_tensor mul(
func.func private @twice(%x: memref<128x128xbf16>, %w: memref<128x512xbf16>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 128, n = 512],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, o : m x n bf16 result],
    stages = [o = mul(max([x * w over k], -1.0), min(max([x * w over k], -1.0), 1.0))],
    nests = [o ()],
    homes = [x at kernel, w at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x128xbf16>, tensor<128x512xbf16>) outs(%init : tensor<128x512xf32>) -> tensor<128x512xf32>
  %narrow = tensor.empty() : tensor<128x512xbf16>
  %result = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums : tensor<128x512xf32>) outs(%narrow : tensor<128x512xbf16>) {
  ^bb0(%in0: f32, %old: bf16):
    %one = arith.constant 1.0 : f32
    %minus = arith.constant -1.0 : f32
    %first = arith.maximumf %in0, %minus : f32
    %second = arith.minimumf %first, %one : f32
    %last = arith.mulf %first, %second : f32
    %rounded = arith.truncf %last : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x512xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<128x512xbf16>, memref<128x512xbf16>) -> ()
  return
}

// ScalarE has an instruction for each, if the nest is there.

// CHECK-LABEL: func.func private @onScalar(
// CHECK: trn.activation copy({{.*}}) scales(
// CHECK: trn.activation copy({{.*}}) scales(
// CHECK-NOT: trn.tensor_scalar
func.func private @onScalar(%x: memref<128x128xbf16>, %w: memref<128x512xbf16>, %s: memref<128x1xf32>, %b: memref<128x1xf32>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [k = 128, m = 128, n = 512, u = 1, v = 1],
    matrices = [x : k x m bf16 input, w : k x n bf16 input, s : m x u f32 input, b : m x v f32 input, o : m x n bf16 result],
    stages = [o = mul(mul([x * w over k], s), b)],
    nests = [o () on scalar],
    homes = [x at kernel, w at kernel, s at kernel, b at kernel, o at kernel]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %s_in = bufferization.to_tensor %s restrict : memref<128x1xf32> to tensor<128x1xf32>
  %b_in = bufferization.to_tensor %b restrict : memref<128x1xf32> to tensor<128x1xf32>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %sums = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (k, m)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%x_in, %w_in : tensor<128x128xbf16>, tensor<128x512xbf16>) outs(%init : tensor<128x512xf32>) -> tensor<128x512xf32>
  %narrow = tensor.empty() : tensor<128x512xbf16>
  %result = linalg.generic {indexing_maps = [#id, #column, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%sums, %s_in, %b_in : tensor<128x512xf32>, tensor<128x1xf32>, tensor<128x1xf32>) outs(%narrow : tensor<128x512xbf16>) {
  ^bb0(%in0: f32, %in1: f32, %in2: f32, %old: bf16):
    %first = arith.mulf %in0, %in1 : f32
    %last = arith.mulf %first, %in2 : f32
    %rounded = arith.truncf %last : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x512xbf16>
  bufferization.materialize_in_destination %result in restrict writable %o : (tensor<128x512xbf16>, memref<128x512xbf16>) -> ()
  return
}
