"""Kernels of a logical core are written as one function with a branch for each core; what is read
of that computes the same, takes as long, and is written as the same text.

RUN: %trn_python %s %S/../../Bindings/Python/nki/Inputs/cores.py
"""

import subprocess
import sys

import numpy as np
from trn_mlir import nki

FILE = sys.argv[1]
rng = np.random.default_rng(0)
XT = rng.standard_normal((512, 128), np.float32)
W = rng.standard_normal((512, 512), np.float32)
X = rng.standard_normal((128, 64), np.float32)


def translate(module, *flags):
    return subprocess.run(["trn-translate", "--mlir-to-nki", *flags], input=module, text=True,
                          check=True, stdout=subprocess.PIPE).stdout


def below_header(text):
    return text[text.index("@nki.jit"):]


for name, inputs in (("columns_apart", (XT, W)), ("sum_by_sendrecv", (XT, W)),
                     ("sum_by_barrier", (XT, W)), ("relay", (X,))):
    kernel = nki.load(FILE + ":" + name, inputs, lnc=2)
    text = translate(kernel.mlir, "--addresses")
    assert name + "_kernel[2](" in text and text.count("@nki.jit") == 1
    assert "if nl.program_id(0) == 0:" in text and "else:" in text
    again = nki.load(nki.find_in_text(text)[2], inputs)
    assert (again.run(*inputs) == kernel.run(*inputs)).all(), name
    assert again.time() == kernel.time(), (name, again.time(), kernel.time())
    assert below_header(translate(again.mlir, "--addresses")) == below_header(text), name
    if name == "sum_by_sendrecv":
        assert "send_to_rank=1" in text and "send_to_rank=0" in text
    if name == "sum_by_barrier":
        assert text.count("buffer=nl.shared_hbm") == 2 and "core_barrier(data=" in text
