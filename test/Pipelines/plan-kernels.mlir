// RUN: trn-opt %s --trn-plan-kernels | FileCheck %s
// RUN: trn-opt %s --trn-plan-kernels --remark-format=emitRemark --remarks-filter=trn-plan-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: trn-opt %s --trn-plan-kernels -o %t.1.mlir
// RUN: trn-opt %s --trn-plan-kernels --mlir-disable-threading | cmp - %t.1.mlir
// RUN: trn-opt %t.1.mlir --trn-plan-kernels="block-m=128 effort=1" | cmp - %t.1.mlir

// Every kernel on tensors gets a schedule: what it computes, transpositions included, and a plan.
// It is the same one on every run and with any number of threads. One that is there stays, so
// planning again changes nothing.

// REMARK: remark: [Passed] Planned | Category:trn-plan-kernels | Function=chain | {{.*}}the best of the plans that were simulated
// REMARK-SAME: modelled_us={{[0-9.e+]+}}, plans={{[0-9]+}}

#id = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func private @chain(
// CHECK-SAME: trn.schedule = #trn.schedule<dims = [m = 256, k = 256, r = 256, n = 1024],
// CHECK-SAME: stages = [xt = transpose x, y{{t?}} = {{.*}} over k, {{.*}}o = yt * v over r], nests = [xt (
// CHECK-SAME: homes = [
func.func private @chain(%x: memref<256x256xbf16>, %u: memref<256x256xbf16>, %v: memref<256x1024xbf16>, %o: memref<256x1024xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %u_in = bufferization.to_tensor %u restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %v_in = bufferization.to_tensor %v restrict : memref<256x1024xbf16> to tensor<256x1024xbf16>
  %zero = arith.constant 0.0 : f32
  %y_empty = tensor.empty() : tensor<256x256xf32>
  %y_zero = linalg.fill ins(%zero : f32) outs(%y_empty : tensor<256x256xf32>) -> tensor<256x256xf32>
  %y_sums = linalg.matmul ins(%x_in, %u_in : tensor<256x256xbf16>, tensor<256x256xbf16>) outs(%y_zero : tensor<256x256xf32>) -> tensor<256x256xf32>
  %y_init = tensor.empty() : tensor<256x256xbf16>
  %y_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y_sums : tensor<256x256xf32>) outs(%y_init : tensor<256x256xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x256xbf16>
  %o_empty = tensor.empty() : tensor<256x1024xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %o_sums = linalg.matmul ins(%y_out, %v_in : tensor<256x256xbf16>, tensor<256x1024xbf16>) outs(%o_zero : tensor<256x1024xf32>) -> tensor<256x1024xf32>
  %o_init = tensor.empty() : tensor<256x1024xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x1024xf32>) outs(%o_init : tensor<256x1024xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x1024xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<256x1024xbf16>, memref<256x1024xbf16>) -> ()
  return
}

// Kernels that compute the same have the same plan.

// CHECK-LABEL: func.func private @product(
// CHECK-SAME: trn.schedule = [[PLAN:.*]]} {
func.func private @product(%x: memref<256x256xbf16>, %w: memref<256x512xbf16>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<256x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<256x256xbf16>, tensor<256x512xbf16>) outs(%o_zero : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_init = tensor.empty() : tensor<256x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x512xf32>) outs(%o_init : tensor<256x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func private @again(
// CHECK-SAME: trn.schedule = [[PLAN]]} {
func.func private @again(%x: memref<256x256xbf16>, %w: memref<256x512xbf16>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<256x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<256x256xbf16>, tensor<256x512xbf16>) outs(%o_zero : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_init = tensor.empty() : tensor<256x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x512xf32>) outs(%o_init : tensor<256x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func private @planned(
// CHECK-SAME: nests = [xt (), o (n = 128)], homes = [x at kernel, xt at kernel, w at kernel, o at n]>
func.func private @planned(%x: memref<256x256xbf16>, %w: memref<256x512xbf16>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o (n = 128)],
    homes = [x at kernel, xt at kernel, w at kernel, o at n]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<256x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<256x256xbf16>, tensor<256x512xbf16>) outs(%o_zero : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_init = tensor.empty() : tensor<256x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x512xf32>) outs(%o_init : tensor<256x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}

// A graph alone is no plan, and gets one.

// CHECK-LABEL: func.func private @with_a_graph(
// CHECK-SAME: trn.schedule = [[PLAN]]} {
func.func private @with_a_graph(%x: memref<256x256xbf16>, %w: memref<256x512xbf16>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, k = 256, n = 512],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x256xbf16> to tensor<256x256xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %zero = arith.constant 0.0 : f32
  %o_empty = tensor.empty() : tensor<256x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_sums = linalg.matmul ins(%x_in, %w_in : tensor<256x256xbf16>, tensor<256x512xbf16>) outs(%o_zero : tensor<256x512xf32>) -> tensor<256x512xf32>
  %o_init = tensor.empty() : tensor<256x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<256x512xf32>) outs(%o_init : tensor<256x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}

// CHECK-LABEL: func.func private @three(
// CHECK-SAME: dims = [m = 128, k = 128, r1 = 256, r2 = 128, n = 512]
// CHECK-SAME: stages = [xt = transpose x, y1
func.func private @three(%x: memref<128x128xbf16>, %w1: memref<128x256xbf16>, %w2: memref<256x128xbf16>, %w3: memref<128x512xbf16>, %o: memref<128x512xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x128xbf16> to tensor<128x128xbf16>
  %w1_in = bufferization.to_tensor %w1 restrict : memref<128x256xbf16> to tensor<128x256xbf16>
  %w2_in = bufferization.to_tensor %w2 restrict : memref<256x128xbf16> to tensor<256x128xbf16>
  %w3_in = bufferization.to_tensor %w3 restrict : memref<128x512xbf16> to tensor<128x512xbf16>
  %zero = arith.constant 0.0 : f32
  %y1_empty = tensor.empty() : tensor<128x256xf32>
  %y1_zero = linalg.fill ins(%zero : f32) outs(%y1_empty : tensor<128x256xf32>) -> tensor<128x256xf32>
  %y1_sums = linalg.matmul ins(%x_in, %w1_in : tensor<128x128xbf16>, tensor<128x256xbf16>) outs(%y1_zero : tensor<128x256xf32>) -> tensor<128x256xf32>
  %y1_init = tensor.empty() : tensor<128x256xbf16>
  %y1_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y1_sums : tensor<128x256xf32>) outs(%y1_init : tensor<128x256xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x256xbf16>
  %y2_empty = tensor.empty() : tensor<128x128xf32>
  %y2_zero = linalg.fill ins(%zero : f32) outs(%y2_empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y2_sums = linalg.matmul ins(%y1_out, %w2_in : tensor<128x256xbf16>, tensor<256x128xbf16>) outs(%y2_zero : tensor<128x128xf32>) -> tensor<128x128xf32>
  %y2_init = tensor.empty() : tensor<128x128xbf16>
  %y2_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y2_sums : tensor<128x128xf32>) outs(%y2_init : tensor<128x128xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x128xbf16>
  %o_empty = tensor.empty() : tensor<128x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<128x512xf32>) -> tensor<128x512xf32>
  %o_sums = linalg.matmul ins(%y2_out, %w3_in : tensor<128x128xbf16>, tensor<128x512xbf16>) outs(%o_zero : tensor<128x512xf32>) -> tensor<128x512xf32>
  %o_init = tensor.empty() : tensor<128x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<128x512xf32>) outs(%o_init : tensor<128x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<128x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<128x512xbf16>, memref<128x512xbf16>) -> ()
  return
}
