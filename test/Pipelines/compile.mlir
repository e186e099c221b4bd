// RUN: trn-gen xuv --m 300 --k 200 --r 150 --n 100 | trn-opt --trn-compile | FileCheck %s
// RUN: trn-gen xuv --m 300 --k 200 --r 150 --n 100 --dtype f32 | trn-opt --trn-compile="machine=trn2 strategy=sequential transpose=explicit output-layout=transposed" | FileCheck %s --check-prefix=OPTIONS
// RUN: not trn-opt %s --trn-compile="strategy=magic" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// From linalg to a placed program: no tensor and no linalg op is left in the
// kernel, and every buffer on chip has its place.

// CHECK: func.func @main(%{{.*}}: tensor<300x200xbf16>, %{{.*}}: tensor<200x150xbf16>, %{{.*}}: tensor<150x100xbf16>) -> tensor<300x100xbf16>
// CHECK-LABEL: func.func private @main_kernel
// CHECK-NOT: {{linalg|tensor<}}
// CHECK: trn.alloc {{.*}}offset
// CHECK: trn.dma_copy
// CHECK: trn.matmul

// OPTIONS: trn.machine = #trn.machine<"trn2">
// OPTIONS: func.func @main({{.*}}) -> tensor<100x300xf32>
// OPTIONS: func.func private @main_kernel
// OPTIONS: func.func private @main_kernel_2

// UNKNOWN: magic
