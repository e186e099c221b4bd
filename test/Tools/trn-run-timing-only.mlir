// RUN: trn-run %s --timing-only | FileCheck %s
// RUN: not trn-run %s 2>&1 | FileCheck %s --check-prefix=VALUES

// What computes no values takes arguments of any type and calls of functions that are
// elsewhere, and follows branches on constants.
// CHECK: latency_ms
// CHECK: calls 2{{$}}
// VALUES: error: argument 0 of @main has type 'memref<*xf32>', but only ranked tensors and memrefs are bound

func.func private @embed(tensor<4xi64>, i32) -> memref<4x8xf32>
func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result})
    attributes {trn.kernel} {
  %tile = trn.alloc offset 0 : memref<4x8xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #trn.mem<sbuf>>
  trn.dma_copy %tile to %y : memref<4x8xf32, #trn.mem<sbuf>> to memref<4x8xf32>
  return
}
func.func @main(%any: memref<*xf32>, %y: memref<4x8xf32>, %ids: tensor<4xi64>, %position: i32,
                %rows: tensor<?x8xf32>) -> index {
  %true = arith.constant true
  %x = call @embed(%ids, %position) : (tensor<4xi64>, i32) -> memref<4x8xf32>
  call @copy(%x, %y) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  scf.if %true {
    func.call @copy(%y, %x) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  }
  %c0 = arith.constant 0 : index
  return %c0 : index
}
