// Weights that are stored in 8 bits come so to the kernel, which widens them; the host turns them as they are stored.
// RUN: trn-opt %s --trn-normalize-products --trn-outline-kernels --split-input-file | FileCheck %s

// CHECK-LABEL: func.func @by_columns
// CHECK: call @by_columns_kernel(%{{.*}}) : (memref<128x256xi8>, memref<64x128xbf16>, memref<256xf32>, memref<64x256xbf16>) -> ()
// CHECK: func.func private @by_columns_kernel
// CHECK: linalg.generic
// CHECK: arith.sitofp %{{.*}} : i8 to bf16
// CHECK: linalg.matmul
// CHECK: linalg.generic
// CHECK: arith.mulf
// CHECK: arith.truncf
func.func @by_columns(%x: tensor<64x128xbf16>, %q: tensor<128x256xi8> {trn.param = "w"}, %s: tensor<256xf32> {trn.param = "s"})
    -> tensor<64x256xbf16> {
  %f = arith.sitofp %q : tensor<128x256xi8> to tensor<128x256xbf16>
  %e = tensor.empty() : tensor<128x256xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%f, %s : tensor<128x256xbf16>, tensor<256xf32>) outs(%e : tensor<128x256xbf16>) {
  ^bb0(%in: bf16, %scale: f32, %o: bf16):
    %wide = arith.extf %in : bf16 to f32
    %scaled = arith.mulf %wide, %scale : f32
    %r = arith.truncf %scaled : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<128x256xbf16>
  %zero = arith.constant dense<0.0> : tensor<64x256xbf16>
  %y = linalg.matmul ins(%x, %w : tensor<64x128xbf16>, tensor<128x256xbf16>) outs(%zero : tensor<64x256xbf16>) -> tensor<64x256xbf16>
  return %y : tensor<64x256xbf16>
}

// -----

// A checkpoint has [out, in], and [out, 1] scales.

// CHECK-LABEL: func.func @of_a_checkpoint
// CHECK: %[[TURNED:.*]] = linalg.transpose ins(%{{.*}} : tensor<256x128xf8E4M3FN>) outs(%{{.*}} : tensor<128x256xf8E4M3FN>)
// CHECK: call @of_a_checkpoint_kernel(%{{.*}}) : (memref<128x256xf8E4M3FN>, memref<64x128xbf16>, memref<256xf32>, memref<64x256xbf16>) -> ()
func.func @of_a_checkpoint(%x: tensor<64x128xbf16>, %q: tensor<256x128xf8E4M3FN> {trn.param = "w"},
                           %s: tensor<256x1xf32> {trn.param = "s"}) -> tensor<64x256xbf16> {
  %e = tensor.empty() : tensor<256x128xbf16>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<256x128xf8E4M3FN>, tensor<256x1xf32>) outs(%e : tensor<256x128xbf16>) {
  ^bb0(%in: f8E4M3FN, %scale: f32, %o: bf16):
    %wide = arith.extf %in : f8E4M3FN to f32
    %scaled = arith.mulf %scale, %wide : f32
    %r = arith.truncf %scaled : f32 to bf16
    linalg.yield %r : bf16
  } -> tensor<256x128xbf16>
  %et = tensor.empty() : tensor<128x256xbf16>
  %wt = linalg.transpose ins(%w : tensor<256x128xbf16>) outs(%et : tensor<128x256xbf16>) permutation = [1, 0]
  %zero = arith.constant dense<0.0> : tensor<64x256xbf16>
  %y = linalg.matmul ins(%x, %wt : tensor<64x128xbf16>, tensor<128x256xbf16>) outs(%zero : tensor<64x256xbf16>) -> tensor<64x256xbf16>
  return %y : tensor<64x256xbf16>
}

// -----

// A product may read it as it is.

// CHECK-LABEL: func.func @mixed
// CHECK: call @mixed_kernel(%{{.*}}) : (memref<128x256xi8>, memref<64x128xbf16>, memref<64x256xf32>) -> ()
func.func @mixed(%x: tensor<64x128xbf16>, %q: tensor<128x256xi8>) -> tensor<64x256xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %y = linalg.matmul ins(%x, %q : tensor<64x128xbf16>, tensor<128x256xi8>) outs(%zero : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %y : tensor<64x256xf32>
}

// -----

// What scales the rows that are summed over stays in front of the product, in the kernel.

// CHECK-LABEL: func.func @by_rows
// CHECK: call @by_rows_kernel(%{{.*}}) : (memref<64x128xf32>, memref<128x256x{{.*}}
func.func @by_rows(%x: tensor<64x128xf32>, %q: tensor<128x256xi8> {trn.param = "w"}, %s: tensor<128xf32> {trn.param = "s"})
    -> tensor<64x256xf32> {
  %e = tensor.empty() : tensor<128x256xf32>
  %w = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%q, %s : tensor<128x256xi8>, tensor<128xf32>) outs(%e : tensor<128x256xf32>) {
  ^bb0(%in: i8, %scale: f32, %o: f32):
    %wide = arith.sitofp %in : i8 to f32
    %scaled = arith.mulf %wide, %scale : f32
    linalg.yield %scaled : f32
  } -> tensor<128x256xf32>
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %y = linalg.matmul ins(%x, %w : tensor<64x128xf32>, tensor<128x256xf32>) outs(%zero : tensor<64x256xf32>) -> tensor<64x256xf32>
  return %y : tensor<64x256xf32>
}
