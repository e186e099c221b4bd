"""Attention with keys on the partitions computes what NumPy does that rounds where the source does.

Groups of heads, masks and windows behind a cache, odd sizes, large scores, results that are stored the other way
round; and plans that are changed by hand.

RUN: %trn_python %s
"""

import subprocess
import sys

import numpy as np
import trn_mlir as trn

random = np.random.default_rng(5)
TOLERANCE = 5e-3  # of the largest value


def pipe(*command, text=""):
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr[-3000:]}")
    return done.stdout


def bf16(values):
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)).view(np.float32)


class Attention:
    def __init__(self, heads, kv_heads, m, context, d, causal=True, window=None, size=1.0):
        self.shape = f"{heads}/{kv_heads} heads {m} of {context} x {d}"
        self.source = pipe("trn-gen", "attention", f"--heads={heads}", f"--kv-heads={kv_heads}", f"--m={m}",
                           f"--context={context}", f"--head-dim={d}", *["--causal"] * causal,
                           *[f"--window={window}"] * bool(window))
        self.q, self.k, self.v = (bf16(random.normal(size=shape) * scale) for shape, scale in
                                  [((heads, m, d), size), ((kv_heads, context, d), size), ((kv_heads, context, d), 1)])
        self.wanted = self.compute(causal, window)

    def compute(self, causal, window):
        group = len(self.q) // len(self.k)
        k, v = (np.repeat(of, group, 0).astype(np.float64) for of in (self.k, self.v))
        scores = np.einsum("hmd,htd->hmt", self.q, k) / np.sqrt(k.shape[-1])
        row = np.arange(self.q.shape[1])[:, None] + k.shape[1] - self.q.shape[1]
        column = np.arange(k.shape[1])
        seen = (column <= row) if causal else np.ones(scores.shape[1:], bool)
        if window:
            seen &= column > row - window
        scores = np.where(seen, scores, -np.inf)
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        return np.einsum("hmt,htd->hmd", bf16(powers / powers.sum(-1, keepdims=True)), v)

    def run(self, machine, text):
        got = trn.compile(text, machine=machine, effort=4).run(self.q, self.k, self.v).astype(np.float64)
        error = np.abs(got - self.wanted).max() / np.abs(self.wanted).max()
        if not error < TOLERANCE:
            sys.exit(f"{self.shape} on {machine}: {error} of the largest value")

    def outline(self, machine, source):
        return pipe("trn-opt", f"--trn-set-machine=machine={machine}", "--trn-inline-helpers", "--trn-normalize-rows",
                    "--trn-normalize-products", "--trn-outline-kernels", "--trn-plan-kernels=effort=4",
                    text=source)


for machine, arguments in [
    ("trn1", dict(heads=4, kv_heads=2, m=256, context=256, d=64)),
    ("trn2", dict(heads=2, kv_heads=2, m=300, context=300, d=32, causal=False, size=2)),
    ("trn1", dict(heads=2, kv_heads=1, m=384, context=900, d=128, size=3)),
    ("trn2", dict(heads=2, kv_heads=2, m=600, context=600, d=80, window=200)),
    ("trn1", dict(heads=3, kv_heads=3, m=129, context=257, d=48, window=130)),
    ("trn2", dict(heads=3, kv_heads=1, m=300, context=500, d=32, window=150)),
    # Of a few queries, either way may be faster.
    ("trn1", dict(heads=4, kv_heads=2, m=3, context=200, d=64)),
    ("trn2", dict(heads=8, kv_heads=2, m=16, context=300, d=64, window=200)),
    ("trn2", dict(heads=8, kv_heads=2, m=1, context=300, d=64, causal=False)),
]:
    attention = Attention(**arguments)
    attention.run(machine, attention.source)

attention = Attention(heads=4, kv_heads=2, m=512, context=512, d=64)
kernel = attention.outline("trn2", attention.source)
assert "minus : one x" in kernel and "mask : m x" in kernel, kernel
begin = kernel.index("nests = ")
end = kernel.index(">", begin)
for nests, homes, jam in [
    ("y2 ({m}), y2t ({m}), y3t ({m}), o ({m})", "y2 at m, y2t at m, y3t at m, o at m", ""),
    # All that strips are computed to is ahead, in pieces.
    ("y2 ({m}, m = 128), y2t ({m}), y3t ({m}, r1 = 128), o ({m}, n = 64, r1 = 128)",
     "y2 at m slots 2 ahead 3, y2t at m slots 2 ahead 2, y3t at m slots 2 ahead 1, o at n slots 2 sums at n in psum", ""),
    # Maxima and sums are made block by block in SBUF, and two heads at once.
    ("y2 ({m}, r1 = 128), y2t ({m}), y3t ({m}, r1 = 256), o ({m}, r1 = 256)",
     "y2 at m sums at m in sbuf bf16, y2t at m, y3t at m, o at m sums at m in sbuf f32", ", jam = 2"),
    # The heads of both groups behind each other, each with the keys of its group.
    ("y2 ({m}), y2t ({m}), y3t ({m}), o ({m})", "y2 at m, y2t at m, y3t at m, o at m", ", jam = 4 staggered 2"),
    ("y2 ({m}), y2t ({m}), y3t ({m}), o ({m})", "y2 at m, y2t at m, y3t at m, o at m",
     ", jam = 4 staggered 3 scheduled"),
]:
    for block in (128, 256, 384):
        plan = (f"nests = [w1t (r1 = 256), xt (m = 128), {nests.format(m=f'm = {block}')}], homes = [w1 at r1 slots 2, "
                "w1t at kernel, x at m slots 2, xt at kernel, mask at kernel, minus at kernel, maskt at kernel, "
                f"w2 at kernel, {homes}]{jam}")
        attention.run("trn2", kernel[:begin] + plan + kernel[end:])



