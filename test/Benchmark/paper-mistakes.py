"""Equations 10 and 11 see plans that move other bytes or have second buffers.

RUN: %python %s %S
UNSUPPORTED: trn-sanitizers
"""

import pathlib
import sys

here = pathlib.Path(sys.argv[1])
sys.path[:0] = [str(here / "Inputs"), str(here.parent / "Calibration/Inputs")]
import paper_formulas  # noqa: E402
import paper_runs  # noqa: E402


def mistakes(change=lambda schedule: schedule):
    return [mistake.split(" at ")[0] for mistake in
            paper_formulas.find_mistakes(512, paper_runs.as_paper(512, change))]


assert mistakes() == []
# V is read once more for each half of a strip; X for each block of U.
assert mistakes(lambda text: text.replace("o (m = 512, n", "o (m = 512, m = 256, n")) == ["Eq. 10"]
assert mistakes(lambda text: text.replace("x at k", "x at r")) == ["Eq. 10"]
assert mistakes(lambda text: text.replace("v at r", "v at r slots 2")) == ["Eq. 11"]
