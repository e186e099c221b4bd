// RUN: trn-opt %s --trn-assign-engines --split-input-file | FileCheck %s
// RUN: trn-opt %s --trn-assign-engines --split-input-file -o /dev/null \
// RUN:   --remark-format=emitRemark --remarks-filter=trn-assign-engines 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// REMARK: [Passed] Evictions | {{.*}} scalar=1, vector=0

// CHECK-LABEL: @one_copy_goes_to_scalar
func.func private @one_copy_goes_to_scalar() attributes {trn.kernel} {
  // CHECK: trn.activation copy(%[[SUMS:.*]] : {{.*}}) into %[[OUT:.*]] :
  // CHECK-NOT: trn.tensor_copy
  %sums = trn.alloc : memref<128x512xf32, #psum>
  %out = trn.alloc : memref<128x512xbf16, #sbuf>
  trn.tensor_copy %sums into %out : memref<128x512xf32, #psum> to memref<128x512xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// trn2 has no port locks. ScalarE takes (512 + 60) / 1.2 = 477 ns a copy, VectorE
// less (it moves 16-bit results twice as fast), so the second copy goes there.
// CHECK-LABEL: module attributes
module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @copies_spread() attributes {trn.kernel} {
    // CHECK-DAG: trn.activation copy(
    // CHECK-DAG: trn.tensor_copy {{.*}} on vector
    %sums = trn.alloc : memref<128x512xf32, #psum>
    %left = trn.alloc : memref<128x512xf32, #sbuf>
    %right = trn.alloc : memref<128x512xf32, #sbuf>
    trn.tensor_copy %sums into %left : memref<128x512xf32, #psum> to memref<128x512xf32, #sbuf>
    trn.tensor_copy %sums into %right : memref<128x512xf32, #psum> to memref<128x512xf32, #sbuf>
    return
  }
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// On trn1 VectorE and ScalarE lock each other out of PSUM.
// CHECK-LABEL: @copies_stay_together_under_port_locks
func.func private @copies_stay_together_under_port_locks() attributes {trn.kernel} {
  // CHECK-COUNT-2: trn.activation copy(
  %sums = trn.alloc : memref<128x512xf32, #psum>
  %left = trn.alloc : memref<128x512xf32, #sbuf>
  %right = trn.alloc : memref<128x512xf32, #sbuf>
  trn.tensor_copy %sums into %left : memref<128x512xf32, #psum> to memref<128x512xf32, #sbuf>
  trn.tensor_copy %sums into %right : memref<128x512xf32, #psum> to memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// CHECK-LABEL: @busy_scalar_leaves_the_copy_to_vector
func.func private @busy_scalar_leaves_the_copy_to_vector() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %sums = trn.alloc : memref<128x512xf32, #psum>
  %out = trn.alloc : memref<128x512xbf16, #sbuf>
  %hidden = trn.alloc : memref<128x512xbf16, #sbuf>
  // CHECK: trn.tensor_copy {{.*}} on vector
  trn.tensor_copy %sums into %out : memref<128x512xf32, #psum> to memref<128x512xbf16, #sbuf>
  scf.for %i = %c0 to %c4 step %c1 {
    trn.activation silu(%out : memref<128x512xbf16, #sbuf>) into %hidden : memref<128x512xbf16, #sbuf>
  }
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// CHECK-LABEL: @others_run_on_their_preferred_engine
func.func private @others_run_on_their_preferred_engine() attributes {trn.kernel} {
  %x = trn.alloc : memref<128x64xbf16, #sbuf>
  %t = trn.alloc : memref<64x128xf32, #psum>
  // CHECK: trn.memset {{.*}} on vector
  trn.memset %x, 0.0 : memref<128x64xbf16, #sbuf>
  // CHECK: trn.tensor_tensor add({{.*}} on vector
  trn.tensor_tensor add(%x : memref<128x64xbf16, #sbuf>, %x : memref<128x64xbf16, #sbuf>)
      into %x : memref<128x64xbf16, #sbuf>
  // CHECK: trn.transpose {{.*}} on tensor
  trn.transpose %x into %t : memref<128x64xbf16, #sbuf> to memref<64x128xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>

// CHECK-LABEL: @assigned_is_left_alone
func.func private @assigned_is_left_alone() attributes {trn.kernel} {
  %sums = trn.alloc : memref<128x512xf32, #psum>
  %out = trn.alloc : memref<128x512xbf16, #sbuf>
  // CHECK: trn.tensor_copy {{.*}} on vector
  trn.tensor_copy %sums into %out : memref<128x512xf32, #psum> to memref<128x512xbf16, #sbuf> on vector
  // CHECK: trn.memset {{.*}} on gpsimd
  trn.memset %out, 0.0 : memref<128x512xbf16, #sbuf> on gpsimd
  return
}