# Neighbouring rows of Q and of results, and keys that are interleaved in front of a column of ones, whatever their
# number; or rows apart.
for size, causal in [(500, True), (333, True), (300, False), (257, False)]:
    ragged = Attention(heads=4, kv_heads=4, m=size, context=size, d=64, causal=causal)
    kernel = ragged.outline("trn2", ragged.source)
    assert "minus : one x" in kernel, kernel
    begin = kernel.index("nests = ")
    end = kernel.index(">", begin)
    for block in (256, 512):
        for apart, jam in [("", ""), (" apart", ", jam = 2 staggered 2 scheduled")]:
            for interleaved in ["", ", interleaved = [r1]"][:1 if causal else 2]:
                m = f"m = {min(block, size)}"
                masks = ", mask at kernel, maskt at kernel" * causal
                plan = (f"nests = [w1t (r1 = 256), xt ({m}), y2 ({m}), y2t ({m}), y3t ({m}), o ({m}, n = 64)], homes = ["
                        f"w1 at kernel, w1t at kernel, x at m slots 2{apart}, xt at kernel, minus at kernel{masks}, "
                        f"w2 at kernel, y2 at m, y2t at m, y3t at m, o at n slots 2{apart}]{interleaved}{jam}")
                ragged.run("trn2", kernel[:begin] + plan + kernel[end:])


def moved(source, permutation, shape):
    """`source`, which returns its result with permuted dimensions, of `shape`."""
    rows, other = "tensor<4x512x64xbf16>", f"tensor<{shape}xbf16>"
    head, tail = source.rsplit("return", 1)
    result = tail.split(":")[0].strip()
    return (head.replace(f"-> {rows} {{", f"-> {other} {{", 1) + f"%moved_empty = tensor.empty() : {other}\n"
            + f"    %moved = linalg.transpose ins({result} : {rows}) outs(%moved_empty : {other}) "
            + f"permutation = {permutation}\n    return %moved : {other}\n  }}\n}}\n")


# The heads of a row beside each other: all that are computed at once are stored at once.
wanted, attention.wanted = attention.wanted, attention.wanted.transpose(1, 0, 2)
natural = attention.outline("trn2", moved(attention.source, [1, 0, 2], "512x4x64"))
assert "o : m x (batch, batch2, n) bf16 result" in natural
begin = natural.index("nests = ")
end = natural.index(">", begin)
for jam in ("", "jam = 2", "jam = 2 staggered 2 scheduled", "jam = 4 staggered 2", "jam = 4 staggered 3 scheduled"):
    for nests, o in [("o ({m}, n = 64)", "o at n slots 2"), ("o ({m}, r1 = 256)", "o at m sums at m in sbuf f32"),
                     ("o ({m}, n = 64, r1 = 128)", "o at n slots 2 sums at n in psum")]:
        for m in ("m = 128", "m = 384"):
            plan = (f"nests = [w1t (r1 = 256), xt (m = 128), y2 ({m}), y2t ({m}), y3t ({m}), {nests.format(m=m)}], "
                    "homes = [w1 at r1 slots 2, w1t at kernel, x at m slots 2, xt at kernel, mask at kernel, minus at kernel, "
                    f"maskt at kernel, w2 at kernel, y2 at m, y2t at m, y3t at m, {o}]{', ' * bool(jam)}{jam}")
            text = natural[:begin] + plan + natural[end:]
            attention.run("trn2", text)
            if jam and o == "o at n slots 2":
                placed = pipe("trn-opt", "--trn-compile=machine=trn2", text=text)
                stores = [line for line in placed.splitlines() if "dma_copy" in line and 'stage = "o"' in line
                          and "mem<sbuf>> to" in line]
                assert stores and all("x128xbf16" in line for line in stores), stores
attention.wanted = wanted

# A result whose columns are queries, as the next kernel may want it: sums of the exponentials are rows there.
turned = moved(attention.source, [0, 2, 1], "4x64x512")
assert "o : (batch, batch2, n) x m bf16 result" in attention.outline("trn1", turned)
attention.wanted = attention.wanted.transpose(0, 2, 1)
attention.run("trn1", turned)
