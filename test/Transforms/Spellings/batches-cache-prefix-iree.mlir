// Trained keys and values in front of those of a sequence, with transpositions as generics, elementwise ops and broadcasts as ops on tensors: a kernel reads the parts where they are.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops

#id = affine_map<(h, i, d) -> (h, i, d)>
#heads = affine_map<(h, i, d) -> (i, h, d)>
#turned = affine_map<(h, d, i) -> (h, i, d)>

func.func @main(%x: tensor<32x64xf32>, %wq: tensor<64x64xf32>, %wk: tensor<64x64xf32>, %wv: tensor<64x64xf32>, %pk: tensor<4x8x16xf32>, %pv: tensor<4x8x16xf32>, %mask: tensor<32x40xf32>) -> tensor<4x32x16xf32> {
  %zero = arith.constant 0.0 : f32
  %quarter = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<32x64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<32x64xf32>) -> tensor<32x64xf32>
  %he = tensor.empty() : tensor<4x32x16xf32>
  %q0 = linalg.matmul ins(%x, %wq : tensor<32x64xf32>, tensor<64x64xf32>) outs(%z : tensor<32x64xf32>) -> tensor<32x64xf32>
  %q1 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [32, 4, 16] : tensor<32x64xf32> into tensor<32x4x16xf32>
  %q = linalg.generic {indexing_maps = [#heads, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%q1 : tensor<32x4x16xf32>) outs(%he : tensor<4x32x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<4x32x16xf32>
  %k0 = linalg.matmul ins(%x, %wk : tensor<32x64xf32>, tensor<64x64xf32>) outs(%z : tensor<32x64xf32>) -> tensor<32x64xf32>
  %k1 = tensor.expand_shape %k0 [[0], [1, 2]] output_shape [32, 4, 16] : tensor<32x64xf32> into tensor<32x4x16xf32>
  %k = linalg.generic {indexing_maps = [#heads, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%k1 : tensor<32x4x16xf32>) outs(%he : tensor<4x32x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<4x32x16xf32>
  %v0 = linalg.matmul ins(%x, %wv : tensor<32x64xf32>, tensor<64x64xf32>) outs(%z : tensor<32x64xf32>) -> tensor<32x64xf32>
  %v1 = tensor.expand_shape %v0 [[0], [1, 2]] output_shape [32, 4, 16] : tensor<32x64xf32> into tensor<32x4x16xf32>
  %v = linalg.generic {indexing_maps = [#heads, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v1 : tensor<32x4x16xf32>) outs(%he : tensor<4x32x16xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<4x32x16xf32>
  %keys = tensor.concat dim(1) %pk, %k : (tensor<4x8x16xf32>, tensor<4x32x16xf32>) -> tensor<4x40x16xf32>
  %values = tensor.concat dim(1) %pv, %v : (tensor<4x8x16xf32>, tensor<4x32x16xf32>) -> tensor<4x40x16xf32>
  %te = tensor.empty() : tensor<4x16x40xf32>
  %kt = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%keys : tensor<4x40x16xf32>) outs(%te : tensor<4x16x40xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<4x16x40xf32>
  %se = tensor.empty() : tensor<4x32x40xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%se : tensor<4x32x40xf32>) -> tensor<4x32x40xf32>
  %scores = linalg.batch_matmul ins(%q, %kt : tensor<4x32x16xf32>, tensor<4x16x40xf32>) outs(%sz : tensor<4x32x40xf32>) -> tensor<4x32x40xf32>
  %scale = linalg.fill ins(%quarter : f32) outs(%se : tensor<4x32x40xf32>) -> tensor<4x32x40xf32>
  %scaled = arith.mulf %scores, %scale : tensor<4x32x40xf32>
  %masks = linalg.broadcast ins(%mask : tensor<32x40xf32>) outs(%se : tensor<4x32x40xf32>) dimensions = [0]
  %masked = arith.addf %scaled, %masks : tensor<4x32x40xf32>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<4x32x40xf32>) outs(%se : tensor<4x32x40xf32>) -> tensor<4x32x40xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%he : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  %o = linalg.batch_matmul ins(%p, %values : tensor<4x32x40xf32>, tensor<4x40x16xf32>) outs(%oz : tensor<4x32x16xf32>) -> tensor<4x32x16xf32>
  return %o : tensor<4x32x16xf32>
}
