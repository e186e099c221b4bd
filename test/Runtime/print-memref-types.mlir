// RUN: trn-run %s | FileCheck %s --implicit-check-not=base@

// Of all types that upstream prints; bytes are characters.

// CHECK:      base@
// CHECK-NEXT: {{^}}[A]
// CHECK:      base@
// CHECK-NEXT: {{^}}[-2]
// CHECK:      base@
// CHECK-NEXT: {{^}}[3]
// CHECK:      base@
// CHECK-NEXT: {{^}}[4]
// CHECK:      base@
// CHECK-NEXT: {{^}}[5]
// CHECK:      base@
// CHECK-NEXT: {{^}}[0.5]
// CHECK:      base@
// CHECK-NEXT: {{^}}[1.5]
// CHECK:      base@
// CHECK-NEXT: {{^}}[2.5]
// CHECK:      base@
// CHECK-NEXT: {{^}}[3.5]
// CHECK:      base@
// CHECK-NEXT: {{^}}[(1,2)]
// CHECK:      base@
// CHECK-NEXT: {{^}}[(3,4)]

func.func private @printMemrefI8(tensor<*xi8>)
func.func private @printMemrefI16(tensor<*xi16>)
func.func private @printMemrefI32(tensor<*xi32>)
func.func private @printMemrefI64(tensor<*xi64>)
func.func private @printMemrefInd(tensor<*xindex>)
func.func private @printMemrefF16(tensor<*xf16>)
func.func private @printMemrefBF16(tensor<*xbf16>)
func.func private @printMemrefF32(tensor<*xf32>)
func.func private @printMemrefF64(tensor<*xf64>)
func.func private @printMemrefC32(tensor<*xcomplex<f32>>)
func.func private @printMemrefC64(tensor<*xcomplex<f64>>)

func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

func.func @main(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) {
  %i8 = arith.constant dense<[65]> : tensor<1xi8>
  %any_i8 = tensor.cast %i8 : tensor<1xi8> to tensor<*xi8>
  call @printMemrefI8(%any_i8) : (tensor<*xi8>) -> ()
  %i16 = arith.constant dense<[-2]> : tensor<1xi16>
  %any_i16 = tensor.cast %i16 : tensor<1xi16> to tensor<*xi16>
  call @printMemrefI16(%any_i16) : (tensor<*xi16>) -> ()
  %i32 = arith.constant dense<[3]> : tensor<1xi32>
  %any_i32 = tensor.cast %i32 : tensor<1xi32> to tensor<*xi32>
  call @printMemrefI32(%any_i32) : (tensor<*xi32>) -> ()
  %i64 = arith.constant dense<[4]> : tensor<1xi64>
  %any_i64 = tensor.cast %i64 : tensor<1xi64> to tensor<*xi64>
  call @printMemrefI64(%any_i64) : (tensor<*xi64>) -> ()
  %ind = arith.constant dense<[5]> : tensor<1xindex>
  %any_ind = tensor.cast %ind : tensor<1xindex> to tensor<*xindex>
  call @printMemrefInd(%any_ind) : (tensor<*xindex>) -> ()
  %f16 = arith.constant dense<[0.5]> : tensor<1xf16>
  %any_f16 = tensor.cast %f16 : tensor<1xf16> to tensor<*xf16>
  call @printMemrefF16(%any_f16) : (tensor<*xf16>) -> ()
  %bf16 = arith.constant dense<[1.5]> : tensor<1xbf16>
  %any_bf16 = tensor.cast %bf16 : tensor<1xbf16> to tensor<*xbf16>
  call @printMemrefBF16(%any_bf16) : (tensor<*xbf16>) -> ()
  %f32 = arith.constant dense<[2.5]> : tensor<1xf32>
  %any_f32 = tensor.cast %f32 : tensor<1xf32> to tensor<*xf32>
  call @printMemrefF32(%any_f32) : (tensor<*xf32>) -> ()
  %f64 = arith.constant dense<[3.5]> : tensor<1xf64>
  %any_f64 = tensor.cast %f64 : tensor<1xf64> to tensor<*xf64>
  call @printMemrefF64(%any_f64) : (tensor<*xf64>) -> ()
  %c32 = arith.constant dense<[(1.0, 2.0)]> : tensor<1xcomplex<f32>>
  %any_c32 = tensor.cast %c32 : tensor<1xcomplex<f32>> to tensor<*xcomplex<f32>>
  call @printMemrefC32(%any_c32) : (tensor<*xcomplex<f32>>) -> ()
  %c64 = arith.constant dense<[(3.0, 4.0)]> : tensor<1xcomplex<f64>>
  %any_c64 = tensor.cast %c64 : tensor<1xcomplex<f64>> to tensor<*xcomplex<f64>>
  call @printMemrefC64(%any_c64) : (tensor<*xcomplex<f64>>) -> ()
  call @copy(%x, %y) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  return
}
