// RUN: trn-run %s --timing-only --report=%t.json | FileCheck %s
// RUN: %python -c "import json; r = json.load(open('%t.json')); path = {row['reason']: row['ms'] for row in r['critical_path']}; \
// RUN:   assert abs(path['kernel_overhead'] - 0.015) < 1e-9 and r['latency_ms'] > 1000, (path, r['latency_ms'])"

// A launch of very many calls is simulated in parts, which have one overhead together.
// CHECK: launches{{ +}}1
// CHECK: kernel_overhead
// CHECK: calls{{ +}}20,000

func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c900 = arith.constant 900 : index
  %tile = trn.alloc offset 0 : memref<4x8xf32, #trn.mem<sbuf>>
  scf.for %i = %c0 to %c900 step %c1 {
    trn.dma_copy %x to %tile : memref<4x8xf32> to memref<4x8xf32, #trn.mem<sbuf>>
  }
  trn.dma_copy %tile to %y : memref<4x8xf32, #trn.mem<sbuf>> to memref<4x8xf32>
  return
}
func.func @main(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %calls = arith.constant 20000 : index
  scf.for %i = %c0 to %calls step %c1 {
    func.call @copy(%x, %y) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  }
  return
}
