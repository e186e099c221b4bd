// RUN: trn-opt %s --split-input-file --verify-diagnostics

#sbuf = #trn.mem<sbuf>
func.func @alloc_c1__bank_in_sbuf() {
  // expected-error @below {{bank is for buffers in psum, but the buffer is in sbuf; a placed sbuf buffer has an offset only}}
  %tile = trn.alloc bank 0 offset 0 : memref<128x512xbf16, #sbuf>
  return
}

// -----

#psum = #trn.mem<psum>
func.func @alloc_c2__bank_without_offset() {
  // expected-error @below {{a placed psum buffer has both a bank and an offset, but only the bank is given}}
  %sums = trn.alloc bank 0 : memref<128x512xf32, #psum>
  return
}

// -----

#psum = #trn.mem<psum>
func.func @alloc_c2__offset_without_bank() {
  // expected-error @below {{a placed psum buffer has both a bank and an offset, but only the offset is given}}
  %sums = trn.alloc offset 0 : memref<128x512xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @alloc_c3__offset_inside_an_element() {
  // expected-error @below {{offset must be a multiple of the element size, 4 bytes, but is 6}}
  %tile = trn.alloc offset 6 : memref<128x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @alloc__no_slot() {
  // expected-error @below {{attribute 'buffers' failed to satisfy constraint: 64-bit signless integer attribute whose value is positive}}
  %tile = trn.alloc buffers 0 : memref<128x512xbf16, #sbuf>
  return
}

// -----

func.func @buffer_c1__alloc_in_hbm() {
  // expected-error @below {{result #0 must be a contiguous static memref in sbuf or psum with 2 to 5 dimensions of bf16, f16, f32, i32, ui32, i8, f8E4M3 or f8E4M3FN, but got 'memref<128x512xbf16>'}}
  %tile = trn.alloc : memref<128x512xbf16>
  return
}

// -----

func.func @buffer_c1__alloc_foreign_memory_space() {
  // expected-error @below {{must be a contiguous static memref in sbuf or psum}}
  %tile = trn.alloc : memref<128x512xbf16, 1>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @buffer_c1__alloc_dynamic() {
  // expected-error @below {{must be a contiguous static memref in sbuf or psum}}
  %tile = trn.alloc : memref<128x?xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @buffer_c1__alloc_empty() {
  // expected-error @below {{must be a contiguous static memref in sbuf or psum}}
  %tile = trn.alloc : memref<128x0xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @buffer_c1__alloc_larger_than_any_memory() {
  // expected-error @below {{must be a contiguous static memref in sbuf or psum}}
  %tile = trn.alloc : memref<128x9223372036854775807x9223372036854775807xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @buffer_c1__alloc_strided() {
  // expected-error @below {{must be a contiguous static memref in sbuf or psum}}
  %tile = trn.alloc : memref<128x512xbf16, strided<[1024, 1]>, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @buffer_c1__alloc_one_dimension() {
  // expected-error @below {{must be a contiguous static memref in sbuf or psum with 2 to 5 dimensions}}
  %tile = trn.alloc : memref<128xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @buffer_c1__alloc_bytes() {
  // expected-error @below {{of bf16, f16, f32, i32, ui32, i8, f8E4M3 or f8E4M3FN, but got 'memref<128x512xi16, #trn.mem<sbuf>>'}}
  %tile = trn.alloc : memref<128x512xi16, #sbuf>
  return
}

// -----

func.func @buffer_c1__dealloc_in_hbm(%x: memref<128x512xbf16>) {
  // expected-error @below {{operand #0 must be a contiguous static memref in sbuf or psum}}
  trn.dealloc %x : memref<128x512xbf16>
  return
}
