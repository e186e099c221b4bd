// RUN: trn-gen xuv --m 128 --k 256 --r 384 --n 1024 | trn-opt --trn-outline-kernels --trn-implicit-transpose --trn-choose-blocks="block-r=128 block-n=512" --trn-tile-strips --trn-tile-blocks | FileCheck %s

// U and V come into SBUF by blocks outside of the tiles that reuse them; Y's
// strip stays in SBUF, and O leaves by blocks.

// CHECK-LABEL: func.func private @main_kernel
// CHECK: %[[Y:.*]] = bufferization.alloc_tensor() {memory_space = #trn.mem<sbuf>} : tensor<384x128xbf16>
// CHECK: scf.for %[[R:.*]] = %c0 to %c384 step %c128 iter_args(%{{.*}} = %[[Y]])
// CHECK: %[[U:.*]] = tensor.extract_slice %{{.*}}[0, %[[R]]] [256, 128]
// CHECK: %[[U_SBUF:.*]] = bufferization.alloc_tensor() {memory_space = #trn.mem<sbuf>} : tensor<256x128xbf16>
// CHECK: %[[U_BLOCK:.*]] = bufferization.materialize_in_destination %[[U]] in %[[U_SBUF]]
// CHECK: linalg.matmul {{.*}} ins(%[[U_BLOCK]],
// CHECK: scf.for {{.*}} = %c0 to %c1024 step %c512
// CHECK: %[[O_BLOCK:.*]] = bufferization.alloc_tensor() {memory_space = #trn.mem<sbuf>} : tensor<128x512xbf16>
// CHECK: %[[O:.*]] = linalg.generic {{.*}} outs(%[[O_BLOCK]]
// CHECK: bufferization.materialize_in_destination %[[O]] in %{{.*}} : (tensor<128x512xbf16>, tensor<128x512xbf16>)
