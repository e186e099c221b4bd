"""What first.mlir should compute of x.npy and w.npy, compared with o.npy."""
import numpy as np


def bf16(values):
    bits = np.ascontiguousarray(values, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).view(np.float32)


x, w, o = (np.load(name) for name in ("x.npy", "w.npy", "o.npy"))
expected = np.maximum(bf16(x).T @ bf16(w), 0)
error = np.linalg.norm(o - expected) / np.linalg.norm(expected)
print("values agree" if error < 1e-2 else f"relative error {error}")
