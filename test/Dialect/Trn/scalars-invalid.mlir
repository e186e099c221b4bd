// RUN: trn-opt %s --split-input-file --verify-diagnostics

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @tensor_scalar_c1__different_shapes(%a: memref<128x512xf32, #sbuf>, %b: memref<128x256xf32, #sbuf>) {
  // expected-error @below {{src and dst must have the same shape, but are 128x512 and 128x256}}
  trn.tensor_scalar mul(%a : memref<128x512xf32, #sbuf>) constant 2.0 into %b : memref<128x256xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_scalar_c2__too_many_partitions(%a: memref<256x8xf32, #sbuf>) {
  // expected-error @below {{dst has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.tensor_scalar mul(%a : memref<256x8xf32, #sbuf>) constant 2.0 into %a : memref<256x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_scalar_c3__neither(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{needs either a constant or scalars, but has neither}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_scalar_c3__both(%a: memref<128x8xf32, #sbuf>, %s: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{needs either a constant or scalars, but has both}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 scalars(%s : memref<128x1xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{scalars is defined here}}
func.func @tensor_scalar_c4__scalars_of_two_columns(%a: memref<128x8xf32, #sbuf>, %s: memref<128x2xf32, #sbuf>) {
  // expected-error @below {{scalars must hold one value for each of the 128 partitions of src (128x1), but is 128x2}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) scalars(%s : memref<128x2xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_scalar_c5__tensor_engine(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{cannot run on the tensor engine with these operands, but on vector or gpsimd}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 into %a : memref<128x8xf32, #sbuf> on tensor
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_scalar_c5__reduces_on_gpsimd(%a: memref<128x8xf32, #sbuf>, %s: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{cannot run on the gpsimd engine with these operands, but on vector}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 reducing max(%s : memref<128x1xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf> on gpsimd
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_scalar_c6__neither(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{after 'then' needs either a constant or scalars, but has neither}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 then add into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_scalar_c6__both(%a: memref<128x8xf32, #sbuf>, %s: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{after 'then' needs either a constant or scalars, but has both}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 then add constant 1.0 scalars(%s : memref<128x1xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_scalar_c6__no_function(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{has an operand of a second operation, but not which}}
  "trn.tensor_scalar"(%a, %a) <{constant = 2.0 : f32, function = #trn<binary mul>, then_constant = 1.0 : f32, operandSegmentSizes = array<i32: 1, 0, 0, 1, 0>}> : (memref<128x8xf32, #sbuf>, memref<128x8xf32, #sbuf>) -> ()
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{scalars after 'then' is defined here}}
func.func @tensor_scalar_c7__then_scalars_of_fewer_partitions(%a: memref<128x8xf32, #sbuf>, %s: memref<64x1xf32, #sbuf>) {
  // expected-error @below {{scalars after 'then' must hold one value for each of the 128 partitions of src (128x1), but is 64x1}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 then add scalars(%s : memref<64x1xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_scalar_c8__no_sums(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{reduces with a function into sums, but has only a function}}
  "trn.tensor_scalar"(%a, %a) <{constant = 2.0 : f32, function = #trn<binary mul>, reduce_function = [#trn<reduce add>], operandSegmentSizes = array<i32: 1, 0, 0, 1, 0>}> : (memref<128x8xf32, #sbuf>, memref<128x8xf32, #sbuf>) -> ()
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_scalar_c9__reduces_two_operations(%a: memref<128x8xf32, #sbuf>, %s: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{reduces the results of two operations, but the vector engine reduces those of one; use two instructions}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 then add constant 1.0 reducing add(%s : memref<128x1xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{sums is defined here}}
func.func @tensor_scalar_c10__sums_of_fewer_partitions(%a: memref<128x8xf32, #sbuf>, %s: memref<64x1xf32, #sbuf>) {
  // expected-error @below {{sums must hold one value for each of the 128 partitions of src (128x1), but is 64x1}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 reducing add(%s : memref<64x1xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @scalar_tensor_tensor_c1__different_inputs(%a: memref<128x8xf32, #sbuf>, %b: memref<128x4xf32, #sbuf>) {
  // expected-error @below {{rhs and dst must have the same shape, but are 128x4 and 128x8}}
  trn.scalar_tensor_tensor mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 then add(%b : memref<128x4xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @scalar_tensor_tensor_c2__too_many_partitions(%a: memref<256x8xf32, #sbuf>) {
  // expected-error @below {{dst has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.scalar_tensor_tensor mul(%a : memref<256x8xf32, #sbuf>) constant 2.0 then add(%a : memref<256x8xf32, #sbuf>) into %a : memref<256x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @scalar_tensor_tensor_c3__neither(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{needs either a constant or scalars, but has neither}}
  trn.scalar_tensor_tensor mul(%a : memref<128x8xf32, #sbuf>) then add(%a : memref<128x8xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{scalars is defined here}}
func.func @scalar_tensor_tensor_c4__scalars_are_a_tile(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{scalars must hold one value for each of the 128 partitions of src (128x1), but is 128x8}}
  trn.scalar_tensor_tensor mul(%a : memref<128x8xf32, #sbuf>) scalars(%a : memref<128x8xf32, #sbuf>) then add(%a : memref<128x8xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @scalar_tensor_tensor_c5__both_in_psum(%a: memref<128x8xf32, #sbuf>, %b: memref<128x8xf32, #psum>) {
  // expected-error @below {{at most one input may be in psum, but both are; copy one of them to sbuf first}}
  trn.scalar_tensor_tensor mul(%b : memref<128x8xf32, #psum>) constant 2.0 then add(%b : memref<128x8xf32, #psum>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @scalar_tensor_tensor_c6__gpsimd(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{cannot run on the gpsimd engine with these operands, but on vector}}
  trn.scalar_tensor_tensor mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 then add(%a : memref<128x8xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf> on gpsimd
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @tensor_tensor_scan_c1__different_inputs(%a: memref<128x8xf32, #sbuf>, %b: memref<128x4xf32, #sbuf>) {
  // expected-error @below {{data1 and dst must have the same shape, but are 128x4 and 128x8}}
  trn.tensor_tensor_scan mul, add(%a : memref<128x8xf32, #sbuf>, %b : memref<128x4xf32, #sbuf>) initial 0.0 into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_tensor_scan_c2__too_many_partitions(%a: memref<256x8xf32, #sbuf>) {
  // expected-error @below {{dst has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.tensor_tensor_scan mul, add(%a : memref<256x8xf32, #sbuf>, %a : memref<256x8xf32, #sbuf>) initial 0.0 into %a : memref<256x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_tensor_scan_c3__neither(%a: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{needs either an initial value or initials, but has neither}}
  trn.tensor_tensor_scan mul, add(%a : memref<128x8xf32, #sbuf>, %a : memref<128x8xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{initials is defined here}}
func.func @tensor_tensor_scan_c4__initials_are_a_row(%a: memref<128x8xf32, #sbuf>, %i: memref<1x128xf32, #sbuf>) {
  // expected-error @below {{initials must hold one value for each of the 128 partitions of data0 (128x1), but is 1x128}}
  trn.tensor_tensor_scan mul, add(%a : memref<128x8xf32, #sbuf>, %a : memref<128x8xf32, #sbuf>) initials(%i : memref<1x128xf32, #sbuf>) into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @tensor_tensor_scan_c5__both_in_psum(%a: memref<128x8xf32, #sbuf>, %b: memref<128x8xf32, #psum>) {
  // expected-error @below {{at most one input may be in psum, but both are; copy one of them to sbuf first}}
  trn.tensor_tensor_scan mul, add(%b : memref<128x8xf32, #psum>, %b : memref<128x8xf32, #psum>) initial 0.0 into %a : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @tensor_scalar_c5__gpsimd_takes_scalars_from_psum(%a: memref<128x8xf32, #sbuf>, %s: memref<128x1xf32, #psum>) {
  // expected-error @below {{cannot run on the gpsimd engine with these operands, but on vector}}
  trn.tensor_scalar mul(%a : memref<128x8xf32, #sbuf>) constant 2.0 then add scalars(%s : memref<128x1xf32, #psum>)
      into %a : memref<128x8xf32, #sbuf> on gpsimd
  return
}
