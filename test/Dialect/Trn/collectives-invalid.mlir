// RUN: trn-opt %s -split-input-file -verify-diagnostics

// expected-note @+1 {{dst is defined here}}
func.func @all_reduce_c1__shapes(%part: memref<4x64xbf16>, %sum: memref<4x32xbf16>) {
  // expected-error @+1 {{src and dst must have the same shape}}
  trn.all_reduce %part to %sum cores 2 : memref<4x64xbf16> to memref<4x32xbf16>
  return
}

// -----

func.func @collective_c1__types(%part: memref<4x64xbf16>, %sum: memref<4x64xf32>) {
  // expected-error @+1 {{src and dst must have the same element type, but are 'bf16' and 'f32'; a collective does not convert}}
  trn.all_reduce %part to %sum cores 2 : memref<4x64xbf16> to memref<4x64xf32>
  return
}

// -----

func.func @all_gather_c1__sizes(%part: memref<4x64xbf16>, %whole: memref<4x192xbf16>) {
  // expected-error @+1 {{dst must be src of 2 cores along dimension 1, but is 4x192 for 4x64}}
  trn.all_gather %part to %whole dim 1 cores 2 : memref<4x64xbf16> to memref<4x192xbf16>
  return
}

// -----

func.func @all_gather_c1__no_dim(%part: memref<4x64xbf16>, %whole: memref<4x128xbf16>) {
  // expected-error @+1 {{dim is 2, but must be between 0 and 1, a dimension of src}}
  trn.all_gather %part to %whole dim 2 cores 2 : memref<4x64xbf16> to memref<4x128xbf16>
  return
}

// -----

func.func @all_gather_c1__many_cores(%part: memref<4x64xbf16>, %whole: memref<4x128xbf16>) {
  // expected-error @+1 {{dst must be src of 9223372036854775807 cores}}
  trn.all_gather %part to %whole dim 1 cores 9223372036854775807 : memref<4x64xbf16> to memref<4x128xbf16>
  return
}

// -----

func.func @reduce_scatter_c1__sizes(%part: memref<4x64xbf16>, %piece: memref<3x64xbf16>) {
  // expected-error @+1 {{src must be dst of 2 cores along dimension 0, but is 4x64 for 3x64}}
  trn.reduce_scatter %part to %piece dim 0 cores 2 : memref<4x64xbf16> to memref<3x64xbf16>
  return
}

// -----

func.func @noCores(%part: memref<4x64xbf16>, %sum: memref<4x64xbf16>) {
  // expected-error @+1 {{attribute 'cores' failed to satisfy constraint}}
  trn.all_reduce %part to %sum cores 0 : memref<4x64xbf16> to memref<4x64xbf16>
  return
}

// -----

func.func @collective_c2__on_chip(%part: memref<4x64xbf16, #trn.mem<sbuf>>, %sum: memref<4x64xbf16>) {
  // expected-error @+1 {{operand #0 must be a contiguous static memref in hbm}}
  trn.all_reduce %part to %sum cores 2 : memref<4x64xbf16, #trn.mem<sbuf>> to memref<4x64xbf16>
  return
}

// -----

func.func @collective_c3__twice(%part: memref<4x64xbf16>, %sum: memref<4x64xbf16>) {
  // expected-error @+1 {{groups must name each of the cores 0 to 3 once, but names 2 twice}}
  trn.all_reduce %part to %sum cores 2 groups [0, 2, 2, 3] : memref<4x64xbf16> to memref<4x64xbf16>
  return
}

// -----

func.func @collective_c3__unknown(%part: memref<4x64xbf16>, %whole: memref<8x64xbf16>) {
  // expected-error @+1 {{groups must name each of the cores 0 to 3 once, but names 4}}
  trn.all_gather %part to %whole dim 0 cores 2 groups [0, 1, 2, 4] : memref<4x64xbf16> to memref<8x64xbf16>
  return
}

// -----

func.func @collective_c3__sizes(%src: memref<4x64xbf16>, %dst: memref<4x64xbf16>) {
  // expected-error @+1 {{groups names 3 cores, but 2 are a group}}
  trn.all_to_all %src to %dst split 0 concat 0 cores 2 groups [0, 1, 2] : memref<4x64xbf16> to memref<4x64xbf16>
  return
}

// -----

func.func @sumOfIntegers(%part: memref<4x64xi32>, %sum: memref<4x64xi32>) {
  // expected-error @+1 {{operand #0 must be a contiguous static memref in hbm with 1 to 5 dimensions of bf16, f16 or f32}}
  trn.all_reduce %part to %sum by max cores 2 : memref<4x64xi32> to memref<4x64xi32>
  return
}

// -----

func.func @all_to_all_c1__sizes(%src: memref<4x64xbf16>, %dst: memref<4x64xbf16>) {
  // expected-error @+1 {{dst must be 8x32, but is 4x64}}
  trn.all_to_all %src to %dst split 1 concat 0 cores 2 : memref<4x64xbf16> to memref<4x64xbf16>
  return
}

