// Kernels of a logical core that cannot be run as one.

// RUN: split-file %s %t
// RUN: not trn-run %t/unknown.mlir --entry=attr_other_core_c2__unknown --timing-only 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not trn-run %t/chain.mlir --entry=attr_other_core_c2__chain --timing-only 2>&1 | FileCheck %s --check-prefix=CHAIN
// RUN: not trn-run %t/arguments.mlir --entry=attr_other_core_c2__results --timing-only 2>&1 | FileCheck %s --check-prefix=ARGUMENTS
// RUN: not trn-run %t/sizes.mlir --entry=attr_other_core_c2__sizes --timing-only 2>&1 | FileCheck %s --check-prefix=SIZES
// RUN: not trn-run %t/ended.mlir --entry=cores_c4__ended --timing-only 2>&1 | FileCheck %s --check-prefix=ENDED
// RUN: not trn-run %t/order.mlir --entry=cores_c4__order --timing-only 2>&1 | FileCheck %s --check-prefix=ORDER

//--- unknown.mlir
func.func private @attr_other_core_c2__unknown(%x: memref<8xf32> {trn.result}) attributes {trn.kernel, trn.other_core = @nobody} {
  return
}
// UNKNOWN: unknown.mlir:1:1: error: 'func.func' op names @nobody as what the other core runs, which must be another kernel that names none

//--- chain.mlir
func.func private @attr_other_core_c2__chain(%x: memref<8xf32> {trn.result}) attributes {trn.kernel, trn.other_core = @b} {
  return
}
func.func private @b(%x: memref<8xf32> {trn.result}) attributes {trn.kernel, trn.other_core = @c} {
  return
}
func.func private @c(%x: memref<8xf32> {trn.result}) attributes {trn.kernel} {
  return
}
// CHAIN: chain.mlir:1:1: error: 'func.func' op names @b as what the other core runs, which must be another kernel that names none

//--- arguments.mlir
func.func private @attr_other_core_c2__results(%x: memref<8xf32> {trn.result}) attributes {trn.kernel, trn.other_core = @b} {
  return
}
func.func private @b(%x: memref<8xf32>) attributes {trn.kernel} {
  return
}
// ARGUMENTS: arguments.mlir:1:1: error: 'func.func' op takes other arguments than @b; the cores of a logical one are given the same
// ARGUMENTS: arguments.mlir:4:1: note: what the other core runs

//--- sizes.mlir
func.func private @attr_other_core_c2__sizes() attributes {trn.kernel, trn.other_core = @b} {
  %own = memref.alloc() {trn.shared = 0 : i64} : memref<8xf32, #trn.mem<hbm>>
  return
}
func.func private @b() attributes {trn.kernel} {
  %own = memref.alloc() {trn.shared = 0 : i64} : memref<16xf32, #trn.mem<hbm>>
  return
}
// SIZES: sizes.mlir:2:10: error: 'memref.alloc' op has 32 bytes, but the other core has 64 under the same number trn.shared
// SIZES: sizes.mlir:6:10: note: there

//--- ended.mlir
module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @cores_c4__ended(%x: memref<8xf32> {trn.result}) attributes {trn.kernel, trn.other_core = @b} {
    return
  }
  func.func private @b(%x: memref<8xf32> {trn.result}) attributes {trn.kernel} {
    trn.core_barrier %x : memref<8xf32>
    return
  }
}
// ENDED: ended.mlir:6:5: error: 'trn.core_barrier' op waits for ever: the other core has ended without a core_barrier of argument 0
// ENDED: ended.mlir:2:3: note: what the other core runs

//--- order.mlir
module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @cores_c4__order(%x: memref<8xf32> {trn.result}, %y: memref<8xf32> {trn.result}) attributes {trn.kernel, trn.other_core = @b} {
    trn.core_barrier %x : memref<8xf32>
    trn.core_barrier %y : memref<8xf32>
    return
  }
  func.func private @b(%x: memref<8xf32> {trn.result}, %y: memref<8xf32> {trn.result}) attributes {trn.kernel} {
    trn.core_barrier %y : memref<8xf32>
    trn.core_barrier %x : memref<8xf32>
    return
  }
}
// ORDER: order.mlir:3:5: error: 'trn.core_barrier' op is a core_barrier of argument 0, but the other core is at a core_barrier of argument 1; both come to the same meetings in one order
// ORDER: order.mlir:8:5: note: the other core is here
