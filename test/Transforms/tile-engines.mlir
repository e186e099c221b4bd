// RUN: trn-gen xw --m 256 --k 300 --n 1024 --transposed-input | trn-opt --trn-outline-kernels --trn-implicit-transpose --trn-choose-blocks=block-n=1024 --trn-tile-strips --trn-tile-blocks --trn-tile-engines | FileCheck %s

// Tiles of 128 x 512 with the accumulator in PSUM; the contraction runs by 128,
// with 300 - 256 = 44 left over.

// CHECK-LABEL: func.func private @main_kernel
// CHECK: scf.for {{.*}} = %c0 to %c256 step %c128
// CHECK: scf.for {{.*}} = %c0 to %c1024 step %c512
// CHECK: %[[PSUM:.*]] = bufferization.alloc_tensor() {memory_space = #trn.mem<psum>} : tensor<128x512xf32>
// CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} outs(%[[PSUM]]
// CHECK: %[[SUM:.*]] = scf.for {{.*}} = %c0 to %c256 step %c128 iter_args(%{{.*}} = %[[ZERO]])
// CHECK: linalg.matmul {{.*}} : tensor<128x128xbf16>, tensor<128x512xbf16>)
// CHECK: linalg.matmul {{.*}} : tensor<44x128xbf16>, tensor<44x512xbf16>) outs(%[[SUM]]
