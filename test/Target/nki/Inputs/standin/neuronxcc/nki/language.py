"""`neuronxcc.nki.language`, as far as exported kernels use it."""

import numpy as np

from neuronxcc.nki.tensor import ZEROS, Arange, Tensor, Tile
from tensors import (PARTITIONS, Storage, bfloat16, float16, float32, hbm, operators,
                     private_hbm, psum, refuse_name, require, sbuf, shared_hbm)

globals().update(operators())


def ndarray(shape, dtype, *, buffer=sbuf):
    return Tensor(Storage(shape, dtype, buffer))


def zeros(shape, dtype, *, buffer=sbuf):
    tensor = ndarray(shape, dtype, buffer=buffer)
    tensor.write(np.zeros(shape, np.float32), ZEROS)
    return tensor


def arange(*bounds):
    require(all(isinstance(bound, int) for bound in bounds), f"bounds {bounds}")
    return np.arange(*bounds).view(Arange)


def ds(start, size):
    return slice(start, start + size)


def affine_range(count):
    """Iterations do not depend on each other: the last one comes first."""
    return reversed(range(count))


def sequential_range(count):
    return range(count)


def load(src, *, dtype=None):
    require(isinstance(src, Tensor) and not src.on_chip, "src of nl.load is not in HBM")
    require(len(src.shape) >= 2, f"src of {src.shape} has no free dimension")
    require(src.shape[0] <= PARTITIONS, f"{src.shape[0]} partitions exceed {PARTITIONS}")
    kept = dtype or src.dtype
    return Tile(kept.round(src.values), kept, memories=(sbuf,))


def store(dst, value):
    require(isinstance(dst, Tensor) and not dst.on_chip, "dst of nl.store is not in HBM")
    require(isinstance(value, Tensor) and value.buffer is sbuf,
            "the value of nl.store is not in SBUF")
    require(dst.shape == value.shape, f"a tile of {value.shape} to {dst.shape}")
    require(dst.dtype is value.dtype, f"{value.dtype} to {dst.dtype}")
    dst.write(value.values)


def broadcast_to(src, *, shape):
    require(isinstance(src, Tile) and src.values.shape[0] == 1, "src is not of one partition")
    require(shape[0] <= PARTITIONS, f"{shape[0]} partitions exceed {PARTITIONS}")
    return Tile(np.broadcast_to(src.values, shape), src.dtype)


__getattr__ = refuse_name("neuronxcc.nki.language")
__all__ = ["ndarray", "ds", "zeros", "arange", "affine_range", "sequential_range", "load", "store",
           "broadcast_to", "bfloat16", "float16", "float32", "hbm", "private_hbm", "psum",
           "sbuf", "shared_hbm"]
