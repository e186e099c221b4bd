"""Attention whose plans leave out what masks hide computes what NumPy does, and multiplies no more than it says.

RUN: %trn_python %s
"""

import re
import subprocess
import sys

import numpy as np
import trn_mlir as trn

HEADS, KEYS, COLUMNS = 3, 384, 32
# Of the largest value.
TOLERANCE = 5e-3
NESTS = ["y1", "y2", "y3", "y4", "y5", "y5t", "o"]
GRAPH = """dims = [batch = 3, m = {rows}, k = 32, r1 = {keys}, n = 32, one = 1],
matrices = [x : (batch, m) x k bf16 input, w1 : {keys_of} x k bf16 input,
            c : m x r1 bf16 input band {band} of inf,
            w2 : {keys_of} x n bf16 input, o : (batch, m) x n bf16 result, y1 : (batch, m) x r1 f32,
            y2 : (batch, m) x one f32, y3 : (batch, m) x r1 f32, y4 : (batch, m) x one f32,
            y5 : (batch, m) x r1 bf16,
            {turned[0]}, {turned[1]}, y5t : (batch, r1) x m bf16],
stages = [{turns[0]}, {turns[1]}, y1 = min([xt * w1t over k], c), y2 = max y1 over r1,
          y3 = exp(sub(mul(y1, 0.176776692), mul(y2, 0.176776692))), y4 = sum y3 over r1, y5 = div(y3, y4),
          y5t = transpose y5, o = y5t * w2 over r1]"""


