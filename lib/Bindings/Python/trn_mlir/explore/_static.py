# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page with results instead of a server."""

from __future__ import annotations

import json
import pathlib
import shutil
from collections.abc import Sequence

from ._examples import NAMES, as_script, example
from ._runner import Runner

_FOLDER = pathlib.Path(__file__).parent


def write(folder: pathlib.Path, names: Sequence[str] = ()) -> None:
    """Writes a folder with these examples, or all: its index.html needs nothing else."""
    shown = [example(name) for name in names or NAMES]
    (folder / "results").mkdir(parents=True, exist_ok=True)
    for name in ("index.html", "explore.css", "explore.js"):
        shutil.copyfile(_FOLDER / name, folder / name)
    (folder / "examples.js").write_text(
        as_script([one.name for one in shown], is_static=True), "utf-8")
    runner = Runner(is_full=True)
    try:
        for number, one in enumerate(shown):
            answer = runner.answer({**one._asdict(), "function": "", "full": True,
                                    "client": "static", "number": number})
            name = f"results/{one.name}"
            if page := answer.pop("page", None):
                answer["timeline"] = f"{name}.html"
                (folder / answer["timeline"]).write_text(page, "utf-8")
            # A page of a file may load scripts, but no data.
            result = json.dumps({"example": one._asdict(), "answer": answer})
            (folder / f"{name}.js").write_text(f"results[{json.dumps(one.name)}] = {result};\n",
                                               "utf-8")
    finally:
        runner.end()
