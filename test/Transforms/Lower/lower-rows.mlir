// RUN: trn-opt %s --trn-lower-kernels --trn-verify-level=level=virtual | FileCheck %s

// Reductions take rows as they are: all columns that lie in SBUF at once, or block by block.

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// ScalarE adds up what it computes, VectorE reduces what lies there. The sums of what is stored beside them
// come with it: there is no second pass. A bias that is subtracted is negated before.

// CHECK-LABEL: func.func private @softmax(
// CHECK: trn.dma_copy
// CHECK: trn.tensor_reduce max(%[[X:.*]] : memref<128x512xbf16, #trn.mem<sbuf>>) into %[[MAX:.*]] : memref<128x1xbf16, #trn.mem<sbuf>>
// CHECK: trn.tensor_scalar mul(%[[MAX]]
// CHECK-SAME: into %[[NEGATED:.*]] : memref<128x1xf32, #trn.mem<sbuf>>
// CHECK: trn.activation exp(%[[X]] {{.*}} biases(%[[NEGATED]] {{.*}} reducing add(%[[SUM:.*]] : memref<128x1xf32, #trn.mem<sbuf>>) into %[[E:.*]] : memref<128x512xf32, #trn.mem<sbuf>>
// CHECK-NOT: trn.tensor_reduce
// CHECK: trn.tensor_scalar div(%[[E]] {{.*}}%[[SUM]]
func.func private @softmax(%x: memref<256x512xbf16>, %o: memref<256x512xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 256, n = 512, one = 1],
    matrices = [x : m x n bf16 input, o : m x n bf16 result, a : m x one bf16, e : m x n f32, l : m x one f32],
    stages = [a = max x over n, e = exp(sub(x, a)), l = sum e over n, o = div(e, l)],
    nests = [a (m = 128), e (m = 128), l (m = 128), o (m = 128)],
    homes = [x at m slots 2 ahead 1, a at m, e at m, l at m, o at m slots 2]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<256x512xbf16> to tensor<256x512xbf16>
  %low = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<256xf32>
  %whole = tensor.empty() : tensor<256x512xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<256xf32>) -> tensor<256xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<256xf32>) -> tensor<256xf32>
  %a = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x_in : tensor<256x512xbf16>) outs(%lows : tensor<256xf32>) {
  ^bb0(%in: bf16, %most: f32):
    %w = arith.extf %in : bf16 to f32
    %r = arith.maximumf %w, %most : f32
    linalg.yield %r : f32
  } -> tensor<256xf32>
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x_in, %a : tensor<256x512xbf16>, tensor<256xf32>) outs(%whole : tensor<256x512xf32>) {
  ^bb0(%in: bf16, %most: f32, %out: f32):
    %w = arith.extf %in : bf16 to f32
    %d = arith.subf %w, %most : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<256x512xf32>
  %l = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<256x512xf32>) outs(%zeros : tensor<256xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %r = arith.addf %in, %sum : f32
    linalg.yield %r : f32
  } -> tensor<256xf32>
  %narrow = tensor.empty() : tensor<256x512xbf16>
  %p = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<256x512xf32>, tensor<256xf32>) outs(%narrow : tensor<256x512xbf16>) {
  ^bb0(%in: f32, %sum: f32, %out: bf16):
    %q = arith.divf %in, %sum : f32
    %r = arith.truncf %q : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<256x512xbf16>
  bufferization.materialize_in_destination %p in restrict writable %o : (tensor<256x512xbf16>, memref<256x512xbf16>) -> ()
  return
}

// In blocks of columns a column is kept, which further blocks are added to.

// CHECK-LABEL: func.func private @squares(
// CHECK: trn.activation square({{.*}} reducing add(%[[S:.*]] : memref<128x1xf32, #trn.mem<sbuf>>)
// CHECK: scf.for
// CHECK: trn.activation square({{.*}} reducing add(%[[PART:.*]] : memref<128x1xf32, #trn.mem<sbuf>>)
// CHECK: trn.tensor_tensor add(%[[PART]]{{.*}}, %[[S]]
func.func private @squares(%x: memref<128x1024xf32>, %o: memref<128xf32> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 128, n = 1024, one = 1],
    matrices = [x : m x n f32 input, o : m x one f32 result],
    stages = [o = sum square(x) over n],
    nests = [o (m = 128, n = 256)],
    homes = [x at n slots 2, o at m sums at m in sbuf f32]>} {
  %x_in = bufferization.to_tensor %x restrict : memref<128x1024xf32> to tensor<128x1024xf32>
  %zero = arith.constant 0.0 : f32
  %row = tensor.empty() : tensor<128xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<128xf32>) -> tensor<128xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x_in : tensor<128x1024xf32>) outs(%zeros : tensor<128xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %q = arith.mulf %in, %in : f32
    %r = arith.addf %q, %sum : f32
    linalg.yield %r : f32
  } -> tensor<128xf32>
  bufferization.materialize_in_destination %s in restrict writable %o : (tensor<128xf32>, memref<128xf32>) -> ()
  return
}
