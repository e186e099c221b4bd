// RUN: trn-gen xuv --m 600 --k 96 --r 32 --n 48 | trn-opt --trn-outline-kernels --trn-implicit-transpose --trn-choose-blocks=block-m=256 --trn-tile-strips | FileCheck %s
// RUN: trn-gen xuv --m 512 --k 96 --r 32 --n 384 | trn-opt --trn-outline-kernels=strategy=recompute --trn-implicit-transpose --trn-choose-blocks="block-m=256 block-n=128" --trn-tile-strips | FileCheck %s --check-prefix=RECOMPUTE

// All stages stand inside the loop over strips of 256 rows: each strip of Y is
// computed once. The 600 - 512 = 88 rows that are left are code of their own.

// CHECK-LABEL: func.func private @main_kernel
// CHECK: scf.for %[[M:.*]] = %c0 to %c512 step %c256
// CHECK: tensor.extract_slice %{{.*}}[%[[M]], 0] [256, 96]
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : tensor<32x256xf32>)
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : tensor<256x48xf32>)
// CHECK: }
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : tensor<32x88xf32>)
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : tensor<88x48xf32>)

// Recomputing, the first product stands inside the loop over columns too.

// RECOMPUTE-LABEL: func.func private @main_kernel
// RECOMPUTE: scf.for {{.*}} to %c512 step %c256
// RECOMPUTE: scf.for {{.*}} to %c384 step %c128
// RECOMPUTE: linalg.matmul {{.*}} outs(%{{.*}} : tensor<32x256xf32>)
// RECOMPUTE: linalg.matmul {{.*}} outs(%{{.*}} : tensor<256x128xf32>)

// What is left of the columns has its own first product, behind the loop: Y of
// the loop and Y of the rest are not in SBUF together.

// RUN: trn-gen xuv --m 128 --k 256 --r 384 --n 300 | trn-opt --trn-outline-kernels=strategy=recompute --trn-implicit-transpose --trn-choose-blocks=block-n=128 --trn-tile-strips | FileCheck %s --check-prefix=REST
// REST-LABEL: func.func private @main_kernel
// REST-NOT: linalg.matmul
// REST: scf.for {{.*}} to %c256 step %c128
// REST: linalg.matmul {{.*}} outs(%{{.*}} : tensor<384x128xf32>)
// REST: scf.yield
// REST: linalg.matmul {{.*}} outs(%{{.*}} : tensor<384x128xf32>)
// REST: linalg.matmul {{.*}} outs(%{{.*}} : tensor<128x44xf32>)
