// Running a module runs its host code in this process; timing it runs nothing.
// RUN: not trn-run %s 2>&1 | FileCheck %s --check-prefix=RAN
// RUN: trn-run %s --timing-only | FileCheck %s
// RUN: trn-run %s --sweep="machine=trn1" | FileCheck %s
// RAN: error: {{.*}}host code ran
// CHECK: latency_ms

func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result})
    attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x8xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #trn.mem<sbuf>>
  trn.dma_copy %tile to %y : memref<4x8xf32, #trn.mem<sbuf>> to memref<4x8xf32>
  return
}
func.func @main(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  %false = arith.constant false
  cf.assert %false, "host code ran"
  call @copy(%x, %y) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return
}
