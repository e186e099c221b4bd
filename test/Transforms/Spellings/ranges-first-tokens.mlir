// The first token of each of three sequences, and the last one, as a classifier and a vocabulary have them.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK-NOT: host_ops
// CHECK: launches 1
// CHECK-NOT: host_ops

#row = affine_map<(i, j, k) -> (i, j)>
#all = affine_map<(i, j, k) -> (i, j, k)>

func.func @main(%x: tensor<3x16x40xf32>, %w: tensor<40x48xf32>, %u: tensor<48x24xf32>, %v: tensor<48x56xf32>) -> (tensor<3x24xf32>, tensor<3x1x56xf32>) {
  %zero = arith.constant 0.0 : f32
  %flat = tensor.collapse_shape %x [[0, 1], [2]] : tensor<3x16x40xf32> into tensor<48x40xf32>
  %he = tensor.empty() : tensor<48x48xf32>
  %hz = linalg.fill ins(%zero : f32) outs(%he : tensor<48x48xf32>) -> tensor<48x48xf32>
  %h = linalg.matmul ins(%flat, %w : tensor<48x40xf32>, tensor<40x48xf32>) outs(%hz : tensor<48x48xf32>) -> tensor<48x48xf32>
  %tokens = tensor.expand_shape %h [[0, 1], [2]] output_shape [3, 16, 48] : tensor<48x48xf32> into tensor<3x16x48xf32>

  %me = tensor.empty() : tensor<3x16xf32>
  %least = arith.constant 0xFF800000 : f32
  %mi = linalg.fill ins(%least : f32) outs(%me : tensor<3x16xf32>) -> tensor<3x16xf32>
  %m = linalg.generic {indexing_maps = [#all, #row], iterator_types = ["parallel", "parallel", "reduction"]} ins(%tokens : tensor<3x16x48xf32>) outs(%mi : tensor<3x16xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<3x16xf32>
  %ne = tensor.empty() : tensor<3x16x48xf32>
  %n = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%tokens, %m : tensor<3x16x48xf32>, tensor<3x16xf32>) outs(%ne : tensor<3x16x48xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %c = arith.subf %a, %b : f32
    linalg.yield %c : f32
  } -> tensor<3x16x48xf32>

  %first = tensor.extract_slice %n[0, 0, 0] [3, 1, 48] [1, 1, 1] : tensor<3x16x48xf32> to tensor<3x48xf32>
  %fe = tensor.empty() : tensor<3x24xf32>
  %fz = linalg.fill ins(%zero : f32) outs(%fe : tensor<3x24xf32>) -> tensor<3x24xf32>
  %classes = linalg.matmul ins(%first, %u : tensor<3x48xf32>, tensor<48x24xf32>) outs(%fz : tensor<3x24xf32>) -> tensor<3x24xf32>

  %last = tensor.extract_slice %n[0, 15, 0] [3, 1, 48] [1, 1, 1] : tensor<3x16x48xf32> to tensor<3x1x48xf32>
  %rows = tensor.collapse_shape %last [[0, 1], [2]] : tensor<3x1x48xf32> into tensor<3x48xf32>
  %le = tensor.empty() : tensor<3x56xf32>
  %lz = linalg.fill ins(%zero : f32) outs(%le : tensor<3x56xf32>) -> tensor<3x56xf32>
  %words = linalg.matmul ins(%rows, %v : tensor<3x48xf32>, tensor<48x56xf32>) outs(%lz : tensor<3x56xf32>) -> tensor<3x56xf32>
  %logits = tensor.expand_shape %words [[0, 1], [2]] output_shape [3, 1, 56] : tensor<3x56xf32> into tensor<3x1x56xf32>
  return %classes, %logits : tensor<3x24xf32>, tensor<3x1x56xf32>
}
