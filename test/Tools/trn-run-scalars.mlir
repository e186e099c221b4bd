// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.float32(3))"
// RUN: trn-run %s --compile=effort=1 --verify --entry=single --arg=random --arg=random:1 --arg=@%t.npy --arg=zeros | FileCheck %s --check-prefix=SINGLE
// RUN: trn-run %s --compile=effort=1 --verify --entry=narrow --arg=random --arg=random:1 --arg=@%t.npy | FileCheck %s --check-prefix=NARROW
// RUN: trn-run %s --compile=effort=1 --verify --entry=source --arg=random --arg=random:1 --arg=@%t.npy | FileCheck %s --check-prefix=SOURCE

// Inputs may be scalars, for the reference and for code that runs on the host.

#id = affine_map<(i, j) -> (i, j)>

// SINGLE-NOT: against
// SINGLE: verify: result 0: relative error {{.*(e-0[78]|0e\+00)}}, at most 1.00e-05 is allowed
func.func @single(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>, %scale: f32, %shift: f32) -> tensor<6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %y = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x5xf32>) outs(%z : tensor<6x5xf32>) -> tensor<6x5xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%y : tensor<6x5xf32>) outs(%e : tensor<6x5xf32>) {
  ^bb0(%in: f32, %out: f32):
    %scaled = arith.mulf %in, %scale : f32
    %shifted = arith.addf %scaled, %shift : f32
    linalg.yield %shifted : f32
  } -> tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}

// NARROW: verify: result 0: relative error {{.*(e-0[5-8]|0e\+00)}}, at most 1.00e-02 is allowed
func.func @narrow(%x: tensor<6x8xbf16>, %w: tensor<8x5xbf16>, %scale: bf16) -> tensor<6x5xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<6x5xbf16>
  %z = linalg.fill ins(%zero : bf16) outs(%e : tensor<6x5xbf16>) -> tensor<6x5xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<6x8xbf16>, tensor<8x5xbf16>) outs(%z : tensor<6x5xbf16>) -> tensor<6x5xbf16>
  %s = linalg.fill ins(%scale : bf16) outs(%e : tensor<6x5xbf16>) -> tensor<6x5xbf16>
  %r = arith.mulf %y, %s : tensor<6x5xbf16>
  return %r : tensor<6x5xbf16>
}

// SOURCE: against the module before its compilation
// SOURCE: verify: result 0: relative error {{.*(e-0[78]|0e\+00)}}, at most 1.00e-05 is allowed
func.func @source(%x: tensor<6x8xf32>, %w: tensor<8x5xf32>, %scale: f32) -> tensor<6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x5xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<6x5xf32>) -> tensor<6x5xf32>
  %y = linalg.matmul ins(%x, %w : tensor<6x8xf32>, tensor<8x5xf32>) outs(%z : tensor<6x5xf32>) -> tensor<6x5xf32>
  %s = tensor.splat %scale : tensor<6x5xf32>
  %r = arith.mulf %y, %s : tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}

// RUN: not trn-run %s --compile=effort=1 --entry=vector 2>&1 | FileCheck %s --check-prefix=VECTOR
// VECTOR: error: argument 0 of @vector has type 'vector<4xf32>', but only ranked tensors and memrefs are bound
func.func @vector(%x: vector<4xf32>) {
  return
}
