// RUN: trn-opt %s --trn-compress="rank=8 ignore=k_proj,^layers.1 modules=proj,main.0,main.1,data" \
// RUN:   --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-NOT: _v_proj
// CHECK-NOT: x8x

func.func @names(%x: tensor<4x24xf32>, %init: tensor<4x32xf32>,
    // expected-remark@+1 {{weight 'k_proj.weight' kept dense: not asked}}
    %k: tensor<24x32xf32> {trn.param = "k_proj.weight"},
    // expected-remark@+1 {{weight 'layers.1.proj.weight' kept dense: not asked}}
    %one: tensor<24x32xf32> {trn.param = "layers.1.proj.weight"},
    // expected-remark@+1 {{weight 'another_proj' kept dense: not asked}}
    %other: tensor<24x32xf32> {trn.param = "another_proj"})
    -> (tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>) {
  %a = linalg.matmul ins(%x, %k : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  %b = linalg.matmul ins(%x, %one : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  %c = linalg.matmul ins(%x, %other : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %a, %b, %c : tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>
}

// -----

// 12 * 16 / (12 + 16) = 6.9.

func.func @break_even(%x: tensor<4x12xf32>, %init: tensor<4x16xf32>,
    // expected-remark@+1 {{weight 'a.proj' kept dense: break-even: rank 8 saves no parameters, the largest useful rank is 6}}
    %w: tensor<12x16xf32> {trn.param = "a.proj"}) -> tensor<4x16xf32> {
  %a = linalg.matmul ins(%x, %w : tensor<4x12xf32>, tensor<12x16xf32>)
                     outs(%init : tensor<4x16xf32>) -> tensor<4x16xf32>
  return %a : tensor<4x16xf32>
}

// -----

// What is no weight, or is read by no product, is nobody's business.

func.func @no_weights(%x: tensor<4x24xf32>, %init: tensor<4x32xf32>, %w: tensor<24x32xf32>,
                      %gains: tensor<1x32xf32> {trn.param = "a.proj"},
                      %i: tensor<24x32xi8> {trn.param = "b.proj"},
                      %v: tensor<24xf32> {trn.param = "c.proj"})
    -> (tensor<4x32xf32>, tensor<1x32xf32>, tensor<4xf32>) {
  %a = linalg.matmul ins(%x, %w : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  %e = tensor.empty() : tensor<4xf32>
  %b = linalg.matvec ins(%x, %v : tensor<4x24xf32>, tensor<24xf32>)
                     outs(%e : tensor<4xf32>) -> tensor<4xf32>
  return %a, %gains, %b : tensor<4x32xf32>, tensor<1x32xf32>, tensor<4xf32>
}

// -----

// A tied head.

func.func @read_otherwise(%x: tensor<4x24xf32>, %init: tensor<4x32xf32>, %at: index,
    // expected-remark@+1 {{weight 'a.proj' kept dense: 'tensor.extract_slice' reads it, too}}
    %w: tensor<24x32xf32> {trn.param = "a.proj"}) -> (tensor<4x32xf32>, tensor<1x32xf32>) {
  %a = linalg.matmul ins(%x, %w : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  %row = tensor.extract_slice %w[%at, 0] [1, 32] [1, 1]
      : tensor<24x32xf32> to tensor<1x32xf32>
  return %a, %row : tensor<4x32xf32>, tensor<1x32xf32>
}

// -----

// The same weight in two functions: one of them needs it whole, so the file has it whole.

func.func @whole(
    // expected-remark@+1 {{weight 'a.proj' kept dense: 'func.return' reads it, too}}
    %w: tensor<24x32xf32> {trn.param = "a.proj"}, %x: tensor<4x24xf32>, %init: tensor<4x32xf32>)
    -> (tensor<4x32xf32>, tensor<24x32xf32>) {
  %a = linalg.matmul ins(%x, %w : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %a, %w : tensor<4x32xf32>, tensor<24x32xf32>
}
func.func @also_factored(
    // expected-remark@+1 {{weight 'a.proj' kept dense: another argument of this name stays whole}}
    %w: tensor<24x32xf32> {trn.param = "a.proj"}, %x: tensor<4x24xf32>, %init: tensor<4x32xf32>)
    -> tensor<4x32xf32> {
  %a = linalg.matmul ins(%x, %w : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %a : tensor<4x32xf32>
}

// -----

func.func @name_is_taken(
    // expected-remark@+1 {{weight 'a.proj.weight' kept dense: the module has a parameter 'a.u_proj.weight' already}}
    %w: tensor<24x32xf32> {trn.param = "a.proj.weight"}, %x: tensor<4x24xf32>,
    %init: tensor<4x32xf32> {trn.param = "a.u_proj.weight"}) -> tensor<4x32xf32> {
  %a = linalg.matmul ins(%x, %w : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %a : tensor<4x32xf32>
}

// -----

// Calls: of what is not there, with what is computed, and from elsewhere.

func.func private @outside(tensor<24x32xf32>)
func.func private @layer(%x: tensor<4x24xf32>, %w: tensor<24x32xf32>, %init: tensor<4x32xf32>)
    -> tensor<4x32xf32> {
  %a = linalg.matmul ins(%x, %w : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %a : tensor<4x32xf32>
}
func.func private @addressed(%x: tensor<4x24xf32>, %w: tensor<24x32xf32>, %init: tensor<4x32xf32>)
    -> tensor<4x32xf32> {
  %a = linalg.matmul ins(%x, %w : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %a : tensor<4x32xf32>
}
func.func @calls(%x: tensor<4x24xf32>, %init: tensor<4x32xf32>, %given: tensor<24x32xf32>,
    // expected-remark@+1 {{weight 'a.proj' kept dense: a function that reads it is also called with what is no weight}}
    %a: tensor<24x32xf32> {trn.param = "a.proj"},
    // expected-remark@+1 {{weight 'b.proj' kept dense: @outside reads it, too}}
    %b: tensor<24x32xf32> {trn.param = "b.proj"},
    // expected-remark@+1 {{weight 'c.proj' kept dense: 'func.constant' refers to @addressed}}
    %c: tensor<24x32xf32> {trn.param = "c.proj"}) -> tensor<4x32xf32> {
  %double = arith.addf %given, %given : tensor<24x32xf32>
  %1 = call @layer(%x, %double, %init)
      : (tensor<4x24xf32>, tensor<24x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  %again = call @layer(%x, %a, %1)
      : (tensor<4x24xf32>, tensor<24x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  call @outside(%b) : (tensor<24x32xf32>) -> ()
  %2 = linalg.matmul ins(%x, %b : tensor<4x24xf32>, tensor<24x32xf32>)
                     outs(%again : tensor<4x32xf32>) -> tensor<4x32xf32>
  %3 = call @addressed(%x, %c, %2)
      : (tensor<4x24xf32>, tensor<24x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  %f = func.constant @addressed
      : (tensor<4x24xf32>, tensor<24x32xf32>, tensor<4x32xf32>) -> tensor<4x32xf32>
  return %3 : tensor<4x32xf32>
}

// -----

// Products that are none of X and one matrix.

#m = affine_map<(m, n, k) -> (m, k)>
#w = affine_map<(m, n, k) -> (k, n)>
#o = affine_map<(m, n, k) -> (m, n)>

func.func @products(%x: tensor<2x24x24xf32>, %init: tensor<2x24x32xf32>, %i: tensor<24x32xf32>,
    // expected-remark@+1 {{weight 'a.proj' kept dense: a product that reads it reads one matrix of it for each index of a batch}}
    %a: tensor<2x24x32xf32> {trn.param = "a.proj"},
    // expected-remark@+1 {{weight 'b.proj' kept dense: a product that reads it multiplies it with another weight}}
    %b: tensor<24x24xf32> {trn.param = "b.proj"},
    // expected-remark@+1 {{weight 'c.proj' kept dense: a product that reads it multiplies it with another weight}}
    %c: tensor<24x32xf32> {trn.param = "c.proj"},
    // expected-remark@+1 {{weight 'd.proj' kept dense: products sum over different dimensions of it}}
    %d: tensor<24x24x24xf32> {trn.param = "d.proj"},
    // expected-remark@+1 {{weight 'e.proj' kept dense: a product that reads it is not a plain product of matrices}}
    %e: tensor<24x32xf32> {trn.param = "e.proj"},
    // expected-remark@+1 {{weight 'f.proj' kept dense: a product that reads it is not one of bf16, f16 or f32}}
    %f: tensor<24x32xf32> {trn.param = "f.proj"})
    -> (tensor<2x24x32xf32>, tensor<24x32xf32>, tensor<2x24x24x24xf32>, tensor<24x2x24x24xf32>) {
  %1 = linalg.batch_matmul ins(%x, %a : tensor<2x24x24xf32>, tensor<2x24x32xf32>)
                           outs(%init : tensor<2x24x32xf32>) -> tensor<2x24x32xf32>
  %2 = linalg.matmul ins(%b, %c : tensor<24x24xf32>, tensor<24x32xf32>)
                     outs(%i : tensor<24x32xf32>) -> tensor<24x32xf32>
  %e3 = tensor.empty() : tensor<2x24x24x24xf32>
  %3 = linalg.contract
      indexing_maps = [affine_map<(b, m, p, q, k) -> (b, m, k)>, affine_map<(b, m, p, q, k) -> (k, p, q)>,
                       affine_map<(b, m, p, q, k) -> (b, m, p, q)>]
      ins(%x, %d : tensor<2x24x24xf32>, tensor<24x24x24xf32>)
      outs(%e3 : tensor<2x24x24x24xf32>) -> tensor<2x24x24x24xf32>
  %e4 = tensor.empty() : tensor<24x2x24x24xf32>
  %4 = linalg.contract
      indexing_maps = [affine_map<(b, m, p, q, k) -> (b, m, k)>, affine_map<(b, m, p, q, k) -> (p, k, q)>,
                       affine_map<(b, m, p, q, k) -> (m, b, p, q)>]
      ins(%x, %d : tensor<2x24x24xf32>, tensor<24x24x24xf32>)
      outs(%e4 : tensor<24x2x24x24xf32>) -> tensor<24x2x24x24xf32>
  %row = tensor.extract_slice %x[0, 0, 0] [1, 24, 24] [1, 1, 1]
      : tensor<2x24x24xf32> to tensor<24x24xf32>
  %5 = linalg.generic {indexing_maps = [#m, #w, #o],
                       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%row, %e : tensor<24x24xf32>, tensor<24x32xf32>) outs(%2 : tensor<24x32xf32>) {
  ^bb0(%p: f32, %q: f32, %s: f32):
    %less = arith.subf %p, %q : f32
    %product = arith.mulf %p, %less : f32
    %sum = arith.addf %product, %s : f32
    linalg.yield %sum : f32
  } -> tensor<24x32xf32>
  %wide = arith.extf %f : tensor<24x32xf32> to tensor<24x32xf64>
  %wx = arith.extf %row : tensor<24x24xf32> to tensor<24x24xf64>
  %we = arith.extf %5 : tensor<24x32xf32> to tensor<24x32xf64>
  %6 = linalg.matmul ins(%wx, %wide : tensor<24x24xf64>, tensor<24x32xf64>)
                     outs(%we : tensor<24x32xf64>) -> tensor<24x32xf64>
  %7 = arith.truncf %6 : tensor<24x32xf64> to tensor<24x32xf32>
  return %1, %7, %3, %4 : tensor<2x24x32xf32>, tensor<24x32xf32>, tensor<2x24x24x24xf32>, tensor<24x2x24x24xf32>
}

// -----

// Constants whose values are no weights.

func.func @main(%x: tensor<4x24xf16>, %init: tensor<4x32xf32>)
    -> (tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>) {
  // expected-remark@+1 {{weight 'main.0' kept dense: it has values that are not finite}}
  %a = arith.constant dense<0x7E00> : tensor<24x32xf16>
  // expected-remark@+1 {{weight 'data' kept dense: the module has no data of its resource}}
  %b = arith.constant dense_resource<data> : tensor<24x32xf16>
  // expected-remark@+1 {{weight 'short.data' kept dense: its resource has 4 bytes, not 1536}}
  %c = arith.constant dense_resource<short.data> : tensor<24x32xf16>
  %1 = linalg.matmul ins(%x, %a : tensor<4x24xf16>, tensor<24x32xf16>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  %2 = linalg.matmul ins(%x, %b : tensor<4x24xf16>, tensor<24x32xf16>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  %3 = linalg.matmul ins(%x, %c : tensor<4x24xf16>, tensor<24x32xf16>)
                     outs(%init : tensor<4x32xf32>) -> tensor<4x32xf32>
  return %1, %2, %3 : tensor<4x32xf32>, tensor<4x32xf32>, tensor<4x32xf32>
}

{-# dialect_resources: { builtin: { short.data: "0x0200000000000000" } } #-}

// -----

// Weights that no machine factors. The first one has 2^64 elements.

func.func @main(%x: tensor<4x4294967296xf32>, %y: tensor<4x16777216xf32>,
                %init: tensor<4x4294967296xf32>, %i: tensor<4x16777216xf32>,
    // expected-remark@+1 {{weight 'a.proj' kept dense: it has more than 2^63 elements}}
    %a: tensor<4294967296x4294967296xf32> {trn.param = "a.proj"})
    -> (tensor<4x4294967296xf32>, tensor<4x16777216xf32>) {
  // expected-remark-re@+1 {{weight 'main.0' kept dense: factoring it takes {{.*}} GB, but this machine has only {{.*}} GB of memory}}
  %b = arith.constant dense<1.0> : tensor<16777216x16777216xf32>
  %1 = linalg.matmul ins(%x, %a : tensor<4x4294967296xf32>, tensor<4294967296x4294967296xf32>)
                     outs(%init : tensor<4x4294967296xf32>) -> tensor<4x4294967296xf32>
  %2 = linalg.matmul ins(%y, %b : tensor<4x16777216xf32>, tensor<16777216x16777216xf32>)
                     outs(%i : tensor<4x16777216xf32>) -> tensor<4x16777216xf32>
  return %1, %2 : tensor<4x4294967296xf32>, tensor<4x16777216xf32>
}
