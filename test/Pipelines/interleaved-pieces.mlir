// RUN: trn-gen xuv --m=1 --k=6144 --r=640 --n=2048 | trn-run - --compile --timing-only | FileCheck %s
// RUN: not trn-opt %s --trn-lower-kernels 2>&1 | FileCheck %s --check-prefix=CUT

// An intermediate that is computed ahead falls into pieces; a weight whose rows lie by partitions has all columns in
// each of them.

// CHECK: latency_ms

// CUT: error: {{.*}}k is interleaved, so u must have all of its columns, and no others, where yt is computed
func.func private @kernel(%x: memref<1x6144xbf16>, %u: memref<6144x640xbf16>, %v: memref<640x2048xbf16>,
                          %o: memref<1x2048xbf16> {trn.result})
    attributes {trn.kernel, trn.schedule = #trn.schedule<
      dims = [m = 1, k = 6144, r = 640, n = 2048],
      matrices = [x : m x k bf16 input, u : k x r bf16 input, v : r x n bf16 input, o : m x n bf16 result,
                  yt : r x m bf16, xt : k x m bf16],
      stages = [xt = transpose x, yt = u * xt over k, o = yt * v over r],
      nests = [xt (), yt (m = 1, r = 512), o (m = 1, n = 1664, r = 384)],
      homes = [xt at kernel packed, u at m, yt at m slots 2 ahead 1, v at r slots 2, o at kernel sums at n in psum],
      interleaved = [k]>} {
  return
}
