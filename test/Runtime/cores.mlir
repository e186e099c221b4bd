// Cores that meet where the code says so, or not.

// RUN: split-file %s %t
// RUN: %python -c "import numpy; numpy.save('%t/turn.npy', numpy.array([0, 1], numpy.int32))"
// RUN: not trn-run %t/dropped.mlir 2>&1 | FileCheck %s --check-prefix=DROPPED
// RUN: not trn-run %t/count.mlir 2>&1 | FileCheck %s --check-prefix=COUNT
// RUN: not trn-run %t/grids.mlir 2>&1 | FileCheck %s --check-prefix=GRIDS
// RUN: not trn-run %t/many.mlir 2>&1 | FileCheck %s --check-prefix=MANY
// RUN: not trn-run %t/unknown.mlir 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not trn-run %t/none.mlir 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not trn-run %t/huge.mlir 2>&1 | FileCheck %s --check-prefix=HUGE
// NONE: error: a size of the grid is unknown or zero; a run needs the number of its cores
// RUN: not trn-run %t/branch.mlir --arg=@%t/turn.npy --arg=zeros --arg=zeros 2>&1 | FileCheck %s --check-prefix=BRANCH
// RUN: not trn-run %t/reductions.mlir --arg=@%t/turn.npy --arg=zeros --arg=zeros 2>&1 | FileCheck %s --check-prefix=REDUCTIONS
// RUN: not trn-run %t/sources.mlir --arg=@%t/turn.npy --arg=zeros --arg=zeros 2>&1 | FileCheck %s --check-prefix=SOURCES
// RUN: not trn-run %t/dims.mlir --arg=@%t/turn.npy --arg=zeros --arg=zeros 2>&1 | FileCheck %s --check-prefix=DIMS
// RUN: not trn-run %t/pieces.mlir 2>&1 | FileCheck %s --check-prefix=PIECES
// RUN: not trn-run %t/alone.mlir 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: not trn-run %t/copies.mlir 2>&1 | FileCheck %s --check-prefix=COPIES

//--- dropped.mlir
// A sum that is not made: each core returns its own part.
shard.grid @cores(shape = 2)
func.func private @cores_c3__dropped(%x: memref<4x8xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 8>},
                          %out: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %out : memref<4x8xf32> to memref<4x8xf32>
  return
}
// DROPPED: dropped.mlir:3:1: error: @cores_c3__dropped on core 0 of 2: result 0 has no pieces, but is not the same on cores 0 and 1; it may lack an all_reduce
// DROPPED-NOT: error

//--- count.mlir
shard.grid @cores(shape = 2)
func.func private @kernel(%x: memref<4x8xf32>, %out: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out cores 3 : memref<4x8xf32> to memref<4x8xf32>
  return
}
// COUNT: count.mlir:3:3: error: 'trn.all_reduce' op is of 3 cores, but the program runs on 2
// COUNT-NOT: error

//--- grids.mlir
shard.grid @cores(shape = 2)
shard.grid @others(shape = 2)
func.func private @kernel(%x: memref<4x8xf32>, %out: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out cores 2 : memref<4x8xf32> to memref<4x8xf32>
  return
}
// GRIDS: grids.mlir:2:1: error: a module runs on one grid of cores, but this is the second one

//--- many.mlir
shard.grid @cores(shape = 100x100)
func.func private @kernel(%x: memref<4x8xf32>, %out: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out cores 10000 : memref<4x8xf32> to memref<4x8xf32>
  return
}
// MANY: many.mlir:1:1: error: the grid has 10000 cores, but a run has at most 64

//--- unknown.mlir
shard.grid @cores(shape = ?)
func.func private @kernel(%x: memref<4x8xf32>, %out: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out cores 2 : memref<4x8xf32> to memref<4x8xf32>
  return
}
// UNKNOWN: unknown.mlir:1:1: error: a size of the grid is unknown or zero; a run needs the number of its cores

//--- none.mlir
shard.grid @cores(shape = 2x0)
func.func private @kernel(%x: memref<4x8xf32>, %out: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out cores 2 : memref<4x8xf32> to memref<4x8xf32>
  return
}

//--- huge.mlir
shard.grid @cores(shape = 4294967296x4294967296)
func.func private @kernel(%x: memref<4x8xf32>, %out: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out cores 2 : memref<4x8xf32> to memref<4x8xf32>
  return
}
// HUGE: error: the grid has 18446744073709551615 cores, but a run has at most 64

//--- branch.mlir
// Each core has a piece of %turn, and only one of them comes to the sum.
shard.grid @cores(shape = 2)
func.func @main(%turn: memref<1xi32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 2>},
                %x: memref<4x8xf32>, %out: memref<4x8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %mine = memref.load %turn[%zero] : memref<1xi32>
  %is_mine = arith.cmpi eq, %mine, %one : i32
  scf.if %is_mine {
    func.call @sum(%x, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  }
  return
}
func.func private @sum(%x: memref<4x8xf32>, %out: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out cores 2 : memref<4x8xf32> to memref<4x8xf32>
  return
}
// One of both says so.
// BRANCH: core {{[01]}} is at {{(the end of the run, with argument 0 of 4 bytes|all_reduce of 128 bytes)}} {{.*}}, but core {{[01]}} is at {{.*}}; all cores must come to the same collectives

