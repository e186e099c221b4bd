# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What one request shows. Runs in a process of its own: nki/_worker.py forks it."""

from __future__ import annotations

import os
import re
import resource
import traceback
import warnings

from .._library import TrnError, call, ref
from .._module import Module

_FILES = {"mlir": "module", "python": "kernel.py"}
_MACHINES = ("trn1", "trn2")
# What would read or write files; the machine is a field of its own.
_REFUSED = re.compile(r"(?:^|\s)(machine|plan-cache)\s*=")
_MESSAGE = re.compile(r"(?P<file>[^\s:][^\n:]*):(?P<line>\d+)(?::(?P<column>\d+))?: "
                      r"(?P<kind>error|warning|note|remark): (?P<text>.*)")
_MOST_LINES = 5000


def show(_common: dict, request: dict) -> dict:
    """The answer to a request: `source` in `language` ("mlir" or "python") for `machine`, with
    `options` of trn-compile and, of a kernel in NKI, its `inputs`. Without `full` few plans are
    tried, and nothing is explained."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    os.environ.pop("TRN_PLAN_CACHE", None)  # nothing is written
    answer = {"passed": True, "messages": [], "levels": {}}
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            answer.update(_show(request))
        except TrnError as problem:
            answer["messages"] += _messages(str(problem), request["language"])
        except (Exception, SystemExit) as problem:  # of the Python that was typed
            answer["messages"].append(_of_python(problem))
    for one in warned:
        answer["messages"] += _messages(str(one.message), request["language"], "warning")
    return answer


def _show(request: dict) -> dict:
    if request["machine"] not in _MACHINES:
        raise TrnError(f"error: there is no machine {request['machine']!r} here; machines are "
                       + " and ".join(_MACHINES))
    if found := _REFUSED.search(request["options"]):
        raise TrnError(f"error: {found[1]} is no option here; the machine has a field of its own, "
                       "and nothing reads or writes files")
    module, made = _compile(request)
    names = list(module)
    name = request["function"] if request["function"] in names else names[0]
    answer = {"functions": names, "function": name, "levels": {**made, **_levels(module, request)},
              "latency_ms": module[name].time()}
    if request["full"]:
        answer.update(report=module[name].report, page=module[name].html(),
                      remarks=[_remark(one, request["language"]) for one in module.remarks])
    return answer


def _compile(request: dict) -> tuple[Module, dict]:
    """The module that a source is, or that its Python makes, and the text that this has made."""
    source, options = request["source"], f"machine={request['machine']} {request['options']}"
    if not request["full"] and not re.search(r"(?:^|\s)effort=", options):
        options += " effort=1"
    texts = {}
    if request["language"] == "python":
        source = _run_python(request)
        if isinstance(source, Module):
            return source, texts
        texts["linalg"] = {"text": _shortened(source), "lines": []}
    return Module(call("trnModuleCompile", ref(source), ref("module"), ref(options))), texts


def _run_python(request: dict) -> Module | str:
    """The kernel of a text, or its variable `module`."""
    from ..nki._load import trace
    from ..nki._kernel import compile_traced
    from ..nki._modules import Kernel, read_text
    space = vars(read_text(request["source"], _FILES["python"]))
    kernels = [value for value in space.values() if isinstance(value, Kernel)]
    made = space.get("module")
    if kernels and not made:
        return compile_traced(trace(kernels[-1], _inputs(request["inputs"]),
                                    machine=request["machine"]))
    if not isinstance(made, (str, Module)):
        raise TrnError("error: the text has neither a function with @nki.jit nor a variable "
                       "`module` that is a text of MLIR or what trn.compile returns")
    return made


def _inputs(text: str) -> dict[str, object]:
    """`x=f32[128, 512] n=4` as inputs of a kernel."""
    from ..nki.__main__ import read_inputs
    return read_inputs(re.split(r"[;\s]+(?=\w+=)", text.strip()) if text.strip() else [])


def _levels(module: Module, request: dict) -> dict:
    """Text and lines of the source, by level."""
    levels = {}
    for level in ("tensor", "virtual", "placed", "nki"):
        try:
            text = module.nki() if level == "nki" else module.mlir_at(level)
            levels[level] = {"text": _shortened(text),
                             "lines": [_line(place, request["language"])
                                       for place in module.places_at(level)[:_MOST_LINES]]}
        except TrnError as problem:  # NKI has no words for it
            levels[level] = {"text": str(problem), "lines": []}
    return levels


def _shortened(text: str) -> str:
    lines = text.splitlines()
    if len(lines) <= _MOST_LINES:
        return text
    return "\n".join(lines[:_MOST_LINES]) + f"\n... {len(lines) - _MOST_LINES:,} more lines"


def _line(place: str, language: str) -> int:
    """The line of the source that `file:line:column` names; 0 if that is elsewhere."""
    file, _, rest = place.partition(":")
    line = rest.partition(":")[0]
    return int(line) if file == _FILES[language] and line.isdigit() else 0


def _remark(text: str, language: str) -> dict:
    place, _, said = text.partition(": ")
    return {"line": _line(place, language), "text": said or text}


def _messages(text: str, language: str, otherwise: str = "error") -> list[dict]:
    """Diagnostics with the lines of the source that they name; what quotes these is left out."""
    found = [{"line": _line(f"{one['file']}:{one['line']}", language),
              "column": int(one["column"] or 0), "kind": one["kind"], "text": one["text"]}
             for one in _MESSAGE.finditer(text)]
    return found or [{"line": 0, "column": 0, "kind": otherwise,
                      "text": text.removeprefix("error: ")}]


def _of_python(problem: BaseException) -> dict:
    lines = [frame.lineno for frame in traceback.extract_tb(problem.__traceback__)
             if frame.filename == _FILES["python"]]
    return {"line": lines[-1] if lines else 0, "column": 0, "kind": "error",
            "text": f"{type(problem).__name__}: {problem}"}
