// A softmax in bf16 sums in f32, as the core does, also if the whole source is run on the host because of its mask: 1,000 equal shares.

// RUN: trn-run %s --compile=effort=1 --verify --arg=zeros --arg=zeros | FileCheck %s
// CHECK: verify: against the module before its compilation, run on the host
// CHECK: verify: result 0: relative error 0

func.func @main(%x: tensor<4x1000xbf16>, %hidden: tensor<1000xi1>) -> tensor<4x1000xbf16> {
  %least = arith.constant 0xFF80 : bf16
  %empty = tensor.empty() : tensor<4x1000xbf16>
  %masked = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} ins(%x, %hidden : tensor<4x1000xbf16>, tensor<1000xi1>) outs(%empty : tensor<4x1000xbf16>) {
  ^bb0(%a: bf16, %h: i1, %out: bf16):
    %r = arith.select %h, %least, %a : bf16
    linalg.yield %r : bf16
  } -> tensor<4x1000xbf16>
  %shares = linalg.softmax dimension(1) ins(%masked : tensor<4x1000xbf16>) outs(%empty : tensor<4x1000xbf16>) -> tensor<4x1000xbf16>
  return %shares : tensor<4x1000xbf16>
}
