"""Tensors and tiles of the beta of NKI.

Instructions return tiles, which are assigned to (parts of) tensors. The indices of a tensor
are slices and integers, or `nl.arange` with a place for each axis, but not both.
"""

import numpy as np

from tensors import (ANOTHER, MATMUL, NKIError, View, check_bank, check_tile, normalize, psum,
                     require, take_slices)

ZEROS = 3  # of nl.zeros in PSUM, to which products may be added


class Arange(np.ndarray):
    """Indices by `nl.arange`."""


class Tile:
    """What an instruction returns, before it is written somewhere."""

    def __init__(self, values, dtype, writer=ANOTHER, memories=None):
        self.values, self.dtype, self.writer, self.memories = values, dtype, writer, memories


class Tensor(View):
    def __getitem__(self, key):
        parts = key if isinstance(key, tuple) else (key,)
        if not any(isinstance(one, Arange) for one in parts):
            return take_slices(self, key)
        require(not any(isinstance(one, slice) for one in parts),
                "indices mix slices and nl.arange")
        require(len(parts) == len(self.shape), f"{len(parts)} indices of {self.shape}")
        for one, size in zip(parts, self.shape):
            require(0 <= np.min(one) and np.max(one) < size,
                    f"indices {np.min(one)} to {np.max(one)} of a dimension of {size}")
        first = self.first_partition + int(np.min(parts[0]))
        return Gathered(self, tuple(np.asarray(one) for one in parts), first)

    def __setitem__(self, key, tile):
        part = self[key]
        if isinstance(tile, View):
            # What `+=` returns is there already.
            require(tile.storage is self.storage, "a tensor is assigned; copy it")
            return
        require(isinstance(tile, Tile), f"{tile} is no tile")
        require(part.on_chip, f"a tile is assigned to {part.buffer}; use nl.store")
        check_tile(part, "what is assigned")
        require(tile.memories is None or part.buffer in tile.memories,
                f"a tile for {tile.memories} is assigned to {part.buffer}")
        require(part.shape == tile.values.shape,
                f"a tile of {tile.values.shape} is assigned to {part.shape}")
        part.write(tile.values, tile.writer)

    def __iadd__(self, tile):
        require(isinstance(tile, Tile) and tile.writer == MATMUL,
                "the stand-in adds products only")
        check_bank(self)
        require(self.shape == tile.values.shape, f"{tile.values.shape} to {self.shape}")
        require(np.all(np.isin(self.writer, (MATMUL, ZEROS))),
                "a product is added to what is neither nl.zeros nor a product")
        self.write(self.values + tile.values, MATMUL)
        return self

    def assert_shape(self, shape):
        require(self.shape == tuple(shape), f"shape {self.shape}, not {shape}")
        return self

    def reshape(self, shape):
        require(not self.on_chip or shape[0] == self.shape[0],
                "the partition dimension is not reshaped")
        require(np.prod(shape) == self.values.size, f"{shape} for {self.values.size} elements")
        reshaped = self.derive(lambda array: array.reshape(shape))
        require(np.shares_memory(reshaped.values, self.storage.values),
                "the layout is none of that shape")
        return reshaped


class Gathered(Tensor):
    """Elements that `nl.arange` names; NumPy has no view of them."""

    def __init__(self, tensor, indices, first_partition):
        super().__init__(tensor.storage, tensor.values[indices], tensor.writer[indices],
                         first_partition)
        self.tensor, self.indices = tensor, indices

    def write(self, values, writer=ANOTHER):
        super().write(values, writer)
        self.tensor.values[self.indices] = self.values
        self.tensor.writer[self.indices] = self.writer

    def __getitem__(self, key):
        raise NKIError("indices of indices")
