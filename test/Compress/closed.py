"""Fitted factors are those that NumPy finds, stream by stream, by singular values.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

RANK, SHRINK = 6, 0.05
folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
shape = llama.shape_of()
weights = llama.tensors_of(shape)
llama.write_folder(folder / "model", shape, weights)
subprocess.run(["trn-compress", folder / "model", "-o", folder / "out", f"--rank={RANK}",
                f"--shrink={SHRINK}", f"--calib={folder / 'text'}",
                f"--tokenizer={folder / 'tokenizer.bin'}"], check=True, capture_output=True)
found = llama.read_safetensors(folder / "out/model.safetensors")
manifest = json.loads((folder / "out/trn_compress.json").read_text())
assert manifest["recover"] == "closed" and manifest["shrink"] == SHRINK
entries = {entry["name"]: entry for entry in manifest["matrices"]}


def fit(x, y, weight):
    """U V with the least error, pulled towards the weight."""
    size = x.shape[1]
    gram = x.T @ x / len(x)
    mean = np.trace(gram) / size
    root = np.linalg.cholesky(gram + (SHRINK + 1e-6) * mean * np.eye(size))
    b = np.linalg.solve(root, x.T @ y / len(x) + SHRINK * mean * weight.T)
    p = np.linalg.svd(b)[0][:, :RANK]
    return np.linalg.solve(root.T, p @ p.T @ b)


def check(module, x, y):
    weight = whole.weights[module + ".weight"]
    wanted = fit(x, y, weight)
    stem = module.removesuffix("proj")
    product = (found[stem + "u_proj.weight"].astype(np.float64) @ found[stem + "v_proj.weight"]).T
    error = np.linalg.norm(product - wanted) / np.linalg.norm(wanted)
    assert error < 1e-4, (module, error)
    lost = np.linalg.norm(y - x @ wanted) / np.linalg.norm(y)
    assert abs(entries[module]["output_error"] - lost) < 1e-3, (module, lost)


whole = llama.Model(shape, weights)
ranks = {module: RANK for module in entries}
factored = llama.Model({**shape, "ranks": ranks}, found)
dense = [whole.weights["model.embed_tokens.weight"][tokens] for tokens in sequences]
own = list(dense)
for layer in range(shape["layers"]):
    at = f"model.layers.{layer}."
    dense = [x + whole.attention(x, layer) for x in dense]
    own = [x + factored.attention(x, layer) for x in own]
    here, there = (np.concatenate([whole.norm(x, at + "post_attention_layernorm") for x in stream])
                   for stream in (own, dense))
    for name in "gate", "up":
        module = f"{at}mlp.{name}_proj"
        check(module, here, there @ whole.weights[module + ".weight"].T)
    targets = [whole.down(whole.gated(x, layer), layer) + x - y for x, y in zip(dense, own)]
    gated = [factored.gated(y, layer) for y in own]
    check(f"{at}mlp.down_proj", np.concatenate(gated), np.concatenate(targets))
    dense = [x + whole.down(whole.gated(x, layer), layer) for x in dense]
    own = [y + factored.down(z, layer) for y, z in zip(own, gated)]
