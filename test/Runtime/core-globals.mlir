// Cores run the same host code, but each writes globals of its own.

// RUN: %python -c "import numpy; numpy.save('%t.x.npy', numpy.array([[7], [1000]], numpy.int32))"
// RUN: trn-run %s --arg=@%t.x.npy --arg=zeros --out=@%t.y.npy
// RUN: %python -c "import numpy; print(numpy.load('%t.y.npy').tolist())" | FileCheck %s
// CHECK: {{\[\[}}7], [1000]]

shard.grid @cores(shape = 2)
memref.global "private" @kept : memref<1x1xi32> = dense<0>
// Both have written when they meet.
func.func private @meet(%x: memref<1x1xf32>, %out: memref<1x1xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out cores 2 : memref<1x1xf32> to memref<1x1xf32>
  return
}
func.func @main(%x: memref<1x1xi32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 2>}, %f: memref<1x1xf32>)
    -> (memref<1x1xi32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 2>}) {
  %kept = memref.get_global @kept : memref<1x1xi32>
  memref.copy %x, %kept : memref<1x1xi32> to memref<1x1xi32>
  %sum = memref.alloc() : memref<1x1xf32>
  call @meet(%f, %sum) : (memref<1x1xf32>, memref<1x1xf32>) -> ()
  %out = memref.alloc() : memref<1x1xi32>
  memref.copy %kept, %out : memref<1x1xi32> to memref<1x1xi32>
  return %out : memref<1x1xi32>
}
