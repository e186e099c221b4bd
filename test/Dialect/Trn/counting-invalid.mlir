// RUN: trn-opt %s --split-input-file --verify-diagnostics

#sbuf = #trn.mem<sbuf>
func.func @iota_c1__too_many_partitions(%a: memref<129x8xf32, #sbuf>) {
  // expected-error @below {{dst has 129 partitions, but at most 128 are allowed; split it into tiles}}
  trn.iota %a start 0 step 1 : memref<129x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @iota_c2__last_value_too_large(%a: memref<2x8xf32, #sbuf>) {
  // 16777208 + 8 is the last one that is exact.
  trn.iota %a start 16777208 step 1 partition_step 1 : memref<2x8xf32, #sbuf>
  // expected-error @below {{counts to 16777217, but f32 holds integers exactly only up to 16777216; count in smaller pieces and add an offset}}
  trn.iota %a start 16777208 step 1 partition_step 2 : memref<2x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @iota_c2__smallest_value_too_small(%a: memref<128x8xbf16, #sbuf>) {
  // expected-error @below {{counts to -2130706432, but f32 holds integers exactly only up to 16777216}}
  trn.iota %a start 0 step 1 partition_step -16777216 : memref<128x8xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @iota_c2__step_too_large(%a: memref<1x2xf32, #sbuf>) {
  // Both values are exact: -16777216 and 16777215.
  // expected-error @below {{starts or steps by 33554431, but f32 holds integers exactly only up to 16777216; count in smaller steps}}
  trn.iota %a start -16777216 step 33554431 : memref<1x2xf32, #sbuf>
  return
}

// -----

#psum = #trn.mem<psum>
func.func @tile_c1__iota_to_psum(%a: memref<128x8xf32, #psum>) {
  // expected-error @below {{operand #0 must be a static memref in sbuf with 2 to 5 dimensions of bf16, f16, f32, i32, ui32, i8, f8E4M3 or f8E4M3FN}}
  trn.iota %a start 0 step 1 : memref<128x8xf32, #psum>
  return
}
// -----

#sbuf = #trn.mem<sbuf>
func.func @iota_c3__one_step_of_two(%a: memref<128x4x8xf32, #sbuf>) {
  // expected-error @below {{has 1 steps, but its tile has 2 free dimensions; give one for each}}
  trn.iota %a start 0 step 1 : memref<128x4x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @affine_select_c1__different_shapes(%a: memref<128x8xf32, #sbuf>, %b: memref<128x4xf32, #sbuf>) {
  // expected-error @below {{src and dst must have the same shape, but are 128x8 and 128x4}}
  trn.affine_select ge(%a : memref<128x8xf32, #sbuf>) start 0 steps [1] otherwise 0.0 into %b : memref<128x4xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @affine_select_c2__too_many_partitions(%a: memref<256x8xf32, #sbuf>) {
  // expected-error @below {{dst has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.affine_select ge(%a : memref<256x8xf32, #sbuf>) start 0 steps [1] otherwise 0.0 into %a : memref<256x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @affine_select_c3__counts_too_far(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{counts to 16777217, but f32 holds integers exactly only up to 16777216; count in smaller pieces and add an offset}}
  trn.affine_select ge(%a : memref<128x8xf32, #sbuf>) start 16777210 steps [1] otherwise 0.0 into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @affine_select_c4__two_steps_of_one(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{has 2 steps, but its tile has 1 free dimensions; give one for each}}
  trn.affine_select ge(%a : memref<128x8xf32, #sbuf>) start 0 steps [1, 1] otherwise 0.0 into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @affine_select_c5__adds(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{compares its count with zero, but add is no comparison; use eq, ne, gt, ge, lt or le}}
  trn.affine_select add(%a : memref<128x8xf32, #sbuf>) start 0 steps [1] otherwise 0.0 into %a : memref<128x8xf32, #sbuf>
  return
}
