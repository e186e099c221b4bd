"""strategy=nki-xw has the loops of the replays, which are written by hand from the vendor's description: the same
bytes and products, and within 2 % the same time. Values are right, too.

RUN: %python %s
"""

import math
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parent / "Inputs"))

import replays  # noqa: E402
from timing import execute, report  # noqa: E402
from trn_writer import module, spell  # noqa: E402

MACHINE, SIZES = "trn1", [(1024, 8192, 16384), (2048, 4096, 8192)]


def generate(m, k, n, dtype="bf16"):
    return execute(["trn-gen", "xw", f"--m={m}", f"--k={k}", f"--n={n}", f"--dtype={dtype}"])


for m, k, n in SIZES:
    ours = report(generate(m, k, n), "--compile=strategy=nki-xw", f"--machine={MACHINE}")
    # The replay of X * W hands its result on transposed, by a third kernel.
    theirs = report(module(spell(MACHINE), *replays.plain(m, k, n)[:2]))
    for key in "hbm_bytes", "executed_flops", "transpose_flops":
        assert ours[key] == theirs[key], (key, ours[key], theirs[key])
    assert math.isclose(ours["latency_ms"], theirs["latency_ms"], rel_tol=0.02), \
        (m, k, n, ours["latency_ms"], theirs["latency_ms"])

for m, k, n in [(1, 256, 1100), (130, 200, 70), (300, 2100, 1030)]:
    execute(["trn-run", "-", "--compile=strategy=nki-xw", "--verify"], generate(m, k, n, "f32"))
