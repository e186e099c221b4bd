// RUN: trn-opt %s --split-input-file --verify-diagnostics

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @bn_stats_c1__wrong_count(%a: memref<128x256xf32, #sbuf>, %b: memref<128x7xf32, #sbuf>) {
  // expected-error @below {{dst must hold 6 values for each of the 128 partitions of src (128x6), but is 128x7}}
  trn.bn_stats %a into %b : memref<128x256xf32, #sbuf> to memref<128x7xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @bn_stats_c2__too_many_partitions(%a: memref<256x256xf32, #sbuf>, %b: memref<256x6xf32, #sbuf>) {
  // expected-error @below {{src has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.bn_stats %a into %b : memref<256x256xf32, #sbuf> to memref<256x6xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @bn_stats_c3__wrong_size(%a: memref<128x600xf32, #sbuf>, %b: memref<128x6xf32, #sbuf>) {
  // expected-error @below {{src has a free size of 600, but from 1 to 512 is allowed}}
  trn.bn_stats %a into %b : memref<128x600xf32, #sbuf> to memref<128x6xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @bn_aggr_c1__wrong_count(%a: memref<128x12xf32, #sbuf>, %b: memref<128x3xf32, #sbuf>) {
  // expected-error @below {{dst must hold 2 values for each of the 128 partitions of src (128x2), but is 128x3}}
  trn.bn_aggr %a into %b : memref<128x12xf32, #sbuf> to memref<128x3xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @bn_aggr_c2__too_many_partitions(%a: memref<256x12xf32, #sbuf>, %b: memref<256x2xf32, #sbuf>) {
  // expected-error @below {{src has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.bn_aggr %a into %b : memref<256x12xf32, #sbuf> to memref<256x2xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @bn_aggr_c3__wrong_size(%a: memref<128x10xf32, #sbuf>, %b: memref<128x2xf32, #sbuf>) {
  // expected-error @below {{src holds triples of a count, a mean and a sum, but its free size is 10, which is no multiple of 3}}
  trn.bn_aggr %a into %b : memref<128x10xf32, #sbuf> to memref<128x2xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @max8_c1__wrong_count(%a: memref<128x64xf32, #sbuf>, %b: memref<128x9xf32, #sbuf>) {
  // expected-error @below {{dst must hold 8 values for each of the 128 partitions of src (128x8), but is 128x9}}
  trn.max8 %a into %b : memref<128x64xf32, #sbuf> to memref<128x9xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @max8_c2__too_many_partitions(%a: memref<256x64xf32, #sbuf>, %b: memref<256x8xf32, #sbuf>) {
  // expected-error @below {{src has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.max8 %a into %b : memref<256x64xf32, #sbuf> to memref<256x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @max8_c3__wrong_size(%a: memref<128x7xf32, #sbuf>, %b: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{src has a free size of 7, but from 8 to 16384 is allowed}}
  trn.max8 %a into %b : memref<128x7xf32, #sbuf> to memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{values is defined here}}
func.func @find_index8_c1__four_values(%d: memref<128x64xf32, #sbuf>, %v: memref<128x4xf32, #sbuf>, %o: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{values must hold 8 values for each of the 128 partitions of data (128x8), but is 128x4}}
  trn.find_index8 data(%d : memref<128x64xf32, #sbuf>) values(%v : memref<128x4xf32, #sbuf>) into %o : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @find_index8_c2__too_many_partitions(%d: memref<256x64xf32, #sbuf>, %v: memref<256x8xf32, #sbuf>, %o: memref<256x8xf32, #sbuf>) {
  // expected-error @below {{data has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.find_index8 data(%d : memref<256x64xf32, #sbuf>) values(%v : memref<256x8xf32, #sbuf>) into %o : memref<256x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @find_index8_c3__too_long(%d: memref<128x20000xf32, #sbuf>, %v: memref<128x8xf32, #sbuf>, %o: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{data has a free size of 20000, but from 8 to 16384 is allowed}}
  trn.find_index8 data(%d : memref<128x20000xf32, #sbuf>) values(%v : memref<128x8xf32, #sbuf>) into %o : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @find_index8_c4__narrow_indices(%d: memref<128x64xf32, #sbuf>, %v: memref<128x8xf32, #sbuf>, %o: memref<128x8xbf16, #sbuf>) {
  // expected-error @below {{dst takes indices, which f32 and ui32 hold exactly, but is of 'bf16'}}
  trn.find_index8 data(%d : memref<128x64xf32, #sbuf>) values(%v : memref<128x8xf32, #sbuf>) into %o : memref<128x8xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @match_replace8_c1__different_shapes(%d: memref<128x64xf32, #sbuf>, %v: memref<128x8xf32, #sbuf>, %o: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{data and dst must have the same shape, but are 128x64 and 128x8}}
  trn.match_replace8 data(%d : memref<128x64xf32, #sbuf>) values(%v : memref<128x8xf32, #sbuf>) replacement 0.0 into %o : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @match_replace8_c2__too_many_partitions(%d: memref<256x64xf32, #sbuf>, %v: memref<256x8xf32, #sbuf>, %o: memref<256x64xf32, #sbuf>) {
  // expected-error @below {{dst has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.match_replace8 data(%d : memref<256x64xf32, #sbuf>) values(%v : memref<256x8xf32, #sbuf>) replacement 0.0 into %o : memref<256x64xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @match_replace8_c3__too_long(%d: memref<128x20000xf32, #sbuf>, %v: memref<128x8xf32, #sbuf>, %o: memref<128x20000xf32, #sbuf>) {
  // expected-error @below {{data has a free size of 20000, but from 1 to 16384 is allowed}}
  trn.match_replace8 data(%d : memref<128x20000xf32, #sbuf>) values(%v : memref<128x8xf32, #sbuf>) replacement 0.0 into %o : memref<128x20000xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{values is defined here}}
func.func @match_replace8_c4__sixteen_values(%d: memref<128x64xf32, #sbuf>, %v: memref<128x16xf32, #sbuf>, %o: memref<128x64xf32, #sbuf>) {
  // expected-error @below {{values must hold 8 values for each of the 128 partitions of data (128x8), but is 128x16}}
  trn.match_replace8 data(%d : memref<128x64xf32, #sbuf>) values(%v : memref<128x16xf32, #sbuf>) replacement 0.0 into %o : memref<128x64xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @match_replace8_c5__narrow_indices(%d: memref<128x64xf32, #sbuf>, %v: memref<128x8xf16, #sbuf>) {
  // expected-error @below {{indices takes indices, which f32 and ui32 hold exactly, but is of 'f16'}}
  trn.match_replace8 data(%d : memref<128x64xf32, #sbuf>) values(%v : memref<128x8xf16, #sbuf>) replacement 0.0 indices(%v : memref<128x8xf16, #sbuf>) into %d : memref<128x64xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @stream_shuffle_c1__different_columns(%a: memref<64x8xf32, #sbuf>, %b: memref<64x4xf32, #sbuf>) {
  // expected-error @below {{src and dst must have the same free dimensions, but are 'memref<64x8xf32, #trn.mem<sbuf>>' and 'memref<64x4xf32, #trn.mem<sbuf>>'}}
  trn.stream_shuffle %a into %b mask [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : memref<64x8xf32, #sbuf> to memref<64x4xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @stream_shuffle_c5__from_a_partition_that_the_second_quadrant_lacks(%a: memref<1x8xf32, #sbuf>, %b: memref<33x8xf32, #sbuf>) {
  // expected-error @below {{takes partition 0 of a quadrant from 0, but src has none there}}
  trn.stream_shuffle %a into %b mask [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0] : memref<1x8xf32, #sbuf> to memref<33x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @stream_shuffle_c2__different_types(%a: memref<64x8xf32, #sbuf>, %b: memref<64x8xbf16, #sbuf>) {
  // expected-error @below {{src and dst must have the same element type, but are 'f32' and 'bf16'}}
  trn.stream_shuffle %a into %b mask [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : memref<64x8xf32, #sbuf> to memref<64x8xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @stream_shuffle_c3__too_many_partitions(%a: memref<160x8xf32, #sbuf>, %b: memref<160x8xf32, #sbuf>) {
  // expected-error @below {{src has 160 partitions, but at most 128 are allowed; split it into tiles}}
  trn.stream_shuffle %a into %b mask [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : memref<160x8xf32, #sbuf> to memref<160x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @stream_shuffle_c4__short_mask(%a: memref<64x8xf32, #sbuf>, %b: memref<64x8xf32, #sbuf>) {
  // expected-error @below {{mask has 4 numbers, but a quadrant has 32 partitions}}
  trn.stream_shuffle %a into %b mask [1, 0, 3, 2] : memref<64x8xf32, #sbuf> to memref<64x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @stream_shuffle_c5__from_the_next_quadrant(%a: memref<64x8xf32, #sbuf>, %b: memref<64x8xf32, #sbuf>) {
  // expected-error @below {{takes partition 0 of a quadrant from 32, but src has 0 to 31 of them}}
  trn.stream_shuffle %a into %b mask [32, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : memref<64x8xf32, #sbuf> to memref<64x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @stream_shuffle_c5__from_a_quadrant_in_part(%a: memref<48x8xf32, #sbuf>, %b: memref<48x8xf32, #sbuf>) {
  // expected-error @below {{takes partition 0 of a quadrant from 16, but src has 0 to 15 of them}}
  trn.stream_shuffle %a into %b mask [16, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31] : memref<48x8xf32, #sbuf> to memref<48x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
// expected-note @below {{dst is defined here}}
func.func @partition_gather_c1__other_places(%d: memref<128x64xf32, #sbuf>, %i: memref<128x8xui32, #sbuf>, %o: memref<128x9xf32, #sbuf>) {
  // expected-error @below {{indices and dst must have the same shape, but are 128x8 and 128x9}}
  trn.partition_gather data(%d : memref<128x64xf32, #sbuf>) indices(%i : memref<128x8xui32, #sbuf>) into %o : memref<128x9xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @partition_gather_c2__partitions_that_differ(%d: memref<64x64xf32, #sbuf>, %i: memref<128x8xui32, #sbuf>, %o: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{chooses elements of 64 partitions for 128; give it as many of both}}
  trn.partition_gather data(%d : memref<64x64xf32, #sbuf>) indices(%i : memref<128x8xui32, #sbuf>) into %o : memref<128x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @partition_gather_c2__too_many_partitions(%d: memref<256x64xf32, #sbuf>, %i: memref<256x8xui32, #sbuf>, %o: memref<256x8xf32, #sbuf>) {
  // expected-error @below {{dst has 256 partitions, but at most 128 are allowed; split it into tiles}}
  trn.partition_gather data(%d : memref<256x64xf32, #sbuf>) indices(%i : memref<256x8xui32, #sbuf>) into %o : memref<256x8xf32, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @partition_gather_c3__converts(%d: memref<128x64xf32, #sbuf>, %i: memref<128x8xui32, #sbuf>, %o: memref<128x8xbf16, #sbuf>) {
  // expected-error @below {{data and dst must have the same element type, but are 'f32' and 'bf16'}}
  trn.partition_gather data(%d : memref<128x64xf32, #sbuf>) indices(%i : memref<128x8xui32, #sbuf>) into %o : memref<128x8xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func @partition_gather_c4__places_with_a_sign(%d: memref<128x64xf32, #sbuf>, %i: memref<128x8xi32, #sbuf>, %o: memref<128x8xf32, #sbuf>) {
  // expected-error @below {{operand #1 must be a static memref in sbuf with 2 to 5 dimensions of ui32}}
  trn.partition_gather data(%d : memref<128x64xf32, #sbuf>) indices(%i : memref<128x8xi32, #sbuf>) into %o : memref<128x8xf32, #sbuf>
  return
}

// -----

func.func @partition_gather_c4__of_psum(%d: memref<128x64xf32, #trn.mem<psum>>, %i: memref<128x8xui32, #trn.mem<sbuf>>, %o: memref<128x8xf32, #trn.mem<sbuf>>) {
  // expected-error @below {{operand #0 must be a static memref in sbuf with 2 to 5 dimensions}}
  trn.partition_gather data(%d : memref<128x64xf32, #trn.mem<psum>>) indices(%i : memref<128x8xui32, #trn.mem<sbuf>>) into %o : memref<128x8xf32, #trn.mem<sbuf>>
  return
}
