// What is computed element by element of a kernel's result is a kernel too, of the same launch, if a reshape
// comes between: group norm, whose gain and bias are those of channels, not of groups.
// RUN: trn-run %s --compile=effort=1 --verify | FileCheck %s
// CHECK: {{^ *}}launches 1
// CHECK-NOT: host_ops
// CHECK-COUNT-2: {{^}}kernel main_kernel

#groups = affine_map<(g, i) -> (g, i)>
#group = affine_map<(g, i) -> (g)>
#id = affine_map<(c, i) -> (c, i)>
#channel = affine_map<(c, i) -> (c)>
func.func @main(%x: tensor<24x40xbf16>, %gain: tensor<24xf32>, %bias: tensor<24xf32>) -> tensor<24x40xbf16> {
  %zero = arith.constant 0.0 : f32
  %wide_empty = tensor.empty() : tensor<24x40xf32>
  %wide = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<24x40xbf16>) outs(%wide_empty : tensor<24x40xf32>) {
  ^bb0(%a: bf16, %out: f32):
    %w = arith.extf %a : bf16 to f32
    linalg.yield %w : f32
  } -> tensor<24x40xf32>
  %split = tensor.expand_shape %wide [[0, 1], [2]] output_shape [6, 4, 40] : tensor<24x40xf32> into tensor<6x4x40xf32>
  %grouped = tensor.collapse_shape %split [[0], [1, 2]] : tensor<6x4x40xf32> into tensor<6x160xf32>
  %sum_empty = tensor.empty() : tensor<6xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%sum_empty : tensor<6xf32>) -> tensor<6xf32>
  %squares = linalg.generic {indexing_maps = [#groups, #group], iterator_types = ["parallel", "reduction"]} ins(%grouped : tensor<6x160xf32>) outs(%zeros : tensor<6xf32>) {
  ^bb0(%a: f32, %out: f32):
    %square = arith.mulf %a, %a : f32
    %s = arith.addf %out, %square : f32
    linalg.yield %s : f32
  } -> tensor<6xf32>
  %normed_empty = tensor.empty() : tensor<6x160xf32>
  %normed = linalg.generic {indexing_maps = [#groups, #group, #groups], iterator_types = ["parallel", "parallel"]} ins(%grouped, %squares : tensor<6x160xf32>, tensor<6xf32>) outs(%normed_empty : tensor<6x160xf32>) {
  ^bb0(%a: f32, %s: f32, %out: f32):
    %r = math.rsqrt %s : f32
    %n = arith.mulf %a, %r : f32
    linalg.yield %n : f32
  } -> tensor<6x160xf32>
  %again = tensor.expand_shape %normed [[0], [1, 2]] output_shape [6, 4, 40] : tensor<6x160xf32> into tensor<6x4x40xf32>
  %channels = tensor.collapse_shape %again [[0, 1], [2]] : tensor<6x4x40xf32> into tensor<24x40xf32>
  %empty = tensor.empty() : tensor<24x40xbf16>
  %o = linalg.generic {indexing_maps = [#id, #channel, #channel, #id], iterator_types = ["parallel", "parallel"]} ins(%channels, %gain, %bias : tensor<24x40xf32>, tensor<24xf32>, tensor<24xf32>) outs(%empty : tensor<24x40xbf16>) {
  ^bb0(%a: f32, %g: f32, %b: f32, %out: bf16):
    %p = arith.mulf %a, %g : f32
    %s = arith.addf %p, %b : f32
    %t = arith.truncf %s : f32 to bf16
    linalg.yield %t : bf16
  } -> tensor<24x40xbf16>
  return %o : tensor<24x40xbf16>
}
