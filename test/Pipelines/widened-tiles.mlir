// Engines share the tiles of a weight of 8 bits: whole tiles where that is
// faster than parts of each, as an instruction takes some time beside its
// columns.
//
// RUN: trn-opt %s --trn-compile="machine=trn2 effort=1" | FileCheck %s --check-prefix=TRN2
// RUN: trn-opt %s --trn-compile="machine=trn1 effort=1" | FileCheck %s --check-prefix=TRN1

// Nanoseconds of a tile of 512 columns on trn2, the same from 8 bits as from 16:
// VectorE (0.77 * 512 + 100) / 0.96 = 515, ScalarE (512 + 100) / 1.2 = 510,
// GpSimd (0.77 * 512 + 60) / 1.2 = 379. Four take 757 if GpSimd has two; parts
// of each take 205, so 821.
// TRN2: trn.tensor_copy {{.*}}memref<128x512xi8{{.*}} on gpsimd
// TRN2-NEXT: memref.subview
// TRN2-NEXT: memref.subview
// TRN2-NEXT: trn.activation copy({{.*}}memref<128x512xi8
// TRN2: trn.tensor_copy {{.*}}memref<128x512xi8{{.*}} on vector
// TRN2: trn.tensor_copy {{.*}}memref<128x512xi8{{.*}} on gpsimd

// On trn1 VectorE takes (512 + 97) / 1.12 = 544 and ScalarE (512 + 60) / 1.4 =
// 409, so two and two of the tiles 1088; parts take 266 each, so 1063.
// TRN1: scf.for {{.*}} to %c4
// TRN1: trn.activation copy({{.*}}memref<128x312xi8
// TRN1: trn.tensor_copy {{.*}}memref<128x200xi8{{.*}} on vector
func.func @product(%x: tensor<1x512xbf16>, %w: tensor<512x512xi8>) -> tensor<1x512xf32> {
  %wide = tensor.empty() : tensor<512x512xbf16>
  %bf16 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%w : tensor<512x512xi8>) outs(%wide : tensor<512x512xbf16>) {
  ^bb0(%in: i8, %out: bf16):
    %value = arith.sitofp %in : i8 to bf16
    linalg.yield %value : bf16
  } -> tensor<512x512xbf16>
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<1x512xf32>
  %fill = linalg.fill ins(%zero : f32) outs(%empty : tensor<1x512xf32>) -> tensor<1x512xf32>
  %o = linalg.matmul ins(%x, %bf16 : tensor<1x512xbf16>, tensor<512x512xbf16>) outs(%fill : tensor<1x512xf32>) -> tensor<1x512xf32>
  return %o : tensor<1x512xf32>
}
