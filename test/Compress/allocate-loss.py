"""--allocate=loss makes the sum of estimated losses least, as NumPy finds it for all ranks that there may be.

RUN: %python %s %t
"""

import itertools
import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402
from curvature import bends_of, damped_root, middles_of  # noqa: E402

folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
shape = llama.shape_of(layers=1, hidden=128, intermediate=256)
weights = llama.tensors_of(shape)
# One weight that needs less rank.
weights["model.layers.0.mlp.up_proj.weight"][:, 40:] *= 0.1
llama.write_folder(folder / "model", shape, weights)


def compress(*options):
    return subprocess.run(["trn-compress", folder / "model", "-o", folder / "out", "--rows=", "--allocate=loss",
                           f"--tokenizer={folder / 'tokenizer.bin'}", f"--calib={folder / 'text'}", *options],
                          capture_output=True, text=True)


for options, what in ((["--rank=8", "--block=32"], "32 ranks"),
                      (["--method=neurons", "--neurons=20", "--block=256"], "256 neurons")):
    result = compress(*options)
    assert result.returncode == 1 and f"the parameters that are to stay are fewer than {what} take everywhere; give " \
        "a smaller --block" in result.stderr, result
# Of weights of low rank, factors of more neurons lose less than fewer whole ones; of few neurons, they lose more.
few, rng, idle = dict(weights), np.random.default_rng(5), dict(weights)
idle["model.layers.0.mlp.down_proj.weight"] = weights["model.layers.0.mlp.down_proj.weight"] * (np.arange(256) < 96)
for name, out, inner in ("gate", 256, 128), ("up", 256, 128), ("down", 128, 256):
    product = rng.standard_normal((out, 8)) @ rng.standard_normal((8, inner)) / (8 * inner)**0.5
    few[f"model.layers.0.mlp.{name}_proj.weight"] = product.astype(np.float32)
for values, asked, chosen in (few, (96, 32), (96, 32)), (idle, (224, 80), (192, None)):
    llama.write_folder(folder / "model", shape, values)
    result = compress("--method=neurons", f"--neurons={asked[0]}", f"--rank={asked[1]}", "--block=32", "--force")
    assert result.returncode == 0, result.stderr
    for entry in json.loads((folder / "out/trn_compress.json").read_text())["matrices"][4:]:
        assert (entry["neurons"], entry.get("rank")) == chosen, entry
result = compress("--block=32", "--rank=64", "--force")
assert result.returncode == 0, result.stderr
manifest = json.loads((folder / "out/trn_compress.json").read_text())
assert manifest["options"]["allocate"] == "loss"

whole = llama.Model(shape, weights)
middles, bends = middles_of(whole, sequences), bends_of(whole, sequences)
inputs = {"gate": np.concatenate([whole.norm(x, "model.layers.0.post_attention_layernorm") for x in middles]),
          "down": np.concatenate([whole.gated(x, 0) for x in middles])}
inputs["up"] = inputs["gate"]


def losses_of(name):
    """By rank, and 0 of the whole weight."""
    weight = whole.weights[f"model.layers.0.mlp.{name}_proj.weight"]
    sigmas = np.linalg.svd(damped_root(inputs[name], 1e-6).T @ weight.T @ bends[name], compute_uv=False)
    return {**{rank: (sigmas[rank:]**2).sum() / 2 for rank in (32, 64)}, 0: 0}


names = ("gate", "up", "down")
losses = {name: losses_of(name) for name in names}
parameters = {32: 32 * 384, 64: 64 * 384, 0: 128 * 256}
best = min((choice for choice in itertools.product(parameters, repeat=3)
            if sum(parameters[size] for size in choice) <= 3 * parameters[64]),
           key=lambda choice: sum(losses[name][size] for name, size in zip(names, choice)))
entries = {entry["name"]: entry for entry in manifest["matrices"]}
chosen = tuple(entries[f"model.layers.0.mlp.{name}_proj"].get("rank", 0) for name in names)
assert chosen == best, (chosen, best, losses)
assert len(set(best)) > 1, best
