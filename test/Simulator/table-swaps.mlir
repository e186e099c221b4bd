// RUN: trn-run %s --machine=trn2 --timing-only --trace=%t.json | FileCheck %s
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t.json
// RUN: trn-run %s --machine=trn1 --timing-only | FileCheck %s --check-prefix=FREE --implicit-check-not=table_swap

// exp and silu need different tables, and ten of each alternate: the first one
// is loaded while the load of x moves, nineteen take 1283 ns each.
// CHECK: findings
// CHECK: table swaps: ScalarE loads another table of functions 20 times: exp and silu alternate
// CHECK: critical_path
// CHECK: {{ }}0.02438 scalar table_swap{{$}}
// CHECK: scalar_table_swaps {{ *}}20{{$}}
// TRACE-COUNT-19: "table_swap_us":1.283000

// On trn1 nothing was measured.
// FREE: critical_path

#sbuf = #trn.mem<sbuf>

func.func private @functions(%x: memref<128x512xf32>, %y: memref<128x512xf32> {trn.result}) attributes {trn.kernel} {
  %in = trn.alloc offset 0 : memref<128x512xf32, #sbuf>
  %out = trn.alloc offset 2048 : memref<128x512xf32, #sbuf>
  trn.dma_copy %x to %in : memref<128x512xf32> to memref<128x512xf32, #sbuf>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c10 = arith.constant 10 : index
  scf.for %i = %c0 to %c10 step %c1 {
    trn.activation exp(%in : memref<128x512xf32, #sbuf>) into %out : memref<128x512xf32, #sbuf>
    trn.activation silu(%in : memref<128x512xf32, #sbuf>) into %out : memref<128x512xf32, #sbuf>
  }
  trn.dma_copy %out to %y : memref<128x512xf32, #sbuf> to memref<128x512xf32>
  return
}

func.func @main(%x: memref<128x512xf32>, %y: memref<128x512xf32>) {
  call @functions(%x, %y) : (memref<128x512xf32>, memref<128x512xf32>) -> ()
  return
}
