// RUN: echo '{"base": "trn1", "sbuf_partition_bytes": 20480}' > %t.json
// RUN: trn-gen xuv --m 1024 --k 256 --r 1024 --n 512 | trn-opt --trn-set-machine=machine=%t.json --trn-outline-kernels=strategy=strip-cache --trn-implicit-transpose --trn-choose-blocks=block-m=1024 --trn-tile-strips | FileCheck %s
// RUN: trn-gen xuv --m 1024 --k 2048 --r 1024 --n 512 | trn-opt --trn-set-machine=machine=%t.json --trn-outline-kernels=strategy=strip-cache --trn-implicit-transpose --trn-choose-blocks=block-m=1024 --trn-tile-strips | FileCheck %s --check-prefix=BLOCKED

// A strip of Y^T with 1024 ranks would need 16 KiB a partition of 20: a part of
// it stays, the rest lives in HBM. X^T is made once for both parts.

// CHECK: resident_rank = [[RES:[0-9]+]] : i64
// CHECK: linalg.generic {{.*}} ins(%{{.*}} : tensor<1024x256xbf16>)
// CHECK-NOT: ins(%{{.*}} : tensor<1024x256xbf16>)
// CHECK: linalg.matmul {{.*}} outs(%{{.*}} : tensor<[[RES]]x1024xf32>)
// CHECK: bufferization.alloc_tensor() {memory_space = #trn.mem<hbm>} : tensor<{{[0-9]+}}x1024xbf16>
// CHECK: %[[A:.*]] = linalg.matmul {{.*}} outs(%{{.*}} : tensor<1024x512xf32>)
// CHECK: %[[B:.*]] = linalg.matmul {{.*}} outs(%[[A]] : tensor<1024x512xf32>)
// CHECK: linalg.generic {{.*}} ins(%[[B]] : tensor<1024x512xf32>)

// With a blocked contraction the partial sums of the second part live in HBM,
// and one loop over the blocks serves both parts.

// BLOCKED: bufferization.alloc_tensor() {memory_space = #trn.mem<hbm>}
// BLOCKED: scf.for
// BLOCKED: arith.addf
// BLOCKED: arith.addf
// BLOCKED: scf.yield %{{.*}}, %{{.*}} :
// BLOCKED-NOT: scf.for
