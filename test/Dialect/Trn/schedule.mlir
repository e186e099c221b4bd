// RUN: trn-opt %s --verify-roundtrip | FileCheck %s
// RUN: trn-opt %s --emit-bytecode | trn-opt | FileCheck %s

// A schedule is printed in one line, as it is written here.

// CHECK-LABEL: @not_planned_yet
// CHECK-SAME: #trn.schedule<dims = [m = 256, k = 384, n = 512], matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n f32 result], stages = [o = xt * w over k]>
func.func private @not_planned_yet(memref<384x256xbf16>, memref<384x512xbf16>, memref<256x512xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, k = 384, n = 512],
      matrices = [xt : k x m bf16 input, w : k x n bf16 input, o : m x n f32 result],
      stages = [o = xt * w over k]>}

// CHECK-LABEL: @strip_cache
// CHECK-SAME: dims = [m = 1024, k = 1024, r = 512, n = 1024], matrices = [x : m x k bf16 input, xt : k x m bf16, u : k x r bf16 input, yt : r x m bf16, v : r x n bf16 input, o : m x n bf16 result]
// CHECK-SAME: stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r]
// CHECK-SAME: nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = 512, n = 512)]
// CHECK-SAME: homes = [x at k slots 2 apart, xt at m slots 2 ahead 1, u at r slots 2, yt at m, v at n slots 2, o at n slots 2 sums at n in psum]>
func.func private @strip_cache(memref<1024x1024xbf16>, memref<1024x512xbf16>, memref<512x1024xbf16>, memref<1024x1024xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 1024, k = 1024, r = 512, n = 1024],
      matrices = [x : m x k bf16 input, xt : k x m bf16, u : k x r bf16 input, yt : r x m bf16,
                  v : r x n bf16 input, o : m x n bf16 result],
      stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r],
      nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = 512, n = 512)],
      homes = [x at k slots 2 apart for xt, xt at m slots 2 ahead 1 for xt and yt, u at r slots 2, yt at m, v at n slots 2,
               o at n slots 2 sums at n in psum]>}

// What is computed of a transpose.
// CHECK-LABEL: @behind_transposition
// CHECK-SAME: stages = [y = square(x), yt = mul(transpose y, g), o = yt * w over k]
func.func private @behind_transposition(memref<256x512xbf16>, memref<512xbf16>, memref<512x512xbf16>, memref<256x512xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, k = 512, n = 512, one = 1],
      matrices = [x : m x k bf16 input, y : m x k bf16, g : k x one bf16 input, yt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
      stages = [y = square(x), yt = mul(transpose y, g), o = yt * w over k]>}

// Further ahead, in pieces that are counted.
// CHECK-LABEL: @ahead
// CHECK-SAME: homes = [x at m slots 2 ahead 2 in 4, xt at m slots 2 ahead 1, w at kernel ahead 1 in 2, o at m]>
func.func private @ahead(memref<1024x512xbf16>, memref<512x512xbf16>, memref<1024x512xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 1024, k = 512, n = 512],
      matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
      stages = [xt = transpose x, o = xt * w over k],
      nests = [xt (m = 128), o (m = 128)],
      homes = [x at m slots 2 ahead 2 in 4, xt at m slots 2 ahead 1, w at kernel ahead 1 in 2, o at m]>}

// Weights are parts of larger matrices.
// CHECK-LABEL: @windows
// CHECK-SAME: matrices = [xt : k x m bf16 input in 512 x 256 from (128, 0), w : k x n bf16 input in 384 x 1024 from (0, 512), o : m x n f32 result]
func.func private @windows(memref<512x256xbf16>, memref<384x1024xbf16>, memref<256x512xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, k = 384, n = 512],
      matrices = [xt : k x m bf16 input in 512 x 256 from (128, 0),
                  w : k x n bf16 input in 384 x 1024 from (0, 512), o : m x n f32 result],
      stages = [o = xt * w over k]>}

