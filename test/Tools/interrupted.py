"""A result is whole or absent when the tool is interrupted.

RUN: rm -rf %t && mkdir %t && cd %t
RUN: trn-gen xw --m=4096 --k=1 --n=4096 -o module.mlir
RUN: %python %s
"""

import os
import signal
import subprocess
import time

import numpy as np

# Signals are for the process of the tool.
os.environ.pop("TRN_SERVED", None)
COMMAND = ["trn-run", "module.mlir", "--compile", "--out=@o.npy"]


def others():
    return [name for name in os.listdir() if name != "module.mlir"]


for interruption in signal.SIGINT, signal.SIGTERM, signal.SIGHUP:
    process = subprocess.Popen(COMMAND, stdout=subprocess.DEVNULL)
    while not others() and process.poll() is None:
        time.sleep(0.001)
    process.send_signal(interruption)
    process.wait()
    # It may have been done already.
    if "o.npy" in others():
        assert np.load("o.npy").shape == (4096, 4096)
        os.remove("o.npy")
    else:
        assert process.returncode != 0
    assert not others(), others()
