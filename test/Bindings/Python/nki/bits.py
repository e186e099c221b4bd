"""Bits of integers and of a number are what NumPy says, in every type that holds them.

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki

KERNEL = """import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
def kernel(x):
    out = nl.ndarray(x.shape, dtype=nl.float32, buffer=nl.shared_hbm)
    a = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    b = nl.ndarray(x.shape, dtype=nl.int32 if WIDE else x.dtype, buffer=nl.sbuf)
    c = nl.ndarray(x.shape, dtype=nl.float32, buffer=nl.sbuf)
    nisa.dma_copy(dst=a, src=x)
    CALL
    nisa.tensor_copy(dst=c, src=b)
    nisa.dma_copy(dst=out, src=c)
    return out
"""
STEP = "nisa.tensor_scalar(dst=b, data=a, op0=nl.%s, operand0=%d)"
CHAIN = "nisa.tensor_scalar(dst=b, data=a, op0=nl.%s, operand0=%d, op1=nl.%s, operand1=%d)"
FUNCTION = "nisa.tensor_copy(dst=b, src=nl.%s(a, %d))"
MASKS = {"uint8": (0, 1, 15, 0x5A, 255), "int32": (0, 0xAA, -16, -1, 1000), "uint32": (7, 0x7F0F0F)}

rng = np.random.default_rng(9)
INPUTS = {"uint8": rng.integers(0, 256, (32, 64)), "int32": rng.integers(-5000, 5000, (32, 64)),
          "uint32": rng.integers(0, 1 << 23, (32, 64))}


def check(dtype, call, expected, wide=False):
    x = INPUTS[dtype].astype(dtype)
    text = KERNEL.replace("CALL", call).replace("WIDE", str(wide))
    found = nki.load(nki.find_in_text(text), [x]).run(x)
    assert np.array_equal(found, expected), (dtype, call, x[0, :4], found[0, :4], expected[0, :4])


for dtype, x in INPUTS.items():
    for mask in MASKS[dtype]:
        for name, function in (("and", np.bitwise_and), ("or", np.bitwise_or), ("xor", np.bitwise_xor)):
            check(dtype, STEP % ("bitwise_" + name, mask), function(x, mask))
    check(dtype, FUNCTION % ("bitwise_and", 15), x & 15)
    check(dtype, CHAIN % ("bitwise_and", 255, "left_shift", 8), (x & 255) << 8, wide=True)
    check(dtype, CHAIN % ("bitwise_and", 0xF0, "right_shift", 4), (x & 0xF0) >> 4)
    if dtype != "int32":
        check(dtype, STEP % ("right_shift", 3), x >> 3)
    if dtype != "uint32":
        check(dtype, "nisa.tensor_copy(dst=b, src=nl.invert(a))", 255 - x if dtype == "uint8" else ~x)
