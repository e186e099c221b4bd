// RUN: trn-opt %s --split-input-file --verify-diagnostics

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here as 'memref<64x1xf32, #trn.mem<sbuf>>'}}
func.func @tensor_reduce_c1__fewer_partitions(%a: memref<128x512xf32, #sbuf>, %b: memref<64x1xf32, #sbuf>) {
  // expected-error @below {{dst must have the first dimensions of src, 128x512, the partition at least, and then ones, but is 64x1}}
  trn.tensor_reduce add(%a : memref<128x512xf32, #sbuf>) into %b : memref<64x1xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @tensor_reduce_c1__the_last_dimension_stays(%a: memref<128x2x512xf32, #sbuf>, %b: memref<128x512xf32, #sbuf>) {
  // expected-error @below {{dst must have the first dimensions of src, 128x2x512, the partition at least, and then ones, but is 128x512}}
  trn.tensor_reduce max(%a : memref<128x2x512xf32, #sbuf>) into %b : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tensor_reduce_c2__too_many_partitions(%a: memref<256x512xf32, #sbuf>, %b: memref<256x1xf32, #sbuf>) {
  // expected-error @below {{dst has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.tensor_reduce add(%a : memref<256x512xf32, #sbuf>) into %b : memref<256x1xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tile_c1__tensor_reduce_to_hbm(%a: memref<128x512xf32, #sbuf>, %b: memref<128x1xf32>) {
  // expected-error @below {{operand #1 must be a static memref in sbuf or psum with 2 to 5 dimensions of bf16, f16, f32, i32, ui32, i8, f8E4M3 or f8E4M3FN, but got 'memref<128x1xf32>'}}
  trn.tensor_reduce add(%a : memref<128x512xf32, #sbuf>) into %b : memref<128x1xf32>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tile_c1__tensor_reduce_unknown_function(%a: memref<128x512xf32, #sbuf>, %b: memref<128x1xf32, #sbuf>) {
  // expected-error @below {{expected one of [add, max, min, mul] for a function that folds many values into one, got: sub}}
  // expected-error @below {{invalid value for property function}}
  trn.tensor_reduce sub(%a : memref<128x512xf32, #sbuf>) into %b : memref<128x1xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @partition_reduce_c1__free_dimensions_differ(%a: memref<128x8xf32, #sbuf>, %b: memref<1x4xf32, #sbuf>) {
  // expected-error @below {{dst must have one partition and the free dimensions of src, 8, but is 1x4}}
  trn.partition_reduce add(%a : memref<128x8xf32, #sbuf>) into %b : memref<1x4xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @partition_reduce_c2__too_many_partitions(%a: memref<256x8xf32, #sbuf>, %b: memref<1x8xf32, #sbuf>) {
  // expected-error @below {{src has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.partition_reduce add(%a : memref<256x8xf32, #sbuf>) into %b : memref<1x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @partition_reduce_c3__smallest(%a: memref<128x8xf32, #sbuf>, %b: memref<1x8xf32, #sbuf>) {
  // expected-error @below {{GpSimd folds partitions by add or max, not by min}}
  trn.partition_reduce min(%a : memref<128x8xf32, #sbuf>) into %b : memref<1x8xf32, #sbuf>
  return
}
