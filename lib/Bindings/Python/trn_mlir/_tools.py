# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The tools beside the library, for what the C API has no entry for."""

from __future__ import annotations

import functools
import pathlib
import shutil
import subprocess
import sysconfig
import warnings
from collections.abc import Mapping

from ._library import TrnError, find_library


@functools.cache
def find_tool(name: str) -> str:
    """The program of the same build or installation as the library, of the environment that pip
    installed into, or of the PATH."""
    library = pathlib.Path(find_library())
    folders = [library.resolve().parent.parent / "bin"] if library.is_absolute() else []
    if library.parent == pathlib.Path(__file__).parent:
        folders.append(pathlib.Path(sysconfig.get_path("scripts")))
    found = next((str(one / name) for one in folders if (one / name).exists()), shutil.which(name))
    if not found:
        raise TrnError(f"there is no {name} beside {library} and none in the PATH; build the "
                       f"target {name}, or install trn-mlir with its tools")
    return found


def run_tool(name: str, arguments: list[str], given: str | bytes = b"") -> str:
    """What a tool prints that is `given` a text. What it refuses is an error, what it says beside a
    success are warnings, as for calls of the library."""
    data = given.encode() if isinstance(given, str) else given
    done = subprocess.run([find_tool(name), *arguments], input=data, capture_output=True,
                          check=False)
    said = done.stderr.decode("utf-8", "replace").rstrip()
    if done.returncode != 0:
        raise TrnError(said or f"{name} ended with status {done.returncode}")
    if said:
        warnings.warn(said, stacklevel=4)
    return done.stdout.decode("utf-8", "replace")


def flags(options: Mapping[str, object]) -> list[str]:
    """Options of Python as those of a tool: `kv_heads=4` is `--kv-heads=4`, `causal=True` is
    `--causal`, and a list gives its option several times. None and False are left out."""
    made: list[str] = []
    for name, value in options.items():
        dash = "-" if len(name) == 1 else "--"
        for one in value if isinstance(value, (list, tuple)) else [value]:
            if one is None or one is False:
                continue
            made.append(dash + name.replace("_", "-") + ("" if one is True else f"={one}"))
    return made
