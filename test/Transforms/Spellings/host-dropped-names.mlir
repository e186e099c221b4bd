// Names that MLIR dropped: the error names today's form.
// RUN: not trn-opt %s -split-input-file 2>&1 | FileCheck %s
// RUN: not trn-run %s 2>&1 | FileCheck %s --check-prefix=SAME

// CHECK: error: custom op 'linalg.matmul_transpose_b' is unknown
// CHECK: note: MLIR has no op of this name any more; write linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
// SAME: error: custom op 'linalg.matmul_transpose_b' is unknown
// SAME: note: MLIR has no op of this name any more
func.func @main(%x: tensor<24x40xf32>, %w: tensor<56x40xf32>, %o: tensor<24x56xf32>) -> tensor<24x56xf32> {
  %r = linalg.matmul_transpose_b ins(%x, %w : tensor<24x40xf32>, tensor<56x40xf32>) outs(%o : tensor<24x56xf32>) -> tensor<24x56xf32>
  return %r : tensor<24x56xf32>
}

// -----

// CHECK: error: custom op 'linalg.batch_matmul_transpose_a' is unknown
// CHECK: note: MLIR has no op of this name any more; write linalg.batch_matmul indexing_maps = [affine_map<(b, m, n, k) -> (b, k, m)>, affine_map<(b, m, n, k) -> (b, k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>]
func.func @main(%x: tensor<2x40x24xf32>, %w: tensor<2x40x56xf32>, %o: tensor<2x24x56xf32>) -> tensor<2x24x56xf32> {
  %r = linalg.batch_matmul_transpose_a ins(%x, %w : tensor<2x40x24xf32>, tensor<2x40x56xf32>) outs(%o : tensor<2x24x56xf32>) -> tensor<2x24x56xf32>
  return %r : tensor<2x24x56xf32>
}

// -----

// CHECK: error: custom op 'tensor.pack' is unknown
// CHECK: note: MLIR has no op of this name any more; write linalg.pack
func.func @main(%x: tensor<16x16xf32>, %o: tensor<2x2x8x8xf32>) -> tensor<2x2x8x8xf32> {
  %r = tensor.pack %x inner_dims_pos = [0, 1] inner_tiles = [8, 8] into %o : tensor<16x16xf32> -> tensor<2x2x8x8xf32>
  return %r : tensor<2x2x8x8xf32>
}
