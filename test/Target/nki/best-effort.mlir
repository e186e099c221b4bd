// RUN: bash -c "trn-translate %s --mlir-to-nki --best-effort -o %t.py 2>%t.err; test \$? = 2"
// RUN: FileCheck %s <%t.py
// RUN: FileCheck %s --check-prefix=WARNING <%t.err
// RUN: not trn-translate %s --mlir-to-nki -o %t.none 2>/dev/null
// RUN: not ls %t.none
// RUN: %python -m py_compile %t.py

// What cannot be said is left out, with a comment and a warning; a loop keeps a body.

// WARNING: best-effort.mlir:[[#@LINE+14]]:7: warning: 'trn.select' op has no form in NKI
// CHECK: for i in range(2):
// CHECK-NEXT: # left out, trn.select: has no form in NKI, whose predicates are tiles of integers; compute
// CHECK-NEXT: #   it by products and sums
// CHECK-NEXT: pass
// CHECK-NEXT: nisa.dma_copy(dst=result, src=tile_sb)
module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @kernel(%x: memref<64x64xf32>, %y: memref<64x64xf32> {trn.result}) attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %a = trn.alloc offset 0 : memref<64x64xf32, #trn.mem<sbuf>>
    trn.dma_copy %x to %a : memref<64x64xf32> to memref<64x64xf32, #trn.mem<sbuf>>
    scf.for %i = %c0 to %c2 step %c1 {
      trn.select if(%a : memref<64x64xf32, #trn.mem<sbuf>>) then(%a : memref<64x64xf32, #trn.mem<sbuf>>) else(%a : memref<64x64xf32, #trn.mem<sbuf>>) into %a : memref<64x64xf32, #trn.mem<sbuf>>
    }
    trn.dma_copy %a to %y : memref<64x64xf32, #trn.mem<sbuf>> to memref<64x64xf32>
    return
  }
}
