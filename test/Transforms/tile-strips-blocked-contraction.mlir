// RUN: trn-gen xuv --m 128 --k 600 --r 32 --n 48 | trn-opt --trn-outline-kernels --trn-implicit-transpose --trn-choose-blocks=block-k=256 --trn-tile-strips | FileCheck %s

// The first block of 256 writes the partial sums, the second one (a loop that
// runs once, so no loop) and the remaining 600 - 512 = 88 add to them; X^T is
// transposed block by block.

// CHECK-LABEL: func.func private @main_kernel
// CHECK: %[[FIRST:.*]] = linalg.matmul {{.*}} ins(%{{.*}} : tensor<256x32xbf16>, tensor<256x128xbf16>)
// CHECK: %[[SUMS:.*]] = linalg.generic {{.*}} ins(%[[FIRST]] : tensor<32x128xf32>)
// CHECK: %[[SECOND:.*]] = linalg.matmul {{.*}} ins(%{{.*}} : tensor<256x32xbf16>, tensor<256x128xbf16>)
// CHECK: linalg.generic {{.*}} ins(%[[SECOND]] : tensor<32x128xf32>) outs(%[[SUMS]]
// CHECK: arith.addf
// CHECK: linalg.matmul {{.*}} ins(%{{.*}} : tensor<88x32xbf16>, tensor<88x128xbf16>)
// CHECK: arith.addf
