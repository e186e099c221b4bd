// RUN: split-file %s %t
// RUN: %python -c "import numpy; \
// RUN:   numpy.save(r'%t/x.npy', numpy.arange(2 * 32, dtype='float32').reshape(2, 32)); \
// RUN:   numpy.save(r'%t/w.npy', numpy.eye(32, dtype='float32')[:, 3:7])"
// RUN: trn-run %t/product.mlir --compile=effort=1 --arg=@%t/x.npy --arg=@%t/w.npy | \
// RUN:   FileCheck %s --match-full-lines --check-prefixes=PRODUCT,PLAIN
// RUN: trn-run %t/product.mlir --compile=effort=1 --arg=@%t/x.npy --arg=@%t/w.npy --verify | \
// RUN:   FileCheck %s --match-full-lines --check-prefixes=PRODUCT,VERIFY
// RUN: trn-run %t/memref.mlir --compile=effort=1 --arg=@%t/x.npy --arg=@%t/w.npy --verify | \
// RUN:   FileCheck %s --match-full-lines --check-prefix=MEMREF
// RUN: trn-run %t/product.mlir --compile=effort=1 --timing-only | FileCheck %s --check-prefix=QUIET
// RUN: trn-opt %t/product.mlir --trn-compile=effort=1 --trn-validate-each-pass=1 | FileCheck %s --check-prefix=QUIET

// Upstream's functions that print, in any order with kernels, before all that
// the tool prints. What checks a run prints nothing: neither the evaluation nor
// the run of the source, and no run after a pass.

// PRODUCT:      Memref base@ = {{.*}} rank = 1 offset = 0 sizes = [3] strides = [1] data =
// PRODUCT-NEXT: [1,  2,  4]
// PRODUCT-NEXT: Unranked Memref base@ = {{.*}} rank = 2 offset = 0 sizes = [2, 4] strides = [4, 1] data =
// PRODUCT-NEXT: {{\[\[}}3,   4,   5,   6],
// PRODUCT-NEXT:  [35,   36,   37,   38]]
// VERIFY-NEXT:  verify: result 0: {{.*}}
// VERIFY-NEXT:  modelled on trn1 {{.*}}
// PLAIN-NEXT:   modelled on trn1 {{.*}}

// MEMREF:      Unranked Memref base@ = {{.*}} rank = 2 offset = 1 sizes = [2, 2] strides = [4, 2] data =
// MEMREF-NEXT: {{\[\[}}4,   6],
// MEMREF-NEXT:  [36,   38]]
// MEMREF-NEXT: Unranked Memref base@ = {{.*}} rank = 0 offset = 0 sizes = [] strides = [] data =
// MEMREF-NEXT: [2.5]
// MEMREF-NEXT: verify: {{.*}}, run on the host
// MEMREF-NEXT: verify: result 0: {{.*}}
// MEMREF-NEXT: modelled on trn1 {{.*}}

// QUIET-NOT: base@
// QUIET:     main_kernel
// QUIET-NOT: base@

//--- product.mlir
func.func private @printMemref1dF32(tensor<?xf32>)
func.func private @printMemrefF32(tensor<*xf32>)
func.func @main(%x: tensor<2x32xf32>, %w: tensor<32x4xf32>) -> tensor<2x4xf32> {
  %numbers = arith.constant dense<[1.0, 2.0, 4.0]> : tensor<3xf32>
  %dynamic = tensor.cast %numbers : tensor<3xf32> to tensor<?xf32>
  call @printMemref1dF32(%dynamic) : (tensor<?xf32>) -> ()
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  %o = linalg.matmul ins(%x, %w : tensor<2x32xf32>, tensor<32x4xf32>)
      outs(%fill : tensor<2x4xf32>) -> tensor<2x4xf32>
  %unranked = tensor.cast %o : tensor<2x4xf32> to tensor<*xf32>
  call @printMemrefF32(%unranked) : (tensor<*xf32>) -> ()
  return %o : tensor<2x4xf32>
}

//--- memref.mlir
func.func private @printMemrefF32(memref<*xf32>) attributes { llvm.emit_c_interface }
func.func private @printMemrefBF16(memref<*xbf16>)
func.func @main(%x: tensor<2x32xf32>, %w: tensor<32x4xf32>) -> tensor<2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x4xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x4xf32>) -> tensor<2x4xf32>
  %o = linalg.matmul ins(%x, %w : tensor<2x32xf32>, tensor<32x4xf32>)
      outs(%fill : tensor<2x4xf32>) -> tensor<2x4xf32>
  // Every other column.
  %buffer = bufferization.to_buffer %o read_only : tensor<2x4xf32> to memref<2x4xf32>
  %view = memref.subview %buffer[0, 1] [2, 2] [1, 2]
      : memref<2x4xf32> to memref<2x2xf32, strided<[4, 2], offset: 1>>
  %unranked = memref.cast %view
      : memref<2x2xf32, strided<[4, 2], offset: 1>> to memref<*xf32>
  call @printMemrefF32(%unranked) : (memref<*xf32>) -> ()
  %scalar = memref.alloc() : memref<bf16>
  %value = arith.constant 2.5 : bf16
  memref.store %value, %scalar[] : memref<bf16>
  %narrow = memref.cast %scalar : memref<bf16> to memref<*xbf16>
  call @printMemrefBF16(%narrow) : (memref<*xbf16>) -> ()
  memref.dealloc %scalar : memref<bf16>
  return %o : tensor<2x4xf32>
}
