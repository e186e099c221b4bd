// RUN: trn-opt %s --trn-analyze --split-input-file --allow-unregistered-dialect --verify-diagnostics -o /dev/null

#sbuf = #trn.mem<sbuf>
func.func private @unknown_bounds(%n: index) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-error @below {{has bounds that are not constant; how often it is executed is unknown}}
  scf.for %i = %c0 to %n step %c1 {
  }
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @condition(%c: i1) attributes {trn.kernel} {
  %tile = trn.alloc : memref<128x64xf32, #sbuf>
  // expected-error @below {{holds instructions, but in a kernel only scf.for may; how often they are executed is unknown}}
  scf.if %c {
    trn.memset %tile, 0.0 : memref<128x64xf32, #sbuf>
  }
  return
}

// -----

// expected-error @below {{has more than one block, but a kernel has one}}
func.func private @blocks() attributes {trn.kernel} {
  "test.branch"()[^end] : () -> ()
^end:
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @unknown_use() attributes {trn.kernel} {
  // expected-note @below {{the buffer or its view}}
  %tile = trn.alloc : memref<128x64xf32, #sbuf>
  // expected-error @below {{uses an on-chip buffer, but only instructions and views may}}
  "test.use"(%tile) : (memref<128x64xf32, #sbuf>) -> ()
  return
}
