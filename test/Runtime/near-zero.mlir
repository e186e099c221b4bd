// Of exp(x) - 1 and log(1 + x) nothing is lost near zero: not in kernels, not
// in the reference, not in host code.
// RUN: trn-run %s --compile=effort=1 --entry=elements --verify | FileCheck %s
// RUN: trn-run %s --compile=effort=1 --entry=host | FileCheck %s --check-prefix=HOST
// CHECK-COUNT-2: relative error {{[0-9.]+}}e-{{0[7-9]|1}}
// HOST: 2.5e-10, {{ *}}2.5e-10

#id = affine_map<(d0, d1) -> (d0, d1)>
func.func @elements(%x: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %empty = tensor.empty() : tensor<64x128xf32>
  %small = arith.constant 1.0e-05 : f32
  %a = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%empty : tensor<64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.mulf %in, %small : f32
    %z = math.expm1 %y : f32
    linalg.yield %z : f32
  } -> tensor<64x128xf32>
  %b = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<64x128xf32>) outs(%empty : tensor<64x128xf32>) {
  ^bb0(%in: f32, %out: f32):
    %y = arith.mulf %in, %small : f32
    %z = math.log1p %y : f32
    linalg.yield %z : f32
  } -> tensor<64x128xf32>
  return %a, %b : tensor<64x128xf32>, tensor<64x128xf32>
}

func.func private @printMemrefF32(memref<*xf32>)
func.func @host(%values: tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>) {
  %small = memref.alloc() : memref<2xf32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = arith.constant 2.5e-10 : f32
  memref.store %x, %small[%c0] : memref<2xf32>
  %y = memref.load %small[%c0] : memref<2xf32>
  %power = math.expm1 %y : f32
  memref.store %power, %small[%c0] : memref<2xf32>
  %log = math.log1p %y : f32
  memref.store %log, %small[%c1] : memref<2xf32>
  %cast = memref.cast %small : memref<2xf32> to memref<*xf32>
  call @printMemrefF32(%cast) : (memref<*xf32>) -> ()
  memref.dealloc %small : memref<2xf32>
  %results:2 = call @elements(%values) : (tensor<64x128xf32>) -> (tensor<64x128xf32>, tensor<64x128xf32>)
  return %results#0, %results#1 : tensor<64x128xf32>, tensor<64x128xf32>
}
