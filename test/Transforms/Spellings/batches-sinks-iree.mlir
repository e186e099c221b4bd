// The same with ops on tensors, broadcasts and insertions: what is computed of the scores alone is behind the concatenation.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK-NOT: host_ops
// CHECK-COUNT-1: {{^}}kernel main_kernel
// CHECK-NOT: {{^}}kernel main

#id = affine_map<(b, h, i, j) -> (b, h, i, j)>
#turned = affine_map<(b, h, j, i) -> (b, h, i, j)>

func.func @main(%q: tensor<1x4x40x16xf32>, %k: tensor<1x2x40x16xf32>, %v: tensor<1x2x40x16xf32>, %mask: tensor<40x40xf32>, %sinks: tensor<1x4x1xf32>) -> tensor<4x40x16xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %scale = arith.constant dense<0.25> : tensor<1x4x40x40xf32>
  %repeated_init = tensor.empty() : tensor<1x2x2x40x16xf32>
  %k5 = linalg.broadcast ins(%k : tensor<1x2x40x16xf32>) outs(%repeated_init : tensor<1x2x2x40x16xf32>) dimensions = [2]
  %k4 = tensor.collapse_shape %k5 [[0], [1, 2], [3], [4]] : tensor<1x2x2x40x16xf32> into tensor<1x4x40x16xf32>
  %v5 = linalg.broadcast ins(%v : tensor<1x2x40x16xf32>) outs(%repeated_init : tensor<1x2x2x40x16xf32>) dimensions = [2]
  %v3 = tensor.collapse_shape %v5 [[0, 1, 2], [3], [4]] : tensor<1x2x2x40x16xf32> into tensor<4x40x16xf32>
  %turned_init = tensor.empty() : tensor<1x4x16x40xf32>
  %kt4 = linalg.generic {indexing_maps = [#turned, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%k4 : tensor<1x4x40x16xf32>) outs(%turned_init : tensor<1x4x16x40xf32>) {
  ^bb0(%a: f32, %old: f32):
    linalg.yield %a : f32
  } -> tensor<1x4x16x40xf32>
  %q3 = tensor.collapse_shape %q [[0, 1], [2], [3]] : tensor<1x4x40x16xf32> into tensor<4x40x16xf32>
  %kt3 = tensor.collapse_shape %kt4 [[0, 1], [2], [3]] : tensor<1x4x16x40xf32> into tensor<4x16x40xf32>
  %scores_empty = tensor.empty() : tensor<4x40x40xf32>
  %scores_init = linalg.fill ins(%zero : f32) outs(%scores_empty : tensor<4x40x40xf32>) -> tensor<4x40x40xf32>
  %scores3 = linalg.batch_matmul ins(%q3, %kt3 : tensor<4x40x16xf32>, tensor<4x16x40xf32>) outs(%scores_init : tensor<4x40x40xf32>) -> tensor<4x40x40xf32>
  %scores = tensor.expand_shape %scores3 [[0, 1], [2], [3]] output_shape [1, 4, 40, 40] : tensor<4x40x40xf32> into tensor<1x4x40x40xf32>
  %scaled = arith.mulf %scores, %scale : tensor<1x4x40x40xf32>
  %mask_init = tensor.empty() : tensor<1x4x40x40xf32>
  %mask4 = linalg.broadcast ins(%mask : tensor<40x40xf32>) outs(%mask_init : tensor<1x4x40x40xf32>) dimensions = [0, 1]
  %masked = arith.addf %scaled, %mask4 : tensor<1x4x40x40xf32>

  %sinks_init = tensor.empty() : tensor<1x4x40x1xf32>
  %sinks4 = linalg.broadcast ins(%sinks : tensor<1x4x1xf32>) outs(%sinks_init : tensor<1x4x40x1xf32>) dimensions = [2]
  %empty = tensor.empty() : tensor<1x4x40x41xf32>
  %front = tensor.insert_slice %masked into %empty[0, 0, 0, 0] [1, 4, 40, 40] [1, 1, 1, 1] : tensor<1x4x40x40xf32> into tensor<1x4x40x41xf32>
  %all = tensor.insert_slice %sinks4 into %front[0, 0, 0, 40] [1, 4, 40, 1] [1, 1, 1, 1] : tensor<1x4x40x1xf32> into tensor<1x4x40x41xf32>
  %column = tensor.empty() : tensor<1x4x40xf32>
  %max_init = linalg.fill ins(%low : f32) outs(%column : tensor<1x4x40xf32>) -> tensor<1x4x40xf32>
  %max = linalg.reduce { arith.maximumf } ins(%all : tensor<1x4x40x41xf32>) outs(%max_init : tensor<1x4x40xf32>) dimensions = [3]
  %max4 = linalg.broadcast ins(%max : tensor<1x4x40xf32>) outs(%empty : tensor<1x4x40x41xf32>) dimensions = [3]
  %shifted = arith.subf %all, %max4 : tensor<1x4x40x41xf32>
  %exp = math.exp %shifted : tensor<1x4x40x41xf32>
  %sum_init = linalg.fill ins(%zero : f32) outs(%column : tensor<1x4x40xf32>) -> tensor<1x4x40xf32>
  %sum = linalg.reduce { arith.addf } ins(%exp : tensor<1x4x40x41xf32>) outs(%sum_init : tensor<1x4x40xf32>) dimensions = [3]
  %sum4 = linalg.broadcast ins(%sum : tensor<1x4x40xf32>) outs(%empty : tensor<1x4x40x41xf32>) dimensions = [3]
  %shares = arith.divf %exp, %sum4 : tensor<1x4x40x41xf32>
  %kept = tensor.extract_slice %shares[0, 0, 0, 0] [1, 4, 40, 40] [1, 1, 1, 1] : tensor<1x4x40x41xf32> to tensor<1x4x40x40xf32>

  %kept3 = tensor.collapse_shape %kept [[0, 1], [2], [3]] : tensor<1x4x40x40xf32> into tensor<4x40x40xf32>
  %o_empty = tensor.empty() : tensor<4x40x16xf32>
  %o_init = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<4x40x16xf32>) -> tensor<4x40x16xf32>
  %o = linalg.batch_matmul ins(%kept3, %v3 : tensor<4x40x40xf32>, tensor<4x40x16xf32>) outs(%o_init : tensor<4x40x16xf32>) -> tensor<4x40x16xf32>
  return %o : tensor<4x40x16xf32>
}
