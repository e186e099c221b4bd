import numpy as np
import trn_mlir as trn

x = np.random.default_rng(0).standard_normal((512, 2048), np.float32)
powers = np.exp(x - x.max(1, keepdims=True))
expected = powers / powers.sum(1, keepdims=True)
for one in trn.rank(["softmax.py:softmax", "softmax.py:softmax_once"], [x], expected):
    print(["softmax", "softmax_once"][one["index"]], "right" if one["passed"] else one["message"],
          f"{one['latency_ms']:.4f} ms")
