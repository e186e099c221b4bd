# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on a logical core of two physical ones: each runs the Python by itself, with a
`program_id` of its own."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ._errors import NkiError
from ._recorder import Recorder
from ._tensor import Buffer

# Of exchanges that reduce, which have no pipes: they meet no others.
COMPUTE_PIPE = 1 << 20

NO_RESULT = "the kernel returns nothing and writes none of its arguments"


def cores_of(grid: tuple[int, ...], lnc: int | None, version: str, machine: str, pipeline: bool,
             place: tuple[str, int]) -> int:
    """How many cores run a grid. Since 0.6, brackets say it: `kernel[2]`."""
    if lnc is None:
        lnc = 2 if grid == (2,) and version != "beta1" and machine != "trn1" else 1
    if lnc not in (1, 2):
        raise NkiError("nki_r17", "lnc is %r, but a logical core has 1 or 2 cores" % (lnc,), place)
    if lnc == 1:
        return 1
    if machine == "trn1":
        raise NkiError("nki_r17", "trn1 has no logical cores of two; they begin with trn2", place)
    if grid not in ((), (2,)):
        raise NkiError("nki_r17", "two cores run a grid of 2, but the grid is %s" % (grid,), place)
    if pipeline:
        raise NkiError("nki_r17", "iterations overlap (pipeline) on one core only", place)
    return 2


def waits_for_other(cores: object) -> bool:
    """Whether a barrier is one: a core does not wait for itself."""
    recorder = Recorder.current
    named = set(cores if isinstance(cores, (tuple, list, set)) else (cores,))
    if recorder.cores > 1 and named == {0, 1}:
        return True
    if named == {recorder.core}:
        return False
    raise NkiError("nki_r17", "core_barrier of cores %s, but the kernel runs on %s" %
                   (cores, "cores (0, 1)" if recorder.cores > 1 else
                    "one core; read it with lnc=2, or as kernel[2]"))


def check_ranks(name: str, send: object, receive: object) -> None:
    recorder = Recorder.current
    if recorder.cores == 1:
        raise NkiError("nki_r17", "%s needs the other core of a logical one; read the kernel "
                       "with lnc=2, or as kernel[2]" % name)
    other = 1 - recorder.core
    if (int(send), int(receive)) != (other, other):
        raise NkiError("nki_r17", "%s of core %d sends to rank %s and takes from rank %s, but "
                       "the other core is rank %d" % (name, recorder.core, send, receive, other))


def results_of_cores(recorders: Sequence[Recorder], found: Sequence[list[Buffer]],
                     place: tuple[str, int]) -> list[list[Buffer]]:
    """The results of the kernel as each core has them: what the first one returns, or what any of
    them writes. Cores share arguments, and tensors of `shared_hbm` in their order."""
    if len(recorders) == 1:
        return list(found)
    tensors = [[*one.arguments, *one.shared] for one in recorders]
    shapes = [[(one.shape, one.dtype) for one in buffers] for buffers in tensors]
    if shapes[0] != shapes[1]:
        raise NkiError("nki_r17", "the cores declare other tensors of shared_hbm: %s and %s; both "
                       "declare all of them, in one order" %
                       tuple(", ".join(map(_spelled, one.shared)) or "none"
                             for one in recorders), place)
    if not _has_equal_constants(recorders):
        raise NkiError("nki_r17", "the cores have other constants; both declare all of them, in "
                       "one order", place)
    numbers = [buffers.index(one) for buffers, results in zip(tensors, found)
               for one in results if one in buffers]
    if not numbers:
        raise NkiError("nki_r14", NO_RESULT, place)
    return [[buffers[number] for number in dict.fromkeys(numbers)] for buffers in tensors]


def _spelled(buffer: Buffer) -> str:
    return "%s %s[%s]" % (buffer.name or "a tensor", buffer.dtype,
                          ", ".join(map(str, buffer.shape)))


def _has_equal_constants(recorders: Sequence[Recorder]) -> bool:
    first, second = ([(one.dtype, values) for one, values in recorder.constants]
                     for recorder in recorders)
    return len(first) == len(second) and all(
        one[0] == other[0] and np.array_equal(one[1], other[1]) for one, other in
        zip(first, second))
