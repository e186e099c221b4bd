// The budget of a kernel is for all its calls together, that of an entry for all kernels.

// RUN: not trn-run %s --timing-only --entry=twice 2>&1 | FileCheck %s --check-prefix=TWICE --implicit-check-not=error:
// RUN: not trn-run %s --timing-only --entry=once 2>&1 | FileCheck %s --check-prefix=ONCE --implicit-check-not=error:
// RUN: not trn-run %s --timing-only --entry=copy 2>&1 | FileCheck %s --check-prefix=KERNEL --implicit-check-not=error:
// RUN: not trn-run %s --timing-only --entry=peak 2>&1 | FileCheck %s --check-prefix=PEAK --implicit-check-not=error: --implicit-check-not="3 banks"

// TWICE: [[#@LINE+13]]:1: error: hbm_read_bytes of @copy is 65,536, but its budget allows at most 65,535
// TWICE: note: argument 0 of @copy: 65,536 bytes read, 0 bytes written
// TWICE-NOT: note: result 0
// TWICE: error: instructions of @copy is 4, but its budget allows at most 1
// TWICE: note: dma_copy of argument 0: 2 executions
// TWICE: note: dma_copy of result 0: 2 executions
// ONCE: error: hbm_bytes of @once is 65,536, but its budget allows at most 1
// ONCE: error: instructions of @copy is 2, but
// KERNEL: error: instructions of @copy is 2, but
// The largest buffer is gone where most is live.
// PEAK: error: psum_peak_banks of @banks is 4, but
// PEAK: note: buffer of 2 banks
// PEAK: note: buffer of 2 banks
func.func private @copy(%x: memref<128x64xf32>, %y: memref<128x64xf32> {trn.result})
    attributes {trn.kernel, trn.budget = {hbm_read_bytes = 65535, instructions = 1}} {
  %tile = trn.alloc offset 0 : memref<128x64xf32, #trn.mem<sbuf>>
  trn.dma_copy %x to %tile : memref<128x64xf32> to memref<128x64xf32, #trn.mem<sbuf>>
  trn.dma_copy %tile to %y : memref<128x64xf32, #trn.mem<sbuf>> to memref<128x64xf32>
  trn.dealloc %tile : memref<128x64xf32, #trn.mem<sbuf>>
  return
}

func.func @twice(%x: memref<128x64xf32>, %y: memref<128x64xf32>) {
  call @copy(%x, %y) : (memref<128x64xf32>, memref<128x64xf32>) -> ()
  call @copy(%x, %y) : (memref<128x64xf32>, memref<128x64xf32>) -> ()
  return
}

// The budget of another entry does not matter.
func.func @once(%x: memref<128x64xf32>, %y: memref<128x64xf32>)
    attributes {trn.budget = {hbm_bytes = 1}} {
  call @copy(%x, %y) : (memref<128x64xf32>, memref<128x64xf32>) -> ()
  return
}

func.func private @banks(%x: memref<128x64xf32>, %y: memref<128x64xf32> {trn.result})
    attributes {trn.kernel, trn.budget = {psum_peak_banks = 1}} {
  %large = trn.alloc buffers 3 bank 0 offset 0 : memref<128x64xf32, #trn.mem<psum>>
  trn.dealloc %large : memref<128x64xf32, #trn.mem<psum>>
  %a = trn.alloc buffers 2 bank 0 offset 0 : memref<128x64xf32, #trn.mem<psum>>
  %b = trn.alloc buffers 2 bank 2 offset 0 : memref<128x64xf32, #trn.mem<psum>>
  trn.dealloc %a : memref<128x64xf32, #trn.mem<psum>>
  trn.dealloc %b : memref<128x64xf32, #trn.mem<psum>>
  trn.dma_copy %x to %y : memref<128x64xf32> to memref<128x64xf32>
  return
}

func.func @peak(%x: memref<128x64xf32>, %y: memref<128x64xf32>) {
  call @banks(%x, %y) : (memref<128x64xf32>, memref<128x64xf32>) -> ()
  return
}
