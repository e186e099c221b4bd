// Attention whose softmax is in powers of two, as Flash Attention and IREE write it: the plan is that of natural ones.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK-NOT: host_ops
// CHECK: launches 1
// RUN: trn-run %s --compile="effort=1 drop-maxima" --verify | FileCheck %s --check-prefix=DROP
// DROP: verify: result 0: relative error
// DROP-NOT: max
// DROP: schedule
// DROP-NOT: y2t
// RUN: trn-opt %s --trn-normalize-rows --trn-normalize-products --trn-outline-kernels --trn-plan-kernels=effort=1 | FileCheck %s --check-prefix=PLAN
// PLAN: y3t = exp(mul([w1t * xt over k + minus * y2t over one], 0.25))

func.func @main(%q: tensor<2x40x16xbf16>, %k: tensor<2x200x16xbf16>, %v: tensor<2x200x16xbf16>) -> tensor<2x40x16xbf16> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %log2e_by_4 = arith.constant 0.36067376 : f32
  %se = tensor.empty() : tensor<2x40x200xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<2x40x200xf32>) -> tensor<2x40x200xf32>
  %products = linalg.batch_matmul indexing_maps = [affine_map<(b, i, j, k) -> (b, i, k)>, affine_map<(b, i, j, k) -> (b, j, k)>, affine_map<(b, i, j, k) -> (b, i, j)>] ins(%q, %k : tensor<2x40x16xbf16>, tensor<2x200x16xbf16>) outs(%sz : tensor<2x40x200xf32>) -> tensor<2x40x200xf32>
  %scores = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%products : tensor<2x40x200xf32>) outs(%se : tensor<2x40x200xf32>) {
  ^bb0(%a: f32, %out: f32):
    %r = arith.mulf %a, %log2e_by_4 : f32
    linalg.yield %r : f32
  } -> tensor<2x40x200xf32>
  %ce = tensor.empty() : tensor<2x40xf32>
  %mz = linalg.fill ins(%least : f32) outs(%ce : tensor<2x40xf32>) -> tensor<2x40xf32>
  %maxima = linalg.reduce { arith.maximumf } ins(%scores : tensor<2x40x200xf32>) outs(%mz : tensor<2x40xf32>) dimensions = [2]
  %powers = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%scores, %maxima : tensor<2x40x200xf32>, tensor<2x40xf32>) outs(%se : tensor<2x40x200xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %r = math.exp2 %d : f32
    linalg.yield %r : f32
  } -> tensor<2x40x200xf32>
  %tz = linalg.fill ins(%zero : f32) outs(%ce : tensor<2x40xf32>) -> tensor<2x40xf32>
  %sums = linalg.reduce { arith.addf } ins(%powers : tensor<2x40x200xf32>) outs(%tz : tensor<2x40xf32>) dimensions = [2]
  %pe = tensor.empty() : tensor<2x40x200xbf16>
  %shares = linalg.generic {indexing_maps = [affine_map<(b, i, j) -> (b, i, j)>, affine_map<(b, i, j) -> (b, i)>, affine_map<(b, i, j) -> (b, i, j)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%powers, %sums : tensor<2x40x200xf32>, tensor<2x40xf32>) outs(%pe : tensor<2x40x200xbf16>) {
  ^bb0(%a: f32, %b: f32, %out: bf16):
    %d = arith.divf %a, %b : f32
    %r = arith.truncf %d : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<2x40x200xbf16>
  %oe = tensor.empty() : tensor<2x40x16xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x40x16xf32>) -> tensor<2x40x16xf32>
  %wide = linalg.batch_matmul ins(%shares, %v : tensor<2x40x200xbf16>, tensor<2x200x16xbf16>) outs(%oz : tensor<2x40x16xf32>) -> tensor<2x40x16xf32>
  %o = arith.truncf %wide : tensor<2x40x16xf32> to tensor<2x40x16xbf16>
  return %o : tensor<2x40x16xbf16>
}
