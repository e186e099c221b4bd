// RUN: trn-gen xw --m 256 --k 300 --n 600 | trn-opt --trn-outline-kernels --trn-implicit-transpose --trn-choose-blocks="block-m=256 block-n=600" --trn-tile-strips --trn-tile-blocks --trn-tile-engines --trn-bufferize-kernels | FileCheck %s

// Only what the tiling passes planned is copied: X and W in, O out. Nothing is
// copied within SBUF or PSUM.

// CHECK-LABEL: func.func private @main_kernel
// CHECK-NOT: tensor<
// CHECK: memref.copy %arg0, %{{.*}} : memref<256x300xbf16> to memref<256x300xbf16, #trn.mem<sbuf>>
// CHECK-NOT: memref.copy
// CHECK: memref.copy %arg1, %{{.*}} : memref<300x600xbf16> to memref<300x600xbf16, #trn.mem<sbuf>>
// CHECK-NOT: memref.copy
// CHECK: memref.copy %{{.*}}, %arg2 : memref<256x600xbf16, #trn.mem<sbuf>> to memref<256x600xbf16>
// CHECK-NOT: memref.copy
