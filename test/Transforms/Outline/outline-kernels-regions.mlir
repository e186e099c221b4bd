// RUN: trn-opt %s --split-input-file --trn-outline-kernels 2>&1 | FileCheck %s

// What is computed of a product element by element is part of its kernel.

// CHECK-LABEL: func.func @epilogue(
// CHECK-NEXT: bufferization.to_buffer
// CHECK-NEXT: bufferization.to_buffer
// CHECK-NEXT: bufferization.to_buffer
// CHECK-NEXT: memref.alloc
// CHECK-NEXT: call @epilogue_kernel(
// CHECK-SAME: (memref<8x4xf32>, memref<4x6xf32>, memref<6xf32>, memref<8x6xf32>)
// CHECK-NEXT: bufferization.to_tensor
// CHECK-NEXT: return
// CHECK: func.func private @epilogue_kernel(
// CHECK: linalg.matmul
// CHECK: math.exp
#id = affine_map<(i, j) -> (i, j)>
func.func @epilogue(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %b: tensor<6xf32>) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.generic {indexing_maps = [#id, affine_map<(i, j) -> (j)>, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %b : tensor<8x6xf32>, tensor<6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%a: f32, %bias: f32, %out: f32):
    %s = arith.addf %a, %bias : f32
    %e = math.exp %s : f32
    linalg.yield %e : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Products that share X are one kernel, wherever its results are read first.

// CHECK-LABEL: func.func @shared(
// CHECK: call @shared_kernel(
// CHECK-SAME: (memref<8x4xf32>, memref<4x6xf32>, memref<4x2xf32>, memref<8x6xf32>, memref<8x2xf32>)
// CHECK: tensor.extract
// CHECK-NOT: call
// CHECK: return
func.func @shared(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<4x2xf32>) -> (f32, tensor<8x2xf32>) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %q = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %first = tensor.extract %q[%c0, %c0] : tensor<8x6xf32>
  %others = arith.constant dense<0.0> : tensor<8x2xf32>
  %k = linalg.matmul ins(%x, %v : tensor<8x4xf32>, tensor<4x2xf32>) outs(%others : tensor<8x2xf32>) -> tensor<8x2xf32>
  return %first, %k : f32, tensor<8x2xf32>
}

// -----

// The host computes the second weight from the first result: two kernels.

// CHECK-LABEL: func.func @read_in_between(
// CHECK: call @read_in_between_kernel(
// CHECK: tensor.splat
// CHECK: call @read_in_between_kernel_2(
func.func @read_in_between(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<8x2xf32> {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %q = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %first = tensor.extract %q[%c0, %c0] : tensor<8x6xf32>
  %v = tensor.splat %first : tensor<4x2xf32>
  %others = arith.constant dense<0.0> : tensor<8x2xf32>
  %k = linalg.matmul ins(%x, %v : tensor<8x4xf32>, tensor<4x2xf32>) outs(%others : tensor<8x2xf32>) -> tensor<8x2xf32>
  return %k : tensor<8x2xf32>
}

// -----

// An op that engines lack stays on the host, and what reads it.

// CHECK-LABEL: func.func @unknown_function(
// CHECK: call @unknown_function_kernel(
// CHECK: math.cos
#id = affine_map<(i, j) -> (i, j)>
func.func @unknown_function(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%zeros : tensor<8x6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %e = math.cos %a : f32
    linalg.yield %e : f32
  } -> tensor<8x6xf32>
  return %o : tensor<8x6xf32>
}

// -----

// Equal kernels are one.

// CHECK-LABEL: func.func @twice(
// CHECK: call @twice_kernel(
// CHECK: call @twice_kernel(
// CHECK: func.func private @twice_kernel(
// CHECK-NOT: func.func
func.func @twice(%x: tensor<8x4xf32>, %z: tensor<8x4xf32>, %w: tensor<4x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %a = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %b = linalg.matmul ins(%z, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %a, %b : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// Two chains in a row are a kernel; the third one begins another.

// CHECK-LABEL: func.func @levels(
// CHECK: call @levels_kernel(
// CHECK: call @levels_kernel_2(
// CHECK-NOT: math.exp
// CHECK: func.func private @levels_kernel(
// CHECK-COUNT-2: linalg.matmul
// CHECK: func.func private @levels_kernel_2(
// CHECK-COUNT-1: linalg.matmul
#id = affine_map<(i, j) -> (i, j)>
func.func @levels(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<6x2xf32>, %u: tensor<2x3xf32>) -> tensor<8x3xf32> {
  %w_zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %w_empty = tensor.empty() : tensor<8x6xf32>
  %a = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%w_zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x6xf32>) outs(%w_empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<8x6xf32>
  %v_zeros = arith.constant dense<0.0> : tensor<8x2xf32>
  %v_empty = tensor.empty() : tensor<8x2xf32>
  %c = linalg.matmul ins(%b, %v : tensor<8x6xf32>, tensor<6x2xf32>) outs(%v_zeros : tensor<8x2xf32>) -> tensor<8x2xf32>
  %d = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<8x2xf32>) outs(%v_empty : tensor<8x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<8x2xf32>
  %u_zeros = arith.constant dense<0.0> : tensor<8x3xf32>
  %o = linalg.matmul ins(%d, %u : tensor<8x2xf32>, tensor<2x3xf32>) outs(%u_zeros : tensor<8x3xf32>) -> tensor<8x3xf32>
  return %o : tensor<8x3xf32>
}

// -----

// The first kernel also computes what comes behind its reader.

// CHECK-LABEL: func.func @behind_a_reader(
// CHECK: call @behind_a_reader_kernel{{.*}}memref<4x6xf32>
// CHECK: call @behind_a_reader_kernel{{.*}}memref<3x8xf32>
// CHECK-NOT: linalg
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
func.func @behind_a_reader(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<3x8xf32>) -> (tensor<3x6xf32>, tensor<8x6xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %others = arith.constant dense<0.0> : tensor<3x6xf32>
  %z = linalg.matmul ins(%v, %y : tensor<3x8xf32>, tensor<8x6xf32>) outs(%others : tensor<3x6xf32>) -> tensor<3x6xf32>
  %e = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %exp = math.exp %in : f32
    linalg.yield %exp : f32
  } -> tensor<8x6xf32>
  return %z, %e : tensor<3x6xf32>, tensor<8x6xf32>
}

// -----

// What is only the place for a later result is not computed, and holds nobody
// apart.

// CHECK-LABEL: func.func @overwritten(
// CHECK: call @overwritten_kernel({{.*}}) : (memref<8x4xf32>, memref<4x6xf32>, memref<6x2xf32>, memref<2x2xf32>, memref<8x2xf32>)
// CHECK-NOT: linalg
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
func.func @overwritten(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %v: tensor<6x2xf32>, %u: tensor<2x2xf32>) -> tensor<8x2xf32> {
  %w_zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %w_empty = tensor.empty() : tensor<8x6xf32>
  %a = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%w_zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<8x6xf32>) outs(%w_empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<8x6xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x2xf32>
  %empty = tensor.empty() : tensor<8x2xf32>
  %c = linalg.matmul ins(%b, %v : tensor<8x6xf32>, tensor<6x2xf32>) outs(%zeros : tensor<8x2xf32>) -> tensor<8x2xf32>
  %place = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<8x2xf32>) outs(%empty : tensor<8x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<8x2xf32>
  %d = linalg.matmul ins(%c, %u : tensor<8x2xf32>, tensor<2x2xf32>) outs(%zeros : tensor<8x2xf32>) -> tensor<8x2xf32>
  %o = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<8x2xf32>) outs(%place : tensor<8x2xf32>) {
  ^bb0(%in: f32, %out: f32):
    %e = math.exp %in : f32
    linalg.yield %e : f32
  } -> tensor<8x2xf32>
  return %o : tensor<8x2xf32>
}

// -----

// What is computed of inputs alone, for an op of the kernel and nobody else, is part of it: the
// scaled mask. What has fewer elements, or another reader, is better computed once, in kernels of
// their own.
// CHECK-LABEL: func.func @prologue(
// CHECK-NOT: linalg
// CHECK: call @prologue_kernel_2({{.*}}) : (memref<6xf32>, memref<6xf32>)
// CHECK: call @prologue_kernel_3({{.*}}) : (memref<8x6xf32>, memref<8x6xf32>)
// CHECK: call @prologue_kernel(
// CHECK-SAME: (memref<8x6xf32>, memref<8x6xf32>, memref<8x4xf32>, memref<4x6xf32>, memref<6xf32>, memref<8x6xf32>, memref<8x6xf32>)
// CHECK-NOT: linalg
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
#vector = affine_map<(i) -> (i)>
func.func @prologue(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %mask: tensor<8x6xf32>, %residual: tensor<8x6xf32>, %b: tensor<6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %empty = tensor.empty() : tensor<8x6xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%mask : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.addf %in, %in : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  %both = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%scaled, %residual : tensor<8x6xf32>, tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %r: f32, %out: f32):
    %s = arith.mulf %in, %r : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  %row = tensor.empty() : tensor<6xf32>
  %bias = linalg.generic {indexing_maps = [#vector, #vector], iterator_types = ["parallel"]} ins(%b : tensor<6xf32>) outs(%row : tensor<6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.negf %in : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  %twice = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%residual : tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = math.exp %in : f32
    linalg.yield %s : f32
  } -> tensor<8x6xf32>
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %o = linalg.generic {indexing_maps = [#id, #id, affine_map<(i, j) -> (j)>, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %both, %bias, %twice : tensor<8x6xf32>, tensor<8x6xf32>, tensor<6xf32>, tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %m: f32, %v: f32, %t: f32, %out: f32):
    %s = arith.addf %in, %m : f32
    %u = arith.addf %s, %v : f32
    %q = arith.addf %u, %t : f32
    linalg.yield %q : f32
  } -> tensor<8x6xf32>
  return %o, %twice : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// The second kernel, which scales by an element of %y, is called behind where that is read. The
// first one is called before, and so cannot add a result of the second one.
// CHECK-LABEL: func.func @called_in_between(
// CHECK: call @called_in_between_kernel({{.*}}) : (memref<8x4xf32>, memref<4x6xf32>, memref<8x6xf32>)
// CHECK: tensor.extract
// CHECK: call @called_in_between_kernel_2({{.*}}) : (memref<8x5xf32>, memref<5x6xf32>, memref<8x6xf32>, memref<8x6xf32>, memref<8x6xf32>, memref<8x6xf32>)
// CHECK-NOT: linalg
// CHECK: return
#id = affine_map<(i, j) -> (i, j)>
func.func @called_in_between(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %z: tensor<8x5xf32>, %v: tensor<5x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %y = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %a = linalg.matmul ins(%z, %v : tensor<8x5xf32>, tensor<5x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %element = tensor.extract %y[%c0, %c0] : tensor<8x6xf32>
  %scale = tensor.splat %element : tensor<8x6xf32>
  %b = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %scale : tensor<8x6xf32>, tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.mulf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<8x6xf32>
  %e = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%y, %a : tensor<8x6xf32>, tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %r = arith.addf %in, %s : f32
    linalg.yield %r : f32
  } -> tensor<8x6xf32>
  return %b, %e : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// A kernel of %m and %o would need what that of %t and %n computes, and that in turn %m.
// CHECK-LABEL: func.func @in_turns(
// CHECK: call @in_turns_kernel({{.*}}) : (memref<6x3xf32>, memref<3x8xf32>, memref<6x8xf32>)
// CHECK: call @in_turns_kernel_2({{.*}}) : (memref<8x4xf32>, memref<4x6xf32>, memref<6x8xf32>, memref<8x6xf32>, memref<8x8xf32>)
// CHECK: call @in_turns_kernel_3({{.*}}) : (memref<6x8xf32>, memref<8x6xf32>, memref<6x6xf32>)
// CHECK-NOT: linalg
// CHECK: return
func.func @in_turns(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %z: tensor<6x3xf32>, %v: tensor<3x8xf32>) -> (tensor<8x8xf32>, tensor<6x6xf32>) {
  %t_zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %m_zeros = arith.constant dense<0.0> : tensor<6x8xf32>
  %n_zeros = arith.constant dense<0.0> : tensor<8x8xf32>
  %o_zeros = arith.constant dense<0.0> : tensor<6x6xf32>
  %t = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%t_zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %m = linalg.matmul ins(%z, %v : tensor<6x3xf32>, tensor<3x8xf32>) outs(%m_zeros : tensor<6x8xf32>) -> tensor<6x8xf32>
  %n = linalg.matmul ins(%t, %m : tensor<8x6xf32>, tensor<6x8xf32>) outs(%n_zeros : tensor<8x8xf32>) -> tensor<8x8xf32>
  %o = linalg.matmul ins(%m, %t : tensor<6x8xf32>, tensor<8x6xf32>) outs(%o_zeros : tensor<6x6xf32>) -> tensor<6x6xf32>
  return %n, %o : tensor<8x8xf32>, tensor<6x6xf32>
}

// -----

// %sum adds what a product reads to what it computes, so %a is of another kernel. That is called earlier than
// %scale, so the kernel of %t computes nothing that waits for %scale.
// CHECK-LABEL: func.func @called_earlier(
// CHECK: call @called_earlier_kernel({{.*}}) : (memref<8x4xf32>, memref<4x6xf32>, memref<8x6xf32>)
// CHECK: call @called_earlier_kernel_2({{.*}}) : (memref<5x8xf32>, memref<8x6xf32>, memref<5x6xf32>)
// CHECK: tensor.splat
// CHECK: call @called_earlier_kernel_3({{.*}}) : (memref<5x6xf32>, memref<6x6xf32>, memref<5x6xf32>, memref<5x6xf32>)
// CHECK: arith.mulf
#id = affine_map<(i, j) -> (i, j)>
func.func @called_earlier(%x: tensor<8x4xf32>, %w: tensor<4x6xf32>, %z: tensor<5x8xf32>, %u: tensor<6x6xf32>, %r: tensor<8x6xf32>) -> (tensor<5x6xf32>, tensor<8x6xf32>) {
  %c0 = arith.constant 0 : index
  %zeros = arith.constant dense<0.0> : tensor<8x6xf32>
  %others = arith.constant dense<0.0> : tensor<5x6xf32>
  %t = linalg.matmul ins(%x, %w : tensor<8x4xf32>, tensor<4x6xf32>) outs(%zeros : tensor<8x6xf32>) -> tensor<8x6xf32>
  %a = linalg.matmul ins(%z, %t : tensor<5x8xf32>, tensor<8x6xf32>) outs(%others : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%a, %u : tensor<5x6xf32>, tensor<6x6xf32>) outs(%others : tensor<5x6xf32>) -> tensor<5x6xf32>
  %element = tensor.extract %r[%c0, %c0] : tensor<8x6xf32>
  %scale = tensor.splat %element : tensor<8x6xf32>
  %empty = tensor.empty() : tensor<5x6xf32>
  %sum = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%a, %c : tensor<5x6xf32>, tensor<5x6xf32>) outs(%empty : tensor<5x6xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %q = arith.addf %in, %s : f32
    linalg.yield %q : f32
  } -> tensor<5x6xf32>
  %scaled_empty = tensor.empty() : tensor<8x6xf32>
  %scaled = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%t, %scale : tensor<8x6xf32>, tensor<8x6xf32>) outs(%scaled_empty : tensor<8x6xf32>) {
  ^bb0(%in: f32, %s: f32, %out: f32):
    %q = arith.mulf %in, %s : f32
    linalg.yield %q : f32
  } -> tensor<8x6xf32>
  return %sum, %scaled : tensor<5x6xf32>, tensor<8x6xf32>
}
