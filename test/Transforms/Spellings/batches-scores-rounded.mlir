// Scores of a model in bf16, as torch writes them: rounded behind the product, where they are scaled, and where they are masked. The softmax is in f32.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK-NOT: host_ops
// CHECK: launches 1
func.func @main(%q: tensor<4x40x32xbf16>, %k: tensor<2x40x32xbf16>, %v: tensor<2x40x32xbf16>) -> tensor<4x40x32xbf16> {
    %t1 = tensor.expand_shape %k [[0], [1, 2], [3]] output_shape [2, 1, 40, 32] : tensor<2x40x32xbf16> into tensor<2x1x40x32xbf16>
    %t2 = tensor.empty() : tensor<2x2x40x32xbf16>
    %t3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t1 : tensor<2x1x40x32xbf16>) outs(%t2 : tensor<2x2x40x32xbf16>) {
    ^bb0(%t3_i0: bf16, %t3_o: bf16):
      linalg.yield %t3_i0 : bf16
    } -> tensor<2x2x40x32xbf16>
    %t4 = tensor.collapse_shape %t3 [[0, 1], [2], [3]] : tensor<2x2x40x32xbf16> into tensor<4x40x32xbf16>
    %t5 = tensor.empty() : tensor<4x32x40xbf16>
    %t6 = linalg.transpose ins(%t4 : tensor<4x40x32xbf16>) outs(%t5 : tensor<4x32x40xbf16>) permutation = [0, 2, 1]
    %t7 = tensor.expand_shape %v [[0], [1, 2], [3]] output_shape [2, 1, 40, 32] : tensor<2x40x32xbf16> into tensor<2x1x40x32xbf16>
    %t8 = tensor.empty() : tensor<2x2x40x32xbf16>
    %t9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, 0, d2, d3)>, affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t7 : tensor<2x1x40x32xbf16>) outs(%t8 : tensor<2x2x40x32xbf16>) {
    ^bb0(%t9_i0: bf16, %t9_o: bf16):
      linalg.yield %t9_i0 : bf16
    } -> tensor<2x2x40x32xbf16>
    %t10 = tensor.collapse_shape %t9 [[0, 1], [2], [3]] : tensor<2x2x40x32xbf16> into tensor<4x40x32xbf16>
    %t11 = tensor.empty() : tensor<4x40x40xf32>
    %t12 = arith.constant 0.0 : f32
    %t13 = linalg.fill ins(%t12 : f32) outs(%t11 : tensor<4x40x40xf32>) -> tensor<4x40x40xf32>
    %t14 = linalg.batch_matmul ins(%q, %t6 : tensor<4x40x32xbf16>, tensor<4x32x40xbf16>) outs(%t13 : tensor<4x40x40xf32>) -> tensor<4x40x40xf32>
    %t15 = tensor.empty() : tensor<4x40x40xbf16>
    %t16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t14 : tensor<4x40x40xf32>) outs(%t15 : tensor<4x40x40xbf16>) {
    ^bb0(%t16_i0: f32, %t16_o: bf16):
      %t17 = arith.truncf %t16_i0 : f32 to bf16
      linalg.yield %t17 : bf16
    } -> tensor<4x40x40xbf16>
    %t18 = tensor.empty() : tensor<4x40x40xbf16>
    %t19 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t16 : tensor<4x40x40xbf16>) outs(%t18 : tensor<4x40x40xbf16>) {
    ^bb0(%t19_i0: bf16, %t19_o: bf16):
      %t20 = arith.constant 0.1767766952966369 : bf16
      %t21 = arith.mulf %t19_i0, %t20 : bf16
      linalg.yield %t21 : bf16
    } -> tensor<4x40x40xbf16>
    %t22 = tensor.empty() : tensor<1x40x40xbf16>
    %t23 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} outs(%t22 : tensor<1x40x40xbf16>) {
    ^bb0(%t23_o: bf16):
      %t24 = linalg.index 1 : index
      %t25 = linalg.index 2 : index
      %t26 = arith.constant 0 : index
      %t27 = arith.addi %t24, %t26 : index
      %t28 = arith.cmpi sge, %t27, %t25 : index
      %t29 = arith.constant 0.0 : bf16
      %t30 = arith.constant 0xFF80 : bf16
      %t31 = arith.select %t28, %t29, %t30 : bf16
      linalg.yield %t31 : bf16
    } -> tensor<1x40x40xbf16>
    %t32 = tensor.empty() : tensor<4x40x40xbf16>
    %t33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t19, %t23 : tensor<4x40x40xbf16>, tensor<1x40x40xbf16>) outs(%t32 : tensor<4x40x40xbf16>) {
    ^bb0(%t33_i0: bf16, %t33_i1: bf16, %t33_o: bf16):
      %t34 = arith.addf %t33_i0, %t33_i1 : bf16
      linalg.yield %t34 : bf16
    } -> tensor<4x40x40xbf16>
    %t35 = tensor.empty() : tensor<4x40x40xf32>
    %t36 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t33 : tensor<4x40x40xbf16>) outs(%t35 : tensor<4x40x40xf32>) {
    ^bb0(%t36_i0: bf16, %t36_o: f32):
      %t37 = arith.extf %t36_i0 : bf16 to f32
      linalg.yield %t37 : f32
    } -> tensor<4x40x40xf32>
    %t38 = tensor.empty() : tensor<4x40x1xf32>
    %t39 = arith.constant 0xFF800000 : f32
    %t40 = linalg.fill ins(%t39 : f32) outs(%t38 : tensor<4x40x1xf32>) -> tensor<4x40x1xf32>
    %t41 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t36 : tensor<4x40x40xf32>) outs(%t40 : tensor<4x40x1xf32>) {
    ^bb0(%t41_i: f32, %t41_o: f32):
      %t42 = arith.maximumf %t41_i, %t41_o : f32
      linalg.yield %t42 : f32
    } -> tensor<4x40x1xf32>
    %t43 = tensor.empty() : tensor<4x40x40xf32>
    %t44 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t36, %t41 : tensor<4x40x40xf32>, tensor<4x40x1xf32>) outs(%t43 : tensor<4x40x40xf32>) {
    ^bb0(%t44_i0: f32, %t44_i1: f32, %t44_o: f32):
      %t45 = arith.subf %t44_i0, %t44_i1 : f32
      linalg.yield %t45 : f32
    } -> tensor<4x40x40xf32>
    %t46 = tensor.empty() : tensor<4x40x40xf32>
    %t47 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t44 : tensor<4x40x40xf32>) outs(%t46 : tensor<4x40x40xf32>) {
    ^bb0(%t47_i0: f32, %t47_o: f32):
      %t48 = math.exp %t47_i0 : f32
      linalg.yield %t48 : f32
    } -> tensor<4x40x40xf32>
    %t49 = tensor.empty() : tensor<4x40x1xf32>
    %t50 = arith.constant 0.0 : f32
    %t51 = linalg.fill ins(%t50 : f32) outs(%t49 : tensor<4x40x1xf32>) -> tensor<4x40x1xf32>
    %t52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%t47 : tensor<4x40x40xf32>) outs(%t51 : tensor<4x40x1xf32>) {
    ^bb0(%t52_i: f32, %t52_o: f32):
      %t53 = arith.addf %t52_i, %t52_o : f32
      linalg.yield %t53 : f32
    } -> tensor<4x40x1xf32>
    %t54 = tensor.empty() : tensor<4x40x40xf32>
    %t55 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t47, %t52 : tensor<4x40x40xf32>, tensor<4x40x1xf32>) outs(%t54 : tensor<4x40x40xf32>) {
    ^bb0(%t55_i0: f32, %t55_i1: f32, %t55_o: f32):
      %t56 = arith.divf %t55_i0, %t55_i1 : f32
      linalg.yield %t56 : f32
    } -> tensor<4x40x40xf32>
    %t57 = tensor.empty() : tensor<4x40x40xbf16>
    %t58 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t55 : tensor<4x40x40xf32>) outs(%t57 : tensor<4x40x40xbf16>) {
    ^bb0(%t58_i0: f32, %t58_o: bf16):
      %t59 = arith.truncf %t58_i0 : f32 to bf16
      linalg.yield %t59 : bf16
    } -> tensor<4x40x40xbf16>
    %t60 = tensor.empty() : tensor<4x40x32xf32>
    %t61 = arith.constant 0.0 : f32
    %t62 = linalg.fill ins(%t61 : f32) outs(%t60 : tensor<4x40x32xf32>) -> tensor<4x40x32xf32>
    %t63 = linalg.batch_matmul ins(%t58, %t10 : tensor<4x40x40xbf16>, tensor<4x40x32xbf16>) outs(%t62 : tensor<4x40x32xf32>) -> tensor<4x40x32xf32>
    %t64 = tensor.empty() : tensor<4x40x32xbf16>
    %t65 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%t63 : tensor<4x40x32xf32>) outs(%t64 : tensor<4x40x32xbf16>) {
    ^bb0(%t65_i0: f32, %t65_o: bf16):
      %t66 = arith.truncf %t65_i0 : f32 to bf16
      linalg.yield %t66 : bf16
    } -> tensor<4x40x32xbf16>
    return %t65 : tensor<4x40x32xbf16>
}
