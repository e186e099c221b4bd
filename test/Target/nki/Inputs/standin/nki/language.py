"""`nki.language` of NKI 0.6, as far as exported kernels use it."""

import numpy as np

from functions import operators
from nki.tensor import NkiTensor, VirtualRegister
from tensors import (MOVING_FREE, PARTITIONS, STATIONARY_FREE, Storage, bfloat16, bool_, float16,
                     float32, hbm, int8, int16, int32, private_hbm, psum, refuse_name, require,
                     sbuf, shared_hbm, uint8, uint16, uint32)

globals().update(operators())


def ndarray(shape, dtype, buffer=sbuf, name="", address=None):
    if address is not None:
        partition, byte = address
        require(buffer.on_chip and partition == 0 and byte >= 0, f"address {address}")
        require(byte % 2 == 0, f"address {address} splits an element")
    return NkiTensor(Storage(shape, dtype, buffer))


def full(shape, fill_value, dtype, buffer=sbuf, name=""):
    tensor = ndarray(shape, dtype, buffer)
    tensor.write(np.full(shape, fill_value, np.float32))
    return tensor


def zeros(shape, dtype, buffer=sbuf, name=""):
    return full(shape, 0, dtype, buffer)


def ones(shape, dtype, buffer=sbuf, name=""):
    return full(shape, 1, dtype, buffer)


def shared_identity_matrix(n, dtype=uint8):
    """In SBUF."""
    tensor = ndarray((n, n), dtype)
    tensor.write(np.eye(n))
    return tensor


def load(src, dtype=None):
    require(isinstance(src, NkiTensor) and not src.on_chip, "src of nl.load is not in HBM")
    tensor = ndarray(src.shape, dtype or src.dtype)
    tensor.write(src.values)
    return tensor


def store(dst, value):
    require(isinstance(dst, NkiTensor) and not dst.on_chip, "dst of nl.store is not in HBM")
    require(dst.shape == value.shape, f"a tile of {value.shape} to {dst.shape}")
    dst.write(value.values)


class tile_size:
    pmax, psum_fmax, gemm_stationary_fmax, gemm_moving_fmax, bn_stats_fmax = (
        PARTITIONS, MOVING_FREE, STATIONARY_FREE, MOVING_FREE, 512)


def ds(start, size):
    return slice(start, start + size)


def fori_loop(lower, upper, body_fun, step=1):
    require(isinstance(step, int) and step >= 1, f"step {step}")
    for value in range(lower, upper, step):
        require(body_fun(VirtualRegister(value)) is None, "the body of a loop returns something")


__getattr__ = refuse_name("nki.language", deprecated={
    "affine_range", "sequential_range", "static_range", "dynamic_range"})
__all__ = ["ndarray", "ds", "fori_loop", "bfloat16", "float16", "float32", "int8", "int16",
           "int32", "uint8", "uint16", "uint32", "bool_", "hbm", "private_hbm", "psum", "sbuf",
           "shared_hbm"]
