// RUN: trn-opt %s --split-input-file --trn-normalize-products --trn-outline-kernels --remark-format=emitRemark --remarks-filter=trn-outline-kernels -o /dev/null 2>&1 \
// RUN:   | grep '\[Missed\]' | FileCheck %s --implicit-check-not=Missed

// What works before, between and behind products, on the host, says why.

// Softmax, as one op.
func.func @softmax(%q: tensor<64x32xf32>, %k: tensor<48x32xf32>, %v: tensor<48x32xf32>) -> tensor<64x32xf32> {
  %s_zeros = arith.constant dense<0.0> : tensor<64x48xf32>
  %s = linalg.matmul
      indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
      ins(%q, %k : tensor<64x32xf32>, tensor<48x32xf32>) outs(%s_zeros : tensor<64x48xf32>) -> tensor<64x48xf32>
  %p_empty = tensor.empty() : tensor<64x48xf32>
  // CHECK: host.mlir:[[#@LINE+1]]:{{[0-9]+}}: remark: [Missed] Host | Category:trn-outline-kernels | Function=softmax | Reason="kernels compute products, linalg.generic and linalg.transpose, but no 'linalg.softmax'"
  %p = linalg.softmax dimension(1) ins(%s : tensor<64x48xf32>) outs(%p_empty : tensor<64x48xf32>) -> tensor<64x48xf32>
  %zeros = arith.constant dense<0.0> : tensor<64x32xf32>
  %o = linalg.matmul ins(%p, %v : tensor<64x48xf32>, tensor<48x32xf32>) outs(%zeros : tensor<64x32xf32>) -> tensor<64x32xf32>
  return %o : tensor<64x32xf32>
}

// -----

// As named ops, which trn-normalize-rows would make generics: the exponential reads a kernel's result, but also its
// largest elements.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @softmax_in_steps(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<6x2xf32>) -> tensor<8x2xf32> {
  %zero = arith.constant 0.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %s_zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %s = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%s_zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %row = tensor.empty() : tensor<8xf32>
  %lows = linalg.fill ins(%low : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: host.mlir:[[#@LINE+1]]:{{.*}}Function=softmax_in_steps | Reason="kernels compute products, linalg.generic and linalg.transpose, but no 'linalg.reduce'"
  %most = linalg.reduce { arith.maximumf } ins(%s : tensor<8x6xf32>) outs(%lows : tensor<8xf32>) dimensions = [1]
  %empty = tensor.empty() : tensor<8x6xf32>
  // CHECK: host.mlir:[[#@LINE+1]]:{{.*}}Reason="it reads what the host computes, beside the result of a kernel"
  %e = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%s, %most : tensor<8x6xf32>, tensor<8xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %d = arith.subf %a, %b : f32
    %p = math.exp %d : f32
    linalg.yield %p : f32
  } -> tensor<8x6xf32>
  %sum_zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  // CHECK: host.mlir:[[#@LINE+1]]:{{.*}}Reason="{{.*}}but no 'linalg.reduce'"
  %sums = linalg.reduce { arith.addf } ins(%e : tensor<8x6xf32>) outs(%sum_zeros : tensor<8xf32>) dimensions = [1]
  // That is a kernel, which the product follows.
  %q = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]} ins(%e, %sums : tensor<8x6xf32>, tensor<8xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %p = arith.divf %a, %b : f32
    linalg.yield %p : f32
  } -> tensor<8x6xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x2xf32>
  %o = linalg.matmul ins(%q, %v : tensor<8x6xf32>, tensor<6x2xf32>) outs(%zeros : tensor<8x2xf32>) -> tensor<8x2xf32>
  return %o : tensor<8x2xf32>
}

// -----

