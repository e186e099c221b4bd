// RUN: echo '{"base": "trn1", "kernel_overhead_ns": 0}' > %t.json
// RUN: trn-opt %s --trn-set-machine=machine=%t.json --trn-outline-kernels=allow-rounding | FileCheck %s

// What reads the result of a chain that is multiplied in another order reads that of the kernel.

// CHECK-LABEL: func.func @reader(
// CHECK-NOT: linalg.matmul
// CHECK: call @reader_kernel(
// CHECK: call @reader_kernel_2({{.*}}, %[[O:.*]]) :
// CHECK: %[[O_TENSOR:.*]] = bufferization.to_tensor %[[O]]
// CHECK: %[[O_HBM:.*]] = bufferization.to_buffer %[[O_TENSOR]]
// CHECK: call @reader_kernel_3(%{{.*}}, %[[O_HBM]], %
// CHECK: return

func.func @reader(%x: tensor<512x512xf32>, %a: tensor<512x32xf32>, %b: tensor<32x512xf32>, %c: tensor<512x48xf32>, %z: tensor<64x512xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant 0.0 : f32
  %y1_empty = tensor.empty() : tensor<512x32xf32>
  %y1_zero = linalg.fill ins(%zero : f32) outs(%y1_empty : tensor<512x32xf32>) -> tensor<512x32xf32>
  %y1 = linalg.matmul ins(%x, %a : tensor<512x512xf32>, tensor<512x32xf32>) outs(%y1_zero : tensor<512x32xf32>) -> tensor<512x32xf32>
  %y2_empty = tensor.empty() : tensor<512x512xf32>
  %y2_zero = linalg.fill ins(%zero : f32) outs(%y2_empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %y2 = linalg.matmul ins(%y1, %b : tensor<512x32xf32>, tensor<32x512xf32>) outs(%y2_zero : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_empty = tensor.empty() : tensor<512x48xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<512x48xf32>) -> tensor<512x48xf32>
  %o = linalg.matmul ins(%y2, %c : tensor<512x512xf32>, tensor<512x48xf32>) outs(%o_zero : tensor<512x48xf32>) -> tensor<512x48xf32>
  %p_empty = tensor.empty() : tensor<64x48xf32>
  %p_zero = linalg.fill ins(%zero : f32) outs(%p_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p = linalg.matmul ins(%z, %o : tensor<64x512xf32>, tensor<512x48xf32>) outs(%p_zero : tensor<64x48xf32>) -> tensor<64x48xf32>
  return %p : tensor<64x48xf32>
}
