"""Exported kernels read ranges of their arguments: weights in one, X and a bias in parts.

RUN: %trn_python %s %t %S/../../Transforms/Spellings
"""

import pathlib
import sys

from Inputs.exports import check, finish

MODULES = {"columns-argument": 1, "columns-argument-torch": 1, "ranges": 2}

for name, kernels in MODULES.items():
    module = pathlib.Path(sys.argv[2], name + ".mlir").read_text()
    for version in "0.6", "beta1":
        text = check(f"{name} {version}", module, version, "effort=1", kernels=kernels)
        if " from (" not in text:
            sys.exit(f"{name}: no argument is said to be read in part")
finish(8)
