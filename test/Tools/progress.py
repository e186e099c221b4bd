"""On a terminal a sweep shows how far it is, and takes the line away at the end.

RUN: trn-gen xw --m=128 --k=128 --n=128 -o %t.mlir
RUN: %python %s trn-run %t.mlir --compile=effort=1 --sweep=rows=128,256,384
"""

import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Inputs"))
import terminal  # noqa: E402

text, output = terminal.run(sys.argv[1:], stdout=subprocess.PIPE)
for step in ("0/3", "1/3, ", "2/3, "):
    assert step in text, text
assert text.endswith("\r\x1b[K"), text

quiet = subprocess.run(sys.argv[1:], capture_output=True, check=True)
assert quiet.stderr == b"" and quiet.stdout == output
