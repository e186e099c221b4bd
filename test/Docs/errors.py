"""The errors of the clock that README.md quotes are those of docs/CostModel.md, which a test of
test/Calibration holds to the simulator.

RUN: %python %s %trn_src
"""

import pathlib
import sys

root = pathlib.Path(sys.argv[1])
quoted = [line for line in (root / "README.md").read_text(encoding="utf-8").splitlines()
          if line.startswith(("| kernels |", "| trn1 |", "| trn2 |"))]
measured = (root / "docs" / "CostModel.md").read_text(encoding="utf-8").splitlines()
assert len(quoted) == 3, quoted
sys.exit("\n".join(f"not in CostModel.md: {line}" for line in quoted if line not in measured) or 0)
