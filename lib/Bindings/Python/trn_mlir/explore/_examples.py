# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The examples of the page. Modules are what `trn-gen` writes; kernels are files beside this."""

from __future__ import annotations

import functools
import json
import pathlib
from collections.abc import Callable, Iterable
from typing import NamedTuple

from .._library import TrnError
from .._tools import run_tool

_FOLDER = pathlib.Path(__file__).parent / "examples"


class Example(NamedTuple):
    name: str
    language: str
    source: str
    machine: str = "trn1"
    options: str = ""
    inputs: str = ""


def _module(arguments: str, machine: str = "trn1", options: str = "") -> Callable:
    return lambda name: Example(name, "mlir", run_tool("trn-gen", arguments.split()), machine,
                                options)


def _python(inputs: str = "") -> Callable:
    return lambda name: Example(name, "python", (_FOLDER / f"{name}.py").read_text("utf-8"), "trn2",
                                inputs=inputs)


_CHAIN = "xuv --m=512 --k=1024 --r=256 --n=2048"
_MLP = "mlp --m=128 --hidden=512 --intermediate=1024"
_ALL = {
    "chain": ("a chain X U V", _module(_CHAIN)),
    "chain-recompute": ("a chain, computed again for each block",
                        _module(_CHAIN, options="strategy=recompute")),
    "chain-sequential": ("a chain as two products",
                         _module(_CHAIN, options="strategy=sequential")),
    "chain-decode": ("a chain of one row", _module("xuv --m=1 --k=2048 --r=512 --n=2048")),
    "chain-transposed": ("a chain of X transposed", _module(_CHAIN + " --transposed-input")),
    "product": ("a product X W", _module("xw --m=512 --k=512 --n=1024")),
    "product-f32": ("a product in f32", _module("xw --m=256 --k=512 --n=512 --dtype=f32")),
    "swiglu": ("a SwiGLU MLP", _module(_MLP, "trn2")),
    "swiglu-factored": ("a SwiGLU MLP of factors", _module(_MLP + " --rank=128", "trn2")),
    "qkv": ("queries, keys and values",
            _module("qkv --m=256 --hidden=512 --heads=8 --kv-heads=2", "trn2")),
    "rmsnorm": ("RMSNorm", _module("norm --m=512 --hidden=1024", "trn2")),
    "layernorm": ("LayerNorm", _module("norm --m=512 --hidden=1024 --kind=layer", "trn2")),
    "norm-product": ("RMSNorm before a product",
                     _module("norm --m=256 --hidden=512 --n=1024", "trn2")),
    "attention": ("attention", _module("attention --m=256 --heads=2 --head-dim=64", "trn2")),
    "attention-causal": ("causal attention",
                         _module("attention --m=512 --heads=2 --head-dim=64 --causal", "trn2")),
    "attention-decode": (
        "attention of one query",
        _module("attention --m=1 --context=1024 --heads=8 --kv-heads=2 --head-dim=64", "trn2")),
    "layer": ("a decoder layer",
              _module("layer --m=128 --hidden=512 --heads=8 --intermediate=1024", "trn2")),
    "softmax": ("softmax in NKI", _python("x=f32[1024,2048]")),
    "matmul": ("a product in NKI", _python("lhsT=bf16[512,256] rhs=bf16[512,1024]")),
    "rows": ("RMSNorm in NKI", _python("x=f32[512,1024] gain=f32[1,1024]")),
    "python": ("a chain by Python", _python()),
}


NAMES = tuple(_ALL)


@functools.cache
def example(name: str) -> Example:
    if name not in _ALL:
        raise TrnError(f"there is no example {name}; examples are " + ", ".join(NAMES))
    return _ALL[name][1](name)


def as_script(names: Iterable[str] = NAMES, is_static: bool = False) -> str:
    """What the page loads: the names; texts are made when they are asked for."""
    shown = [{"name": name, "title": _ALL[name][0]} for name in names]
    return f"const isStatic = {json.dumps(is_static)};\nconst examples = {json.dumps(shown)};\n"
