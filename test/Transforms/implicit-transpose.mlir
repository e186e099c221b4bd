// RUN: trn-gen xuv --m 64 --k 96 --r 32 --n 48 | trn-opt --trn-outline-kernels --trn-implicit-transpose | FileCheck %s
// RUN: trn-gen xuv --m 64 --k 96 --r 32 --n 48 | trn-opt --trn-outline-kernels=transpose=explicit --trn-implicit-transpose | FileCheck %s --check-prefix=EXPLICIT
// RUN: trn-gen xuv --m 64 --k 96 --r 32 --n 48 --transposed-input | trn-opt --trn-outline-kernels --trn-implicit-transpose | FileCheck %s --check-prefix=COLUMNS
// RUN: trn-gen xw --m 64 --k 96 --n 48 --transposed-input --transposed-output | trn-opt --trn-outline-kernels --trn-implicit-transpose | FileCheck %s --check-prefix=SINGLE

// Both operands of every product hold the contraction first. Only X is
// transposed: Y leaves the first product as [r, m] = [32, 64].

// CHECK-LABEL: func.func private @main_kernel
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<64x96xbf16>) outs(%{{.*}} : tensor<96x64xf32>)
// CHECK: linalg.matmul indexing_maps = [#[[KM:.*]], #[[KN:.*]], #[[MN:.*]]] ins(%{{.*}} : tensor<96x32xbf16>, tensor<96x64xbf16>) outs(%{{.*}} : tensor<32x64xf32>)
// CHECK: linalg.matmul indexing_maps = [#[[KM]], #[[KN]], #[[MN]]] ins(%{{.*}} : tensor<32x64xbf16>, tensor<32x48xbf16>) outs(%{{.*}} : tensor<64x48xf32>)

// EXPLICIT-LABEL: func.func private @main_kernel
// EXPLICIT: linalg.matmul {{.*}} : tensor<96x64xbf16>, tensor<96x32xbf16>) outs(%{{.*}} : tensor<64x32xf32>)
// EXPLICIT: linalg.generic {{.*}} ins(%{{.*}} : tensor<64x32xbf16>) outs(%{{.*}} : tensor<32x64xf32>)
// EXPLICIT: linalg.matmul {{.*}} : tensor<32x64xbf16>, tensor<32x48xbf16>)

// An X that arrives as columns is not transposed at all.

// COLUMNS-LABEL: func.func private @main_kernel
// COLUMNS-NOT: outs(%{{.*}} : tensor<96x64xf32>)
// COLUMNS: linalg.matmul {{.*}} : tensor<96x32xbf16>, tensor<96x64xbf16>)

// A result wanted as columns makes the weight the stationary operand.

// SINGLE-LABEL: func.func private @main_kernel
// SINGLE: linalg.matmul {{.*}} : tensor<96x48xbf16>, tensor<96x64xbf16>) outs(%{{.*}} : tensor<48x64xf32>)
