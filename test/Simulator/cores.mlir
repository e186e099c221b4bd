// Two cores of a logical one: the later one ends the kernel, the earlier one waits for it.

// RUN: trn-run %s --entry=early --timing-only | FileCheck %s

// CHECK: latency_ms {{ *}}0.02004{{$}}
// CHECK: collective_bytes {{ *}}0{{$}}
// CHECK: kernel early
// CHECK: cores
// CHECK-NEXT: core end_ms meetings_ms tensor_percent vector_percent scalar_percent gpsimd_percent dma_percent hbm_bytes
// CHECK-NEXT: {{ }}0 0.02004 0.00704 0.00 0.00 0.00 0.00 7.11 524,288
// CHECK-NEXT: {{ }}1 0.01904 0.00026 0.00 0.00 0.00 0.00 17.77 1,310,720

// The trace has both, on one time axis: the barrier ends at once.
// RUN: trn-run %s --entry=early --timing-only --trace=%t.json --html=%t.html > /dev/null
// RUN: FileCheck %s --check-prefix=TRACE --input-file=%t.json
// TRACE: "pid":2,"name":"process_name","args":{"name":"@early on trn2 (modelled), core 1"}
// TRACE-DAG: "pid":1,"tid":5,"ts":12.000000,"dur":7.039391,"name":"core_barrier
// TRACE-DAG: "pid":2,"tid":5,"ts":18.779391,"dur":0.260000,"name":"core_barrier
// RUN: grep -o '"core 1: [a-z ]*"' %t.html | FileCheck %s --check-prefix=PAGE
// PAGE: core 1: tensor engine
// PAGE: core 1: dma stores

#sbuf = #trn.mem<sbuf>
module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @early(%x: memref<128x2048xf32>, %y: memref<2x128x512xf32> {trn.result})
      attributes {trn.kernel, trn.other_core = @late} {
    %tile = trn.alloc offset 0 : memref<128x512xf32, #sbuf>
    %from = memref.subview %x[0, 0] [128, 512] [1, 1] : memref<128x2048xf32> to memref<128x512xf32, strided<[2048, 1]>>
    %to = memref.subview %y[0, 0, 0] [1, 128, 512] [1, 1, 1] : memref<2x128x512xf32> to memref<128x512xf32>
    trn.dma_copy %from to %tile : memref<128x512xf32, strided<[2048, 1]>> to memref<128x512xf32, #sbuf>
    trn.core_barrier %y : memref<2x128x512xf32>
    trn.dma_copy %tile to %to : memref<128x512xf32, #sbuf> to memref<128x512xf32>
    return
  }
  func.func private @late(%x: memref<128x2048xf32>, %y: memref<2x128x512xf32> {trn.result})
      attributes {trn.kernel} {
    %tile = trn.alloc offset 0 : memref<128x2048xf32, #sbuf>
    %part = memref.subview %tile[0, 0] [128, 512] [1, 1] : memref<128x2048xf32, #sbuf> to memref<128x512xf32, strided<[2048, 1]>, #sbuf>
    %to = memref.subview %y[1, 0, 0] [1, 128, 512] [1, 1, 1] : memref<2x128x512xf32> to memref<128x512xf32, strided<[512, 1], offset: 65536>>
    trn.dma_copy %x to %tile : memref<128x2048xf32> to memref<128x2048xf32, #sbuf>
    trn.dma_copy %part to %to : memref<128x512xf32, strided<[2048, 1]>, #sbuf> to memref<128x512xf32, strided<[512, 1], offset: 65536>>
    trn.core_barrier %y : memref<2x128x512xf32>
    return
  }
}
