// Where a name could mean several buffers, one of them must be named. Buffers that no schedule
// names are called as in the text; bytecode has no such names, but those with which it is printed.

// RUN: not trn-run %s --dump=w 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: error: dump 'w': 'w' may be any of w.sbuf.0, w.sbuf.1@0..1
// RUN: not trn-run %s --dump=z 2>&1 | FileCheck %s --check-prefix=LIST
// LIST: error: dump 'z': there is no buffer 'z'; there are x.hbm, o.hbm@0..1, w.sbuf.0, w.sbuf.1@0..1, other.sbuf
// RUN: trn-run %s --dump=w.sbuf.1@1=%t.npy --dump=other=%t.other.npy
// RUN: trn-opt %s --emit-bytecode -o %t.mlirbc
// RUN: not trn-run %t.mlirbc --dump=z 2>&1 | FileCheck %s --check-prefix=BYTECODE
// BYTECODE: there are arg0.hbm, arg1.hbm@0..1, w.sbuf.0, w.sbuf.1@0..1, sbuf_0.sbuf

#sbuf = #trn.mem<sbuf>

func.func private @kernel(%x: memref<128x64xbf16>, %o: memref<256x64xbf16> {trn.result})
    attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c128 = arith.constant 128 : index
  %a = trn.alloc offset 0 {trn.matrix = "w"} : memref<128x64xbf16, #sbuf>
  trn.dma_copy %x to %a : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
  scf.for %i = %c0 to %c2 step %c1 {
    %b = trn.alloc offset 128 {trn.matrix = "w"} : memref<128x64xbf16, #sbuf>
    trn.tensor_copy %a into %b : memref<128x64xbf16, #sbuf> to memref<128x64xbf16, #sbuf> on vector
    %row = arith.muli %i, %c128 : index
    %half = memref.subview %o[%row, 0] [128, 64] [1, 1]
        : memref<256x64xbf16> to memref<128x64xbf16, strided<[64, 1], offset: ?>>
    trn.dma_copy %b to %half
        : memref<128x64xbf16, #sbuf> to memref<128x64xbf16, strided<[64, 1], offset: ?>>
    trn.dealloc %b : memref<128x64xbf16, #sbuf>
  }
  %other = trn.alloc offset 256 : memref<128x64xbf16, #sbuf>
  trn.dma_copy %x to %other : memref<128x64xbf16> to memref<128x64xbf16, #sbuf>
  return
}
