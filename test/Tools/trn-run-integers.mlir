// RUN: %python -c "import numpy as n; n.save(r'%t.ids.npy', n.array([2, 0, 1])); n.save(r'%t.keep.npy', n.array([True, False, True])); n.save(r'%t.row.npy', n.int8(1)); n.save(r'%t.far.npy', n.int64(2**40)); n.save(r'%t.table.npy', n.arange(12, dtype='f').reshape(3, 4)); n.save(r'%t.one.npy', n.eye(4, dtype='f'))"
// RUN: trn-run %s --compile=effort=1 --verify --arg=@%t.ids.npy --arg=@%t.keep.npy --arg=@%t.row.npy --arg=@%t.table.npy --arg=@%t.one.npy --out=@%t.o.npy --out=@%t.next.npy --out=@%t.at.npy --out=@%t.positive.npy
// RUN: %python -c "import numpy as n; [print(a.dtype, a.tolist()) for a in (n.load(rf'%t.{x}.npy') for x in ('o', 'next', 'at', 'positive'))]" | FileCheck %s
// RUN: trn-run %s --compile=effort=1 --verify
// RUN: not trn-run %s --compile=effort=1 --arg=@%t.ids.npy --arg=@%t.keep.npy --arg=@%t.far.npy --arg=@%t.table.npy --arg=@%t.one.npy 2>&1 | FileCheck %s --check-prefix=FAR
// RUN: not trn-run %s --compile=effort=1 --arg=@%t.table.npy --arg=@%t.keep.npy --arg=@%t.row.npy --arg=@%t.table.npy --arg=@%t.one.npy 2>&1 | FileCheck %s --check-prefix=FLOATS

// Integers in and out of host code: token ids from NumPy's int64, a mask, a
// position, and results of i64, index and i1.

// CHECK: float32 {{\[\[}}8.0, 9.0, 10.0, 11.0], [0.0, 0.0, 0.0, 0.0], [4.0, 5.0, 6.0, 7.0]]
// CHECK: int64 [3, 1, 2]
// CHECK: int64 [1]
// CHECK: bool [True, False, True]

// FAR: cannot bind argument 2 of @main: {{.*}}far.npy': a value of type i64 does not fit i32
// FLOATS: cannot bind argument 0 of @main: {{.*}}table.npy': shape is 3x4, but 3 is needed

func.func @main(%ids: tensor<3xi32>, %keep: tensor<3xi1>, %row: i32, %table: tensor<3x4xf32>, %w: tensor<4x4xf32>)
    -> (tensor<3x4xf32>, tensor<3xi64>, tensor<1xindex>, tensor<3xi1>) {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<3x4xf32>
  %x = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%ids, %keep : tensor<3xi32>, tensor<3xi1>) outs(%empty : tensor<3x4xf32>) {
  ^bb0(%id: i32, %kept: i1, %out: f32):
    %at = arith.index_cast %id : i32 to index
    %j = linalg.index 1 : index
    %value = tensor.extract %table[%at, %j] : tensor<3x4xf32>
    %masked = arith.select %kept, %value, %zero : f32
    linalg.yield %masked : f32
  } -> tensor<3x4xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x4xf32>) -> tensor<3x4xf32>
  %o = linalg.matmul ins(%x, %w : tensor<3x4xf32>, tensor<4x4xf32>) outs(%zeros : tensor<3x4xf32>) -> tensor<3x4xf32>
  %ones = arith.constant dense<1> : tensor<3xi64>
  %wide = arith.extsi %ids : tensor<3xi32> to tensor<3xi64>
  %next = arith.addi %wide, %ones : tensor<3xi64>
  %position = arith.index_cast %row : i32 to index
  %at = tensor.from_elements %position : tensor<1xindex>
  %c0 = arith.constant dense<0> : tensor<3xi32>
  %positive = arith.cmpi sgt, %ids, %c0 : tensor<3xi32>
  return %o, %next, %at, %positive : tensor<3x4xf32>, tensor<3xi64>, tensor<1xindex>, tensor<3xi1>
}
