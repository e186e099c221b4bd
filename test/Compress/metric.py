"""With --metric=fisher, factors make least what errors cost of the loss, as NumPy finds it: the mean of (g e)^2.

RUN: %python %s %t --recover=closed
RUN: %python %s %t.whiten --recover=none
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402
from curvature import bends_of, damped_root, middles_of  # noqa: E402

RANK, JITTER = 6, 1e-6
IS_FITTED = "--recover=closed" in sys.argv
SHRINK = 0.1 if IS_FITTED else 0
folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
shape = llama.shape_of(layers=1)
weights = llama.tensors_of(shape)
llama.write_folder(folder / "model", shape, weights)
subprocess.run(["trn-compress", folder / "model", "-o", folder / "out", f"--rank={RANK}", "--rows=", sys.argv[2],
                "--metric=fisher", f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}"],
               check=True, capture_output=True)
found = llama.read_safetensors(folder / "out/model.safetensors")
assert json.loads((folder / "out/trn_compress.json").read_text())["options"]["metric"] == "fisher"


def check(name, x, y):
    """The best M of x M = y is the truncated SVD of S^T M T: once all directions of x, and all of y, cost alike."""
    weight = whole.weights[f"model.layers.0.mlp.{name}_proj.weight"]
    bend = bends[name]
    mean = (x * x).sum() / x.size
    root = damped_root(x, SHRINK + JITTER)
    if IS_FITTED:
        b = np.linalg.solve(root, x.T @ y / len(x) + SHRINK * mean * weight.T)
    else:
        b = root.T @ weight.T
    left, sigmas, right = np.linalg.svd(b @ bend)
    best = np.linalg.solve(root.T, left[:, :RANK] * sigmas[:RANK] @ right[:RANK]) @ np.linalg.inv(bend)
    stem = f"model.layers.0.mlp.{name}_"
    product = (found[stem + "u_proj.weight"].astype(np.float64) @ found[stem + "v_proj.weight"]).T
    error = np.linalg.norm(product - best) / np.linalg.norm(best)
    assert error < 1e-3, (name, error)


whole = llama.Model(shape, weights)
ranks = {f"model.layers.0.mlp.{name}_proj": RANK for name in ("gate", "up", "down")}
factored = llama.Model({**shape, "ranks": ranks}, found)
middles = middles_of(whole, sequences)
bends = bends_of(whole, sequences)
h = np.concatenate([whole.norm(x, "model.layers.0.post_attention_layernorm") for x in middles])
for name in ("gate", "up"):
    check(name, h, h @ whole.weights[f"model.layers.0.mlp.{name}_proj.weight"].T)
own = factored if IS_FITTED else whole
check("down", np.concatenate([own.gated(x, 0) for x in middles]),
      np.concatenate([whole.down(whole.gated(x, 0), 0) for x in middles]))
