// Tokens are mixed by a product over them, whose result is turned and added to its input, and then normalised. The
// norm does not fit into the kernel of the products: it is a kernel of its own, with all of its elementwise ops.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: result 0: relative error
// CHECK-NOT: host_ops

func.func @main(%arg0: tensor<1x24x40xf32>, %arg1: tensor<56x24xf32>, %arg2: tensor<24x56xf32>) -> (tensor<1x24x40xf32>) {
  %e2 = tensor.empty() : tensor<1x24x1xf32>
  %c1 = arith.constant 0.0 : f32
  %f1 = linalg.fill ins(%c1 : f32) outs(%e2 : tensor<1x24x1xf32>) -> tensor<1x24x1xf32>
  %v3 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%arg0 : tensor<1x24x40xf32>) outs(%f1 : tensor<1x24x1xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<1x24x1xf32>
  %e4 = tensor.empty() : tensor<1x24x1xf32>
  %v5 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v3 : tensor<1x24x1xf32>) outs(%e4 : tensor<1x24x1xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %k = arith.constant 40.0 : f32
    %r = arith.divf %a0, %k : f32
    linalg.yield %r : f32
  } -> tensor<1x24x1xf32>
  %e6 = tensor.empty() : tensor<1x24x40xf32>
  %v7 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %v5 : tensor<1x24x40xf32>, tensor<1x24x1xf32>) outs(%e6 : tensor<1x24x40xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %r = arith.subf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x24x40xf32>
  %e8 = tensor.empty() : tensor<1x24x40xf32>
  %v9 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7, %v7 : tensor<1x24x40xf32>, tensor<1x24x40xf32>) outs(%e8 : tensor<1x24x40xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %r = arith.mulf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x24x40xf32>
  %e11 = tensor.empty() : tensor<1x24x1xf32>
  %c10 = arith.constant 0.0 : f32
  %f10 = linalg.fill ins(%c10 : f32) outs(%e11 : tensor<1x24x1xf32>) -> tensor<1x24x1xf32>
  %v12 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v9 : tensor<1x24x40xf32>) outs(%f10 : tensor<1x24x1xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<1x24x1xf32>
  %e13 = tensor.empty() : tensor<1x24x1xf32>
  %v14 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v12 : tensor<1x24x1xf32>) outs(%e13 : tensor<1x24x1xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %k = arith.constant 40.0 : f32
    %r = arith.divf %a0, %k : f32
    linalg.yield %r : f32
  } -> tensor<1x24x1xf32>
  %e15 = tensor.empty() : tensor<1x24x1xf32>
  %v16 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v14 : tensor<1x24x1xf32>) outs(%e15 : tensor<1x24x1xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %k = arith.constant 1.0e-5 : f32
    %q = arith.addf %a0, %k : f32
    %r = math.rsqrt %q : f32
    linalg.yield %r : f32
  } -> tensor<1x24x1xf32>
  %e17 = tensor.empty() : tensor<1x24x40xf32>
  %v18 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v7, %v16 : tensor<1x24x40xf32>, tensor<1x24x1xf32>) outs(%e17 : tensor<1x24x40xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %r = arith.mulf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x24x40xf32>
  %e19 = tensor.empty() : tensor<1x40x24xf32>
  %v20 = linalg.transpose ins(%v18 : tensor<1x24x40xf32>) outs(%e19 : tensor<1x40x24xf32>) permutation = [0, 2, 1]
  %e21 = tensor.empty() : tensor<24x56xf32>
  %v22 = linalg.transpose ins(%arg1 : tensor<56x24xf32>) outs(%e21 : tensor<24x56xf32>) permutation = [1, 0]
  %e23 = tensor.empty() : tensor<1x24x56xf32>
  %v24 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v22 : tensor<24x56xf32>) outs(%e23 : tensor<1x24x56xf32>) {
  ^bb0(%a0: f32, %out: f32):
    linalg.yield %a0 : f32
  } -> tensor<1x24x56xf32>
  %e26 = tensor.empty() : tensor<1x40x56xf32>
  %c25 = arith.constant 0.0 : f32
  %f25 = linalg.fill ins(%c25 : f32) outs(%e26 : tensor<1x40x56xf32>) -> tensor<1x40x56xf32>
  %v27 = linalg.batch_matmul ins(%v20, %v24 : tensor<1x40x24xf32>, tensor<1x24x56xf32>) outs(%f25 : tensor<1x40x56xf32>) -> tensor<1x40x56xf32>
  %e28 = tensor.empty() : tensor<1x40x56xf32>
  %v29 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v27 : tensor<1x40x56xf32>) outs(%e28 : tensor<1x40x56xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %r = math.tanh %a0 : f32
    linalg.yield %r : f32
  } -> tensor<1x40x56xf32>
  %e30 = tensor.empty() : tensor<56x24xf32>
  %v31 = linalg.transpose ins(%arg2 : tensor<24x56xf32>) outs(%e30 : tensor<56x24xf32>) permutation = [1, 0]
  %e32 = tensor.empty() : tensor<1x56x24xf32>
  %v33 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v31 : tensor<56x24xf32>) outs(%e32 : tensor<1x56x24xf32>) {
  ^bb0(%a0: f32, %out: f32):
    linalg.yield %a0 : f32
  } -> tensor<1x56x24xf32>
  %e35 = tensor.empty() : tensor<1x40x24xf32>
  %c34 = arith.constant 0.0 : f32
  %f34 = linalg.fill ins(%c34 : f32) outs(%e35 : tensor<1x40x24xf32>) -> tensor<1x40x24xf32>
  %v36 = linalg.batch_matmul ins(%v29, %v33 : tensor<1x40x56xf32>, tensor<1x56x24xf32>) outs(%f34 : tensor<1x40x24xf32>) -> tensor<1x40x24xf32>
  %e37 = tensor.empty() : tensor<1x24x40xf32>
  %v38 = linalg.transpose ins(%v36 : tensor<1x40x24xf32>) outs(%e37 : tensor<1x24x40xf32>) permutation = [0, 2, 1]
  %e39 = tensor.empty() : tensor<1x24x40xf32>
  %v40 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %v38 : tensor<1x24x40xf32>, tensor<1x24x40xf32>) outs(%e39 : tensor<1x24x40xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %r = arith.addf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x24x40xf32>
  %e42 = tensor.empty() : tensor<1x24x1xf32>
  %c41 = arith.constant 0.0 : f32
  %f41 = linalg.fill ins(%c41 : f32) outs(%e42 : tensor<1x24x1xf32>) -> tensor<1x24x1xf32>
  %v43 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v40 : tensor<1x24x40xf32>) outs(%f41 : tensor<1x24x1xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<1x24x1xf32>
  %e44 = tensor.empty() : tensor<1x24x1xf32>
  %v45 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v43 : tensor<1x24x1xf32>) outs(%e44 : tensor<1x24x1xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %k = arith.constant 40.0 : f32
    %r = arith.divf %a0, %k : f32
    linalg.yield %r : f32
  } -> tensor<1x24x1xf32>
  %e46 = tensor.empty() : tensor<1x24x40xf32>
  %v47 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v40, %v45 : tensor<1x24x40xf32>, tensor<1x24x1xf32>) outs(%e46 : tensor<1x24x40xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %r = arith.subf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x24x40xf32>
  %e48 = tensor.empty() : tensor<1x24x40xf32>
  %v49 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v47, %v47 : tensor<1x24x40xf32>, tensor<1x24x40xf32>) outs(%e48 : tensor<1x24x40xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %r = arith.mulf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x24x40xf32>
  %e51 = tensor.empty() : tensor<1x24x1xf32>
  %c50 = arith.constant 0.0 : f32
  %f50 = linalg.fill ins(%c50 : f32) outs(%e51 : tensor<1x24x1xf32>) -> tensor<1x24x1xf32>
  %v52 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>], iterator_types = ["parallel", "parallel", "reduction"]} ins(%v49 : tensor<1x24x40xf32>) outs(%f50 : tensor<1x24x1xf32>) {
  ^bb0(%a0: f32, %o: f32):
    %r = arith.addf %a0, %o : f32
    linalg.yield %r : f32
  } -> tensor<1x24x1xf32>
  %e53 = tensor.empty() : tensor<1x24x1xf32>
  %v54 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v52 : tensor<1x24x1xf32>) outs(%e53 : tensor<1x24x1xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %k = arith.constant 40.0 : f32
    %r = arith.divf %a0, %k : f32
    linalg.yield %r : f32
  } -> tensor<1x24x1xf32>
  %e55 = tensor.empty() : tensor<1x24x1xf32>
  %v56 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v54 : tensor<1x24x1xf32>) outs(%e55 : tensor<1x24x1xf32>) {
  ^bb0(%a0: f32, %out: f32):
    %k = arith.constant 1.0e-5 : f32
    %q = arith.addf %a0, %k : f32
    %r = math.rsqrt %q : f32
    linalg.yield %r : f32
  } -> tensor<1x24x1xf32>
  %e57 = tensor.empty() : tensor<1x24x40xf32>
  %v58 = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, 0)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v47, %v56 : tensor<1x24x40xf32>, tensor<1x24x1xf32>) outs(%e57 : tensor<1x24x40xf32>) {
  ^bb0(%a0: f32, %a1: f32, %out: f32):
    %r = arith.mulf %a0, %a1 : f32
    linalg.yield %r : f32
  } -> tensor<1x24x40xf32>
  return %v58 : tensor<1x24x40xf32>
}
