// RUN: trn-gen xuv --m 512 --k 2048 --r 512 --n 3072 | trn-opt --trn-outline-kernels=strategy=strip-cache --trn-implicit-transpose --trn-choose-blocks="block-m=256 block-r=256 block-n=512" --trn-tile-strips --trn-tile-blocks --trn-tile-engines --trn-bufferize-kernels --trn-linalg-to-trn -o %t.mlir
// RUN: sed 's/output_layout/prefetch_x, output_layout/' %t.mlir | trn-opt --trn-overlap-strips | FileCheck %s

// X^T has one buffer for all strips. It is filled for the first strip ...

// CHECK-LABEL: func.func private @main_kernel
// CHECK-SAME: prefetch_x
// CHECK: %[[XT:.*]] = trn.alloc : memref<2048x256xbf16, #trn.mem<sbuf>>
// CHECK: scf.for %{{.*}} = %c0 to %c2048 step %c1024
// CHECK: trn.dma_copy %{{.*}} to %{{.*}} : memref<256x1024xbf16
// CHECK: trn.transpose

// ... and then for each next one, a raw block after two of the six block
// columns. There is one next strip here, so the loop over strips is gone.

// CHECK: trn.matmul
// CHECK: scf.for %[[N:.*]] = %c0 to %c2048 step %c1024
// CHECK: scf.for %[[J:.*]] = %c0 to %c1024 step %c512
// CHECK: affine.apply
// CHECK: trn.dma_copy %{{.*}} to %{{.*}} : memref<512x512xbf16
// CHECK: trn.matmul
// CHECK: %[[K:.*]] = affine.apply {{.*}}(%[[N]])
// CHECK: %[[RAW:.*]] = memref.subview %{{.*}}[0, %[[K]]] [256, 1024] {{.*}} offset: 524288>>
// CHECK: trn.dma_copy %[[RAW]]
// CHECK: memref.subview %[[XT]][%[[K]], 0] [1024, 256]
// CHECK: trn.transpose
// CHECK: trn.matmul

// The last strip brings in nothing.

// CHECK: trn.matmul
// CHECK: trn.matmul
// CHECK-NOT: trn.transpose
// CHECK: return

// Without the flag everything stays where it is.

// RUN: trn-opt %t.mlir --trn-overlap-strips | diff %t.mlir -

// X that arrives transposed is one load for each strip, which is cut into eight
// pieces; of these, two come after each of the first four block columns.

// RUN: trn-gen xuv --m 512 --k 2048 --r 512 --n 3072 --transposed-input | trn-opt --trn-outline-kernels=strategy=strip-cache --trn-implicit-transpose --trn-choose-blocks="block-m=256 block-r=256 block-n=512" --trn-tile-strips --trn-tile-blocks --trn-tile-engines --trn-bufferize-kernels --trn-linalg-to-trn -o %t.t.mlir
// RUN: sed 's/output_layout/prefetch_x, output_layout/' %t.t.mlir | trn-opt --trn-overlap-strips | FileCheck %s --check-prefix=LOAD

// LOAD: %[[XT:.*]] = trn.alloc : memref<2048x256xbf16
// LOAD: scf.for %{{.*}} = %c0 to %c2048 step %c256
// LOAD: trn.dma_copy %{{.*}} : memref<256x256xbf16
// LOAD: trn.matmul
// LOAD: scf.for %[[N:.*]] = %c0 to %c2048 step %c512
// LOAD: trn.matmul
// LOAD: scf.for %[[P:.*]] = %c0 to %c512 step %c256
// LOAD: %[[K:.*]] = affine.apply {{.*}}(%[[P]], %[[N]])
// LOAD: %[[PIECE:.*]] = memref.subview %[[XT]][%[[K]], 0] [256, 256]
// LOAD: trn.dma_copy %{{.*}} to %[[PIECE]]
// LOAD: scf.for %{{.*}} = %c2048 to %c3072 step %c512
// LOAD-NOT: memref.subview %arg0
// LOAD: return

// With less than a tile of it there is nothing to cut.

// RUN: trn-gen xuv --m 1024 --k 64 --r 512 --n 4096 --transposed-input | trn-opt --trn-outline-kernels=strategy=strip-cache --trn-implicit-transpose --trn-choose-blocks="block-m=256 block-n=512" --trn-tile-strips --trn-tile-blocks --trn-tile-engines --trn-bufferize-kernels --trn-linalg-to-trn -o %t.narrow.mlir
// RUN: sed 's/output_layout/prefetch_x, output_layout/' %t.narrow.mlir | trn-opt --trn-overlap-strips | FileCheck %s --check-prefix=NARROW

// NARROW: trn.dma_copy %{{.*}} : memref<64x256xbf16
// NARROW: scf.for %{{.*}} = %c0 to %c768 step %c256
// NARROW: memref.subview %arg0[0, %{{.*}}] [64, 256]

// The compiler does so here by itself, and the values are right.

// RUN: trn-gen xuv --m 4096 --k 64 --r 512 --n 4096 --transposed-input | trn-run - --compile --verify | FileCheck %s --check-prefix=VALUES

// VALUES: verify: result 0: relative error
// VALUES: prefetch_x

// A second stage of a single product has no loop that could bring anything in.

// RUN: trn-gen xuv --m 256 --k 2048 --r 128 --n 512 | trn-opt --trn-outline-kernels=strategy=strip-cache --trn-implicit-transpose --trn-choose-blocks="block-m=128 block-n=512" --trn-tile-strips --trn-tile-blocks --trn-tile-engines --trn-bufferize-kernels --trn-linalg-to-trn -o %t.one.mlir
// RUN: sed 's/output_layout/prefetch_x, output_layout/' %t.one.mlir | trn-opt -o %t.forced.mlir
// RUN: trn-opt %t.forced.mlir --trn-overlap-strips -o %t.left.mlir --remark-format=emitRemark --remarks-filter-missed=trn-overlap-strips 2>&1 | FileCheck %s --check-prefix=MISSED
// RUN: diff %t.forced.mlir %t.left.mlir

// MISSED: strips have another form than the tiling passes give them

// What writes X^T after it was read cannot come early: this one is written by
// hand.

// RUN: sed -e 's/output_layout/prefetch_x, output_layout/' -e '/to %c4096 step/i %%again = trn.alloc : memref<64x256xbf16, #trn.mem<sbuf>> trn.dma_copy %%subview to %%sbuf : memref<64x256xbf16, strided<[1024, 1], offset: ?>> to memref<64x256xbf16, #trn.mem<sbuf>> trn.tensor_copy %%sbuf into %%again : memref<64x256xbf16, #trn.mem<sbuf>> to memref<64x256xbf16, #trn.mem<sbuf>>' %t.narrow.mlir > %t.again.mlir
// RUN: trn-opt %t.again.mlir --trn-overlap-strips -o /dev/null --remark-format=emitRemark --remarks-filter-missed=trn-overlap-strips 2>&1 | FileCheck %s --check-prefix=MISSED
