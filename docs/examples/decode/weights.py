"""Random weights for a module: `weights.py MODULE.mlir WEIGHTS.safetensors`.

Each argument with `trn.param = "name"` gets a bf16 tensor of that name. The format: the length
of a header as eight bytes, the header as JSON, then the values.
"""

import json
import random
import re
import struct
import sys

module, path = sys.argv[1:]
with open(module, encoding="utf-8") as file:
    text = file.read()

header, values = {}, bytearray()
generator = random.Random(0)
for sizes, name in re.findall(r'tensor<([0-9x]+)xbf16> \{trn\.param = "([^"]+)"', text):
    shape = [int(size) for size in sizes.split("x")]
    count = 1
    for size in shape:
        count *= size
    # The upper half of a float is a bf16. 64 values, again and again, are random enough.
    some = b"".join(struct.pack("<f", generator.uniform(-0.05, 0.05))[2:] for _ in range(64))
    begin = len(values)
    values += some * (count // 64)
    header[name] = {"dtype": "BF16", "shape": shape, "data_offsets": [begin, len(values)]}

encoded = json.dumps(header).encode()
with open(path, "wb") as file:
    file.write(struct.pack("<Q", len(encoded)) + encoded + values)
