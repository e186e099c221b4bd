# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Read kernels that are written in NKI: values, legality and modelled time, without a device.

A kernel is a function whose calls are the program, so reading it means running it: `load` executes
the file, with everything in it, as `import` would. docs/NKI.md says more.
"""

from ._errors import NkiError
from ._evaluate import evaluate, rank
from ._load import find, find_in_text, load, trace

__all__ = ["NkiError", "evaluate", "find", "find_in_text", "load", "rank", "trace"]
