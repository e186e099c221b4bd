# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`nisa.local_gather`: the 16 partitions of a core of GpSimd share the indices that they hold.

Here each partition gets all of them, by way of HBM, and gathers by itself. The values are the
documented ones; the time is that of the composition.
"""

from __future__ import annotations

from . import _ops
from ._affine import Index
from ._call import Call, handles
from ._errors import NkiError
from ._recorder import Recorder
from ._tensor import Dim, View
from ._values import Tensor, tile_of

_CORE = 16  # partitions


@handles("isa", "local_gather")
def _local_gather(call: Call) -> object:
    data, index = call.tile("src_buffer"), _ops.aligned(call.tile("index"))[0]
    rows, columns, each = index.shape[0], index.shape[-1], int(call.num_elem_per_idx)
    if not index.buffer.integer and index.element not in ("i32", "ui32"):
        raise NkiError("nki_r3", "local_gather by indices of %s, which are uint16" % index.dtype)
    if rows % _CORE or _ops.tile(data).shape[0] != rows or index.ndim != 2:
        raise NkiError("nki_r3", "local_gather of %s by indices of %s; both have as many "
                       "partitions, a multiple of %d" % (data.shape, index.shape, _CORE))
    most = columns * _CORE
    count = most if call.num_valid_indices is None else int(call.num_valid_indices)
    if not 1 <= count <= most or each < 1:
        raise NkiError("nki_r3", "local_gather of %d indices, %d elements each; a core of GpSimd "
                       "has %d indices" % (count, each, most))
    if call.dst is None and (count < most or each == 1):
        raise NkiError("nki_r2", "local_gather of some indices, or of one element each: the shape "
                       "of its result is not documented")
    result = call.result((rows, columns, _CORE, each), data.element)
    chosen = _of_all_partitions(index).reshaped((rows, most)).at((slice(None), slice(count)))
    chosen = _elements(chosen, each)
    tiles = [_ops.aligned(data)[0], *_ops.aligned(chosen, result.reshaped((rows, count * each)))]
    Recorder.current.add("trn.partition_gather data({1} : {1:t}) indices({2} : {2:t}) into "
                         "{0} : {0:t}", [tiles[2], tiles[0], tiles[1]], (0,))
    return call.finish(result)


def _of_all_partitions(index: View) -> Tensor:
    """The indices of 16 partitions in each of them, of one partition after the other for each
    column."""
    rows, columns = index.shape
    held = View.of(Recorder.current.allocate((rows, columns), index.element, "hbm"))
    _ops.dma_copy(held, index)
    every = tile_of((rows, columns, _CORE), index.element)
    for first in range(0, rows, _CORE):
        shared = View(held.buffer, Index(), Index(first * columns),
                      [Dim(_CORE, 0), Dim(columns, 1), Dim(_CORE, columns)])
        _ops.dma_copy(every.at((slice(first, first + _CORE),)), shared)
    return every


def _elements(chosen: View, each: int) -> View:
    """Where the elements of each index are, as uint32."""
    rows, count = chosen.shape
    found = tile_of((rows, count * each), "ui32")
    if each == 1:
        _ops.copy(found, chosen)
        return found
    steps = tile_of((rows, count, each), "f32")
    Recorder.current.add("trn.iota {0} start 0 steps [0, 1] : {0:t}", [steps], (0,))
    _ops.tensor_tensor(found.reshaped((rows, count, each)), "add", steps,
                       chosen.reshaped((rows, count, 1)))
    return found
