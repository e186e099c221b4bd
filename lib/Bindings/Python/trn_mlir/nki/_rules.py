# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From the text of a diagnostic to the label of the rule that it tells, as docs/Rules.md has it."""

from __future__ import annotations

import re

from .._library import TrnError
from ._errors import NkiError

_DIAGNOSTIC = re.compile(r"^(?P<file>[^\n]*?):(?P<line>\d+):\d+: error: (?P<message>[^\n]*)", re.M)
_OP = re.compile(r"'trn\.(\w+)' op ")

# What a message says; `{op}` is the op that it is told of.
PHRASES = (
    ("memory_c1", "reads element"),
    ("memory_c1", "reads what nobody wrote"),
    ("placed_c5", "psum buffers that are live together"),
    ("placed_c3", "sbuf buffers that are live together"),
    ("{op}_c2", "partitions, but at most"),
    ("matmul_c1", "same number of partitions"),
    ("matmul_c3", "free size of stationary"),
    ("matmul_c4", "free size of moving"),
    ("matmul_c5", "as large as the product"),
    ("matmul_c6", "f32 is multiplied by"),
    ("{op}_c1", "must have the same shape"),
    ("tile_c2", "2-D tile in sbuf"),
    ("tile_c3", "tile in psum of f32"),
    ("tile_c1", "tile in sbuf or psum"),
    ("transfer_c1", "memref in hbm or sbuf"),
    ("{op}_c5", "cannot run on the"),
    ("view_c1", "stays inside of its source"),
)


def explain(problem: TrnError) -> tuple[str, str, int, str]:
    """Rule, file, line and message of an error."""
    if isinstance(problem, NkiError):
        return problem.rule, problem.file, problem.line, problem.message
    text = str(problem)
    found = _DIAGNOSTIC.search(text)
    message = found["message"] if found else text.splitlines()[0] if text else ""
    op = _OP.search(text)
    rule = next((label.format(op=op[1] if op else "op") for label, phrase in PHRASES
                 if phrase in text), "")
    return rule, found["file"] if found else "", int(found["line"]) if found else 0, message
