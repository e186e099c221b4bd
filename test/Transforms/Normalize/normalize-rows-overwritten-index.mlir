// RUN: trn-opt %s --trn-normalize-rows | FileCheck %s

// The position may be computed by the first op of all, as of an argument of i64: parts of arguments stand behind it.

#id = affine_map<(h, t) -> (h, t)>
#row = affine_map<(h, t) -> (t)>
#column = affine_map<(h, t) -> (h)>
#scores = affine_map<(h, t, d) -> (h, d)>
#keys = affine_map<(h, t, d) -> (t, d)>
#sum = affine_map<(h, t, d) -> (h, t)>

// CHECK-LABEL: func.func @cast(
// CHECK: %[[AT:.*]] = arith.index_cast
// CHECK: tensor.extract_slice %{{.*}}[%[[AT]]] [1] [1] : tensor<64xf32>
// CHECK-NOT: tensor.insert_slice
func.func @cast(%q: tensor<4x32xf32>, %cache: tensor<64x32xf32>, %new: tensor<1x32xf32>, %number: i64, %mask: tensor<64xf32>) -> tensor<4xf32> {
  %at = arith.index_cast %number : i64 to index
  %keys = tensor.insert_slice %new into %cache[%at, 0] [1, 32] [1, 1] : tensor<1x32xf32> into tensor<64x32xf32>
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<4x64xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x64xf32>) -> tensor<4x64xf32>
  %s = linalg.generic {indexing_maps = [#scores, #keys, #sum], iterator_types = ["parallel", "parallel", "reduction"]} ins(%q, %keys : tensor<4x32xf32>, tensor<64x32xf32>) outs(%f : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %p = arith.mulf %a, %b : f32
    %r = arith.addf %p, %o : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  %x = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %mask : tensor<4x64xf32>, tensor<64xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %r = arith.addf %a, %b : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  %c = tensor.empty() : tensor<4xf32>
  %cm = linalg.fill ins(%least : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.reduce { arith.maximumf } ins(%x : tensor<4x64xf32>) outs(%cm : tensor<4xf32>) dimensions = [1]
  %p = linalg.generic {indexing_maps = [#id, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %m : tensor<4x64xf32>, tensor<4xf32>) outs(%e : tensor<4x64xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp %d : f32
    linalg.yield %r : f32
  } -> tensor<4x64xf32>
  %cs = linalg.fill ins(%zero : f32) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %l = linalg.reduce { arith.addf } ins(%p : tensor<4x64xf32>) outs(%cs : tensor<4xf32>) dimensions = [1]
  return %l : tensor<4xf32>
}