def pipe(*command, text=""):
    done = subprocess.run([str(word) for word in command], input=text, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: exit {done.returncode}\n{done.stderr[-3000:]}")
    return done.stdout


def bf16(value):
    bits = np.ascontiguousarray(value, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


class Attention:
    """Of a few queries, which are the last of the positions of the keys."""

    def __init__(self, rows=KEYS, keys=KEYS, window=None, kv_heads=HEADS):
        self.rows, self.keys = rows, keys
        self.name = f"{rows}-{keys}-{window}-{kv_heads}"
        source = pipe("trn-gen", "attention", f"--m={rows}", f"--context={keys}", f"--heads={HEADS}",
                      f"--kv-heads={kv_heads}", f"--head-dim={COLUMNS}", "--causal",
                      *[f"--window={window}"] * bool(window))
        self.kernel = pipe("trn-opt", "--trn-normalize-rows", "--trn-normalize-products",
                           "--trn-outline-kernels", text=source)
        keys_of = "r1" if kv_heads == 1 else "(batch, r1)"
        band = f"{keys - rows - window + 1 if window else 'none'} to {keys - rows}"
        assert f"#trn.band<{band} of inf>" in self.kernel, self.name
        # What all strips of a batch read is turned in front of them.
        self.order = ["xt", "w1t"] if kv_heads == 1 else ["w1t", "xt"]
        self.graph = GRAPH.format(
            rows=rows, keys=keys, keys_of=keys_of, band=band,
            turns=[f"{name} = transpose {name[:-1]}" for name in self.order],
            turned=[f"{name} : (batch, k) x {'m' if name == 'xt' else 'r1'} bf16" for name in self.order])
        random = np.random.default_rng(rows + keys)
        self.inputs = [bf16(random.standard_normal((heads, size, COLUMNS)))
                       for heads, size in ((HEADS, rows), (kv_heads, keys), (kv_heads, keys))]
        q, k, v = (np.repeat(x, HEADS // x.shape[0], 0) for x in self.inputs)
        before = np.arange(rows)[:, None] + keys - rows - np.arange(keys)
        self.seen = (before >= 0) & (before < (window or keys))
        scores = np.where(self.seen, q @ k.transpose(0, 2, 1) * np.float32(COLUMNS**-0.5), -np.inf)
        powers = np.exp(scores - scores.max(-1, keepdims=True))
        self.want = bf16(bf16(powers / powers.sum(-1, keepdims=True)) @ v)

    def scores(self, block):
        """How many are computed by blocks of rows: in whole tiles, from the first column that one sees to the last."""
        count = 0
        for row in range(0, self.rows, block):
            columns = np.flatnonzero(self.seen[row:row + block].any(0)) // 128
            count += min(block, self.rows - row) * (min(self.keys, 128 * (columns[-1] + 1)) - 128 * columns[0])
        return count

    def write(self, block, nests, homes):
        """One loop over rows is around all but the transposition of keys, unless `nests` and `homes` say otherwise."""
        loops = {name: f"(m = {block})" for name in [*self.order, *NESTS]}
        levels = {name: "m" for name in ["x", "c", *self.order, *NESTS]} | {"w1": "kernel", "w2": "kernel"}
        if self.order[0] == "w1t":
            loops["w1t"], levels["w1t"] = "()", "kernel"
        loops.update(nests)
        levels.update(homes)
        return (f"nests = [{', '.join(f'{name} {loops[name]}' for name in [*self.order, *NESTS])}], "
                f"homes = [{', '.join(f'{name} at {level}' for name, level in levels.items())}]")

    def check(self, block, nests, homes, is_followed=True):
        """Runs such a plan; unless `is_followed` it leaves nothing out."""
        plan = self.write(block, nests, homes)
        schedule = f"trn.schedule = #trn.schedule<{self.graph}, {plan}>"
        text = re.sub(r"attributes \{(.*trn.kernel)", rf"attributes {{\1, {schedule}", self.kernel)
        assert plan in text
        compiled = trn.compile(text, effort=1)
        error = abs(compiled.run(*self.inputs) - self.want).max() / abs(self.want).max()
        assert error <= TOLERANCE, (self.name, plan, error)
        executed = compiled.report["executed_flops"]
        flops = 2 * 2 * HEADS * COLUMNS * self.scores(block if is_followed else self.rows)
        assert executed == flops, (self.name, plan, executed, flops)


AHEAD = {"x": "m slots 3 ahead 2", "xt": "m slots 2 ahead 1", "c": "m slots 2 ahead 1"}
# Of the blocks of rows, what differs from one loop over these, and whether the mask is followed.
PLANS = [
    (128, {}, {}),
    (256, {}, {}),
    # Loops over the columns that are left.
    (128, {"y1": "(m = 128, r1 = 128)", "o": "(m = 128, n = 32, r1 = 128)"},
     {"c": "r1 slots 2", "w2": "r1 slots 2", "o": "m sums at m in sbuf f32"}),
    (256, {"y1": "(m = 256, r1 = 256)", "o": "(m = 256, r1 = 128)"},
     {"c": "r1 slots 2", "w2": "r1 slots 2", "o": "m sums at m in psum"}),
    # Software pipelining.
    (128, {}, AHEAD),
    (256, {}, AHEAD),
    (128, {}, {"x": "m slots 3", "xt": "m slots 3 ahead 2", "c": "m slots 3 ahead 2", "y1": "m slots 2 ahead 1"}),
    # All of a row one iteration after the other, what is added up beside the exponentials, too.
    (128, {"w1t": "()"},
     {"w1t": "kernel", "x": "m slots 2", "xt": "kernel", "c": "m slots 2", "y1": "m slots 4 ahead 4",
      "y2": "m slots 3 ahead 3", "y3": "m slots 2 ahead 2", "y4": "m slots 2 ahead 2", "y5": "m slots 2 ahead 1"}),
    # Scores through HBM: no loop is around both of its sides.
    (128, {}, {"y1": "m for y1, y1 at m for y2 and y3"}, False),
    (256, {}, {"y1": "m for y1, y1 at m for y2 and y3"}, False),
    # A loop in a loop: the outer one leaves columns out.
    (256, {"y1": "(m = 256, m = 128)", "y5": "(m = 256, m = 128)"}, {"c": "m.1 slots 2"}),
    # Engines of nests.
    (128, {"y1": "(m = 128) on scalar", "y5": "(m = 128) on scalar", "y5t": "(m = 128) on vector",
           "o": "(m = 128) on scalar"}, {}),
]


def main():
    others = [Attention(window=100), Attention(rows=280, keys=456), Attention(rows=270, keys=400, window=64),
              Attention(rows=300, keys=500, window=150, kv_heads=1)]
    causal = Attention()
    tried = [(causal, *plan) for plan in PLANS]
    tried += [(others[index % 4], *plan) for index, plan in enumerate(PLANS + PLANS[:1])]
    for attention, *plan in tried:
        attention.check(*plan)
    print(f"{len(tried)} plans compute what NumPy does")


main()
