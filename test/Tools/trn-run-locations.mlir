// RUN: trn-run %s --timing-only | FileCheck %s

// Where ops come from: the innermost place in a file, else the name that a front
// end gave.

#sbuf = #trn.mem<sbuf>

// CHECK: top_ops
// CHECK-DAG: load {{.*}}argument 0 inner.py:1:2
// CHECK-DAG: memset {{.*}}layer7/silu
// CHECK-DAG: tensor_copy {{.*}}first.py:5:6
// CHECK-DAG: store {{.*}}unknown
// CHECK: buffers
// CHECK-DAG: argument 0 weights.py:9:9
// CHECK-DAG: result 0 {{.*}}trn-run-locations.mlir:[[#@LINE+2]]:
func.func private @kernel(%x: memref<128x128xbf16> loc("weights.py":9:9),
                          %o: memref<128x128xbf16> {trn.result}) attributes {trn.kernel} {
  %a = trn.alloc offset 0 : memref<128x128xbf16, #sbuf>
  %b = trn.alloc offset 1024 : memref<128x128xbf16, #sbuf>
  trn.dma_copy %x to %a : memref<128x128xbf16> to memref<128x128xbf16, #sbuf>
      loc(callsite("f"("inner.py":1:2) at "outer.py":3:4))
  trn.memset %b, 0.0 : memref<128x128xbf16, #sbuf> on vector loc("layer7/silu")
  trn.tensor_copy %a into %b : memref<128x128xbf16, #sbuf> to memref<128x128xbf16, #sbuf> on vector
      loc(fused["first.py":5:6, "second.py":7:8])
  trn.dma_copy %b to %o : memref<128x128xbf16, #sbuf> to memref<128x128xbf16> loc(unknown)
  return
}

func.func @main(%x: memref<128x128xbf16>) -> memref<128x128xbf16> {
  %o = memref.alloc() : memref<128x128xbf16>
  call @kernel(%x, %o) : (memref<128x128xbf16>, memref<128x128xbf16>) -> ()
  return %o : memref<128x128xbf16>
}
