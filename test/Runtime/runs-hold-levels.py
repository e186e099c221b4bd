"""A run with values refuses every kernel that trn-verify-level refuses, for the same reason.

RUN: %python %s %trn_src %t
"""

import pathlib
import re
import subprocess
import sys

root, folder = (pathlib.Path(path) for path in sys.argv[1:])
folder.mkdir(exist_ok=True)
problems, refused = [], 0
for name in ("verify-level-invalid.mlir", "verify-level-placed-invalid.mlir"):
    text = (root / "test/Dialect/Trn/Transforms" / name).read_text(encoding="utf-8")
    for case in text.split("// -----"):
        error = re.search(r"expected-error[^{]*\{\{(.*)\}\}", case)
        function = re.search(r"@(\w+)__\w+", case)
        if not error:
            continue
        function = function[0]
        module = folder / f"{function[1:]}.mlir"
        module.write_text(case, encoding="utf-8")
        run = subprocess.run(["trn-run", module, f"--entry={function}"],
                             capture_output=True, text=True)
        refused += 1
        # What cannot be bound to data is refused before anything else.
        reasons = (error[1], "but only static shapes are run")
        if run.returncode != 1 or not any(reason in run.stderr for reason in reasons):
            problems.append(f"{function}: exit status {run.returncode}, not '{error[1]}' but\n{run.stderr}")
if refused < 25:
    problems.append(f"only {refused} kernels were tried")
sys.exit("\n".join(problems) or 0)
