// What ties the rows of X, and what cannot follow them.

// RUN: split-file %s %t
// RUN: trn-run %t/tied.mlir --compile=effort=1 --sweep=rows=512 | FileCheck %s --check-prefix=TIED
// RUN: trn-run %t/shared.mlir --compile=effort=1 --sweep=rows=256 --report=%t/shared.json
// RUN: FileCheck %s --check-prefix=SHARED --input-file=%t/shared.json
// RUN: trn-run %t/square.mlir --compile=effort=1 --sweep=rows=512 | FileCheck %s --check-prefix=SQUARE
// RUN: trn-run %t/batches.mlir --compile=effort=1 --sweep=rows=8 --report=%t/batches.json
// RUN: FileCheck %s --check-prefix=BATCHES --input-file=%t/batches.json
// RUN: not trn-run %t/no-argument.mlir --sweep=rows=512 2>&1 | FileCheck %s --check-prefix=NO-ARGUMENT
// RUN: not trn-run %t/summed.mlir --sweep=rows=512 2>&1 | FileCheck %s --check-prefix=SUMMED
// RUN: not trn-run %t/ambiguous.mlir --sweep=rows=512 2>&1 | FileCheck %s --check-prefix=AMBIGUOUS
// RUN: not trn-run %t/constant.mlir --sweep=rows=512 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not trn-run %t/merged.mlir --sweep=rows=512 2>&1 | FileCheck %s --check-prefix=MERGED
// RUN: not trn-run %t/unknown.mlir --sweep=rows=512 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not trn-run %t/inside.mlir --sweep=rows=512 2>&1 | FileCheck %s --check-prefix=INSIDE
// RUN: not trn-run %t/mixed.mlir --sweep=rows=512 2>&1 | FileCheck %s --check-prefix=MIXED
// RUN: not trn-run %t/callers.mlir --entry=main --sweep=rows=512 2>&1 | FileCheck %s --check-prefix=CALLERS

//--- tied.mlir
// Reshapes, calls, elementwise ops and constants: 512 * 64 * 32 multiply-adds.
// TIED: 512 {{[0-9.]+ .*[0-9]$}}
func.func @main(%x: tensor<1x128x64xf32>, %w: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x128x64xf32> into tensor<128x64xf32>
  %o = call @product(%rows, %w) : (tensor<128x64xf32>, tensor<64x32xf32>) -> tensor<128x32xf32>
  %two = arith.constant dense<2.0> : tensor<128x32xf32>
  %twice = arith.mulf %o, %two : tensor<128x32xf32>
  %wide = tensor.expand_shape %twice [[0, 1], [2]] output_shape [1, 128, 32] : tensor<128x32xf32> into tensor<1x128x32xf32>
  %back = tensor.collapse_shape %wide [[0, 1], [2]] : tensor<1x128x32xf32> into tensor<128x32xf32>
  return %back : tensor<128x32xf32>
}
func.func private @product(%x: tensor<128x64xf32>, %w: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x32xf32>) -> tensor<128x32xf32>
  %o = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x32xf32>) outs(%init : tensor<128x32xf32>) -> tensor<128x32xf32>
  return %o : tensor<128x32xf32>
}

//--- shared.mlir
// The result and its transpose begin as one tensor, but only their shapes agree: 4 * 64 * 128 bytes of W.
// SHARED: "buffer": "w",
// SHARED: "bytes": 32768
func.func @main(%x: tensor<128x64xf32>, %w: tensor<64x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %o = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x128xf32>) outs(%init : tensor<128x128xf32>) -> tensor<128x128xf32>
  %t = linalg.transpose ins(%o : tensor<128x128xf32>) outs(%empty : tensor<128x128xf32>) permutation = [1, 0]
  return %t : tensor<128x128xf32>
}

//--- square.mlir
// SQUARE: 512 {{[0-9.]+ .*[0-9]$}}
func.func @main(%x: tensor<128x128xf32>, %w: tensor<128x128xf32>) -> tensor<128x128xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x128xf32>
  %t = linalg.transpose ins(%w : tensor<128x128xf32>) outs(%empty : tensor<128x128xf32>) permutation = [1, 0]
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x128xf32>) -> tensor<128x128xf32>
  %o = linalg.matmul ins(%x, %t : tensor<128x128xf32>, tensor<128x128xf32>) outs(%init : tensor<128x128xf32>) -> tensor<128x128xf32>
  return %o : tensor<128x128xf32>
}

