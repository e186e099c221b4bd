"""Kernels that are run in this process, on arrays that they write in place."""

import numpy as np

STORED = {"f32": np.float32, "f16": np.float16, "bf16": np.uint16}


def entry(kernel, types):
    """A function of the host, called run_KERNEL, that calls a kernel with memrefs of these types."""
    names = ", ".join(f"%x{i}" for i in range(len(types)))
    arguments = ", ".join(f"%x{i}: {one}" for i, one in enumerate(types))
    return (f"func.func @run_{kernel}({arguments}) {{\n"
            f"  call @{kernel}({names}) : ({', '.join(types)}) -> ()\n  return\n}}\n")


def store(values, kind):
    """A new array of what a memref of such elements holds. The values are rounded already."""
    if kind == "bf16":
        return (np.ascontiguousarray(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return np.array(values, STORED[kind])


def load(array, kind):
    return (array.astype(np.uint32) << 16).view(np.float32) if kind == "bf16" else array.astype(np.float32)