// Heads of a weight are some columns of each group of 96.
// CHECK-LABEL: @window_of_batches
// CHECK-SAME: w : k x (h, n) bf16 input in 384 x 96 from (0, 32), o :
func.func private @window_of_batches(memref<4x384x256xbf16>, memref<384x4x96xbf16>, memref<4x256x64xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [h = 4, m = 256, k = 384, n = 64],
      matrices = [xt : (h, k) x m bf16 input, w : k x (h, n) bf16 input in 384 x 96 from (0, 32), o : (h, m) x n f32 result],
      stages = [o = xt * w over k]>}

// Each partition has neighbouring rows of w.
// CHECK-LABEL: @interleaved
// CHECK-SAME: homes = [xt at kernel packed, w at k slots 4, o at n sums at n in psum], interleaved = [k]>
func.func private @interleaved(memref<4x2048xbf16>, memref<2048x256xbf16>, memref<4x256xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 4, k = 2048, n = 256],
      matrices = [x : m x k bf16 input, w : k x n bf16 input, o : m x n bf16 result, xt : k x m bf16],
      stages = [xt = transpose x, o = xt * w over k],
      nests = [xt (), o (m = 4, n = 256, k = 512)],
      homes = [xt at kernel packed, w at k slots 4, o at n sums at n in psum],
      interleaved = [k]>}

// Half of yt stays in SBUF, the other half goes through HBM and has two homes.
// CHECK-LABEL: @parts
// CHECK-SAME: dims = [m = 512, k = 256, r = 512, n = 512, ra = 256 of r, rb = 256 of r from 256]
// CHECK-SAME: o = ya * v over ra + yb * v over rb]
// CHECK-SAME: o (m = 512, n = 512, m = 256)]
// CHECK-SAME: yb at rb for yb, yb at m.1 for o
func.func private @parts(memref<256x512xbf16>, memref<256x512xbf16>, memref<512x512xbf16>, memref<512x512xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 512, k = 256, r = 512, n = 512, ra = 256 of r, rb = 256 of r from 256],
      matrices = [xt : k x m bf16 input, u : k x r bf16 input, ya : ra x m bf16, yb : rb x m bf16,
                  v : r x n bf16 input, o : m x n bf16 result],
      stages = [ya = u * xt over k, yb = u * xt over k, o = ya * v over ra + yb * v over rb],
      nests = [ya (m = 512), yb (m = 512, rb = 128), o (m = 512, n = 512, m = 256)],
      homes = [xt at m, u at kernel, ya at m, yb at rb for yb, yb at m.1 for o, v at n, o at m.1]>}

// CHECK-LABEL: @packed_and_blocked
// CHECK-SAME: nests = [xt (), o (k = 1024, n = 512)]
// CHECK-SAME: homes = [x at kernel slots 2 packed, xt at kernel packed, w at n slots 2, o at kernel sums at kernel in sbuf f32]
func.func private @packed_and_blocked(memref<16x2048xbf16>, memref<2048x512xbf16>, memref<16x512xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 16, k = 2048, n = 512],
      matrices = [x : m x k bf16 input, xt : k x m bf16, w : k x n bf16 input, o : m x n bf16 result],
      stages = [xt = transpose x, o = xt * w over k],
      nests = [xt (), o (k = 1024, n = 512)],
      homes = [x at kernel slots 2 packed, xt at kernel packed, w at n slots 2, o at kernel sums at kernel in sbuf f32]>}

// A matrix for each head, one below the other or side by side; w is shared.
// CHECK-LABEL: @heads
// CHECK-SAME: dims = [b = 2, h = 4, m = 256, k = 64, n = 512]
// CHECK-SAME: matrices = [q : (b, m) x (h, k) bf16 input, qt : (b, h, k) x m bf16, w : (b, k) x n bf16 input, o : (b, h, m) x n f32 result]
// CHECK-SAME: homes = [q at m slots 2, qt at m, w at kernel slots 2, o at m slots 2]
func.func private @heads(memref<2x256x4x64xbf16>, memref<2x64x512xbf16>, memref<2x4x256x512xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [b = 2, h = 4, m = 256, k = 64, n = 512],
      matrices = [q : (b, m) x (h, k) bf16 input, qt : (b, h, k) x m bf16, w : (b, k) x n bf16 input,
                  o : (b, h, m) x n f32 result],
      stages = [qt = transpose q, o = qt * w over k],
      nests = [qt (m = 128), o (m = 128)],
      homes = [q at m slots 2, qt at m, w at kernel slots 2, o at m slots 2]>}

