// RUN: trn-opt %s --trn-place-buffers --split-input-file --verify-diagnostics

#sbuf = #trn.mem<sbuf>

func.func private @sbuf_overflows() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-note @below {{this one takes 65536 bytes a partition}}
  %strip = trn.alloc : memref<128x32768xbf16, #sbuf>
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below {{sbuf buffers that are live together take 196608 bytes a partition, but trn1 has 180224; smaller blocks need less; this one takes 131072 bytes a partition (2 buffers of 65536)}}
    %block = trn.alloc buffers 2 : memref<128x32768xbf16, #sbuf>
    trn.memset %block, 0.0 : memref<128x32768xbf16, #sbuf>
  }
  trn.memset %strip, 0.0 : memref<128x32768xbf16, #sbuf>
  // Not live at the peak.
  %later = trn.alloc : memref<128x32768xbf16, #sbuf>
  trn.memset %later, 0.0 : memref<128x32768xbf16, #sbuf>
  return
}

// -----

#psum = #trn.mem<psum>

func.func private @psum_overflows() attributes {trn.kernel} {
  // expected-error @below {{psum buffers that are live together take 9 banks, but trn1 has 8; this one takes 8 banks (8 buffers of 1)}}
  %a = trn.alloc buffers 8 : memref<128x512xf32, #psum>
  // expected-note @below {{this one takes 1 banks}}
  %b = trn.alloc : memref<128x512xf32, #psum>
  trn.memset %b, 0.0 : memref<128x512xf32, #psum>
  trn.memset %a, 0.0 : memref<128x512xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

func.func private @fixed_addresses_collide() attributes {trn.kernel} {
  // expected-note @below {{the other buffer}}
  %a = trn.alloc offset 0 : memref<128x512xbf16, #sbuf>
  // expected-error @below {{buffers that are live together must not overlap, but this one takes bytes [512, 1024) of a partition, and the other one takes bytes [0, 1024) of a partition}}
  %b = trn.alloc offset 512 : memref<128x256xbf16, #sbuf>
  trn.memset %b, 0.0 : memref<128x256xbf16, #sbuf>
  // expected-note @below {{the last use of the other buffer}}
  trn.memset %a, 0.0 : memref<128x512xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>

func.func private @carried_by_a_loop() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  // expected-note @below {{the buffer or its view}}
  %b = trn.alloc : memref<128x8xf32, #sbuf>
  // expected-error @below {{uses an on-chip buffer, but only instructions and views may}}
  %r = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %b) -> memref<128x8xf32, #sbuf> {
    scf.yield %a : memref<128x8xf32, #sbuf>
  }
  return
}

// -----

// expected-error @below {{unknown machine 'trn9'; known are trn1, trn2}}
module attributes {trn.machine = #trn.machine<"trn9">} {
  func.func private @unknown_machine() attributes {trn.kernel} {
    return
  }
}

// -----

#sbuf = #trn.mem<sbuf>

module attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = 4096 : i64}>} {
  func.func private @machine_overrides() attributes {trn.kernel} {
    // expected-error @below {{take 8192 bytes a partition, but trn1 has 4096}}
    %a = trn.alloc : memref<128x4096xbf16, #sbuf>
    trn.memset %a, 0.0 : memref<128x4096xbf16, #sbuf>
    return
  }
}

// -----

// expected-error @below {{trn.machine}}
module attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = "much"}>} {
  func.func private @override_of_a_wrong_type() attributes {trn.kernel} {
    return
  }
}
