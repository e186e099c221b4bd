"""The errors of the clock that README.md quotes are those of docs/CostModel.md, which a test of
test/Calibration holds to the simulator. The coverage that docs/CostModel.md quotes is that of docs/NKI.md.

RUN: %python %s %trn_src
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
quoted = [line for line in (root / "README.md").read_text(encoding="utf-8").splitlines()
          if line.startswith(("| kernels |", "| trn1 |", "| trn2 |"))]
page = (root / "docs" / "CostModel.md").read_text(encoding="utf-8")
assert len(quoted) == 3, quoted
problems = [f"not in CostModel.md: {line}" for line in quoted if line not in page.splitlines()]

table = (root / "docs" / "NKI.md").read_text(encoding="utf-8").partition("| corpus | commit |")[2].partition("\n\n")[0]
rows = [[cell.strip() for cell in line.split("|")] for line in table.splitlines()[2:]]
functions, loaded = (sum(int(row[column]) for row in rows) for column in (4, 5))
[coverage] = re.findall(r"(\d+) of (\d+) public kernels are read and timed unchanged, (\d+) %", page)
found = (str(loaded), str(functions), "%.0f" % (100 * loaded / functions))
if coverage != found or f"The {functions} are all" not in page:
    problems.append(f"CostModel.md quotes the coverage {coverage}, but NKI.md has {found}")
sys.exit("\n".join(problems) or 0)
