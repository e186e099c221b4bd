# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compile, run and time programs for AWS Trainium, on any Linux machine.

>>> import numpy as np, trn_mlir as trn
>>> k = trn.compile(trn.chain(m=128, k=256, r=128, n=512), strategy="strip-cache")
>>> x, u, v = (np.full(shape, 0.5, np.float32) for shape in [(128, 256), (256, 128), (128, 512)])
>>> k.run(x, u, v)[0, :3]
array([4096., 4096., 4096.], dtype=float32)
>>> f"modelled: {k.time():.2f} ms"
'modelled: 0.02 ms'

Values are computed for real, instruction by instruction; times are modelled. docs/Python.md
says more.
"""

from ._arrays import ArrayType, bf16, f16, f32
from ._library import TrnError, library
from ._fx import from_fx
from ._make import Compression, compress, generate
from ._module import Function, Module, chain, compile, product
from ._runs import Run, compare, machine, run, sweep
from . import nki
from .nki import evaluate, rank

__version__ = str(library.trnGetVersion())
__all__ = ["ArrayType", "Compression", "Function", "Module", "Run", "TrnError", "bf16", "chain",
           "compare", "compile", "compress", "evaluate", "f16", "f32", "from_fx", "generate",
           "machine", "nki", "product", "rank", "run", "sweep"]