//--- reductions.mlir
// Both are reductions, but not by one function.
shard.grid @cores(shape = 2)
func.func @main(%turn: memref<1xi32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 2>},
                %x: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %mine = memref.load %turn[%zero] : memref<1xi32>
  %is_mine = arith.cmpi eq, %mine, %one : i32
  scf.if %is_mine {
    func.call @first(%x, %out) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  } else {
    func.call @second(%x, %out) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  }
  return
}
func.func private @first(%x: memref<8x8xf32>, %out: memref<8x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out by max cores 2 : memref<8x8xf32> to memref<8x8xf32>
  return
}
func.func private @second(%x: memref<8x8xf32>, %out: memref<8x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out cores 2 : memref<8x8xf32> to memref<8x8xf32>
  return
}
// REDUCTIONS: core {{[01]}} is at all_reduce{{( by max)?}} of 256 bytes ({{.*}}), but core {{[01]}} is at all_reduce{{( by max)?}} of 256 bytes ({{.*}}); all cores must come to the same collectives

//--- sources.mlir
// One core waits for what the other one does not send.
shard.grid @cores(shape = 2)
func.func @main(%turn: memref<1xi32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 2>},
                %x: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %mine = memref.load %turn[%zero] : memref<1xi32>
  %is_mine = arith.cmpi eq, %mine, %one : i32
  scf.if %is_mine {
    func.call @first(%x, %out) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  } else {
    func.call @second(%x, %out) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  }
  return
}
func.func private @first(%x: memref<8x8xf32>, %out: memref<8x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.collective_permute %x to %out from [1, 0] : memref<8x8xf32> to memref<8x8xf32>
  return
}
func.func private @second(%x: memref<8x8xf32>, %out: memref<8x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.collective_permute %x to %out from [1, -1] : memref<8x8xf32> to memref<8x8xf32>
  return
}
// SOURCES: core {{[01]}} is at collective_permute from [1, {{-1|0}}] of 256 bytes ({{.*}}), but core {{[01]}} is at collective_permute from [1, {{-1|0}}] of 256 bytes ({{.*}}); all cores must come to the same collectives

//--- dims.mlir
// Pieces of other dimensions.
shard.grid @cores(shape = 2)
func.func @main(%turn: memref<1xi32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 2>},
                %x: memref<8x8xf32>, %out: memref<8x8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : i32
  %mine = memref.load %turn[%zero] : memref<1xi32>
  %is_mine = arith.cmpi eq, %mine, %one : i32
  scf.if %is_mine {
    func.call @first(%x, %out) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  } else {
    func.call @second(%x, %out) : (memref<8x8xf32>, memref<8x8xf32>) -> ()
  }
  return
}
func.func private @first(%x: memref<8x8xf32>, %out: memref<8x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_to_all %x to %out split 0 concat 0 cores 2 : memref<8x8xf32> to memref<8x8xf32>
  return
}
func.func private @second(%x: memref<8x8xf32>, %out: memref<8x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_to_all %x to %out split 1 concat 1 cores 2 : memref<8x8xf32> to memref<8x8xf32>
  return
}
// DIMS: core {{[01]}} is at all_to_all from dimension {{[01]}} to {{[01]}} of 256 bytes ({{.*}}), but core {{[01]}} is at all_to_all from dimension {{[01]}} to {{[01]}} of 256 bytes ({{.*}}); all cores must come to the same collectives

//--- pieces.mlir
// Nobody would have the second and the last of four pieces.
shard.grid @cores(shape = 2)
func.func private @cores_c7__many(%x: memref<2x8xf32>,
                                  %out: memref<2x8xf32> {trn.result, trn.shard = #trn.shard<dim = 0, pieces = 4, size = 8>})
    attributes {trn.kernel} {
  trn.dma_copy %x to %out : memref<2x8xf32> to memref<2x8xf32>
  return
}
// PIECES: pieces.mlir:3:1: error: result 0 of @cores_c7__many has 4 pieces, but runs on 2 cores, which cannot have them equally often

//--- alone.mlir
func.func private @kernel(%x: memref<2x8xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 4>}, %out: memref<2x8xf32> {trn.result})
    attributes {trn.kernel} {
  trn.dma_copy %x to %out : memref<2x8xf32> to memref<2x8xf32>
  return
}
// ALONE: error: argument 0 of @kernel has 2 pieces, but runs on 1 core, which cannot have them equally often

//--- copies.mlir
// Cores 0 and 1 have the first piece of the result, but not of what it is a copy of.
shard.grid @cores(shape = 4)
func.func private @cores_c3__copies(%x: memref<2x8xf32> {trn.shard = #trn.shard<dim = 0, pieces = 4, size = 8>},
                                    %out: memref<2x8xf32> {trn.result, trn.shard = #trn.shard<dim = 0, pieces = 2, size = 4>})
    attributes {trn.kernel} {
  trn.dma_copy %x to %out : memref<2x8xf32> to memref<2x8xf32>
  return
}
// COPIES: copies.mlir:3:1: error: @cores_c3__copies on core {{[0-3]}} of 4: result 0 has one piece on cores 0 and 1, but it is not the same; it may lack an all_reduce
