// RUN: trn-gen xuv --m 4096 --k 7168 --r 4096 --n 18432 | trn-opt --trn-outline-kernels --trn-choose-blocks=block-m=512 | FileCheck %s
// RUN: trn-gen xuv --m 4096 --k 7168 --r 4096 --n 18432 | trn-opt --trn-outline-kernels --trn-choose-blocks=block-m=512 --remark-format=emitRemark --remarks-filter=trn-choose-blocks 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: trn-gen xuv --m 4096 --k 7168 --r 4096 --n 18432 | trn-opt --trn-outline-kernels --trn-choose-blocks=block-m=1024 | FileCheck %s --check-prefix=BLOCKED
// RUN: trn-gen xuv --m 4096 --k 7168 --r 4096 --n 18432 | not trn-opt --trn-outline-kernels --trn-choose-blocks=block-k=100 2>&1 | FileCheck %s --check-prefix=ERROR

// The X strip [7168, 512] (56 KiB a partition) fits beside Y's (32 KiB), so
// PSUM accumulates over all of K.

// CHECK: trn.schedule = {block_k = 7168 : i64, block_m = 512 : i64
// CHECK-NOT: partials

// REMARK: remark: {{.*}}trn-choose-blocks

// At 1024 rows the two strips would need all of 176 KiB, so sums over blocks of
// K are kept in SBUF.

// BLOCKED: trn.schedule = {block_k = {{[1-6]...}} : i64, block_m = 1024 : i64
// BLOCKED-SAME: partials =

// ERROR: error: {{.*}}block-k
