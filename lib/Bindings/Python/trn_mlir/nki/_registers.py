# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Registers of a kernel. One that holds a number is that number, wherever Python asks for it. One
that is loaded holds data: it chooses rows and blocks, as the tile that was loaded does, of which it
is a copy. By data a program here neither loops nor decides.
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
