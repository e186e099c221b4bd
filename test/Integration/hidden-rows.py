"""Rows of which masks hide everything have the shares of the source, with numbers far below all scores as with infinity.

Sequences are padded in front, so that a causal mask and that of the padding hide all of their first rows. Keys may be
fewer than queries, which hides all of a row, too.

RUN: %trn_python %s
"""

import itertools
import sys

import numpy as np
import trn_mlir as trn

random = np.random.default_rng(7)
HEADS, ROWS, D, PADDED = 2, 160, 64, 50
TOLERANCE = 6e-3  # of the largest value

HEAD = """
#id = affine_map<(h, i, j) -> (h, i, j)>
#padding = affine_map<(h, i, j) -> (j)>
func.func @main(%q: tensor<2x160x64xbf16>, %k: tensor<2x64x{t}xbf16>, %v: tensor<2x{t}x64xbf16>, %padding: tensor<{t}x{kind}>) -> tensor<2x160x64xf32> {{
  %zero = arith.constant 0.0 : f32
  %low = arith.constant {low} : f32
  %infinity = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<2x160x{t}xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<2x160x{t}xf32>) -> tensor<2x160x{t}xf32>
  %s = linalg.batch_matmul ins(%q, %k : tensor<2x160x64xbf16>, tensor<2x64x{t}xbf16>) outs(%z : tensor<2x160x{t}xf32>) -> tensor<2x160x{t}xf32>
  %masked = linalg.generic {{indexing_maps = [#id, #padding, #id], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%s, %padding : tensor<2x160x{t}xf32>, tensor<{t}x{kind}>) outs(%e : tensor<2x160x{t}xf32>) {{
  ^bb0(%in: f32, %p: {kind}, %out: f32):
    %eighth = arith.constant 0.125 : f32
    %i = linalg.index 1 : index
    %j = linalg.index 2 : index
    %past = arith.constant {past} : index
    %last = arith.addi %i, %past : index
    %seen = arith.cmpi sge, %last, %j : index
    %scaled = arith.mulf %in, %eighth : f32
    {body}
    linalg.yield %o : f32
  }} -> tensor<2x160x{t}xf32>
  %p = linalg.softmax dimension(2) ins(%masked : tensor<2x160x{t}xf32>) outs(%e : tensor<2x160x{t}xf32>) -> tensor<2x160x{t}xf32>
  %ne = tensor.empty() : tensor<2x160x{t}xbf16>
  %shares = linalg.generic {{indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel"]}}
      ins(%p : tensor<2x160x{t}xf32>) outs(%ne : tensor<2x160x{t}xbf16>) {{
  ^bb0(%in: f32, %out: bf16):
    %n = arith.truncf %in : f32 to bf16
    linalg.yield %n : bf16
  }} -> tensor<2x160x{t}xbf16>
  %oe = tensor.empty() : tensor<2x160x64xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%oe : tensor<2x160x64xf32>) -> tensor<2x160x64xf32>
  %o = linalg.batch_matmul ins(%shares, %v : tensor<2x160x{t}xbf16>, tensor<2x{t}x64xbf16>) outs(%oz : tensor<2x160x64xf32>) -> tensor<2x160x64xf32>
  return %o : tensor<2x160x64xf32>
}}
"""
BODIES = {
    "add": """%m = arith.select %seen, %zero, %low : f32
    %causal = arith.addf %scaled, %m : f32
    %o = arith.addf %causal, %p : f32""",
    "where": """%causal = arith.select %seen, %scaled, %low : f32
    %o = arith.select %p, %causal, %low : f32""",
    # The causal mask takes the place of what the padding hides.
    "before": """%beside = arith.addf %scaled, %p : f32
    %o = arith.select %seen, %beside, %low : f32""",
    # Both follow from indices.
    "known": """%m = arith.select %seen, %zero, %low : f32
    %causal = arith.addf %scaled, %m : f32
    %first = arith.constant {padded} : index
    %late = arith.cmpi sge, %j, %first : index
    %n = arith.select %late, %zero, %low : f32
    %o = arith.addf %causal, %n : f32""",
}
NUMBERS = {"-1.0e9": -1e9, "-1.0e30": -1e30, "0xFF7FFFFF": -3.4028234663852886e38, "0xFF800000": -np.inf}


def bf16(values):
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)
    return np.where(np.isnan(values), np.nan, rounded)


def expect(kind, low, q, k, v, padded, past):
    scores = np.einsum("hmd,hdt->hmt", *(of.astype(np.float64) for of in (q, k))) / 8
    seen = np.arange(k.shape[2]) <= np.arange(ROWS)[:, None] + past
    hidden = np.where(padded, -np.inf, 0)
    if kind == "add":
        scores = np.float32(scores + np.where(seen, 0, low)).astype(np.float64) + hidden
    elif kind == "known":
        scores = np.float32(np.float32(scores + np.where(seen, 0, low)) + np.where(padded, low, 0)).astype(np.float64)
    elif kind == "where":
        scores = np.where(padded, low, np.where(seen, scores, low))
    else:
        scores = np.where(seen, scores + hidden, low)
    with np.errstate(invalid="ignore"):
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        return np.einsum("hmt,htd->hmd", bf16(powers / powers.sum(-1, keepdims=True)), v.astype(np.float64))


def check(kind, low, keys, padded):
    past = keys - ROWS
    text = HEAD.format(t=keys, low=low, past=past, body=BODIES[kind].format(padded=padded), kind="i1" if kind == "where" else "f32")
    q, k, v = (bf16(random.normal(size=shape)).astype(np.float32)
               for shape in ((HEADS, ROWS, D), (HEADS, D, keys), (HEADS, keys, D)))
    isPadded = np.arange(keys) < padded
    given = ~isPadded if kind == "where" else np.where(isPadded, -np.inf, 0).astype(np.float32)
    got = np.asarray(trn.compile(text, effort=2).run(q, k, v, given), np.float64)
    want = expect(kind, NUMBERS[low], q, k, v, isPadded, past)
    # A row of minus infinities alone is NaN.
    assert (np.isnan(got) == np.isnan(want)).all(), (kind, low, keys, padded)
    error = np.nanmax(abs(got - want)) / np.nanmax(abs(want))
    if not error < TOLERANCE:
        sys.exit(f"{kind} {low}, {keys} keys, {padded} padded: {error} of the largest value")


for kind, low in itertools.product(BODIES, NUMBERS):
    check(kind, low, ROWS, PADDED)
    check(kind, low, ROWS - 40, 0)
