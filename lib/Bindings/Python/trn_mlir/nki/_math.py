# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of `nki.language` that are composed of other instructions, and questions that take none:
values are those that are documented, the time is that of the composition."""

from __future__ import annotations

import math
import types

import numpy as np

from . import _ops
from ._call import Call, handles
from ._errors import NkiError
from ._isa import axes_of, reduce_into, reduced
from ._masks import reduced_part
from ._types import element_of
from ._values import Tensor, elementwise, tile_of, typed_tile

# `x - rest(x)`: the remainder by one, of the sign of the divisor or of x.
_ROUNDINGS = {"floor": ("mod", 1.0), "ceil": ("mod", -1.0), "trunc": ("fmod", 1.0)}


@handles("language", *_ROUNDINGS)
def _rounded(call: Call) -> object:
    x = call.tile("x")
    rest, divisor = _ROUNDINGS[call.name.split(".")[-1]]
    return call.map([x], x.element, lambda dst, src: _ops.scalar_tensor_tensor(
        dst, src, (rest, divisor, False), ("sub", src, True)))


@handles("language", "cos")
def _cos(call: Call) -> object:
    x = call.tile("x")
    return call.map([x], x.element, lambda dst, src: _ops.activation(
        dst, "sin", src, bias=math.pi / 2))


@handles("language", "all")
def _all(call: Call) -> object:
    """The least of what is no zero, as 1 or 0."""
    x = call.tile("x")
    axes = axes_of(call.axis, x.ndim)
    result = typed_tile(reduced(x.shape, axes, False), call.dtype or bool)
    return reduce_into(call, result, "min", elementwise("ne", x, 0.0, dtype=np.float32), axes,
                       False)


@handles("language", "logical_not")
def _logical_not(call: Call) -> object:
    x = call.tile("x")
    return elementwise("eq", x, 0.0, dtype=x.dtype if call.dtype in (None, bool) else call.dtype,
                       mask=call.mask)


def mean_of(call: Call, x: Tensor, axes: list[int], keeps: bool, dtype: object) -> Tensor:
    """Over what a masked load wrote."""
    part = reduced_part(call.mask, x)
    if part is not None and part.shape[1:] != x.shape[1:]:
        raise NkiError("nki_r2", "%s with a mask that leaves some of what it folds is not "
                       "computed here; give it a slice" % call.name)
    sums = tile_of(reduced(x.shape, axes, keeps), "f32")
    sums = reduce_into(call, sums, "add", x, axes, False)
    count = math.prod(x.shape[axis] for axis in axes)
    return elementwise("mul", sums, 1.0 / count, dtype=dtype)


@handles("language", "mean")
def _mean(call: Call) -> object:
    x = call.tile("x")
    return mean_of(call, x, axes_of(call.axis, x.ndim), bool(call.keepdims), call.dtype or x.dtype)


@handles("language", "var")
def _var(call: Call) -> object:
    """The mean of the squared distances from the mean."""
    x = call.tile("x")
    axes = axes_of(call.axis, x.ndim)
    distance = elementwise("sub", x, mean_of(call, x, axes, True, np.float32), dtype=np.float32)
    return mean_of(call, elementwise("mul", distance, distance), axes, bool(call.keepdims),
                   call.dtype or x.dtype)


@handles("language", "finfo")
def _finfo(call: Call) -> object:
    element = element_of(call.dtype)
    if element == "bf16":
        most = (2 - 2 ** -7) * 2.0 ** 127
        return types.SimpleNamespace(min=-most, max=most, eps=2.0 ** -7, tiny=2.0 ** -126, bits=16)
    if element not in ("f32", "f16"):
        raise NkiError("nki_r3", "nl.finfo of %s, which is no type of floats" % call.dtype)
    info = np.finfo(np.float32 if element == "f32" else np.float16)
    return types.SimpleNamespace(min=float(info.min), max=float(info.max), eps=float(info.eps),
                                 tiny=float(info.tiny), bits=info.bits)


@handles("language", "is_hbm", "is_sbuf", "is_psum", "is_on_chip")
def _is_memory(call: Call) -> bool:
    memory, wanted = getattr(call.buffer, "memory", None), call.name.split("is_")[-1]
    return memory in ("sbuf", "psum") if wanted == "on_chip" else memory == wanted
