// Products in the loops of the vendor's tutorial: kernels of their own, which come with their plan.
// RUN: trn-gen mlp --m=300 --hidden=256 --intermediate=2304 --dtype=bf16 \
// RUN:   | trn-opt --trn-normalize-rows --trn-normalize-products --trn-outline-kernels=strategy=nki-xw \
// RUN:   | FileCheck %s --check-prefix=MLP
// RUN: trn-gen mlp --m=300 --hidden=256 --intermediate=2304 --dtype=bf16 \
// RUN:   | trn-opt --trn-normalize-rows --trn-normalize-products --trn-outline-kernels="strategy=nki-xw strategy-for=down" \
// RUN:   | FileCheck %s --check-prefix=DOWN
// RUN: trn-gen xw --m=1 --k=2048 --n=4096 | trn-opt --trn-outline-kernels=strategy=nki-xw | FileCheck %s --check-prefix=ONE
// RUN: trn-gen xw --m=256 --k=2048 --n=4096 --transposed-input | trn-opt --trn-outline-kernels=strategy=nki-xw \
// RUN:   | FileCheck %s --check-prefix=TURNED
// RUN: trn-gen xw --m=32768 --k=1024 --n=2048 | trn-opt --trn-set-machine=machine=trn1 --trn-outline-kernels=strategy=nki-xw \
// RUN:   | FileCheck %s --check-prefix=MANY
// RUN: trn-gen xuv --m=256 --k=256 --r=128 --n=256 | trn-opt --trn-outline-kernels=strategy=nki-xw | FileCheck %s --check-prefix=CHAIN

// Gate and up are one kernel, called twice; what lies between the products has no plan yet.
// MLP: call @main_kernel(
// MLP: call @main_kernel(
// MLP: call @main_kernel_2(
// MLP: call @main_kernel_3(
// MLP-NOT: call
// MLP: func.func private @main_kernel({{.*}}nests = [xt (m = 300, k = 256), o (n = 1024, k = 256, m = 300)], homes = [x at k slots 2, xt at k slots 2 for xt, xt at m slots 2 for o, w at k slots 2, o at n slots 2 sums at n in sbuf f32]>
// MLP: func.func private @main_kernel_2(
// MLP-NOT: trn.schedule
// MLP: func.func private @main_kernel_3({{.*}}nests = [xt (m = 300, k = 1024), o (n = 256, k = 1024, m = 300)], homes = [{{.*}} sums at n in sbuf bf16]>

// The other weights are compiled as without a strategy.
// DOWN: call @main_kernel({{.*}} : (memref<300x256xbf16>, memref<256x2304xbf16>, memref<256x2304xbf16>, memref<300x2304xbf16>) -> ()
// DOWN: call @main_kernel_2(
// DOWN-NOT: call
// DOWN: func.func private @main_kernel({{[^{]*}}{trn.result}) attributes {trn.flops = {{[0-9]+}} : i64, trn.kernel} {
// DOWN: func.func private @main_kernel_2({{.*}}trn.schedule

// A few rows are transposed on chip, what is transposed already is only read.
// ONE: nests = [xt (), o (n = 1024, k = 1024, m = 1)], homes = [x at kernel, xt at kernel, w at k slots 2,
// TURNED: stages = [o = x * w over k], nests = [o (n = 1024, k = 1024, m = 256)], homes = [x at m slots 2, w at k slots 2,

// The sums of all rows do not fit.
// MANY: nests = [xt (m = 1024, k = 1024), o (m = {{[0-9]+}}, n = 1024, k = 1024, m = 1024)]
// MANY-SAME: o at n sums at n in sbuf bf16

// CHAIN: call @main_kernel({{.*}} : (memref<256x256xbf16>, memref<256x128xbf16>, memref<256x128xbf16>)
// CHAIN: call @main_kernel_2({{.*}} : (memref<256x128xbf16>, memref<128x256xbf16>, memref<256x256xbf16>)
