// RUN: trn-opt %s --split-input-file --verify-diagnostics

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here as 'memref<128x256xf32, #trn.mem<sbuf>>'}}
func.func @tensor_copy_c1__different_shapes(%a: memref<128x512xf32, #sbuf>, %b: memref<128x256xf32, #sbuf>) {
  // expected-error @below {{src and dst must have the same shape, but are 128x512 and 128x256}}
  trn.tensor_copy %a into %b : memref<128x512xf32, #sbuf> to memref<128x256xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_copy_c2__too_many_partitions(%a: memref<256x512xf32, #sbuf>) {
  // expected-error @below {{dst has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.tensor_copy %a into %a : memref<256x512xf32, #sbuf> to memref<256x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @tensor_copy_c3__gpsimd_from_psum(%a: memref<128x512xf32, #psum>, %b: memref<128x512xf32, #sbuf>) {
  // expected-error @below {{cannot run on the gpsimd engine with these operands, but on vector}}
  trn.tensor_copy %a into %b : memref<128x512xf32, #psum> to memref<128x512xf32, #sbuf> on gpsimd
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_copy_c3__scalar_engine(%a: memref<128x512xf32, #sbuf>, %b: memref<128x512xf32, #sbuf>) {
  // expected-error @below {{cannot run on the scalar engine with these operands, but on vector or gpsimd}}
  trn.tensor_copy %a into %b : memref<128x512xf32, #sbuf> to memref<128x512xf32, #sbuf> on scalar
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tile_c1__tensor_copy_from_hbm(%a: memref<128x512xf32>, %b: memref<128x512xf32, #sbuf>) {
  // expected-error @below {{operand #0 must be a static memref in sbuf or psum with 2 to 5 dimensions of bf16, f16, f32, i32, ui32, i8, f8E4M3 or f8E4M3FN, but got 'memref<128x512xf32>'}}
  trn.tensor_copy %a into %b : memref<128x512xf32> to memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @activation_c1__different_shapes(%a: memref<128x512xf32, #sbuf>, %b: memref<64x512xf32, #sbuf>) {
  // expected-error @below {{src and dst must have the same shape, but are 128x512 and 64x512}}
  trn.activation silu(%a : memref<128x512xf32, #sbuf>) into %b : memref<64x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @activation_c2__too_many_partitions(%a: memref<129x8xf32, #sbuf>) {
  // expected-error @below {{dst has 129 partitions, but at most 128 are allowed; split it into tiles}}
  trn.activation silu(%a : memref<129x8xf32, #sbuf>) into %a : memref<129x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @activation_c3__scale_twice(%a: memref<128x512xf32, #sbuf>, %s: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{scale and scales exclude each other, but both are given; drop the constant one}}
  trn.activation exp(%a : memref<128x512xf32, #sbuf>) scale 2.0 scales(%s : memref<128x1xf32, #sbuf>) into %a : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @activation_c4__bias_twice(%a: memref<128x512xf32, #sbuf>, %s: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{bias and biases exclude each other, but both are given; drop the constant one}}
  trn.activation exp(%a : memref<128x512xf32, #sbuf>) bias 2.0 biases(%s : memref<128x1xf32, #sbuf>) into %a : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{scales is defined here as 'memref<64x1xf32, #trn.mem<sbuf>>'}}
func.func @activation_c5__scales_of_fewer_partitions(%a: memref<128x512xf32, #sbuf>, %s: memref<64x1xf32, #sbuf>) {
  // expected-error @below {{scales must hold one value for each of the 128 partitions of src (128x1), but is 64x1}}
  trn.activation exp(%a : memref<128x512xf32, #sbuf>) scales(%s : memref<64x1xf32, #sbuf>) into %a : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{biases is defined here}}
func.func @activation_c6__biases_are_a_row(%a: memref<128x512xf32, #sbuf>, %b: memref<1x512xf32, #sbuf>) {
  // expected-error @below {{biases must hold one value for each of the 128 partitions of src (128x1), but is 1x512}}
  trn.activation exp(%a : memref<128x512xf32, #sbuf>) biases(%b : memref<1x512xf32, #sbuf>) into %a : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @activation_c7__no_function(%a: memref<128x8xf32, #sbuf>, %s: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{reduces with a function into sums, but has only sums}}
  "trn.activation"(%a, %a, %s) <{function = #trn<activation exp>, operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>}>
      : (memref<128x8xf32, #sbuf>, memref<128x8xf32, #sbuf>, memref<128x1xf32, #sbuf>) -> ()
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @activation_c7__accumulates_nothing(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{accumulates, but reduces nothing}}
  "trn.activation"(%a, %a) <{accumulate, function = #trn<activation exp>, operandSegmentSizes = array<i32: 1, 0, 0, 1, 0>}>
      : (memref<128x8xf32, #sbuf>, memref<128x8xf32, #sbuf>) -> ()
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @activation_c8__largest_result(%a: memref<128x8xf32, #sbuf>, %s: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{the scalar engine can only add up its results, but the reduction is max; use trn.tensor_reduce}}
  trn.activation exp(%a : memref<128x8xf32, #sbuf>) reducing max(%s : memref<128x1xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{sums is defined here}}
func.func @activation_c9__two_sums_a_partition(%a: memref<128x8xf32, #sbuf>, %s: memref<128x2xf32, #sbuf>) {
  // expected-error @below {{sums must hold one value for each of the 128 partitions of src (128x1), but is 128x2}}
  trn.activation exp(%a : memref<128x8xf32, #sbuf>) reducing add(%s : memref<128x2xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{rhs is defined here}}
func.func @tensor_tensor_c1__different_inputs(%a: memref<128x512xf32, #sbuf>, %b: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{lhs and rhs must have the same shape, but are 128x512 and 128x1}}
  trn.tensor_tensor add(%a : memref<128x512xf32, #sbuf>, %b : memref<128x1xf32, #sbuf>) into %a : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @tensor_tensor_c2__different_result(%a: memref<128x512xf32, #sbuf>, %b: memref<128x256xf32, #sbuf>) {
  // expected-error @below {{lhs and dst must have the same shape, but are 128x512 and 128x256}}
  trn.tensor_tensor add(%a : memref<128x512xf32, #sbuf>, %a : memref<128x512xf32, #sbuf>) into %b : memref<128x256xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_tensor_c3__too_many_partitions(%a: memref<256x8xf32, #sbuf>) {
  // expected-error @below {{dst has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.tensor_tensor add(%a : memref<256x8xf32, #sbuf>, %a : memref<256x8xf32, #sbuf>) into %a : memref<256x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @tensor_tensor_c4__both_in_psum(%a: memref<128x512xf32, #psum>, %b: memref<128x512xf32, #sbuf>) {
  // expected-error @below {{at most one input may be in psum, but both are; copy one of them to sbuf first}}
  trn.tensor_tensor mul(%a : memref<128x512xf32, #psum>, %a : memref<128x512xf32, #psum>) into %b : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @tensor_tensor_c5__gpsimd_into_psum(%a: memref<128x512xf32, #sbuf>, %b: memref<128x512xf32, #psum>) {
  // expected-error @below {{cannot run on the gpsimd engine with these operands, but on vector}}
  trn.tensor_tensor mul(%a : memref<128x512xf32, #sbuf>, %a : memref<128x512xf32, #sbuf>) into %b : memref<128x512xf32, #psum> on gpsimd
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_tensor_c5__power_on_vector(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{cannot run on the vector engine with these operands, but on gpsimd}}
  trn.tensor_tensor pow(%a : memref<128x8xf32, #sbuf>, %a : memref<128x8xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf> on vector
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @tensor_tensor_c6__power_in_psum(%a: memref<128x8xf32, #sbuf>, %b: memref<128x8xf32, #psum>) {
  // expected-error @below {{computes powers on GpSimd, which has no port to psum; copy the operand to sbuf first}}
  trn.tensor_tensor pow(%a : memref<128x8xf32, #sbuf>, %b : memref<128x8xf32, #psum>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#psum = #trn.mem<psum>
func.func @memset_c1__gpsimd_in_psum(%a: memref<128x8xf32, #psum>) {
  // expected-error @below {{cannot run on the gpsimd engine with these operands, but on vector}}
  trn.memset %a, 0.0 : memref<128x8xf32, #psum> on gpsimd
  return
}

// -----

func.func @memset_c2__fraction(%a: memref<128x8xi32, #trn.mem<sbuf>>) {
  // expected-error @below {{fills a tile of 'i32' with 5.000000e-01, but an engine leaves integers below 16777216 in magnitude}}
  trn.memset %a, 0.5 : memref<128x8xi32, #trn.mem<sbuf>>
  return
}

// -----

func.func @memset_c2__negative_without_a_sign(%a: memref<128x8xui32, #trn.mem<sbuf>>) {
  // expected-error @below {{fills a tile of 'ui32' with -1.000000e+00, but an engine leaves integers below 16777216 in magnitude that have no sign}}
  trn.memset %a, -1.0 : memref<128x8xui32, #trn.mem<sbuf>>
  return
}

// -----

func.func @memset_c2__beyond_eight_bits(%a: memref<128x8xi8, #trn.mem<sbuf>>) {
  // expected-error @below {{fills a tile of 'i8' with 2.000000e+02, but an engine leaves integers below 128 in magnitude}}
  trn.memset %a, 200.0 : memref<128x8xi8, #trn.mem<sbuf>>
  return
}

// -----

func.func @storage_c1__copy_from_a_float(%a: memref<128x8xf32, #trn.mem<sbuf>>, %b: memref<128x8xi8, #trn.mem<sbuf>>) {
  // expected-error @below {{writes i8, which only holds what memory gives; transfers, copies and shuffles move it from i8, all else writes a float}}
  trn.tensor_copy %a into %b : memref<128x8xf32, #trn.mem<sbuf>> to memref<128x8xi8, #trn.mem<sbuf>>
  return
}

// -----

func.func @storage_c1__computed(%a: memref<128x8xi8, #trn.mem<sbuf>>, %b: memref<128x8xi8, #trn.mem<sbuf>>) {
  // expected-error @below {{writes i8, which only holds what memory gives}}
  trn.activation relu(%a : memref<128x8xi8, #trn.mem<sbuf>>) into %b : memref<128x8xi8, #trn.mem<sbuf>>
  return
}

// -----

func.func @tile_c1__memset_in_hbm(%a: memref<128x8xf32>) {
  // expected-error @below {{operand #0 must be a static memref in sbuf or psum with 2 to 5 dimensions of bf16, f16, f32, i32, ui32, i8, f8E4M3 or f8E4M3FN}}
  trn.memset %a, 0.0 : memref<128x8xf32>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @reciprocal_c1__different_shapes(%a: memref<128x512xf32, #sbuf>, %b: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{src and dst must have the same shape, but are 128x512 and 128x1}}
  trn.reciprocal %a into %b : memref<128x512xf32, #sbuf> to memref<128x1xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @reciprocal_c2__too_many_partitions(%a: memref<129x8xf32, #sbuf>) {
  // expected-error @below {{dst has 129 partitions, but at most 128 are allowed; split it into tiles}}
  trn.reciprocal %a into %a : memref<129x8xf32, #sbuf> to memref<129x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @select_c1__condition_is_a_column(%c: memref<128x1xf32, #sbuf>, %a: memref<128x512xf32, #sbuf>) {
  // expected-error @below {{condition and dst must have the same shape, but are 128x1 and 128x512}}
  trn.select if(%c : memref<128x1xf32, #sbuf>) then(%a : memref<128x512xf32, #sbuf>)
             else(%a : memref<128x512xf32, #sbuf>) into %a : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @select_c1__smaller_on_true(%a: memref<128x512xf32, #sbuf>, %b: memref<64x512xf32, #sbuf>) {
  // expected-error @below {{on_true and dst must have the same shape, but are 64x512 and 128x512}}
  trn.select if(%a : memref<128x512xf32, #sbuf>) then(%b : memref<64x512xf32, #sbuf>)
             else(%a : memref<128x512xf32, #sbuf>) into %a : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @select_c1__smaller_on_false(%a: memref<128x512xf32, #sbuf>, %b: memref<64x512xf32, #sbuf>) {
  // expected-error @below {{on_false and dst must have the same shape, but are 64x512 and 128x512}}
  trn.select if(%a : memref<128x512xf32, #sbuf>) then(%a : memref<128x512xf32, #sbuf>)
             else(%b : memref<64x512xf32, #sbuf>) into %a : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @select_c2__too_many_partitions(%a: memref<129x8xf32, #sbuf>) {
  // expected-error @below {{dst has 129 partitions, but at most 128 are allowed; split it into tiles}}
  trn.select if(%a : memref<129x8xf32, #sbuf>) then(%a : memref<129x8xf32, #sbuf>)
             else(%a : memref<129x8xf32, #sbuf>) into %a : memref<129x8xf32, #sbuf>
  return
}
