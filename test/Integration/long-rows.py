"""Plans with long rows of DMA, and with the rows of several batches on all partitions, compute what NumPy does.

RUN: %trn_python %s
"""

import subprocess
import sys

import numpy as np
import trn_mlir as trn

random = np.random.default_rng(7)


def rounded(array):
    """To bf16, in f32."""
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


def run(text, arrays, machine):
    return trn.compile(text, machine=machine, effort=100).run(*arrays).astype(np.float64)


def compare(got, wanted, tolerance, what):
    error = abs(got - wanted).max() / abs(wanted).max()
    if not error <= tolerance:
        sys.exit(f"{what}: {error} of the largest value")


# A rotation of heads by hand: rows of all heads at once, neighbouring ones on each partition.
ROTATION = """
func.func private @turn(%x: memref<512x3x64xbf16>, %w: memref<64x64xbf16>, %c: memref<512x64xbf16>,
                        %o: memref<3x512x64xbf16> {{trn.result}}) attributes {{trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 512, h = 3, k = 64, n = 64],
    matrices = [x : m x (h, k) bf16 input, w : k x n bf16 input, c : m x n bf16 input, o : (h, m) x n bf16 result,
                xt : (h, k) x m bf16],
    stages = [xt = transpose x, o = mul([xt * w over k], c)],
    {plan}>}} {{
  %xs = bufferization.to_tensor %x restrict : memref<512x3x64xbf16> to tensor<512x3x64xbf16>
  %ws = bufferization.to_tensor %w restrict : memref<64x64xbf16> to tensor<64x64xbf16>
  %cs = bufferization.to_tensor %c restrict : memref<512x64xbf16> to tensor<512x64xbf16>
  %e = tensor.empty() : tensor<3x512x64xf32>
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<3x512x64xf32>) -> tensor<3x512x64xf32>
  %y = linalg.contract indexing_maps = [affine_map<(h, m, n, k) -> (m, h, k)>, affine_map<(h, m, n, k) -> (k, n)>,
      affine_map<(h, m, n, k) -> (h, m, n)>]
      ins(%xs, %ws : tensor<512x3x64xbf16>, tensor<64x64xbf16>) outs(%z : tensor<3x512x64xf32>) -> tensor<3x512x64xf32>
  %eo = tensor.empty() : tensor<3x512x64xbf16>
  %r = linalg.generic {{indexing_maps = [affine_map<(h, m, n) -> (h, m, n)>, affine_map<(h, m, n) -> (m, n)>,
      affine_map<(h, m, n) -> (h, m, n)>], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%y, %cs : tensor<3x512x64xf32>, tensor<512x64xbf16>) outs(%eo : tensor<3x512x64xbf16>) {{
  ^bb0(%a: f32, %b: bf16, %old: bf16):
    %bf = arith.extf %b : bf16 to f32
    %p = arith.mulf %a, %bf : f32
    %t = arith.truncf %p : f32 to bf16
    linalg.yield %t : bf16
  }} -> tensor<3x512x64xbf16>
  bufferization.materialize_in_destination %r in restrict writable %o : (tensor<3x512x64xbf16>, memref<3x512x64xbf16>) -> ()
  return
}}
func.func @main(%x: tensor<512x3x64xbf16>, %w: tensor<64x64xbf16>, %c: tensor<512x64xbf16>) -> tensor<3x512x64xbf16> {{
  %xm = bufferization.to_buffer %x read_only : tensor<512x3x64xbf16> to memref<512x3x64xbf16>
  %wm = bufferization.to_buffer %w read_only : tensor<64x64xbf16> to memref<64x64xbf16>
  %cm = bufferization.to_buffer %c read_only : tensor<512x64xbf16> to memref<512x64xbf16>
  %om = memref.alloc() : memref<3x512x64xbf16>
  call @turn(%xm, %wm, %cm, %om) : (memref<512x3x64xbf16>, memref<64x64xbf16>, memref<512x64xbf16>, memref<3x512x64xbf16>) -> ()
  %o = bufferization.to_tensor %om restrict : memref<3x512x64xbf16> to tensor<3x512x64xbf16>
  return %o : tensor<3x512x64xbf16>
}}
"""
x, w, c = (rounded(random.normal(size=shape)) for shape in ((512, 3, 64), (64, 64), (512, 64)))
wanted = np.einsum("mhk,kn->hmn", x.astype(float), w) * c
for plan in [
    "nests = [xt (), o ()], homes = [x at kernel whole, xt at kernel, w at kernel, c at kernel, o at kernel], "
    "interleaved = [m]",
    "nests = [xt (m = 256), o (m = 128)], homes = [x at kernel whole, xt at kernel, w at kernel, c at m slots 2, "
    "o at m slots 2], interleaved = [m]",
    "nests = [xt (m = 256), o (m = 256)], homes = [x at kernel whole, xt at m, w at kernel, c at m, o at m], "
    "interleaved = [m]",
    "nests = [xt (m = 256), o (m = 256)], homes = [x at kernel whole, xt at m, w at kernel, c at m, o at m]",
]:
    compare(run(ROTATION.format(plan=plan), (x, w, c), "trn2"), wanted, 8e-3, plan)

# Decode attention as the compiler plans it: keys come by partitions, and rows of four heads are stacked, of which 32
# lie side by side.
for machine, rows, heads, groups, context, size, words in [
    ("trn1", 1, 8, 4, 256, 64, ["jam = 4 stacking m"]),
    ("trn2", 1, 8, 4, 512, 128, ["interleaved = [r1], jam = 4 stacking m"]),
    ("trn2", 1, 8, 8, 384, 32, []),
    ("trn1", 1, 6, 3, 200, 64, []),
    ("trn1", 32, 4, 4, 256, 64, ["interleaved = [r1]", "stacking m"]),
    ("trn2", 32, 4, 4, 384, 128, ["interleaved = [r1]"]),
]:
    generate = ["trn-gen", "attention", f"--m={rows}", f"--context={context}", f"--heads={heads}", f"--kv-heads={groups}",
                f"--head-dim={size}"]
    source = subprocess.run(generate, capture_output=True, text=True, check=True).stdout
    q, k, v = (rounded(random.normal(size=shape) * 2)
               for shape in ((heads, rows, size), (groups, context, size), (groups, context, size)))
    scores = np.einsum("hmd,htd->hmt", q.astype(float), k.repeat(heads // groups, 0)) / size ** .5
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    wanted = weights / weights.sum(-1, keepdims=True) @ v.repeat(heads // groups, 0)
    compare(run(source, (q, k, v), machine), wanted, 8e-3, (machine, rows, heads, context))
    planned = subprocess.run(["trn-opt", "-", f"--trn-compile=effort=100 machine={machine}"], input=source, capture_output=True,
                             text=True, check=True).stdout
    assert all(word in planned for word in words), (machine, rows, heads, words)
