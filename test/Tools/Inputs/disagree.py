"""Compares values with others that are about 1 % away: a little less, then more."""

import pathlib
import runpy
import sys

import numpy as np

check_agreement = runpy.run_path(sys.argv[1])["check_agreement"]
folder = pathlib.Path(sys.argv[2])
np.save(folder / "sequential.npy", np.ones((4, 8), np.float32))
for error in (0.00999, 0.01001):
    np.save(folder / "recompute.npy", np.full((4, 8), 1 + error, np.float32))
    check_agreement(folder, "recompute", "bf16")
    print("bf16: fine", flush=True)