// -----

func.func @all_to_all_c1__no_split(%src: memref<4x64xbf16>, %dst: memref<4x64xbf16>) {
  // expected-error @+1 {{split is 2, but must be between 0 and 1, a dimension of src}}
  trn.all_to_all %src to %dst split 2 concat 0 cores 2 : memref<4x64xbf16> to memref<4x64xbf16>
  return
}

// -----

func.func @all_to_all_c1__no_concat(%src: memref<4x64xbf16>, %dst: memref<4x64xbf16>) {
  // expected-error @+1 {{concat is -1, but must be between 0 and 1, a dimension of src}}
  trn.all_to_all %src to %dst split 0 concat -1 cores 2 : memref<4x64xbf16> to memref<4x64xbf16>
  return
}

// -----

func.func @all_to_all_c1__odd(%src: memref<3x64xbf16>, %dst: memref<3x64xbf16>) {
  // expected-error @+1 {{dimension 0 of src has 3 elements, which 2 cores do not divide}}
  trn.all_to_all %src to %dst split 0 concat 0 cores 2 : memref<3x64xbf16> to memref<3x64xbf16>
  return
}

// -----

func.func @all_to_all_c1__many_cores(%src: memref<4x64xi8>, %dst: memref<4x64xi8>) {
  // expected-error @+1 {{dimension 1 of src has 64 elements, which 9223372036854775807 cores do not divide}}
  trn.all_to_all %src to %dst split 1 concat 0 cores 9223372036854775807 : memref<4x64xi8> to memref<4x64xi8>
  return
}

// -----

func.func @collective_c1__moved_types(%src: memref<4x64xbf16>, %dst: memref<4x64xf32>) {
  // expected-error @+1 {{src and dst must have the same element type, but are 'bf16' and 'f32'; a collective does not convert}}
  trn.collective_permute %src to %dst from [1, 0] : memref<4x64xbf16> to memref<4x64xf32>
  return
}

// -----

// expected-note @+1 {{dst is defined here}}
func.func @collective_permute_c1__shapes(%src: memref<4x64xbf16>, %dst: memref<4x32xbf16>) {
  // expected-error @+1 {{src and dst must have the same shape}}
  trn.collective_permute %src to %dst from [1, 0] : memref<4x64xbf16> to memref<4x32xbf16>
  return
}

// -----

func.func @collective_permute_c2__no_core(%src: memref<4x64xbf16>, %dst: memref<4x64xbf16>) {
  // expected-error @+1 {{from has 2 for core 1, but there are 2 cores; -1 is for none}}
  trn.collective_permute %src to %dst from [1, 2] : memref<4x64xbf16> to memref<4x64xbf16>
  return
}

// -----

func.func @collective_permute_c2__empty(%src: memref<4x64xbf16>, %dst: memref<4x64xbf16>) {
  // expected-error @+1 {{from must have a core, or -1, for each of the cores, but is empty}}
  trn.collective_permute %src to %dst from [] : memref<4x64xbf16> to memref<4x64xbf16>
  return
}

// -----

func.func @core_barrier_c1__on_chip(%tile: memref<4x64xbf16, #trn.mem<sbuf>>) {
  // expected-error @+1 {{operand #0 must be a static memref in hbm with 1 to 5 dimensions of bf16, f16, f32, i32, ui32, i8, f8E4M3 or f8E4M3FN}}
  trn.core_barrier %tile : memref<4x64xbf16, #trn.mem<sbuf>>
  return
}

// -----

// expected-note @+1 {{dst is defined here}}
func.func @send_receive_c1__shapes(%src: memref<4x64xbf16, #trn.mem<sbuf>>, %dst: memref<4x32xbf16, #trn.mem<sbuf>>) {
  // expected-error @+1 {{src and dst must have the same shape}}
  trn.send_receive %src to %dst pipe 0 : memref<4x64xbf16, #trn.mem<sbuf>> to memref<4x32xbf16, #trn.mem<sbuf>>
  return
}

// -----

func.func @send_receive_c2__types(%src: memref<4x64xbf16, #trn.mem<sbuf>>, %dst: memref<4x64xf32, #trn.mem<sbuf>>) {
  // expected-error @+1 {{src and dst must have the same element type, but are 'bf16' and 'f32'; what is sent is not converted}}
  trn.send_receive %src to %dst pipe 0 : memref<4x64xbf16, #trn.mem<sbuf>> to memref<4x64xf32, #trn.mem<sbuf>>
  return
}

// -----

func.func @negativePipe(%src: memref<4x64xbf16, #trn.mem<sbuf>>) {
  // expected-error @+1 {{attribute 'pipe' failed to satisfy constraint}}
  trn.send_receive %src to %src pipe -1 : memref<4x64xbf16, #trn.mem<sbuf>> to memref<4x64xbf16, #trn.mem<sbuf>>
  return
}
