"""NkiTensor of NKI 0.6: slices and the views that the documentation has."""

import numpy as np

from tensors import ChosenRows, View, check_indices, require, take_slices


class VirtualRegister:
    """The counter of a loop on the device, which is no number of Python."""

    def __init__(self, value):
        self._value = value


class NkiTensor(View):
    def __getitem__(self, key):
        return take_slices(self, key)

    def reshape_dim(self, dim, shape):
        require(0 <= dim < len(self.shape), f"dimension {dim} of {self.shape}")
        require(not self.on_chip or dim > 0, "the partition dimension is not split")
        require(np.prod(shape) == self.shape[dim], f"{shape} for {self.shape[dim]} indices")
        whole = self.shape[:dim] + tuple(shape) + self.shape[dim + 1:]
        return self._without_copy(lambda array: array.reshape(whole))

    def reshape(self, shape):
        require(np.prod(shape) == self.values.size, f"{shape} for {self.values.size} elements")
        require(not self.on_chip or shape[0] == self.shape[0],
                "the partition dimension is not reshaped")
        return self._without_copy(lambda array: array.reshape(shape))

    def permute(self, dims):
        require(sorted(dims) == list(range(len(self.shape))), f"{dims} is no permutation")
        require(not self.on_chip or dims[0] == 0, "the partition dimension is not moved")
        return self.derive(lambda array: array.transpose(dims))

    def flatten_dims(self, start_dim, end_dim):
        require(not self.on_chip or start_dim > 0, "the partition dimension is not flattened")
        shape = self.shape
        whole = shape[:start_dim] + (int(np.prod(shape[start_dim:end_dim + 1])),)
        return self._without_copy(lambda array: array.reshape(whole + shape[end_dim + 1:]))

    def expand_dim(self, dim):
        require(not self.on_chip or dim > 0, "the partition dimension is not moved")
        return self.derive(lambda array: np.expand_dims(array, dim))

    def squeeze_dim(self, dim):
        require(self.shape[dim] == 1, f"dimension {dim} of {self.shape} has not size 1")
        return self.derive(lambda array: np.squeeze(array, dim))

    def broadcast(self, dim, size):
        require(not self.on_chip or dim > 0, "the partition dimension is not repeated")
        require(self.shape[dim] == 1, f"dimension {dim} of {self.shape} has not size 1")
        shape = self.shape[:dim] + (size,) + self.shape[dim + 1:]
        return self.derive(lambda array: np.broadcast_to(array, shape))

    def slice(self, dim, start, end, step=1):
        return self[(slice(None),) * dim + (slice(start, end, step),)]

    def select(self, dim, index):
        return self[(slice(None),) * dim + (index,)]

    def _chosen(self, pattern, offset, indices, indirect_dim, is_block):
        """Where each of `indices` counts rows of the tensor; in a block, one does for all."""
        require(not self.on_chip and indirect_dim == 0, "rows are chosen in dimension 0 of HBM")
        indices = check_indices(indices)
        # The step of the tensor counts, not that of the pattern.
        step, dims = int(np.prod(self.shape[1:])), list(pattern)
        if is_block:
            require(len(indices) == 1, f"scalar_offset has {len(indices)} partitions")
            indices = np.repeat(indices, dims[0][1])
        else:
            require(len(indices) == dims[0][1], f"{len(indices)} indices for {dims[0][1]} rows")
            require(dims[0][0] == step, f"rows are {step} apart, not {dims[0][0]}")
            dims[0] = (0, dims[0][1])
        rank = len(dims)
        row = sum(np.arange(count).reshape([-1 if i == at else 1 for i in range(rank)]) * one
                  for at, (one, count) in enumerate(dims))
        places = offset + indices.reshape(-1, *[1] * (rank - 1)) * step + row
        within = (places >= 0) & (places < self.storage.values.size)
        present = (indices >= 0) & within.reshape(len(indices), -1).all(axis=1)
        return ChosenRows(self.storage, places, present & (present.all() | (not is_block)))

    def ap(self, pattern, offset=0, scalar_offset=None, vector_offset=None, indirect_dim=0):
        """Strides and sizes in elements of the tensor, whatever view this is of it."""
        root = self.storage
        for indices in (vector_offset, scalar_offset):
            if isinstance(indices, View):
                return self._chosen(pattern, offset, indices, indirect_dim,
                                    indices is scalar_offset)
        free = int(np.prod(root.shape[1:]))
        if self.on_chip:
            require(pattern[0][0] == free, f"the partition step is {pattern[0][0]}, not {free}")
        if scalar_offset is not None:
            require(isinstance(scalar_offset, VirtualRegister), "scalar_offset is no register")
            require(not self.on_chip, "the stand-in knows registers for HBM only")
            require(0 <= indirect_dim < len(root.shape), f"dimension {indirect_dim}")
            offset += scalar_offset._value * int(np.prod(root.shape[indirect_dim + 1:]))
        last = offset + sum(step * (count - 1) for step, count in pattern)
        require(all(step >= 0 and count >= 1 for step, count in pattern), f"pattern {pattern}")
        require(0 <= offset and last < root.values.size,
                f"elements {offset} to {last} of {root.values.size}")

        def view(array):
            flat = array.reshape(-1)
            return np.lib.stride_tricks.as_strided(
                flat[offset:], [count for _, count in pattern],
                [step * flat.itemsize for step, _ in pattern])
        return type(self)(root, view(root.values), view(root.writer), offset // free)

    def _without_copy(self, transform):
        reshaped = self.derive(transform)
        require(np.shares_memory(reshaped.values, self.storage.values),
                "the layout is none of that shape")
        return reshaped
