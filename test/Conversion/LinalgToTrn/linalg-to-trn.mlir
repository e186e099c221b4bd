// RUN: trn-opt %s --trn-linalg-to-trn | FileCheck %s

#km = affine_map<(m, n, k) -> (k, m)>
#kn = affine_map<(m, n, k) -> (k, n)>
#mn = affine_map<(m, n, k) -> (m, n)>
#id = affine_map<(i, j) -> (i, j)>
#swap = affine_map<(i, j) -> (j, i)>

// The first product of a group overwrites, so the zero is never written.

// CHECK-LABEL: func.func private @accumulation_group
func.func private @accumulation_group(%x: memref<300x128xbf16>, %w: memref<300x512xbf16>) attributes {trn.kernel} {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %c128 = arith.constant 128 : index
  %c256 = arith.constant 256 : index
  // CHECK: %[[S:.*]] = trn.alloc : memref<300x128xbf16, #trn.mem<sbuf>>
  %s = memref.alloc() : memref<300x128xbf16, #trn.mem<sbuf>>
  %m = memref.alloc() : memref<300x512xbf16, #trn.mem<sbuf>>
  // CHECK: trn.dma_copy %{{.*}} to %[[S]]
  memref.copy %x, %s : memref<300x128xbf16> to memref<300x128xbf16, #trn.mem<sbuf>>
  memref.copy %w, %m : memref<300x512xbf16> to memref<300x512xbf16, #trn.mem<sbuf>>
  // CHECK: %[[P:.*]] = trn.alloc : memref<128x512xf32, #trn.mem<psum>>
  %p = memref.alloc() : memref<128x512xf32, #trn.mem<psum>>
  // CHECK-NOT: linalg.fill
  linalg.fill ins(%zero : f32) outs(%p : memref<128x512xf32, #trn.mem<psum>>)
  // CHECK: scf.for %[[K:.*]] = %[[LB:.*]] to
  scf.for %k = %c0 to %c256 step %c128 {
    %sk = memref.subview %s[%k, 0] [128, 128] [1, 1] : memref<300x128xbf16, #trn.mem<sbuf>> to memref<128x128xbf16, strided<[128, 1], offset: ?>, #trn.mem<sbuf>>
    %mk = memref.subview %m[%k, 0] [128, 512] [1, 1] : memref<300x512xbf16, #trn.mem<sbuf>> to memref<128x512xbf16, strided<[512, 1], offset: ?>, #trn.mem<sbuf>>
    // CHECK: %[[MORE:.*]] = arith.cmpi ne, %[[K]], %[[LB]]
    // CHECK: trn.matmul {{.*}} into %[[P]] : {{.*}} accumulate(%[[MORE]])
    linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%sk, %mk : memref<128x128xbf16, strided<[128, 1], offset: ?>, #trn.mem<sbuf>>, memref<128x512xbf16, strided<[512, 1], offset: ?>, #trn.mem<sbuf>>) outs(%p : memref<128x512xf32, #trn.mem<psum>>)
  }
  %sr = memref.subview %s[256, 0] [44, 128] [1, 1] : memref<300x128xbf16, #trn.mem<sbuf>> to memref<44x128xbf16, strided<[128, 1], offset: 32768>, #trn.mem<sbuf>>
  %mr = memref.subview %m[256, 0] [44, 512] [1, 1] : memref<300x512xbf16, #trn.mem<sbuf>> to memref<44x512xbf16, strided<[512, 1], offset: 131072>, #trn.mem<sbuf>>
  // CHECK: %[[TRUE:.*]] = arith.constant true
  // CHECK: trn.matmul {{.*}} into %[[P]] : {{.*}} accumulate(%[[TRUE]])
  linalg.matmul indexing_maps = [#km, #kn, #mn] ins(%sr, %mr : memref<44x128xbf16, strided<[128, 1], offset: 32768>, #trn.mem<sbuf>>, memref<44x512xbf16, strided<[512, 1], offset: 131072>, #trn.mem<sbuf>>) outs(%p : memref<128x512xf32, #trn.mem<psum>>)
  return
}

// CHECK-LABEL: func.func private @evictions
func.func private @evictions(%p: memref<128x512xf32, #trn.mem<psum>>, %y: memref<128x512xbf16, #trn.mem<sbuf>>) attributes {trn.kernel} {
  // CHECK: trn.tensor_copy %{{.*}} into
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : memref<128x512xf32, #trn.mem<psum>>) outs(%y : memref<128x512xbf16, #trn.mem<sbuf>>) {
  ^bb0(%in: f32, %out: bf16):
    %narrow = arith.truncf %in : f32 to bf16
    linalg.yield %narrow : bf16
  }
  // CHECK: trn.tensor_tensor add
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%p : memref<128x512xf32, #trn.mem<psum>>) outs(%y : memref<128x512xbf16, #trn.mem<sbuf>>) {
  ^bb0(%in: f32, %out: bf16):
    %wide = arith.extf %out : bf16 to f32
    %sum = arith.addf %wide, %in : f32
    %narrow = arith.truncf %sum : f32 to bf16
    linalg.yield %narrow : bf16
  }
  return
}

// CHECK-LABEL: func.func private @transposition
func.func private @transposition(%x: memref<128x64xbf16, #trn.mem<sbuf>>, %p: memref<64x128xf32, #trn.mem<psum>>) attributes {trn.kernel} {
  // CHECK: trn.transpose %{{.*}} into
  linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]} ins(%x : memref<128x64xbf16, #trn.mem<sbuf>>) outs(%p : memref<64x128xf32, #trn.mem<psum>>) {
  ^bb0(%in: bf16, %out: f32):
    %wide = arith.extf %in : bf16 to f32
    linalg.yield %wide : f32
  }
  return
}

// CHECK-LABEL: func.func @host_code
func.func @host_code(%x: memref<4x4xf32>, %y: memref<4x4xf32>) {
  // CHECK: memref.copy
  memref.copy %x, %y : memref<4x4xf32> to memref<4x4xf32>
  return
}
