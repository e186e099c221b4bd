// linalg on tensors as it is given to iree-compile: attributes of IREE's calling convention stand
// at the function, the weight is turned by the maps of the product, and the bias is what it
// accumulates onto.
//
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s

// CHECK: verify: result 0: relative error {{.*}}, at most 1.00e-02
// CHECK-NOT: leaves out
// CHECK: kernel linear_kernel
// CHECK-NOT: {{^}}kernel

#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d1, d2)>
#y = affine_map<(d0, d1, d2) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d1)>
#id = affine_map<(d0, d1) -> (d0, d1)>
module @model {
  func.func public @linear(%arg0: tensor<64x256xbf16>, %arg1: tensor<384x256xbf16>, %arg2: tensor<384xf32>) -> tensor<64x384xbf16> attributes {iree.abi.stub, iree.reflection = {iree.abi.declaration = "sync func @linear"}} {
    %0 = tensor.empty() : tensor<64x384xf32>
    %1 = linalg.generic {indexing_maps = [#row, #id], iterator_types = ["parallel", "parallel"]} ins(%arg2 : tensor<384xf32>) outs(%0 : tensor<64x384xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<64x384xf32>
    %2 = linalg.matmul indexing_maps = [#x, #w, #y] ins(%arg0, %arg1 : tensor<64x256xbf16>, tensor<384x256xbf16>) outs(%1 : tensor<64x384xf32>) -> tensor<64x384xf32>
    %3 = tensor.empty() : tensor<64x384xbf16>
    %4 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%2 : tensor<64x384xf32>) outs(%3 : tensor<64x384xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %5 = arith.truncf %in : f32 to bf16
      linalg.yield %5 : bf16
    } -> tensor<64x384xbf16>
    return %4 : tensor<64x384xbf16>
  }
}