// Words of the syntax, types and numbers after letters are names like others.
// CHECK-LABEL: @any_word_is_a_name
// CHECK-SAME: dims = [x = 128, over = 128, f32 = 128]
// CHECK-SAME: transpose : over x x bf16, slots : x x over bf16 input, i32 : over x f32 bf16 input, for$_1 : x x f32 bf16 result
// CHECK-SAME: stages = [transpose = transpose slots, for$_1 = transpose * i32 over over]
func.func private @any_word_is_a_name() attributes {test.schedule = #trn.schedule<
      dims = [x = 128, over = 128, f32 = 128],
      matrices = [transpose : over x x bf16, slots : x x over bf16 input, i32 : over x f32 bf16 input,
                  for$_1 : x x f32 bf16 result],
      stages = [transpose = transpose slots, for$_1 = transpose * i32 over over]>}

// Equal but for a name, so both are kept.
// CHECK-LABEL: @other_names
// CHECK-SAME: dims = [rows = 256, k = 384, n = 512]
func.func private @other_names() attributes {test.schedule = #trn.schedule<
      dims = [rows = 256, k = 384, n = 512],
      matrices = [xt : k x rows bf16 input, w : k x n bf16 input, o : rows x n f32 result],
      stages = [o = xt * w over k]>}

// Reductions of elements, and of expressions of them.
// CHECK-LABEL: @softmax
// CHECK-SAME: stages = [a = max x over n, e = exp(sub(x, a)), l = sum e over n, o = div(e, l)]
// CHECK-SAME: homes = [x at m slots 2 ahead 1, a at m, e at m, l at m, o at m slots 2]>
func.func private @softmax(memref<256x512xbf16>, memref<256x512xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, n = 512, one = 1],
      matrices = [x : m x n bf16 input, o : m x n bf16 result, a : m x one bf16, e : m x n f32, l : m x one f32],
      stages = [a = max x over n, e = exp(sub(x, a)), l = sum e over n, o = div(e, l)],
      nests = [a (m = 128), e (m = 128), l (m = 128), o (m = 128)],
      homes = [x at m slots 2 ahead 1, a at m, e at m, l at m, o at m slots 2]>}

// CHECK-LABEL: @largest_square
// CHECK-SAME: stages = [o = max square(sub(x, 1.0)) over n], nests = [o (m = 128, n = 256)], homes = [x at n, o at m sums at m in sbuf f32]>
func.func private @largest_square(memref<256x512xf32>, memref<256xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, n = 512, one = 1],
      matrices = [x : m x n f32 input, o : m x one f32 result],
      stages = [o = max square(sub(x, 1.0)) over n],
      nests = [o (m = 128, n = 256)],
      homes = [x at n, o at m sums at m in sbuf f32]>}

