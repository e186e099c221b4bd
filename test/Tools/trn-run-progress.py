r"""On a terminal a run says how far it is, and leaves nothing of that behind; in a pipe it is quiet.

RUN: trn-gen xw --m=512 --k=1024 --n=1024 > product.mlir
RUN: %python %s
"""

import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parents[1] / "Inputs"))
import terminal  # noqa: E402

COMMAND = ["trn-run", "product.mlir", "--compile", "--threads=1"]


def on_terminal(command):
    return terminal.run(command, stdout=subprocess.DEVNULL)[0]


text = on_terminal(COMMAND)
assert "[>" in text and " 0/" in text.replace("]", "] "), text
assert text.endswith("\r\x1b[K"), text
assert not on_terminal(COMMAND + ["--timing-only"])
assert not subprocess.run(COMMAND, check=True, capture_output=True).stderr