//--- batches.mlir
// Batches are no rows: 3 * 8 * 31 * 16 multiply-adds.
// BATCHES: "flops": 23808
func.func @main(%q: tensor<3x24x16xf32>, %k: tensor<3x31x16xf32>) -> tensor<3x24x31xf32> {
  %zeros = arith.constant dense<0.0> : tensor<3x24x31xf32>
  %o = linalg.contract indexing_maps = [affine_map<(h, s, t, d) -> (h, s, d)>, affine_map<(h, s, t, d) -> (h, t, d)>, affine_map<(h, s, t, d) -> (h, s, t)>]
      ins(%q, %k : tensor<3x24x16xf32>, tensor<3x31x16xf32>) outs(%zeros : tensor<3x24x31xf32>) -> tensor<3x24x31xf32>
  return %o : tensor<3x24x31xf32>
}

//--- no-argument.mlir
// NO-ARGUMENT: note: the first one: {{.*}}no-argument.mlir:2:1: rows cannot vary: the first argument of @main is no tensor
func.func @main(%x: memref<4xf32>) { return }

//--- summed.mlir
// SUMMED: rows cannot vary: no dimension of 'tensor<{{.*}}>' is rows
func.func @main(%x: tensor<128xf32>, %sum: tensor<f32>) -> tensor<f32> {
  %o = linalg.reduce { arith.addf } ins(%x : tensor<128xf32>) outs(%sum : tensor<f32>) dimensions = [0]
  return %o : tensor<f32>
}

//--- ambiguous.mlir
// AMBIGUOUS: rows cannot vary: dimensions 0, 1 of 'tensor<{{.*}}>' may be it
func.func @main(%x: tensor<128x64xf32>) -> tensor<128x64xf32> {
  %o = arith.addf %x, %x : tensor<128x64xf32>
  return %o : tensor<128x64xf32>
}

//--- constant.mlir
// CONSTANT: rows cannot vary: a constant has a value for each index
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %c = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %o = arith.addf %x, %c : tensor<2xf32>
  return %o : tensor<2xf32>
}

//--- merged.mlir
// MERGED: rows cannot vary: 'tensor.expand_shape' splits or merges it
func.func @main(%x: tensor<128xf32>) -> tensor<2x64xf32> {
  %o = tensor.expand_shape %x [[0, 1]] output_shape [2, 64] : tensor<128xf32> into tensor<2x64xf32>
  return %o : tensor<2x64xf32>
}

//--- unknown.mlir
// UNKNOWN: rows cannot vary: nothing is known about how 'tensor.extract_slice' depends on it
func.func @main(%x: tensor<128xf32>) -> tensor<64xf32> {
  %o = tensor.extract_slice %x[0] [64] [1] : tensor<128xf32> to tensor<64xf32>
  return %o : tensor<64xf32>
}

//--- inside.mlir
// INSIDE: rows cannot vary: nothing is known about how 'scf.if' depends on it
func.func @main(%x: tensor<128xf32>, %c: tensor<f32>) -> tensor<f32> {
  %zero = arith.constant 0 : index
  %flag = arith.constant true
  %o = scf.if %flag -> f32 {
    %first = tensor.extract %x[%zero] : tensor<128xf32>
    scf.yield %first : f32
  } else {
    %other = tensor.extract %c[] : tensor<f32>
    scf.yield %other : f32
  }
  %r = tensor.from_elements %o : tensor<f32>
  return %r : tensor<f32>
}

//--- mixed.mlir
// MIXED: rows cannot vary: 'linalg.generic' computes an index from it
func.func @main(%x: tensor<4x64xf32>, %k: tensor<3xf32>, %e: tensor<2xf32>) -> tensor<2xf32> {
  %o = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2) -> (d0 + d2, d1)>, affine_map<(d0, d1, d2) -> (d2)>,
                       affine_map<(d0, d1, d2) -> (d0)>],
      iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x, %k : tensor<4x64xf32>, tensor<3xf32>) outs(%e : tensor<2xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    linalg.yield %a : f32
  } -> tensor<2xf32>
  return %o : tensor<2xf32>
}

//--- callers.mlir
// CALLERS: note: {{.*}}callers.mlir:14:8: rows cannot vary: this needs @product as it is
func.func @main(%x: tensor<128x64xf32>, %w: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %o = call @product(%x, %w) : (tensor<128x64xf32>, tensor<64x32xf32>) -> tensor<128x32xf32>
  return %o : tensor<128x32xf32>
}
func.func private @product(%x: tensor<128x64xf32>, %w: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<128x32xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<128x32xf32>) -> tensor<128x32xf32>
  %o = linalg.matmul ins(%x, %w : tensor<128x64xf32>, tensor<64x32xf32>) outs(%init : tensor<128x32xf32>) -> tensor<128x32xf32>
  return %o : tensor<128x32xf32>
}
func.func @other(%x: tensor<128x64xf32>, %w: tensor<64x32xf32>) -> tensor<128x32xf32> {
  %o = call @product(%x, %w) : (tensor<128x64xf32>, tensor<64x32xf32>) -> tensor<128x32xf32>
  return %o : tensor<128x32xf32>
}
