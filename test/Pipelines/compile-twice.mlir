// RUN: trn-gen xuv --m 300 --k 200 --r 150 --n 100 | trn-opt --trn-compile=effort=1 -o %t.mlir
// RUN: trn-opt %t.mlir --trn-print-program -o %t.none > %t.once
// RUN: trn-opt %t.mlir --trn-compile=effort=1 --trn-print-program -o %t.none > %t.twice
// RUN: diff %t.once %t.twice
// RUN: FileCheck %s < %t.once

// A module that is compiled already keeps its programs.

// CHECK: program @main_kernel
