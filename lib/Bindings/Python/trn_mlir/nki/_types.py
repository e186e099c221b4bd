# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: NKI's names, NumPy's and MLIR's."""

from __future__ import annotations

import functools

import numpy as np

from ._errors import NkiError


class NarrowFloat:
    """`nl.bfloat16` and its kin, which NumPy does not have. Where ml_dtypes is installed they equal
    those."""
    kind = "V"

    def __init__(self, name: str, itemsize: int) -> None:
        self.name, self.itemsize = name, itemsize
        # As NumPy's of that size: `np.dtype(nl.bfloat16).itemsize`.
        self.dtype = np.dtype("V%d" % itemsize)

    def __eq__(self, other: object) -> bool:
        return getattr(other, "name", getattr(other, "__name__", other)) == self.name

    def __hash__(self) -> int:
        return hash(self.name)

    def __repr__(self) -> str:
        return self.name


bfloat16 = NarrowFloat("bfloat16", 2)
_BY_ELEMENT = {"f32": np.dtype("float32"), "f16": np.dtype("float16"), "bf16": bfloat16,
               "f8E4M3": NarrowFloat("float8_e4m3", 1),
               "f8E4M3FN": NarrowFloat("float8_e4m3fn", 1),
               "i32": np.dtype("int32"), "ui32": np.dtype("uint32"),
               **{name: np.dtype(name) for name in ("bool", "int8", "int16", "uint8", "uint16")}}
_BY_NAME = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "f32": "f32", "f16": "f16",
            "bf16": "bf16", "float": "f32", "tfloat32": "f32", "int32": "i32", "uint32": "ui32",
            "i32": "i32", "ui32": "ui32", "void16": "bf16",
            "float8_e4m3": "f8E4M3", "float8_e4m3fn": "f8E4M3FN", "f8E4M3": "f8E4M3",
            "f8E4M3FN": "f8E4M3FN"}


def dtype_of(element: str) -> object:
    return _BY_ELEMENT[element]


@functools.lru_cache(maxsize=64)
def _name_in_numpy(dtype: np.dtype) -> str:
    """NumPy makes it anew whenever it is asked for."""
    return dtype.name


def name_of(dtype: object) -> str:
    if isinstance(dtype, np.dtype):
        return _name_in_numpy(dtype)
    name = dtype if isinstance(dtype, str) else \
        getattr(dtype, "name", None) or getattr(dtype, "__name__", None) or str(dtype)
    return name.rsplit(".", 1)[-1]


def element_of(dtype: object) -> str:
    """The type of an element as MLIR spells it."""
    name = name_of(dtype)
    if name not in _BY_NAME:
        raise NkiError("nki_r6", "elements of %s, but a kernel is computed in float32, bfloat16, "
                       "float16, float8_e4m3, float8_e4m3fn, int32 and uint32" % name)
    return _BY_NAME[name]


def wider(a: str, b: str) -> str:
    """The type that holds the values of both."""
    return a if a == b else "f32"
