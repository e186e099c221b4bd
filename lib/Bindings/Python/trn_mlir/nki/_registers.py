# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers of a kernel. One that holds a number is that number, wherever Python asks for it. One
that is loaded holds data: it chooses rows and blocks, as the tile that was loaded does, of which it
is a copy. By data a program here neither loops nor decides. What is computed of a scalar (0.7) is
one, too.
"""

from __future__ import annotations

import operator

from . import _ops
from ._call import Call, handles
from ._errors import NkiError
from ._rows import Register
from ._tensor import View
from ._values import tile_of


def _copied(src: View) -> View:
    """What is loaded: later writes to `src` do not change it."""
    if src.num_elements != 1:
        raise NkiError("nki_r3", "a register holds one number, but it is loaded from %s" %
                       (src.shape,))
    made = tile_of((1, 1), src.element)
    _move(made, src)
    return made


def _move(dst: View, src: View) -> None:
    if dst.is_on_chip and src.is_on_chip:
        _ops.copy(dst, src)
    else:
        _ops.dma_copy(dst, src)


class Scalar(Register):
    """A tile of one int32, and what VectorE computes of it."""

    def _computed(self, function: str, other: object, is_reversed: bool = False) -> Scalar:
        made, value = tile_of((1, 1), self.value.element), getattr(other, "value", other)
        if isinstance(value, View):
            _ops.tensor_tensor(made, function, self.value, value)
        else:
            step = function, float(operator.index(other)), is_reversed
            _ops.tensor_scalar(made, self.value, [step])
        return Scalar(made)

    def __add__(self, other: object) -> Scalar:
        return self._computed("add", other)

    __radd__ = __add__

    def __sub__(self, other: object) -> Scalar:
        return self._computed("sub", other)

    def __rsub__(self, other: object) -> Scalar:
        return self._computed("sub", other, True)

    def __mul__(self, other: object) -> Scalar:
        return self._computed("mul", other)

    __rmul__ = __mul__

    def __neg__(self) -> Scalar:
        return self * -1


def _register(call: Call, name: str) -> Register:
    value = call.arguments[name]
    if not isinstance(value, Register):
        raise NkiError("nki_r3", "`%s` of %s must be a register, but is %r" %
                       (name, call.name, value))
    return value


@handles("isa", "register_alloc")
def _register_alloc(call: Call) -> object:
    value = call.x
    if value is None or isinstance(value, View):
        return Register(None if value is None else _copied(value))
    return Register(operator.index(value))


@handles("isa", "register_load")
def _register_load(call: Call) -> object:
    _register(call, "dst").value = _copied(call.tile("src"))


@handles("isa", "register_move")
def _register_move(call: Call) -> object:
    _register(call, "dst").value = operator.index(call.imm)


@handles("isa", "register_store")
def _register_store(call: Call) -> object:
    dst, src = call.tile("dst"), _register(call, "src")
    if isinstance(src.value, View):
        _move(dst, src.value)
    else:
        _ops.fill(dst, operator.index(src))


@handles("isa", "scalar_load")
def _scalar_load(call: Call) -> object:
    src = call.tile("src")
    if src.dtype != "int32":
        raise NkiError("nki_r6", "nisa.scalar_load of %s; a scalar is int32" % src.dtype)
    return Scalar(_copied(src))


@handles("isa", "scalar_store")
def _scalar_store(call: Call) -> object:
    if isinstance(call.value, Scalar):
        _move(call.tile("dst"), call.value.value)
    else:  # an index of `fori_loop`
        _ops.fill(call.tile("dst"), operator.index(call.value))
