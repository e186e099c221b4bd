# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""NumPy arrays as the C API takes and fills them."""

from __future__ import annotations

import ctypes
from typing import NamedTuple

import numpy as np

from ._library import Array, TrnError

# By number in the C API. NumPy has no bfloat16: its values are kept as f32.
NAMES = ("bf16", "f16", "f32", "i1", "i8", "i16", "i32", "i64")
_DTYPES = tuple(np.dtype(name) for name in
                ("uint16", "float16", "float32", "bool", "int8", "int16", "int32", "int64"))
_BF16, _F16, _F32, _I1 = range(4)


class ArrayType(NamedTuple):
    """The type of an input or a result: its element type as MLIR spells it (`i64` for `index`),
    its shape, and whether the function may write it (an input that is a memref)."""
    dtype: str
    shape: tuple[int, ...]
    is_written: bool = False

    @classmethod
    def of(cls, array: Array, is_written: bool = False) -> ArrayType:
        return cls(NAMES[array.type], tuple(array.shape[:array.rank]), is_written)


def bf16(*shape: int) -> ArrayType:
    """The type of a tensor, for `nki.load`: `bf16(128, 512)`."""
    return ArrayType("bf16", shape)


def f16(*shape: int) -> ArrayType:
    """The same of `f16`."""
    return ArrayType("f16", shape)


def f32(*shape: int) -> ArrayType:
    """The same of `f32`."""
    return ArrayType("f32", shape)


def _to_c(values: np.ndarray, number: int) -> Array:
    shape = (ctypes.c_int64 * values.ndim)(*values.shape)
    return Array(number, values.ndim, shape, values.ctypes.data)


def _as_array(value: object, to: ArrayType, index: int) -> np.ndarray:
    if np.ma.is_masked(value):
        raise TrnError(f"input {index} is a masked array, and masks are not computed with; give "
                       "its filled(0), or another value for what is masked")
    try:
        given = np.asarray(value)
    except ValueError as problem:
        raise TrnError(f"input {index} is no array: {problem}") from None
    if given.ndim == 0 and to.shape and given.dtype.kind in "biuf":
        number = float(given) if NAMES.index(to.dtype) <= _F32 else given
        raise TrnError(f"input {index} is the number {given}, but an array is needed: "
                       f"np.full({to.shape}, {number})")
    return given


def _not_writable(to: ArrayType, index: int) -> TrnError:
    return TrnError(f"input {index} is a memref, which the function may write, so it must be an "
                    f"array of {to.dtype} that can be written")


def _wrong_dtype(given: np.ndarray, to: ArrayType, index: int) -> TrnError:
    if to.is_written:
        return _not_writable(to, index)
    advice = ""
    if given.dtype.kind in "biu" and NAMES.index(to.dtype) <= _F32:
        advice = "; for these values, give its astype(np.float32)"
        if to.dtype == "bf16":
            advice += ", for their bits, uint16"
    return TrnError(f"input {index} has dtype {given.dtype}, but {to.dtype} is needed" + advice)


class Input:
    """A value for one input. It must outlive the call that gets `array`."""

    def __init__(self, value: object, to: ArrayType, index: int) -> None:
        number = NAMES.index(to.dtype)
        given = _as_array(value, to, index)
        if given.dtype.name == "bfloat16":  # of the package ml_dtypes
            values, kind = given.view(np.uint16), _BF16
        elif given.dtype == np.uint16 and number == _BF16:
            values, kind = given, _BF16
        elif given.dtype in _DTYPES[1:] and (number > _F32 or given.dtype.kind == "f"):
            values, kind = given, _DTYPES.index(given.dtype)
        elif given.dtype.kind == "f":  # float64, and lists of numbers
            values, kind = given.astype(np.float32), _F32
        elif given.dtype.kind == "u" and given.dtype.itemsize == _DTYPES[number].itemsize \
                and number > _I1:
            # The types of MLIR have no sign.
            values, kind = given.view(_DTYPES[number]), number
        elif number > _F32 and given.dtype.kind == "u" and given.dtype.itemsize < 8:
            values, kind = given.astype(np.int64), NAMES.index("i64")
        else:
            raise _wrong_dtype(given, to, index)
        self._values = np.ascontiguousarray(values).reshape(values.shape)
        self.array = _to_c(self._values, kind)
        self._copy_back = None
        if to.is_written:
            if not (isinstance(value, np.ndarray) and value.flags.writeable
                    and np.may_share_memory(values, value)):
                raise _not_writable(to, index)
            if self._values is not values:
                self._copy_back = values

    def finish(self) -> None:
        """Hands on what the function wrote."""
        if self._copy_back is not None:
            self._copy_back[...] = self._values


class Result:
    """Memory for one result."""

    def __init__(self, of: ArrayType) -> None:
        number = NAMES.index(of.dtype)
        kind = _F32 if number == _BF16 else number
        self.values = np.empty(of.shape, _DTYPES[kind])
        self.array = _to_c(self.values, kind)
