"""Fitted factors are those that NumPy finds, stream by stream, by singular values.

RUN: %python %s %t
RUN: %python %s %t.off --stream-error=off
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
subprocess.run(["trn-compress", folder / "model", "-o", folder / "out", f"--rank={RANK}", "--rows=",
                "--modules=mlp,attention", f"--shrink={SHRINK}", *sys.argv[2:], f"--calib={folder / 'text'}",
                f"--tokenizer={folder / 'tokenizer.bin'}"], check=True, capture_output=True)
found = llama.read_safetensors(folder / "out/model.safetensors")
manifest = json.loads((folder / "out/trn_compress.json").read_text())
assert manifest["options"] == {"allocate": "uniform", "recover": "closed", "shrink": SHRINK,
                               "stream_error": len(sys.argv) == 2, "svd": "mixed", "sigma": "balanced"}
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


whole = llama.Model(shape, weights)
factored = llama.Model({**shape, "ranks": {module: RANK for module in entries}}, found)
dense = [whole.weights["model.embed_tokens.weight"][tokens] for tokens in sequences]
own = list(dense)
for layer in range(shape["layers"]):
    at = f"model.layers.{layer}."
    for norm, readers, last, mix, finish in (
            ("input_layernorm", ("self_attn.q", "self_attn.k", "self_attn.v"), "self_attn.o",
             llama.Model.mixed, llama.Model.output),
            ("post_attention_layernorm", ("mlp.gate", "mlp.up"), "mlp.down",
             llama.Model.gated, llama.Model.down)):
        here, there = (np.concatenate([whole.norm(x, at + norm) for x in stream])
                       for stream in (own, dense))
        for name in readers:
            module = f"{at}{name}_proj"
            check(module, here, there @ whole.weights[module + ".weight"].T)
        mixed = [mix(factored, y, layer) for y in own]
        added = [finish(whole, mix(whole, x, layer), layer) for x in dense]
        targets = [more + x - y if manifest["options"]["stream_error"] else more
                   for more, x, y in zip(added, dense, own)]
        check(f"{at}{last}_proj", np.concatenate(mixed), np.concatenate(targets))
        dense = [x + more for x, more in zip(dense, added)]
        own = [y + finish(factored, z, layer) for y, z in zip(own, mixed)]
