"""Softmax without maxima is that of NumPy where exponentials are in range, and no finite number elsewhere.

RUN: %trn_python %s
"""

import subprocess
import sys

import numpy as np
import trn_mlir as trn

random = np.random.default_rng(3)
LEAST, MOST = -64 * np.log(2), 96 * np.log(2)  # of the logarithm of a sum
NEAR = 0.5  # of a limit, where rounding decides


def bf16(values):
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


def attention(heads, kv_heads, m, d, dtype="bf16", causal=True):
    command = ["trn-gen", "attention", f"--heads={heads}", f"--kv-heads={kv_heads}", f"--m={m}", f"--head-dim={d}",
               f"--dtype={dtype}", *["--causal"] * causal]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def compare(what, got, wanted, sums, tolerance):
    """`sums` are logarithms of what the exponentials of each row add up to."""
    got = got.astype(np.float64)
    inside = (sums > LEAST + NEAR) & (sums < MOST - NEAR)
    outside = (sums < LEAST - NEAR) | (sums > MOST + NEAR)
    error = np.abs(got - wanted)[inside].max(initial=0) / np.abs(wanted).max()
    if not error < tolerance or np.isfinite(got[outside]).any():
        sys.exit(f"{what}: {error} of the largest value, {np.isfinite(got[outside]).sum()} finite numbers out of range")
    return inside.mean()


def try_attention(machine, m, d, size=1.0, shift=0.0, dtype="bf16", causal=True, heads=4, kv_heads=2):
    """Scores of deviation `size` squared, and about `shift`: in the last element of queries and keys."""
    q, k, v = (random.normal(size=shape) * scale for shape, scale in
               [((heads, m, d), size), ((kv_heads, m, d), size), ((kv_heads, m, d), 1)])
    if shift:
        q[..., -1], k[..., -1] = np.sign(shift) * np.sqrt(abs(shift)), np.sqrt(abs(shift) * d)
    q, k, v = (values.astype(np.float32) if dtype == "f32" else bf16(values) for values in (q, k, v))
    got = trn.compile(attention(heads, kv_heads, m, d, dtype, causal), machine=machine, effort=4,
                      drop_maxima=True).run(q, k, v)
    keys, values = (np.repeat(of, heads // kv_heads, 0).astype(np.float64) for of in (k, v))
    scores = np.einsum("hmd,htd->hmt", q.astype(np.float64), keys) / np.sqrt(d)
    if causal:
        scores = np.where(np.tril(np.ones((m, m), bool)), scores, -np.inf)
    tops = scores.max(-1, keepdims=True)
    powers = np.exp(scores - tops)
    sums = powers.sum(-1, keepdims=True)
    return compare(f"{m} x {d} {dtype}, {size} {shift} on {machine}", got, powers / sums @ values,
                   (np.log(sums) + tops)[..., 0], 5e-3 if dtype == "bf16" else 1e-4)


for machine in ("trn1", "trn2"):
    assert try_attention(machine, 256, 64) == 1
    assert try_attention(machine, 300, 32, size=2, causal=False) == 1
    assert try_attention(machine, 200, 128, size=3) == 1
    assert try_attention(machine, 130, 64, dtype="f32") == 1
    # Deviations that are too large, and maxima whose exponentials are no normal numbers.
    assert 0.1 < try_attention(machine, 256, 64, size=6) < 0.9
    assert try_attention(machine, 256, 64, shift=-40) == 1
    assert try_attention(machine, 128, 64, shift=-55) == 0
    assert try_attention(machine, 128, 64, shift=-120) == 0
    assert try_attention(machine, 128, 64, shift=78) == 0

ROWS = """
#all = affine_map<(r, c) -> (r, c)>
func.func @main(%x: tensor<ROWSxCOLUMNSxf32>) -> tensor<ROWSxCOLUMNSxf32> {
  %empty = tensor.empty() : tensor<ROWSxCOLUMNSxf32>
  %y = linalg.softmax dimension(1) ins(%x : tensor<ROWSxCOLUMNSxf32>) outs(%empty : tensor<ROWSxCOLUMNSxf32>) -> tensor<ROWSxCOLUMNSxf32>
  return %y : tensor<ROWSxCOLUMNSxf32>
}
"""
for rows, columns in [(128, 512), (37, 1000), (1, 300)]:
    x = (random.normal(size=(rows, columns)) * 3).astype(np.float32)
    x[rows // 2] += 75  # out of range
    x[rows // 3] -= 65
    if rows > 4:
        x[rows // 4] = -np.inf  # masked everywhere
    got = trn.compile(ROWS.replace("ROWS", str(rows)).replace("COLUMNS", str(columns)), effort=4, drop_maxima=True).run(x)
    tops = np.maximum(x.max(-1, keepdims=True), -1e30).astype(np.float64)
    powers = np.exp(x - tops)
    sums = np.maximum(powers.sum(-1, keepdims=True), 1e-300)
    compare(f"{rows} rows of {columns}", got, powers / sums, (np.log(sums) + tops)[:, 0], 1e-5)

# Plans by hand: blocks of keys, heads at once.
source = attention(4, 2, 256, 64)
pass_pipeline = ("builtin.module(trn-set-machine{machine=trn2},trn-inline-helpers,func.func(trn-normalize-rows,"
                 "trn-normalize-products,trn-drop-maxima),trn-outline-kernels,trn-plan-kernels{effort=4})")
planned = subprocess.run(["trn-opt", f"--pass-pipeline={pass_pipeline}"], input=source, check=True,
                         capture_output=True, text=True).stdout
begin, end = planned.index("nests = "), planned.index(">", planned.index("nests = "))
q, k, v = (bf16(random.normal(size=(heads, 256, 64))) for heads in (4, 2, 2))
keys, values = (np.repeat(of, 2, 0).astype(np.float64) for of in (k, v))
scores = np.where(np.tril(np.ones((256, 256), bool)), np.einsum("hmd,htd->hmt", q, keys) / 8, -np.inf)
powers = np.exp(scores)
for jam in ("", ", jam = 2", ", jam = 4 staggered 2", ", jam = 4 staggered 3 scheduled"):
    for nests, homes in [("y1t ({m}), o ({m})", "y1t at m, o at m"),
                         ("y1t ({m}, r1 = 128), o ({m}, n = 64, r1 = 128)",
                          "y1t at m slots 2 ahead 1, o at n slots 2 sums at n in psum"),
                         ("y1t ({m}), o ({m}, r1 = 128)", "y1t at m, o at m sums at m in sbuf f32")]:
        for block in (128, 256):
            plan = (f"nests = [w1t (r1 = 256), xt (m = 128), {nests.format(m=f'm = {block}')}], homes = [w1 at r1 slots 2, "
                    f"w1t at kernel, x at m slots 2, xt at kernel, maskt at kernel, w2 at kernel, {homes}]{jam}")
            got = trn.compile(planned[:begin] + plan + planned[end:], machine="trn2").run(q, k, v)
            compare(plan, got, powers / powers.sum(-1, keepdims=True) @ values, np.log(powers.sum(-1)), 5e-3)
