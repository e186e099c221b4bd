// A module that is split already is compared with itself as host code, where cores meet, too.

// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: verify: against the module before its compilation, run on the host
// CHECK: verify: result 0: relative error {{.*}}e-0{{[6-9]}}, at most 1.00e-05 is allowed

// One that calls more of a kernel than a meeting is not what is right.
// RUN: trn-opt %s --trn-compile=effort=1 -o %t.mlir
// RUN: not trn-run %t.mlir --verify 2>&1 | FileCheck %s --check-prefix=KERNELS
// KERNELS: error: cannot verify @main: it calls kernels, and only the module before its compilation says what is right

shard.grid @cores(shape = 2)

// Each core multiplies its rows of both factors; the sum of all is the product.
func.func @main(%x: tensor<8x64xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 128>},
                %w: tensor<64x96xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 128>}) -> tensor<8x96xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<8x96xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<8x96xf32>) -> tensor<8x96xf32>
  %own = linalg.matmul ins(%x, %w : tensor<8x64xf32>, tensor<64x96xf32>) outs(%fill : tensor<8x96xf32>) -> tensor<8x96xf32>
  %sum = shard.all_reduce %own on @cores grid_axes = [0] : tensor<8x96xf32> -> tensor<8x96xf32>
  return %sum : tensor<8x96xf32>
}
