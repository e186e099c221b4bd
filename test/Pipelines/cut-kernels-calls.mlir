// RUN: trn-opt %s --trn-plan-kernels=effort=8 --split-input-file | FileCheck %s

// Both halves are called wherever the kernel was, and H lives for as long.

#id = affine_map<(d0, d1) -> (d0, d1)>
module attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = 8192, kernel_overhead_ns = 0.0}>} {

// CHECK-LABEL: func.func @layers(
// CHECK-SAME: %[[X:.*]]: memref<512x512xbf16>, %[[UP:.*]]: memref<512x2048xbf16>, %[[DOWN:.*]]: memref<2048x512xbf16>, %[[O:.*]]: memref<512x512xbf16>)
// CHECK-NEXT: %[[H:.*]] = memref.alloc()
// CHECK-NEXT: call @mlp_first(%[[X]], %[[UP]], %[[H]])
// CHECK-NEXT: call @mlp_second(%[[H]], %[[DOWN]], %[[O]])
// CHECK-NEXT: memref.dealloc %[[H]]
// CHECK: scf.for
// CHECK-NEXT: %[[H:.*]] = memref.alloc()
// CHECK-NEXT: call @mlp_first(%[[X]], %[[UP]], %[[H]])
// CHECK-NEXT: call @mlp_second(%[[H]], %[[DOWN]], %[[O]])
// CHECK-NEXT: memref.dealloc %[[H]]
func.func @layers(%x: memref<512x512xbf16>, %up: memref<512x2048xbf16>, %down: memref<2048x512xbf16>, %o: memref<512x512xbf16>) {
  call @mlp(%x, %up, %down, %o) : (memref<512x512xbf16>, memref<512x2048xbf16>, memref<2048x512xbf16>, memref<512x512xbf16>) -> ()
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    func.call @mlp(%x, %up, %down, %o) : (memref<512x512xbf16>, memref<512x2048xbf16>, memref<2048x512xbf16>, memref<512x512xbf16>) -> ()
  }
  return
}

