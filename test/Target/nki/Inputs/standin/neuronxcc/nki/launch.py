"""The instances of a kernel on a grid, which share the tensors that they return."""

import itertools

from tensors import Storage, require, shared_hbm

grid, index = (), ()
_storages, _count = [], 0


def shared(shape, dtype):
    """The next tensor of this instance in HBM that all of them have."""
    global _count
    if _count == len(_storages):
        _storages.append(Storage(shape, dtype, shared_hbm))
    storage = _storages[_count]
    require(storage.shape == shape and storage.dtype is dtype,
            f"instances share {storage.dtype} {storage.shape} and {dtype} {shape}")
    _count += 1
    return storage


def instances(sizes):
    """Begins one after the other."""
    global grid, index, _count
    grid = tuple(sizes)
    _storages.clear()
    for index in itertools.product(*map(range, grid)):
        _count = 0
        yield index
