// RUN: trn-opt %s --trn-analyze --split-input-file --verify-diagnostics -o /dev/null

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
#machine = #trn.machine<"trn1", {vector_access_cycles = 60 : i64, dma_latency_ns = 1000.0 : f64, kernel_overhead_ns = 1000.0 : f64}>

module attributes {trn.machine = #machine} {
  // expected-remark @below {{analysis: bound 0.000 us by tensor_engine (traffic 0.000 us); busy: vector engine 22.050 us, fixed costs 3.000 us}}
  // expected-note @below {{modelled 23.172 us, without a bound; else on the critical path: vector busy 95.2 %}}
  // expected-note @below {{43.9 % half the work of VectorE: VectorE is busy for 95.2 % of the time}}
  // expected-note @below {{live at the peak: 7168 of 180224 bytes a partition of sbuf (4.0 %) and 3 of 8 banks of psum}}
  // expected-note @below {{sbuf is used up to byte 11264 of 180224; psum bank 0: free; banks 1 to 2: 1 buffer of 2048 bytes; bank 3: 2 buffers of 1024 bytes; banks 4 to 6: free; bank 7: 1 buffer of 512 bytes}}
  func.func private @placed() attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-remark @below {{sbuf: 4096 bytes a partition from byte 0, 2.3 % of 180224; live at the peak}}
    %kept = trn.alloc offset 0 : memref<128x1024xf32, #sbuf>
    // expected-remark @below {{psum: bank 7, 512 of 2048 bytes; live at the peak}}
    %bank = trn.alloc bank 7 offset 1024 : memref<128x128xf32, #psum>
    scf.for %i = %c0 to %c4 step %c1 {
      // The slots are live in the whole loop, since they rotate.
      // expected-remark @below {{sbuf: 3 slots of 1024 bytes a partition from byte 8192, 1.7 % of 180224; live at the peak}}
      %rotating = trn.alloc buffers 3 offset 8192 : memref<128x256xf32, #sbuf>
      // expected-remark @below {{psum: banks 1 to 2, 2048 of 2048 bytes of each; live at the peak}}
      %banks = trn.alloc buffers 2 bank 1 offset 0 : memref<128x512xf32, #psum>
      trn.memset %rotating, 0.0 : memref<128x256xf32, #sbuf> on vector
      trn.memset %banks, 0.0 : memref<128x512xf32, #psum> on vector
      // This one has the pressure of the loop around it, and says nothing.
      scf.for %j = %c0 to %c4 step %c1 {
        trn.memset %kept, 0.0 : memref<128x1024xf32, #sbuf> on vector
      }
      trn.dealloc %banks : memref<128x512xf32, #psum>
      trn.dealloc %rotating : memref<128x256xf32, #sbuf>
    }
    trn.memset %bank, 0.0 : memref<128x128xf32, #psum> on vector
    trn.dealloc %bank : memref<128x128xf32, #psum>
    // Two tiles of one bank.
    // expected-remark @below {{psum: bank 3, 1024 of 2048 bytes}}
    %left = trn.alloc bank 3 offset 0 : memref<128x256xf32, #psum>
    // expected-remark @below {{psum: bank 3, 1024 of 2048 bytes}}
    %right = trn.alloc bank 3 offset 1024 : memref<128x256xf32, #psum>
    // expected-remark @below {{live in this loop: 4096 of 180224 bytes a partition of sbuf (2.3 %) and 1 of 8 banks of psum}}
    scf.for %i = %c0 to %c4 step %c1 {
      trn.memset %left, 0.0 : memref<128x256xf32, #psum> on vector
      trn.memset %right, 0.0 : memref<128x256xf32, #psum> on vector
    }
    trn.memset %kept, 0.0 : memref<128x1024xf32, #sbuf> on vector
    return
  }
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
#machine = #trn.machine<"trn1", {vector_access_cycles = 60 : i64, dma_latency_ns = 1000.0 : f64, kernel_overhead_ns = 1000.0 : f64}>

module attributes {trn.machine = #machine} {
  // 300 rows are three to a partition, and a tile without a bank has one for itself.
  // expected-remark @below {{analysis: bound 0.000 us by tensor_engine (traffic 0.000 us); busy: vector engine 30.157 us, fixed costs 3.000 us}}
  // expected-note @below {{live at the peak: 327680 of 180224 bytes a partition of sbuf (181.8 %) and 9 of 8 banks of psum; that does not fit, take smaller blocks}}
  // expected-note @below {{not all buffers have addresses; trn-place-buffers gives them}}
  func.func private @virtual() attributes {trn.kernel} {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c4 = arith.constant 4 : index
    // expected-remark @below {{live in this loop: 384 of 180224 bytes a partition of sbuf (0.2 %) and 0 of 8 banks of psum}}
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-remark @below {{sbuf: 384 bytes a partition, 0.2 % of 180224}}
      %rows = trn.alloc : memref<300x64xbf16, #sbuf>
      trn.memset %rows, 0.0 : memref<300x64xbf16, #sbuf>
    }
    scf.for %i = %c0 to %c4 step %c1 {
      // expected-remark @below {{sbuf: 327680 bytes a partition, 181.8 % of 180224; live at the peak}}
      %large = trn.alloc : memref<1280x16384xbf16, #sbuf>
      // expected-remark @below {{psum: 1 bank, 64 of 2048 bytes; live at the peak}}
      %tile = trn.alloc : memref<128x16xf32, #psum>
      // expected-remark @below {{psum: 8 banks, 64 of 2048 bytes of each; live at the peak}}
      %tiles = trn.alloc buffers 8 : memref<128x16xf32, #psum>
      trn.memset %large, 0.0 : memref<1280x16384xbf16, #sbuf>
      trn.memset %tile, 0.0 : memref<128x16xf32, #psum>
      trn.memset %tiles, 0.0 : memref<128x16xf32, #psum>
    }
    return
  }
}
