// RUN: trn-opt %s --split-input-file --verify-diagnostics

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @matmul_c1__different_partitions(
    %w: memref<128x64xbf16, #sbuf>,
    // expected-note @below {{moving is defined here as 'memref<64x512xbf16, #trn.mem<sbuf>>'}}
    %x: memref<64x512xbf16, #sbuf>,
    %y: memref<64x512xf32, #psum>) {
  // expected-error @below {{stationary and moving must have the same number of partitions, but have 128 and 64; both hold the contraction first}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>)
             moving(%x : memref<64x512xbf16, #sbuf>)
             into %y : memref<64x512xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @matmul_c2__contraction_too_long(%w: memref<256x64xbf16, #sbuf>, %x: memref<256x512xbf16, #sbuf>,
                                           %y: memref<64x512xf32, #psum>) {
  // expected-error @below {{stationary has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.matmul stationary(%w : memref<256x64xbf16, #sbuf>)
             moving(%x : memref<256x512xbf16, #sbuf>)
             into %y : memref<64x512xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @matmul_c3__stationary_too_wide(%w: memref<128x256xbf16, #sbuf>, %x: memref<128x512xbf16, #sbuf>,
                                          %y: memref<256x512xf32, #psum>) {
  // expected-error @below {{stationary free size is 256, but at most 128 is allowed; split the rows of the result}}
  trn.matmul stationary(%w : memref<128x256xbf16, #sbuf>)
             moving(%x : memref<128x512xbf16, #sbuf>)
             into %y : memref<256x512xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @matmul_c4__moving_of_two_free_dimensions(%w: memref<128x64xbf16, #sbuf>, %x: memref<128x5x128xbf16, #sbuf>,
                                                    %y: memref<64x5x128xf32, #psum>) {
  // expected-error @below {{moving free size is 640, but at most 512 is allowed; split the columns of the result}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>)
             moving(%x : memref<128x5x128xbf16, #sbuf>)
             into %y : memref<64x5x128xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @matmul_c4__moving_too_wide(%w: memref<128x64xbf16, #sbuf>, %x: memref<128x768xbf16, #sbuf>,
                                      %y: memref<64x768xf32, #psum>) {
  // expected-error @below {{moving free size is 768, but at most 512 is allowed; split the columns of the result}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>)
             moving(%x : memref<128x768xbf16, #sbuf>)
             into %y : memref<64x768xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @matmul_c5__wrong_result_shape(
    %w: memref<128x64xbf16, #sbuf>, %x: memref<128x512xbf16, #sbuf>,
    // expected-note @below {{dst is defined here as 'memref<128x512xf32, #trn.mem<psum>>'}}
    %y: memref<128x512xf32, #psum>) {
  // expected-error @below {{dst must be 64x512 (free sizes of stationary and moving), but is 128x512}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>)
             moving(%x : memref<128x512xbf16, #sbuf>)
             into %y : memref<128x512xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @matmul_c6__f32_by_bf16(%w: memref<128x64xf32, #sbuf>, %x: memref<128x512xbf16, #sbuf>,
                                  %y: memref<64x512xf32, #psum>) {
  // expected-error @below {{f32 is multiplied by f32 only, but stationary is 'f32' and moving is 'bf16'; convert one of them}}
  trn.matmul stationary(%w : memref<128x64xf32, #sbuf>)
             moving(%x : memref<128x512xbf16, #sbuf>)
             into %y : memref<64x512xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @tile_c2__stationary_in_hbm(%w: memref<128x64xbf16>, %x: memref<128x512xbf16, #sbuf>,
                                     %y: memref<64x512xf32, #psum>) {
  // expected-error @below {{operand #0 must be a static memref in sbuf with 2 to 5 dimensions of bf16, f16 or f32, but got 'memref<128x64xbf16>'}}
  trn.matmul stationary(%w : memref<128x64xbf16>)
             moving(%x : memref<128x512xbf16, #sbuf>)
             into %y : memref<64x512xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @tile_c2__moving_in_psum(%w: memref<128x64xbf16, #sbuf>, %x: memref<128x512xbf16, #psum>,
                                  %y: memref<64x512xf32, #psum>) {
  // expected-error @below {{operand #1 must be a static memref in sbuf with 2 to 5 dimensions of bf16, f16 or f32}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>)
             moving(%x : memref<128x512xbf16, #psum>)
             into %y : memref<64x512xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @tile_c3__into_sbuf(%w: memref<128x64xbf16, #sbuf>, %x: memref<128x512xbf16, #sbuf>,
                             %y: memref<64x512xf32, #sbuf>) {
  // expected-error @below {{operand #2 must be a static memref in psum with 2 to 5 dimensions of f32, but got 'memref<64x512xf32, #trn.mem<sbuf>>'}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>)
             moving(%x : memref<128x512xbf16, #sbuf>)
             into %y : memref<64x512xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @tile_c3__narrow_sums(%w: memref<128x64xbf16, #sbuf>, %x: memref<128x512xbf16, #sbuf>,
                               %y: memref<64x512xbf16, #psum>) {
  // expected-error @below {{operand #2 must be a static memref in psum with 2 to 5 dimensions of f32}}
  trn.matmul stationary(%w : memref<128x64xbf16, #sbuf>)
             moving(%x : memref<128x512xbf16, #sbuf>)
             into %y : memref<64x512xbf16, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @transpose_c1__not_transposed(%x: memref<128x64xbf16, #sbuf>, %t: memref<128x64xf32, #psum>) {
  // expected-error @below {{dst must be 64x128, the transposed shape of src, but is 128x64}}
  trn.transpose %x into %t : memref<128x64xbf16, #sbuf> to memref<128x64xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @transpose_c1__free_dimensions(%x: memref<128x2x32xbf16, #sbuf>, %t: memref<32x128xf32, #psum>) {
  // expected-error @below {{dst must be 64x128, the transposed shape of src, but is 32x128}}
  trn.transpose %x into %t : memref<128x2x32xbf16, #sbuf> to memref<32x128xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @transpose_c2__too_many_rows(%x: memref<256x64xbf16, #sbuf>, %t: memref<64x256xf32, #psum>) {
  // expected-error @below {{src has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.transpose %x into %t : memref<256x64xbf16, #sbuf> to memref<64x256xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @transpose_c2__too_many_columns(%x: memref<64x256xbf16, #sbuf>, %t: memref<256x64xf32, #psum>) {
  // expected-error @below {{dst has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.transpose %x into %t : memref<64x256xbf16, #sbuf> to memref<256x64xf32, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @transpose_c3__too_large_for_vector(%x: memref<64x32xbf16, #sbuf>, %t: memref<32x64xbf16, #sbuf>) {
  // expected-error @below {{cannot run on the vector engine with these operands}}
  trn.transpose %x into %t : memref<64x32xbf16, #sbuf> to memref<32x64xbf16, #sbuf> on vector
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @transpose_c4__tensor_engine_into_sbuf(%x: memref<64x32xbf16, #sbuf>, %t: memref<32x64xbf16, #sbuf>) {
  // expected-error @below {{the tensor engine transposes from sbuf to psum, but src is in sbuf and dst in sbuf; only tiles of up to 32x32 can go to the vector engine}}
  trn.transpose %x into %t : memref<64x32xbf16, #sbuf> to memref<32x64xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func @transpose_c5__converts(%x: memref<64x128xbf16, #sbuf>, %t: memref<128x64xf16, #psum>) {
  // expected-error @below {{the tensor engine leaves f32 or the type of src, 'bf16', but dst is 'f16'}}
  trn.transpose %x into %t : memref<64x128xbf16, #sbuf> to memref<128x64xf16, #psum>
  return
}
