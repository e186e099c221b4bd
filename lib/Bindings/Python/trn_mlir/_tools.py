# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tools beside the library, for what the C API has no entry for."""

from __future__ import annotations

import functools
import os
import pathlib
import shutil
import subprocess

from ._library import TrnError, find_library


@functools.cache
def find_tool(name: str) -> str:
    """The program of the same build or installation as the library, or of the PATH."""
    library = pathlib.Path(find_library())
    beside = library.resolve().parent.parent / "bin" / name
    found = str(beside) if library.is_absolute() and beside.exists() else shutil.which(name)
    if not found:
        raise TrnError(f"there is no {name} beside {library} and none in the PATH; build the "
                       f"target {name}, or install trn-mlir with its tools")
    return found


def run_tool(name: str, arguments: list[str]) -> str:
    """What a tool prints; what it refuses is an error."""
    done = subprocess.run([find_tool(name), *arguments], capture_output=True, check=False,
                          stdin=subprocess.DEVNULL, encoding="utf-8", errors="replace")
    if done.returncode != 0:
        raise TrnError(done.stderr.rstrip() or f"{name} ended with status {done.returncode}")
    return done.stdout


def flags(options: dict[str, object]) -> list[str]:
    """Options of Python as those of a tool: `kv_heads=4` is `--kv-heads=4`, `causal=True` is
    `--causal`, a list gives its option several times. None and False are left out."""
    made: list[str] = []
    for name, value in options.items():
        dash = "-" if len(name) == 1 else "--"
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None or one is False:
                continue
            text = "" if one is True else "=" + (os.fspath(one) if isinstance(one, os.PathLike)
                                                 else str(one))
            made.append(dash + name.strip("_").replace("_", "-") + text)
    return made
