# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums of products in PSUM. The tensor engine adds to what itself has written: the first product
overwrites, and later ones of the same elements add. Sums of anything else are VectorE's."""

from __future__ import annotations

from typing import NamedTuple

from ._affine import Condition, Index, LoopCounter
from ._errors import NkiError
from ._recorder import Recorder
from ._spans import Span, all_written
from ._tensor import View


class Zeroed(NamedTuple):
    """A part of a tile in PSUM that was set to zero: in which block, and behind how many
    products."""
    view: View
    block: object
    count: int


def _view(dst: View) -> View:
    return View(dst.buffer, dst.partition, dst.offset, dst.dims)


def note_zero(dst: View) -> None:
    """That a `memset` has set it to zero."""
    dst.buffer.zeroed = (*dst.buffer.zeroed,
                         Zeroed(_view(dst), Recorder.current.block, len(dst.products)))
    _forget(dst)


def is_zeroed(dst: View) -> bool:
    """Whether its declaration, or a `memset`, has set it to zero."""
    return dst.buffer.is_zero or any(_is_inside(dst, one.view) for one in dst.buffer.zeroed)


def note_product(dst: View, overwrites: bool = False) -> None:
    """That a product has been written to `dst` since the tile was declared."""
    if overwrites:
        _forget(dst)
    dst.products.append(Span(_view(dst)))


def _forget(dst: View) -> None:
    """What other instructions wrote is gone."""
    if dst.buffer.mixed:
        dst.buffer.mixed = [one for one in dst.buffer.mixed if not _is_inside(one.view, dst)]


def _is_inside(dst: View, whole: View) -> bool:
    """Whether a view lies in another one that has no gaps, in every iteration."""
    free = whole._merge([dim for dim in whole.dims if not dim.is_partition])
    if free is None or not dst.partition.is_same(whole.partition):
        return False
    low, high = Index.of(dst.offset - whole.offset).range()
    last = sum(dim.stride * (dim.size - 1) for dim in dst.dims if not dim.is_partition)
    return low >= 0 and high + last < free.size


def _since(dst: View) -> tuple[object, list[Span]]:
    """The block in which `dst` was zeroed, by its declaration or by a `memset`, and the products
    into its tile since."""
    for zeroed in reversed(dst.buffer.zeroed):
        if _is_inside(dst, zeroed.view):
            return zeroed.block, dst.products[zeroed.count:]
    return dst.buffer.scope, dst.products


def _loops(scope: object) -> list[LoopCounter]:
    """The loops inside of a block that go round now."""
    loops = []
    block = Recorder.current.block
    while block is not scope and block is not None:
        if hasattr(block, "counter"):
            loops.append(block.counter)
        block = block.parent
    return loops


def is_sum_of_products(dst: View) -> bool:
    """Whether all that was written to elements of `dst` since they were zero are products that
    wrote them together: then one more can be added by the tensor engine."""
    span = Span(dst)
    if any(span.meets(one) for one in dst.buffer.mixed):
        return False
    scope, written = _since(dst)
    return all(one.is_at(span) or _held(one, span) or not span.meets(one) for one in written) and \
        not span.meets_itself(_loops(scope))


def _is_done(written: Span) -> bool:
    """Whether all of an earlier product was written: in a loop that goes round it was in this
    iteration, if it moves with that."""
    loops = Recorder.current.loops
    return not any(counter in loops for index in (written.view.offset, written.view.partition)
                   for counter in index.terms)


def _held(written: Span, dst: Span) -> bool:
    """Whether an earlier product wrote all of `dst`."""
    return _is_done(written) and written.holds(dst)


def accumulates(dst: View) -> Condition | bool:
    """Whether a product adds to `dst`: not where it is the first since the tile was zeroed. In
    loops inside of the block where that was, it is the first iteration of those that `dst` does
    not move with."""
    span = Span(_view(dst))
    scope, written = _since(dst)
    moved = {*dst.offset.terms, *dst.partition.terms}
    summed = [counter for counter in _loops(scope) if counter not in moved]
    before = any(one.is_at(span) for one in written) or \
        all_written([one for one in written if _is_done(one)], span)
    if not before and any(one.meets(span) for one in written) or \
            span.meets_itself(_loops(scope)):
        raise NkiError("nki_r2", "a product is written to elements of which some have a sum, and "
                       "others none; give it `accumulate=`, or write each part by itself")
    dst.products.append(span)
    if before:
        return True
    if not summed:
        return False
    first = Index(0)
    for counter in summed:
        first = Index.of(first + Index(-counter.first, {counter: 1}))
    return Condition([(first, "ne")])