// CHECK: func.func private @mlp_first({{.*}}trn.kernel, trn.schedule
// CHECK: func.func private @mlp_second({{.*}}trn.kernel, trn.schedule
// CHECK-NOT: func.func private @mlp(
func.func private @mlp(%x: memref<512x512xbf16>, %up: memref<512x2048xbf16>, %down: memref<2048x512xbf16>, %o: memref<512x512xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<512x512xbf16> to tensor<512x512xbf16>
  %up_in = bufferization.to_tensor %up restrict : memref<512x2048xbf16> to tensor<512x2048xbf16>
  %down_in = bufferization.to_tensor %down restrict : memref<2048x512xbf16> to tensor<2048x512xbf16>
  %zero = arith.constant 0.0 : f32
  %h_empty = tensor.empty() : tensor<512x2048xf32>
  %h_zero = linalg.fill ins(%zero : f32) outs(%h_empty : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %h_sums = linalg.matmul ins(%x_in, %up_in : tensor<512x512xbf16>, tensor<512x2048xbf16>) outs(%h_zero : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %h_init = tensor.empty() : tensor<512x2048xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h_sums : tensor<512x2048xf32>) outs(%h_init : tensor<512x2048xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %positive = arith.maximumf %sum, %zero : f32
    %rounded = arith.truncf %positive : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x2048xbf16>
  %o_empty = tensor.empty() : tensor<512x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_sums = linalg.matmul ins(%h, %down_in : tensor<512x2048xbf16>, tensor<2048x512xbf16>) outs(%o_zero : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_init = tensor.empty() : tensor<512x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<512x512xf32>) outs(%o_init : tensor<512x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<512x512xbf16>, memref<512x512xbf16>) -> ()
  return
}

// Nobody calls this one.

// CHECK: func.func private @entry({{.*}}trn.kernel, trn.schedule
func.func private @entry(%x: memref<512x512xbf16>, %up: memref<512x2048xbf16>, %down: memref<2048x512xbf16>, %o: memref<512x512xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<512x512xbf16> to tensor<512x512xbf16>
  %up_in = bufferization.to_tensor %up restrict : memref<512x2048xbf16> to tensor<512x2048xbf16>
  %down_in = bufferization.to_tensor %down restrict : memref<2048x512xbf16> to tensor<2048x512xbf16>
  %zero = arith.constant 0.0 : f32
  %h_empty = tensor.empty() : tensor<512x2048xf32>
  %h_zero = linalg.fill ins(%zero : f32) outs(%h_empty : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %h_sums = linalg.matmul ins(%x_in, %up_in : tensor<512x512xbf16>, tensor<512x2048xbf16>) outs(%h_zero : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %h_init = tensor.empty() : tensor<512x2048xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h_sums : tensor<512x2048xf32>) outs(%h_init : tensor<512x2048xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %positive = arith.maximumf %sum, %zero : f32
    %rounded = arith.truncf %positive : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x2048xbf16>
  %o_empty = tensor.empty() : tensor<512x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_sums = linalg.matmul ins(%h, %down_in : tensor<512x2048xbf16>, tensor<2048x512xbf16>) outs(%o_zero : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_init = tensor.empty() : tensor<512x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<512x512xf32>) outs(%o_init : tensor<512x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<512x512xbf16>, memref<512x512xbf16>) -> ()
  return
}
}

// -----

// H is a result, too: the second half reads it where the first one has put it.

#id = affine_map<(d0, d1) -> (d0, d1)>
module attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = 8192, kernel_overhead_ns = 0.0}>} {

// CHECK-LABEL: func.func @caller(
// CHECK-SAME: %[[X:.*]]: memref<512x512xbf16>, %[[UP:.*]]: memref<512x2048xbf16>, %[[DOWN:.*]]: memref<2048x512xbf16>, %[[O:.*]]: memref<512x512xbf16>, %[[H:.*]]: memref<512x2048xbf16>)
// CHECK-NEXT: call @both_first(%[[X]], %[[UP]], %[[H]])
// CHECK-NEXT: call @both_second(%[[H]], %[[DOWN]], %[[O]])
// CHECK-NEXT: return
func.func @caller(%x: memref<512x512xbf16>, %up: memref<512x2048xbf16>, %down: memref<2048x512xbf16>, %o: memref<512x512xbf16>, %h: memref<512x2048xbf16>) {
  call @both(%x, %up, %down, %o, %h) : (memref<512x512xbf16>, memref<512x2048xbf16>, memref<2048x512xbf16>, memref<512x512xbf16>, memref<512x2048xbf16>) -> ()
  return
}

// CHECK: func.func private @both_first({{.*}}: memref<512x512xbf16>, {{.*}}: memref<512x2048xbf16>, {{.*}}: memref<512x2048xbf16> {trn.result})
// CHECK: func.func private @both_second({{.*}}: memref<512x2048xbf16>, {{.*}}: memref<2048x512xbf16>, {{.*}}: memref<512x512xbf16> {trn.result})
func.func private @both(%x: memref<512x512xbf16>, %up: memref<512x2048xbf16>, %down: memref<2048x512xbf16>, %o: memref<512x512xbf16> {trn.result}, %h_out: memref<512x2048xbf16> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<512x512xbf16> to tensor<512x512xbf16>
  %up_in = bufferization.to_tensor %up restrict : memref<512x2048xbf16> to tensor<512x2048xbf16>
  %down_in = bufferization.to_tensor %down restrict : memref<2048x512xbf16> to tensor<2048x512xbf16>
  %zero = arith.constant 0.0 : f32
  %h_empty = tensor.empty() : tensor<512x2048xf32>
  %h_zero = linalg.fill ins(%zero : f32) outs(%h_empty : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %h_sums = linalg.matmul ins(%x_in, %up_in : tensor<512x512xbf16>, tensor<512x2048xbf16>) outs(%h_zero : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %h_init = tensor.empty() : tensor<512x2048xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h_sums : tensor<512x2048xf32>) outs(%h_init : tensor<512x2048xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %positive = arith.maximumf %sum, %zero : f32
    %rounded = arith.truncf %positive : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x2048xbf16>
  %o_empty = tensor.empty() : tensor<512x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_sums = linalg.matmul ins(%h, %down_in : tensor<512x2048xbf16>, tensor<2048x512xbf16>) outs(%o_zero : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_init = tensor.empty() : tensor<512x512xbf16>
  %o_out = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%o_sums : tensor<512x512xf32>) outs(%o_init : tensor<512x512xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %rounded = arith.truncf %sum : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x512xbf16>
  bufferization.materialize_in_destination %o_out in restrict writable %o : (tensor<512x512xbf16>, memref<512x512xbf16>) -> ()
  bufferization.materialize_in_destination %h in restrict writable %h_out : (tensor<512x2048xbf16>, memref<512x2048xbf16>) -> ()
  return
}
}
