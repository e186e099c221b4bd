// Cores that call other kernels than others, as the code says before a run.

// RUN: not trn-run %s --timing-only 2>&1 | FileCheck %s
// RUN: not trn-run %s --arg=zeros 2>&1 | FileCheck %s
// CHECK: core-calls.mlir:[[@LINE+12]]:1: error: @cores_c6__other_kernels calls different kernels on cores 0 and 2: call 1 is of @sum on the one, and of no kernel on the other; a program of several cores is timed as one of them, so that all call the same

shard.grid @cores(shape = 3)
func.func private @copy(%x: memref<4x8xf32>, %out: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %out : memref<4x8xf32> to memref<4x8xf32>
  return
}
func.func private @sum(%x: memref<4x8xf32>, %out: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.all_reduce %x to %out cores 3 : memref<4x8xf32> to memref<4x8xf32>
  return
}

func.func @cores_c6__other_kernels(%x: memref<4x8xf32>, %out: memref<4x8xf32> {trn.result}) {
  %last = arith.constant 2 : index
  %part = memref.alloc() : memref<4x8xf32>
  call @copy(%x, %part) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %core = shard.process_linear_index on @cores : index
  %meets = arith.cmpi ult, %core, %last : index
  scf.if %meets {
    func.call @sum(%part, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  }
  return
}
