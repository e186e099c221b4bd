"""Writes files of values, good and bad, to the current directory."""

import json
import struct

import numpy as np

x = np.arange(20, dtype=np.float32).reshape(4, 5)
w = np.arange(30, dtype=np.float32).reshape(5, 6)
np.save("x.npy", x)
np.save("w.npy", w)
np.save("fortran.npy", np.asfortranarray(w))
np.save("double.npy", x.astype(np.float64))
np.save("half.npy", x.astype(np.float16))
with open("x.npy", "rb") as whole, open("truncated.npy", "wb") as part:
    part.write(whole.read()[:-40])
with open("garbage", "wb") as file:
    file.write(bytes(i * i % 251 for i in range(4096)))


def save_checkpoint(path, value):
    header = json.dumps({"mlp.w": {"dtype": "F32", "shape": value.shape,
                                   "data_offsets": [0, value.nbytes]}}).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(header)) + header + value.tobytes())


save_checkpoint("good.safetensors", w)
save_checkpoint("shape.safetensors", w.reshape(6, 5))
