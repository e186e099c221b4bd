// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels -o %t.mlir
// RUN: trn-opt %t.mlir --trn-plan-kernels=effort=100 | FileCheck %s
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --trn-plan-kernels=effort=100 --mlir-print-debuginfo --mlir-pretty-debuginfo | FileCheck %s --check-prefix=LOC
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --trn-plan-kernels=effort=100 --remark-format=emitRemark --remarks-filter=trn-plan-kernels -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not="] Cut"
// RUN: trn-run %s --compile=effort=100 --entry=mlp --verify | FileCheck %s --check-prefix=VALUES

// Little of SBUF and kernels that cost nothing by themselves: half of the MLP twice is much faster
// than all of it at once.

// VALUES: verify: result 0: relative error

// What pays is found by simulation: with a little more room it is to hand over the transpose of H.

// RUN: sed 's/sbuf_partition_bytes = 4096/sbuf_partition_bytes = 8192/' %t.mlir | trn-opt - --trn-plan-kernels=effort=100 | FileCheck %s --check-prefix=TURNED
// TURNED-LABEL: func.func @mlp(
// TURNED: %[[H:.*]] = memref.alloc() {{.*}} : memref<2048x512xbf16>
// TURNED-NEXT: call @mlp_kernel_first({{.*}}, %[[H]])
// TURNED-NEXT: call @mlp_kernel_second(%[[H]], {{.*}}) : (memref<2048x512xbf16>, memref<2048x512xbf16>, memref<512x512xbf16>)
// TURNED-LABEL: func.func private @mlp_kernel_first(
// TURNED: %[[TURNED:.*]] = linalg.transpose ins({{.*}} : tensor<512x2048xbf16>) outs({{.*}} : tensor<2048x512xbf16>)
// TURNED: bufferization.materialize_in_destination %[[TURNED]]
// TURNED-LABEL: func.func private @mlp_kernel_second(
// TURNED: linalg.transpose ins({{.*}} : tensor<2048x512xbf16>) outs({{.*}} : tensor<512x2048xbf16>)

// A demand is for the kernel as it is.

// RUN: trn-opt %t.mlir --trn-plan-kernels="effort=100 strategy=strip-cache" | FileCheck %s --check-prefix=WHOLE
// RUN: trn-opt %t.mlir --trn-plan-kernels="effort=100 transpose=implicit" | FileCheck %s --check-prefix=WHOLE
// RUN: trn-opt %t.mlir --trn-plan-kernels="effort=100 block-m=128" | FileCheck %s --check-prefix=WHOLE
// RUN: trn-opt %t.mlir --trn-plan-kernels="effort=100 blocks=m=128" | FileCheck %s --check-prefix=WHOLE
// RUN: trn-opt %t.mlir --trn-plan-kernels="effort=100 keep=o=n" | FileCheck %s --check-prefix=WHOLE

// So is a plan that is there.

// RUN: trn-opt %t.mlir --trn-plan-kernels="effort=100 transpose=implicit" --trn-plan-kernels=effort=100 | FileCheck %s --check-prefix=WHOLE
// WHOLE: call @mlp_kernel(
// WHOLE-NOT: _first

#id = affine_map<(d0, d1) -> (d0, d1)>

module attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = 4096, kernel_overhead_ns = 0.0, dma_ns_per_descriptor = 5.0}>} {

// Between the halves lies H in HBM. The second one computes what @down does, so they share a kernel.

// CHECK-LABEL: func.func @mlp(
// CHECK-SAME: %[[X:.*]]: tensor<512x512xbf16>, %[[UP:.*]]: tensor<512x2048xbf16>, %[[DOWN:.*]]: tensor<2048x512xbf16>)
// CHECK-DAG: %[[X_IN:.*]] = bufferization.to_buffer %[[X]]
// CHECK-DAG: %[[UP_IN:.*]] = bufferization.to_buffer %[[UP]]
// CHECK-DAG: %[[DOWN_IN:.*]] = bufferization.to_buffer %[[DOWN]]
// CHECK: %[[O:.*]] = memref.alloc() {{.*}} : memref<512x512xbf16>
// CHECK-NEXT: %[[H:.*]] = memref.alloc() {alignment = 64 : i64} : memref<{{512x2048|2048x512}}xbf16>
// CHECK-NEXT: call @mlp_kernel_first(%[[X_IN]], %[[UP_IN]], %[[H]])
// CHECK-NEXT: call @down_kernel(%[[H]], %[[DOWN_IN]], %[[O]])
// CHECK-NEXT: memref.dealloc %[[H]]
// CHECK-NEXT: bufferization.to_tensor %[[O]]

// LOC: call @mlp_kernel_first({{.*}}cut-kernels.mlir:[[#@LINE+8]]:
// LOC: call @down_kernel({{.*}}cut-kernels.mlir:[[#@LINE+18]]:

// REMARK: cut-kernels.mlir:[[#@LINE+7]]:{{.*}}: remark: [Passed] Cut | Category:trn-plan-kernels | Function=mlp_kernel | Remark="faster as two kernels, @mlp_kernel_first and @down_kernel, with tensor<512x2048xbf16> in HBM between them", modelled_us={{[0-9.e+]+}}, modelled_us_as_one={{[0-9.e+]+}}
func.func @mlp(%x: tensor<512x512xbf16>, %up: tensor<512x2048xbf16>, %down: tensor<2048x512xbf16>) -> tensor<512x512xbf16> {
  %zero = arith.constant 0.0 : f32
  %h_empty = tensor.empty() : tensor<512x2048xf32>
  %h_zero = linalg.fill ins(%zero : f32) outs(%h_empty : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %h_sums = linalg.matmul ins(%x, %up : tensor<512x512xbf16>, tensor<512x2048xbf16>) outs(%h_zero : tensor<512x2048xf32>) -> tensor<512x2048xf32>
  %h_init = tensor.empty() : tensor<512x2048xbf16>
  %h = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%h_sums : tensor<512x2048xf32>) outs(%h_init : tensor<512x2048xbf16>) {
  ^bb0(%sum: f32, %old: bf16):
    %positive = arith.maximumf %sum, %zero : f32
    %rounded = arith.truncf %positive : f32 to bf16
    linalg.yield %rounded : bf16
  } -> tensor<512x2048xbf16>
  %o_empty = tensor.empty() : tensor<512x512xf32>
  %o_zero = linalg.fill ins(%zero : f32) outs(%o_empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o_sums = linalg.matmul ins(%h, %down : tensor<512x2048xbf16>, tensor<2048x512xbf16>) outs(%o_zero : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o = arith.truncf %o_sums : tensor<512x512xf32> to tensor<512x512xbf16>
  return %o : tensor<512x512xbf16>
}

// CHECK-LABEL: func.func @down(
// CHECK: call @down_kernel(
func.func @down(%h: tensor<512x2048xbf16>, %down: tensor<2048x512xbf16>) -> tensor<512x512xbf16> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<512x512xf32>
  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<512x512xf32>) -> tensor<512x512xf32>
  %sums = linalg.matmul ins(%h, %down : tensor<512x2048xbf16>, tensor<2048x512xbf16>) outs(%init : tensor<512x512xf32>) -> tensor<512x512xf32>
  %o = arith.truncf %sums : tensor<512x512xf32> to tensor<512x512xbf16>
  return %o : tensor<512x512xbf16>
}

// CHECK: func.func private @mlp_kernel_first(%{{.*}}: memref<512x512xbf16>, %{{.*}}: memref<512x2048xbf16>, %{{.*}}: memref<{{512x2048|2048x512}}xbf16> {trn.result})
// CHECK-SAME: trn.flops = 1073741824 : i64, trn.kernel, trn.schedule = {{.*}}relu
// CHECK-NOT: func.func private @mlp_kernel
// CHECK: func.func private @down_kernel(
// CHECK-NOT: func.func private @mlp_kernel
}
