// RUN: trn-opt %s --trn-set-machine=machine=trn2 --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s
// RUN: trn-opt %s --trn-lower-kernels | FileCheck %s --check-prefix=TRN1

// Where short pieces cost the DMA as much as long ones, rows that fill no group have neighbours, too.

// TRN1-NOT: reinterpret_cast

// Of 190 rows behind 512 others, 47 partitions have four, and one has two.
// CHECK-LABEL: func.func private @rest(
// CHECK: memref.reinterpret_cast %arg0 to offset: [32768], sizes: [47, 256], strides: [256, 1]
// CHECK: memref.reinterpret_cast %arg0 to offset: [44800], sizes: [1, 128], strides: [128, 1]
// CHECK: %[[BANK:.*]] = trn.alloc {{.*}}memref<64x190xbf16, #trn.mem<psum>>
// CHECK: memref.subview %[[BANK]][0, 0] [64, 48] [1, 4]
// CHECK: memref.subview %[[BANK]][0, 1] [64, 48] [1, 4]
// CHECK: memref.subview %[[BANK]][0, 2] [64, 47] [1, 4]
// CHECK: memref.subview %[[BANK]][0, 3] [64, 47] [1, 4]
func.func private @rest(%x: memref<702x64xbf16>, %w: memref<64x128xbf16>, %o: memref<702x128xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 702, k = 64, n = 128],
    matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n f32 result, xt : k x m bf16],
    stages = [xt = transpose x, o = xt * w over k], nests = [xt (m = 512), o (m = 512)],
    homes = [x at m slots 2, xt at m, w at kernel, o at m]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<702x64xbf16> to tensor<702x64xbf16>
  %w_in = bufferization.to_tensor %w restrict : memref<64x128xbf16> to tensor<64x128xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<702x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<702x128xf32>) -> tensor<702x128xf32>
  %sums = linalg.matmul ins(%x_in, %w_in : tensor<702x64xbf16>, tensor<64x128xbf16>) outs(%init : tensor<702x128xf32>) -> tensor<702x128xf32>
  bufferization.materialize_in_destination %sums in restrict writable %o : (tensor<702x128xf32>, memref<702x128xf32>) -> ()
  return
}
