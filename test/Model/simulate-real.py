"""Models that others trained write on the simulated core what they write on the host, and know texts as well.

REQUIRES: trn-data
RUN: %python %s %t
"""

import functools
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import trained  # noqa: E402
from trained import DATA, LARGE, SMALL, TEXT  # noqa: E402

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
run = functools.partial(trained.run, folder)
# Few plans, so that it does not take long.
CORE = ["--simulate", "--effort=1"]


def expect_same_text(model, count, *options):
    host = run("generate", model, "-n", str(count), *options)
    core = run("generate", model, "-n", str(count), *options, *CORE, "--dtype=f32")
    assert host["tokens"] == core["tokens"], (host["tokens"], core["tokens"])


def expect_same_perplexity(model):
    options = [f"--text={TEXT}", "--stories=4"]
    host = run("perplexity", model, *options)
    for dtype, tolerance in ("f32", 1e-5), ("bf16", 5e-3):
        core = run("perplexity", model, *options, *CORE, f"--dtype={dtype}")
        assert host["tokens"] == core["tokens"], (host, core)
        # A perplexity is off by as much as the mean of the logarithms.
        assert abs(host["nll"] - core["nll"]) / host["tokens"] < tolerance, (host["perplexity"], core["perplexity"])


for model, rank in (SMALL, 32), (LARGE, 128):
    factored = folder / f"factored-{rank}"
    subprocess.run(["trn-compress", model, "-o", factored, f"--rank={rank}", "--rows=", "--recover=none", "--force",
                    f"--calib={DATA / 'text/tinystories-train-calib.txt'}", "--calib-seqs=32"],
                   check=True, capture_output=True)
    for kind in model, factored:
        expect_same_text(kind, 12, "--prompt=Once upon a time")
        expect_same_perplexity(kind)
