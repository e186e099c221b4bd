// RUN: trn-opt %s --trn-plan-kernels=effort=1 | FileCheck %s

// Rows of a kernel that reduces are the dimension outside of a row that has the most indices, and not the
// last one: here 256 positions of 4 heads are four times 256 rows, not 256 times four.

#id = affine_map<(m, h, d) -> (m, h, d)>
#row = affine_map<(m, h, d) -> (m, h)>

// CHECK-LABEL: @heads(
// CHECK-SAME: dims = [d0 = 256, batch = 4, d2 = 64, one = 1]
// CHECK-SAME: matrices = [c : d0 x (batch, d2) f32 input, o : d0 x (batch, d2) f32 result, y1 : d0 x (batch, one) f32]
func.func private @heads(%x: memref<256x4x64xf32>, %o: memref<256x4x64xf32> {trn.result}) attributes {trn.kernel} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x4x64xf32> to tensor<256x4x64xf32>
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<256x4xf32>
  %whole = tensor.empty() : tensor<256x4x64xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<256x4xf32>) -> tensor<256x4xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x_in : tensor<256x4x64xf32>) outs(%zeros : tensor<256x4xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %r = arith.addf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<256x4xf32>
  %d = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%x_in, %s : tensor<256x4x64xf32>, tensor<256x4xf32>) outs(%whole : tensor<256x4x64xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %r = arith.divf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<256x4x64xf32>
  bufferization.materialize_in_destination %d in restrict writable %o : (tensor<256x4x64xf32>, memref<256x4x64xf32>) -> ()
  return
}
