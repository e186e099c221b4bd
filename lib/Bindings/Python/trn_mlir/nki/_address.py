# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Addresses that a kernel gives its tiles: `address=(partition, byte)` of `nl.ndarray`, and what the
allocators of beta 1 say of each block.

A tile of a loop may lie elsewhere in each iteration. Where it goes round a few places in the order
of the iterations it is one buffer with as many slots; where it does not, the loop is unrolled.
"""

from __future__ import annotations

import inspect
import math
import operator
import sys
from collections.abc import Callable
from typing import NamedTuple

from ._affine import Index, LoopCounter, Remainder, Unroll
from ._errors import NkiError

# Of a partition, in a bank of PSUM.
BANK_BYTES = 2048


class Address(NamedTuple):
    """Where the first slot of a buffer lies. In PSUM it is a byte of a bank."""
    slots: int
    bank: int | None
    offset: int

    def __str__(self) -> str:
        return "%s%soffset %d" % ("buffers %d " % self.slots if self.slots > 1 else "",
                                  "" if self.bank is None else "bank %d " % self.bank, self.offset)


def read_address(given: object, memory: str, bytes_each: int,
                 loops: list[LoopCounter]) -> Address:
    """The address of a tile of `bytes_each` in a partition that is declared in `loops`, of which
    the last is the innermost."""
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise NkiError("nki_r15", "an address is (partition, byte), but is %r" % (given,))
    partition, byte = operator.index(given[0]), given[1]
    base, slots = byte, 1
    if isinstance(byte, (Index, Remainder)):
        base, slots = _rotation(byte, _step(memory, bytes_each), loops)
    base = operator.index(base)
    _check_start(partition, base)
    if memory == "psum":
        return Address(slots, *divmod(base, BANK_BYTES))
    return Address(slots, None, base)


def call_allocator(place: Callable, index: tuple[int, ...], partitions: int, size: int) -> object:
    """Where a kernel's function lets a block lie: its arguments have names in NKI, but kernels also
    call them otherwise."""
    named = {"idx": index, "pdim_size": partitions, "fdim_size": size}
    is_named = named.keys() <= inspect.signature(place).parameters.keys()
    return place(**named) if is_named else place(*named.values())


def call_stack() -> tuple:
    """Where Python is: the same in each iteration of a loop."""
    frame, found = sys._getframe(1), []
    while frame is not None:
        found.append((frame.f_code, frame.f_lasti))
        frame = frame.f_back
    return tuple(found)


def read_place(given: object, memory: str) -> Address:
    """The address of a tile by what an allocator of beta 1 gives: (partition, byte), in PSUM (bank,
    partition, byte)."""
    wanted = ("partition", "byte") if memory == "sbuf" else ("bank", "partition", "byte")
    if not isinstance(given, (tuple, list)) or len(given) != len(wanted):
        raise NkiError("nki_r15", "a tile in %s is placed at (%s), but at %r" %
                       (memory.upper(), ", ".join(wanted), given))
    *bank, partition, byte = map(operator.index, given)
    _check_start(partition, min([*bank, byte]))
    return Address(1, bank[0] if bank else None, byte)


def _check_start(partition: int, byte: int) -> None:
    if partition != 0 or byte < 0:
        raise NkiError("nki_r15", "a tile at (%d, %d), but tiles begin at partition 0, and at a "
                       "byte that is not negative" % (partition, byte))


def _step(memory: str, bytes_each: int) -> int:
    """From the beginning of a slot to that of the next one: in PSUM whole banks."""
    return -(-bytes_each // BANK_BYTES) * BANK_BYTES if memory == "psum" else bytes_each


def _rotation(byte: Index | Remainder, step: int, loops: list[LoopCounter]) -> tuple[int, int]:
    """The first byte, and how many places `step` apart are taken one after the other. The n-th
    execution of a declaration takes place n modulo their number."""
    counted = byte.index if isinstance(byte, Remainder) else byte
    start = counted.constant + sum(k * counter.first for counter, k in counted.terms.items())
    moves = [counted.terms.get(counter, 0) * counter.step for counter in reversed(loops)]
    counts = [counter.count for counter in reversed(loops)]
    if isinstance(byte, Remainder):
        base, factor, slots = byte.constant, byte.factor, byte.divisor
        is_round = start % slots == 0
    else:
        depth = max(number + 1 for number, move in enumerate(moves) if move)
        base, factor, slots = start, moves[0], math.prod(counts[:depth])
        is_round = factor != 0 and all(move % factor == 0 for move in moves)
        moves = [move // factor for move in moves] if is_round else moves
    executed = 1
    for move, count in zip(moves, counts):
        is_round = is_round and (move - executed) % slots == 0
        executed *= count
    if not is_round or factor != step:
        raise Unroll(counted.terms, "an address that does not go round with the iterations")
    return base, slots
