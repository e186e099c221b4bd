// RUN: trn-gen xw --m=64 --k=96 --n=32 | trn-opt --trn-outline-kernels -o %t.mlir
// RUN: not trn-opt %t.mlir --pass-pipeline='builtin.module(func.func(trn-tile-blocks))' 2>&1 | FileCheck %s --check-prefix=STRIPS
// RUN: not trn-opt %t.mlir --pass-pipeline='builtin.module(func.func(trn-tile-engines))' 2>&1 | FileCheck %s --check-prefix=BLOCKS
// RUN: sed '/materialize_in_destination/d' %t.mlir > %t.loose.mlir
// RUN: not trn-opt %t.loose.mlir --pass-pipeline='builtin.module(func.func(trn-implicit-transpose))' 2>&1 | FileCheck %s --check-prefix=STORE

// The passes say which one has to come first, and what they need to find.

// STRIPS: error: kernel has no strips; run trn-tile-strips first
// BLOCKS: error: kernel has no blocks; run trn-tile-blocks first
// STORE: error: kernel must store the rounded product of its arguments, in their order
