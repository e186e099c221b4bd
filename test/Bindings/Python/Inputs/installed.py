"""Compiles, runs and times a chain by the installed module, and says what that is."""

import importlib.metadata

import numpy as np
import trn_mlir as trn
from trn_mlir._tools import find_tool

print(trn._library.library._name)
k = trn.compile(trn.chain(m=128, k=256, r=128, n=512), strategy="strip-cache")
o = k.run(*(np.full(shape, 0.5) for shape in [(128, 256), (256, 128), (128, 512)]))
print(o[0, 0], k.time() > 0)
done = trn.run(trn.generate("xw", m=4, k=8, n=16), verify=True)
print(find_tool("trn-run"), done.verified[0]["error"] <= done.verified[0]["allowed"])
found = importlib.metadata.distribution("trn-mlir")
assert found.version == trn.__version__
assert all(file.locate().exists() for file in found.files)
print(found.version, found.requires)
