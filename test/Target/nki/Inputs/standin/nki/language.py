"""`nki.language` of NKI 0.6, as far as exported kernels use it."""

from functions import operators
from nki.tensor import NkiTensor, VirtualRegister
from tensors import (Storage, bfloat16, bool_, float16, float32, hbm, int8, int16, int32,
                     private_hbm, psum, refuse_name, require, sbuf, shared_hbm, uint8, uint16,
                     uint32)

globals().update(operators())


def ndarray(shape, dtype, buffer=sbuf, name="", address=None):
    if address is not None:
        partition, byte = address
        require(buffer.on_chip and partition == 0 and byte >= 0, f"address {address}")
        require(byte % 2 == 0, f"address {address} splits an element")
    return NkiTensor(Storage(shape, dtype, buffer))


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