// What is known of masks: diagonals, which may have no end.
// CHECK-LABEL: @bands
// CHECK-SAME: memref<256x512xbf16> {trn.band = #trn.band<none to 0 of inf>}
// CHECK-SAME: memref<256x512xf32> {trn.band = #trn.band<-128 to none of zero>}
// CHECK-SAME: memref<256x512xf32> {trn.band = #trn.band<-128 to 384 of zero>}
// CHECK-SAME: memref<256x512xf32> {trn.band = #trn.band<none to none of zero>}
// CHECK-SAME: matrices = [a : m x n bf16 input band none to 0 of inf, b : m x n f32 input band -128 to none of zero, c : m x n f32 input band -128 to 384 of zero, d : m x n f32 input in 512 x 512 from (256, 0) band none to none of zero, o : m x n f32 result]
func.func private @bands(memref<256x512xbf16> {trn.band = #trn.band<none to 0 of inf>},
                         memref<256x512xf32> {trn.band = #trn.band<-128 to none of zero>},
                         memref<256x512xf32> {trn.band = #trn.band<-128 to 384 of zero>},
                         memref<256x512xf32> {trn.band = #trn.band<none to none of zero>},
                         memref<256x512xf32> {trn.result})
    attributes {test.schedule = #trn.schedule<
      dims = [m = 256, n = 512],
      matrices = [a : m x n bf16 input band none to 0 of inf, b : m x n f32 input band -128 to none of zero,
                  c : m x n f32 input band -128 to 384 of zero,
                  d : m x n f32 input in 512 x 512 from (256, 0) band none to none of zero, o : m x n f32 result],
      stages = [o = add(add(min(a, b), c), d)]>}

// CHECK-LABEL: @selection
// CHECK-SAME: stages = [o = select(gt(a, 0.5), b, mul(a, 2.0))]
func.func private @selection(memref<256x512xf32>, memref<256x512xf32>, memref<256x512xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, n = 512],
      matrices = [a : m x n f32 input, b : m x n f32 input, o : m x n f32 result],
      stages = [o = select(gt(a, 0.5), b, mul(a, 2.0))]>}

// CHECK-LABEL: @engines
// CHECK-SAME: nests = [e (m = 128) on scalar, s (m = 128) on vector, o ()]
func.func private @engines(memref<256x512xf32>, memref<256x1xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, n = 512, one = 1],
      matrices = [x : m x n f32 input, o : m x one f32 result, e : m x n f32, s : m x one f32],
      stages = [e = mul(x, 2.0), s = sum e over n, o = add(s, 1.0)],
      nests = [e (m = 128) on scalar, s (m = 128) on vector, o ()],
      homes = [x at m, e at m, s at kernel, o at kernel]>}

// CHECK-LABEL: @jam
// CHECK-SAME: homes = [xt at kernel, w at kernel, o at kernel], jam = 2>
func.func private @jam(memref<4x256x4xbf16>, memref<4x256x512xbf16>, memref<4x4x512xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [h = 4, m = 4, k = 256, n = 512],
      matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
      stages = [o = xt * w over k],
      nests = [o ()],
      homes = [xt at kernel, w at kernel, o at kernel], jam = 2>}

// Each partition has neighbouring rows, of all heads at once.
// CHECK-LABEL: @long_rows
// CHECK-SAME: homes = [x at kernel whole, o at kernel], interleaved = [m]>
func.func private @long_rows(memref<256x4x64xbf16>, memref<4x256x64xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [h = 4, m = 256, n = 64],
      matrices = [x : m x (h, n) bf16 input, o : (h, m) x n bf16 result],
      stages = [o = exp(x)],
      nests = [o ()],
      homes = [x at kernel whole, o at kernel],
      interleaved = [m]>}

// The rows of four heads share buffers.
// CHECK-LABEL: @stacked
// CHECK-SAME: homes = [xt at kernel, w at kernel, o at kernel], jam = 4 stacking m>
func.func private @stacked(memref<4x64x4xbf16>, memref<4x64x512xbf16>, memref<4x4x512xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [h = 4, m = 4, k = 64, n = 512],
      matrices = [xt : (h, k) x m bf16 input, w : (h, k) x n bf16 input, o : (h, m) x n bf16 result],
      stages = [o = xt * w over k],
      nests = [o ()],
      homes = [xt at kernel, w at kernel, o at kernel], jam = 4 stacking m>}

// Two heads at a time, each begins when the one before is half done.
// CHECK-LABEL: @staggered
// CHECK-SAME: homes = [qt at kernel, kt at kernel, c at m, s at m, p at m, pt at m, v at kernel, o at m], jam = 4 staggered 2>
func.func private @staggered(memref<4x64x256xbf16>, memref<4x64x256xbf16>, memref<4x256x64xbf16>,
                             memref<256x256xbf16> {trn.band = #trn.band<none to 0 of inf>},
                             memref<4x256x64xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [h = 4, m = 256, k = 64, n = 256, e = 64],
      matrices = [qt : (h, k) x m bf16 input, kt : (h, k) x n bf16 input, v : (h, n) x e bf16 input,
                  c : m x n bf16 input band none to 0 of inf, o : (h, m) x e bf16 result, s : (h, m) x n f32,
                  p : (h, m) x n bf16, pt : (h, n) x m bf16],
      stages = [s = min([qt * kt over k], c), p = exp(s), pt = transpose p, o = pt * v over n],
      nests = [s (m = 128), p (m = 128), pt (m = 128), o (m = 128)],
      homes = [qt at kernel, kt at kernel, c at m, s at m, p at m, pt at m, v at kernel, o at m], jam = 4 staggered 2>}

// Constants are made on chip: numbers, and masks that a band says all about.
// CHECK-LABEL: @constants
// CHECK-SAME: minus : one x n bf16 constant -1.0, ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero, ct : n x m bf16 constant band 0 to none of zero]
// CHECK-SAME: stages = [a = max add([qt * kt over k], c) over n, at = transpose a, pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)), o = div([pt * v over n], [pt * ones over n])]
func.func private @constants(memref<64x256xbf16>, memref<64x256xbf16>, memref<256x64xbf16>, memref<256x64xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, k = 64, n = 256, e = 64, one = 1],
      matrices = [qt : k x m bf16 input, kt : k x n bf16 input, v : n x e bf16 input, o : m x e bf16 result,
                  a : m x one bf16, at : one x m bf16, pt : n x m bf16, minus : one x n bf16 constant -1.0,
                  ones : n x one bf16 constant 1.0, c : m x n bf16 constant band none to 0 of zero,
                  ct : n x m bf16 constant band 0 to none of zero],
      stages = [a = max add([qt * kt over k], c) over n, at = transpose a,
                pt = exp(mul(add([kt * qt over k + minus * at over one], ct), 0.125)),
                o = div([pt * v over n], [pt * ones over n])],
      nests = [a (m = 128), at (m = 128), pt (m = 128), o (m = 128)],
      homes = [qt at kernel, kt at kernel, c at kernel, a at m, at at m, minus at kernel, ct at kernel, pt at m,
               v at kernel, o at m]>}

// A product is reduced as it is.
// CHECK-LABEL: @reduced_product
// CHECK-SAME: stages = [o = max [x * w over k] over n]
func.func private @reduced_product(memref<128x256xbf16>, memref<128x512xbf16>, memref<256xf32> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, n = 512, k = 128, one = 1],
      matrices = [x : k x m bf16 input, w : k x n bf16 input, o : m x one f32 result],
      stages = [o = max [x * w over k] over n],
      nests = [o (m = 128, n = 256)],
      homes = [x at kernel, w at kernel, o at m sums at m in sbuf f32]>}

// Rotary embeddings of 4 heads: each reads the tables of 32 columns again.
// CHECK-LABEL: @rotated
// CHECK-SAME: stages = [q = x * w over k, o = add(bf16(mul(q, c)), bf16(mul(rotate(q, 16), s)))]
func.func private @rotated(memref<128x256xbf16>, memref<128x128xbf16>, memref<256x32xbf16>, memref<256x32xbf16>, memref<256x128xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, n = 128, k = 128, h = 32],
      matrices = [x : k x m bf16 input, w : k x n bf16 input, c : m x h bf16 input, s : m x h bf16 input,
                  o : m x n bf16 result, q : m x n bf16],
      stages = [q = x * w over k, o = add(bf16(mul(q, c)), bf16(mul(rotate(q, 16), s)))],
      nests = [q (m = 128), o (m = 128)],
      homes = [x at kernel, w at kernel, q at m, c at m, s at m, o at m]>}

// Heads lie one behind the other in HBM.
// CHECK-LABEL: @stored_heads
// CHECK-SAME: o : m x n bf16 result heads of 64]
func.func private @stored_heads(memref<256x192xbf16>, memref<3x256x64xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 256, n = 192],
      matrices = [x : m x n bf16 input, o : m x n bf16 result heads of 64],
      stages = [o = exp(x)],
      nests = [o (m = 128)],
      homes = [x at m, o at m]>}
