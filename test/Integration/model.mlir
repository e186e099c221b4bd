// A model whose layers are chains: @main runs on the host and calls the layer's
// kernel twice; activation, transposition and bias are compiled for the host.
//
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error {{.*(e-0[6-9]|0e\+00)}}, at most 1.00e-02
// CHECK: verify: result 1: relative error {{.*(e-0[6-9]|0e\+00)}}, at most 1.00e-02
// CHECK: kernel layer_kernel
// CHECK-NEXT: calls{{ +}}2

#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (j)>
module {
  func.func private @layer(%x: tensor<200x96xbf16>, %u: tensor<96x64xbf16>, %v: tensor<64x96xbf16>) -> tensor<200x96xbf16> {
    %zero = arith.constant 0.0 : f32
    %e0 = tensor.empty() : tensor<200x64xf32>
    %f0 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<200x64xf32>) -> tensor<200x64xf32>
    %y = linalg.matmul ins(%x, %u : tensor<200x96xbf16>, tensor<96x64xbf16>) outs(%f0 : tensor<200x64xf32>) -> tensor<200x64xf32>
    %e1 = tensor.empty() : tensor<200x64xbf16>
    %yt = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<200x64xf32>) outs(%e1 : tensor<200x64xbf16>) {
    ^bb0(%a: f32, %b: bf16):
      %t = arith.truncf %a : f32 to bf16
      linalg.yield %t : bf16
    } -> tensor<200x64xbf16>
    %e2 = tensor.empty() : tensor<200x96xf32>
    %f2 = linalg.fill ins(%zero : f32) outs(%e2 : tensor<200x96xf32>) -> tensor<200x96xf32>
    %o = linalg.matmul ins(%yt, %v : tensor<200x64xbf16>, tensor<64x96xbf16>) outs(%f2 : tensor<200x96xf32>) -> tensor<200x96xf32>
    %e3 = tensor.empty() : tensor<200x96xbf16>
    %ot = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%o : tensor<200x96xf32>) outs(%e3 : tensor<200x96xbf16>) {
    ^bb0(%a: f32, %b: bf16):
      %n = arith.negf %a : f32
      %x1 = math.exp %n : f32
      %c1 = arith.constant 1.0 : f32
      %x2 = arith.addf %x1, %c1 : f32
      %x3 = arith.divf %a, %x2 : f32
      %t = arith.truncf %x3 : f32 to bf16
      linalg.yield %t : bf16
    } -> tensor<200x96xbf16>
    return %ot : tensor<200x96xbf16>
  }
  func.func @main(%xt: tensor<96x200xbf16>, %u: tensor<96x64xbf16> {trn.param = "u"}, %v: tensor<64x96xbf16>, %bias: tensor<96xbf16>) -> (tensor<200x96xbf16>, tensor<200x96xbf16>) {
    %e = tensor.empty() : tensor<200x96xbf16>
    %x = linalg.transpose ins(%xt : tensor<96x200xbf16>) outs(%e : tensor<200x96xbf16>) permutation = [1, 0]
    %a = call @layer(%x, %u, %v) : (tensor<200x96xbf16>, tensor<96x64xbf16>, tensor<64x96xbf16>) -> tensor<200x96xbf16>
    %b = call @layer(%a, %u, %v) : (tensor<200x96xbf16>, tensor<96x64xbf16>, tensor<64x96xbf16>) -> tensor<200x96xbf16>
    %c = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%b, %bias : tensor<200x96xbf16>, tensor<96xbf16>) outs(%e : tensor<200x96xbf16>) {
    ^bb0(%p: bf16, %q: bf16, %r: bf16):
      %s = arith.addf %p, %q : bf16
      linalg.yield %s : bf16
    } -> tensor<200x96xbf16>
    return %a, %c : tensor<200x96xbf16>, tensor<200x96xbf16>
  }
}
