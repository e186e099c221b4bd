"""Models that others trained write on several simulated cores what they write on the host, and know texts as well.

REQUIRES: trn-data
RUN: %python %s %t
"""

import functools
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import trained  # noqa: E402
from trained import LARGE, SMALL, TEXT  # noqa: E402

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
run = functools.partial(trained.run, folder)


# Few plans, so that it does not take long.
def on_cores(count, dtype):
    return ["--simulate", "--effort=1", f"--tp={count}", f"--dtype={dtype}"]


# Three cores share six heads; four share eight, and eight the four heads of their keys.
for model, counts in (SMALL, (2, 4, 8)), (LARGE, (3,)):
    text = ["-n", "12", "--prompt=Once upon a time"]
    score = [f"--text={TEXT}", "--stories=2"]
    tokens, host = run("generate", model, *text)["tokens"], run("perplexity", model, *score)
    for count in counts:
        assert run("generate", model, *text, *on_cores(count, "f32"))["tokens"] == tokens, (model, count)
        # Rounding does not depend on how many there are.
        for dtype, tolerance in (("f32", 1e-5), ("bf16", 5e-3)) if count == counts[0] else ():
            core = run("perplexity", model, *score, *on_cores(count, dtype))
            assert abs(host["nll"] - core["nll"]) / host["tokens"] < tolerance, (model, count, dtype, host, core)
