// Elementwise ops that no kernel can compute say why.
// RUN: not trn-run %s --compile=effort=1 2>&1 | FileCheck %s
// CHECK: error: the compiler found nothing that it can compile
// CHECK: host-elements.mlir:[[#@LINE+6]]:8: note: {{.*}}it works on tensor<24x40xi32>, but kernels compute static tensors of bf16, f16 and f32
// CHECK: host-elements.mlir:[[#@LINE+11]]:8: note: {{.*}}'math.floor' in its body is nothing that the engines compute

#map = affine_map<(d0, d1) -> (d0, d1)>
func.func @main(%x: tensor<24x40xi32>, %y: tensor<24x40xf32>) -> (tensor<24x40xi32>, tensor<24x40xf32>) {
  %e = tensor.empty() : tensor<24x40xi32>
  %0 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<24x40xi32>) outs(%e : tensor<24x40xi32>) {
  ^bb0(%in: i32, %out: i32):
    %2 = arith.addi %in, %in : i32
    linalg.yield %2 : i32
  } -> tensor<24x40xi32>
  %1 = math.floor %y : tensor<24x40xf32>
  return %0, %1 : tensor<24x40xi32>, tensor<24x40xf32>
}
