// RUN: trn-opt %s --split-input-file --trn-outline-kernels | FileCheck %s
// RUN: trn-opt %s --split-input-file --trn-outline-kernels --remark-format=emitRemark --remarks-filter=trn-outline-kernels -o /dev/null 2>&1 \
// RUN:   | grep '\[Missed\]' | FileCheck %s --check-prefix=MISSED --implicit-check-not=Missed

// Reductions are kernels, with what computes element by element around them.

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>
#column = affine_map<(r, c) -> (c)>
#one = affine_map<(r) -> (r)>

// A norm: the widening is read twice, and the kernel computes both.

// CHECK-LABEL: func.func @norm(
// CHECK-NOT: linalg
// CHECK: call @norm_kernel(
// CHECK-NOT: linalg
// CHECK: func.func private @norm_kernel(
// CHECK-COUNT-3: linalg.generic
func.func @norm(%x: tensor<64x128xbf16>, %g: tensor<128xbf16>) -> tensor<64x128xbf16> {
  %zero = arith.constant 0.0 : f32
  %size = arith.constant 128.0 : f32
  %we = tensor.empty() : tensor<64x128xf32>
  %w = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<64x128xbf16>) outs(%we : tensor<64x128xf32>) {
  ^bb0(%in: bf16, %out: f32):
    %o = arith.extf %in : bf16 to f32
    linalg.yield %o : f32
  } -> tensor<64x128xf32>
  %re = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%w : tensor<64x128xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %square = arith.mulf %in, %in : f32
    %o = arith.addf %sum, %square : f32
    linalg.yield %o : f32
  } -> tensor<64xf32>
  %oe = tensor.empty() : tensor<64x128xbf16>
  %o = linalg.generic {indexing_maps = [#id, #row, #column, #id], iterator_types = ["parallel", "parallel"]}
      ins(%w, %s, %g : tensor<64x128xf32>, tensor<64xf32>, tensor<128xbf16>) outs(%oe : tensor<64x128xbf16>) {
  ^bb0(%a: f32, %b: f32, %c: bf16, %out: bf16):
    %mean = arith.divf %b, %size : f32
    %scale = math.rsqrt %mean : f32
    %n = arith.mulf %a, %scale : f32
    %rounded = arith.truncf %n : f32 to bf16
    %gained = arith.mulf %rounded, %c : bf16
    linalg.yield %gained : bf16
  } -> tensor<64x128xbf16>
  return %o : tensor<64x128xbf16>
}

// -----

// What a kernel cannot reduce stays on the host, and says why.

#id = affine_map<(r, c) -> (r, c)>
#row = affine_map<(r, c) -> (r)>

// CHECK-LABEL: func.func @refused(
func.func @refused(%x: tensor<64x128xf32>, %h: tensor<64x128xf16>, %before: tensor<64xf32>) -> (tensor<64xf32>, tensor<64xf16>, tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.0 : f16
  %one = arith.constant 1.0 : f32
  %low = arith.constant 0xFF800000 : f32
  %re = tensor.empty() : tensor<64xf32>
  %he = tensor.empty() : tensor<64xf16>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %hz = linalg.fill ins(%half : f16) outs(%he : tensor<64xf16>) -> tensor<64xf16>
  %ones = linalg.fill ins(%one : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %lows = linalg.fill ins(%low : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%lows : tensor<64xf32>) {
  ^bb0(%in: f32, %most: f32):
    %o = arith.maximumf %in, %most : f32
    linalg.yield %o : f32
  } -> tensor<64xf32>
  // MISSED: rows.mlir:[[#@LINE+1]]:{{.*}}Reason="it reduces, but not by a sum, a maximum or a minimum"
  %p = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%ones : tensor<64xf32>) {
  ^bb0(%in: f32, %all: f32):
    %o = arith.mulf %in, %all : f32
    linalg.yield %o : f32
  } -> tensor<64xf32>
  // MISSED: rows.mlir:[[#@LINE+1]]:{{.*}}Reason="it sums in f16, but kernels sum in f32"
  %s = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%h : tensor<64x128xf16>) outs(%hz : tensor<64xf16>) {
  ^bb0(%in: f16, %sum: f16):
    %o = arith.addf %in, %sum : f16
    linalg.yield %o : f16
  } -> tensor<64xf16>
  // MISSED: rows.mlir:[[#@LINE+1]]:{{.*}}Reason="it reduces onto values that may change the result; start with zeros, or infinity, and combine after it"
  %onto = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<64x128xf32>) outs(%before : tensor<64xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %o = arith.addf %in, %sum : f32
    linalg.yield %o : f32
  } -> tensor<64xf32>
  return %p, %s, %onto, %m : tensor<64xf32>, tensor<64xf16>, tensor<64xf32>, tensor<64xf32>
}

// -----

// CHECK-LABEL: func.func @two_dimensions(
func.func @two_dimensions(%x: tensor<64x8x16xf32>, %y: tensor<64x128xf32>) -> (tensor<64xf32>, tensor<64xf32>) {
  %zero = arith.constant 0.0 : f32
  %re = tensor.empty() : tensor<64xf32>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<64xf32>) -> tensor<64xf32>
  // MISSED: rows.mlir:[[#@LINE+1]]:{{.*}}Reason="it reduces 2 dimensions at once, but a kernel can one; collapse them"
  %s = linalg.generic {indexing_maps = [affine_map<(r, a, b) -> (r, a, b)>, affine_map<(r, a, b) -> (r)>], iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%x : tensor<64x8x16xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %o = arith.addf %in, %sum : f32
    linalg.yield %o : f32
  } -> tensor<64xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(r, c) -> (r, c)>, affine_map<(r, c) -> (r)>], iterator_types = ["parallel", "reduction"]}
      ins(%y : tensor<64x128xf32>) outs(%z : tensor<64xf32>) {
  ^bb0(%in: f32, %sum: f32):
    %o = arith.addf %in, %sum : f32
    linalg.yield %o : f32
  } -> tensor<64xf32>
  return %s, %t : tensor<64xf32>, tensor<64xf32>
}