// RMSNorm before a product is part of the kernel. Its weight is scaled once, when it is loaded, which is not worth a
// word.
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#column = affine_map<(i, j) -> (j)>
func.func @norm(%x: tensor<8x4xf32>, %n: tensor<4xf32> {trn.param = "n"}, %w: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %n_empty = tensor.empty() : tensor<4xf32>
  %scale = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]} ins(%n : tensor<4xf32>) outs(%n_empty : tensor<4xf32>) {
  ^bb0(%a: f32, %out: f32):
    %p = arith.mulf %a, %half : f32
    linalg.yield %p : f32
  } -> tensor<4xf32>
  %row = tensor.empty() : tensor<8xf32>
  %row_zeros = linalg.fill ins(%zero : f32) outs(%row : tensor<8xf32>) -> tensor<8xf32>
  %squares = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<8x4xf32>) outs(%row_zeros : tensor<8xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %p = arith.mulf %a, %a : f32
    %s = arith.addf %sum, %p : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  %empty = tensor.empty() : tensor<8x4xf32>
  %normed = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]} ins(%x, %squares, %scale : tensor<8x4xf32>, tensor<8xf32>, tensor<4xf32>) outs(%empty : tensor<8x4xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %r = math.rsqrt %b : f32
    %p = arith.mulf %a, %r : f32
    %q = arith.mulf %p, %c : f32
    linalg.yield %q : f32
  } -> tensor<8x4xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %o = linalg.matmul ins(%normed, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// What reads a product in three ways: a kernel can be given it twice.
#id = affine_map<(i, j, k) -> (i, j, k)>
#first = affine_map<(i, j, k) -> (i, j)>
#last = affine_map<(i, j, k) -> (j, k)>
#outer = affine_map<(i, j, k) -> (i, k)>
func.func @behind(%x: tensor<8x4xf32>, %w: tensor<4x8xf32>) -> tensor<8x8x8xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %empty = tensor.empty() : tensor<8x8x8xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x8xf32>) outs(%zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  // CHECK: host.mlir:[[#@LINE+1]]:{{.*}}Function=behind | Reason="the kernel that computes what it reads ends before it"
  %o = linalg.generic {indexing_maps = [#first, #last, #outer, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%y, %y, %y : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) outs(%empty : tensor<8x8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %out: f32):
    %s = arith.addf %a, %b : f32
    %t = arith.subf %s, %c : f32
    linalg.yield %t : f32
  } -> tensor<8x8x8xf32>
  return %o : tensor<8x8x8xf32>
}

// -----

// Heads of another layer, which are moved to the front for a result.
#from = affine_map<(h, i, j) -> (i, h, j)>
#to = affine_map<(h, i, j) -> (h, i, j)>
func.func @moved(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %keys: tensor<8x2x3xf32>) -> (tensor<8x6xf32>, tensor<2x8x3xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %empty = tensor.empty() : tensor<2x8x3xf32>
  // CHECK: host.mlir:[[#@LINE+1]]:{{.*}}Function=moved | Reason="it only moves elements, and no kernel reads or stores them in that order"
  %o = linalg.generic {indexing_maps = [#from, #to], iterator_types = ["parallel", "parallel", "parallel"]} ins(%keys : tensor<8x2x3xf32>) outs(%empty : tensor<2x8x3xf32>) {
  ^bb0(%a: f32, %out: f32):
    linalg.yield %a : f32
  } -> tensor<2x8x3xf32>
  return %y, %o : tensor<8x6xf32>, tensor<2x8x3xf32>
}

// -----

// A scalar that no engine computes; others are computed where they are read.
#id = affine_map<(i, j) -> (i, j)>
#none = affine_map<(i, j) -> ()>
func.func @single(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %log: tensor<f32>) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %one = tensor.empty() : tensor<f32>
  // CHECK: host.mlir:[[#@LINE+1]]:{{.*}}Function=single | Reason="it works on tensor<f32>, but kernels compute tensors of one dimension or more; one number is as fast on the host"
  %scale = linalg.generic {indexing_maps = [affine_map<() -> ()>, affine_map<() -> ()>], iterator_types = []} ins(%log : tensor<f32>) outs(%one : tensor<f32>) {
  ^bb0(%a: f32, %out: f32):
    %e = math.cos %a : f32
    linalg.yield %e : f32
  } -> tensor<f32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %o = linalg.generic {indexing_maps = [#id, #none, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %scale : tensor<8x6xf32>, tensor<f32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %p = arith.mulf %a, %s : f32
    linalg.yield %p : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}
