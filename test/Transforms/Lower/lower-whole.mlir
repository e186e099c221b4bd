// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// A whole home has the rows of all batches in front of the loops over these. They come tile by tile, as nothing waits for
// tiles that are read later.

// CHECK-LABEL: func.func private @turn(
// CHECK: %[[X:.*]] = trn.alloc {trn.matrix = "x"} : memref<256x192xbf16
// CHECK: %[[FIRST:.*]] = memref.subview %{{.*}}[0, 0] [128, 192]
// CHECK: trn.dma_copy %[[FIRST]] to %{{.*}}
// CHECK: %[[SECOND:.*]] = memref.subview %{{.*}}[128, 0] [128, 192]
// CHECK: trn.dma_copy %[[SECOND]] to %{{.*}}
// CHECK: scf.for
func.func private @turn(%x: memref<256x3x64xbf16>, %w: memref<64x64xbf16>, %o: memref<3x256x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, h = 3, k = 64, n = 64],
    matrices = [x : m x (h, k) bf16 input, w : k x n bf16 input, o : (h, m) x n bf16 result, xt : (h, k) x m bf16],
    stages = [xt = transpose x, o = xt * w over k],
    nests = [xt (), o ()],
    homes = [x at kernel whole, xt at kernel, w at kernel, o at kernel]>} {
  %xs = bufferization.to_tensor %x restrict : memref<256x3x64xbf16> to tensor<256x3x64xbf16>
  %ws = bufferization.to_tensor %w restrict : memref<64x64xbf16> to tensor<64x64xbf16>
  %e = tensor.empty() : tensor<3x256x64xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x256x64xf32>) -> tensor<3x256x64xf32>
  %y = linalg.contract indexing_maps = [affine_map<(h, m, n, k) -> (m, h, k)>, affine_map<(h, m, n, k) -> (k, n)>,
      affine_map<(h, m, n, k) -> (h, m, n)>]
      ins(%xs, %ws : tensor<256x3x64xbf16>, tensor<64x64xbf16>) outs(%z : tensor<3x256x64xf32>) -> tensor<3x256x64xf32>
  %eo = tensor.empty() : tensor<3x256x64xbf16>
  %r = linalg.generic {indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (h, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%y : tensor<3x256x64xf32>) outs(%eo : tensor<3x256x64xbf16>) {
  ^bb0(%a: f32, %old: bf16):
    %t = arith.truncf %a : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<3x256x64xbf16>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<3x256x64xbf16>, memref<3x256x64xbf16>) -> ()
  return
}
