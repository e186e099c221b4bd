"""Fitted factors are those that NumPy finds, stream by stream, by singular values.

RUN: %python %s %t
RUN: %python %s %t.off --stream-error=off
RUN: %python %s %t.refit --refit=attention
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

RANK, SHRINK = 6, 0.05
IS_REFITTED = "--refit=attention" in sys.argv
folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
shape = llama.shape_of()
weights = llama.tensors_of(shape)
llama.write_folder(folder / "model", shape, weights)
subprocess.run(["trn-compress", folder / "model", "-o", folder / "out", f"--rank={RANK}", "--rows=",
                f"--modules={'mlp' if IS_REFITTED else 'mlp,attention'}", f"--shrink={SHRINK}", *sys.argv[2:], f"--calib={folder / 'text'}",
                f"--tokenizer={folder / 'tokenizer.bin'}"], check=True, capture_output=True)
found = llama.read_safetensors(folder / "out/model.safetensors")
manifest = json.loads((folder / "out/trn_compress.json").read_text())
assert manifest["options"] == {"allocate": "uniform", "recover": "closed", "shrink": SHRINK,
                               "stream_error": "--stream-error=off" not in sys.argv, "svd": "mixed",
                               "sigma": "balanced", "metric": "outputs",
                               "refit": "attention" if IS_REFITTED else "none"}
entries = {entry["name"]: entry for entry in manifest["matrices"]}


def fit(x, y, weight, rank):
    """The matrix of this rank with the least error, pulled towards the weight."""
    size = x.shape[1]
    gram = x.T @ x / len(x)
    mean = np.trace(gram) / size
    root = np.linalg.cholesky(gram + (SHRINK + 1e-6) * mean * np.eye(size))
    b = np.linalg.solve(root, x.T @ y / len(x) + SHRINK * mean * weight.T)
    p = np.linalg.svd(b)[0][:, :rank]
    return np.linalg.solve(root.T, p @ p.T @ b)


def check(module, x, y):
    weight = whole.weights[module + ".weight"]
    wanted = fit(x, y, weight, entries[module].get("rank"))
    assert entries[module].get("refitted", False) == (IS_REFITTED and ".self_attn." in module)
    if module in ranks:
        stem = module.removesuffix("proj")
        product = (found[stem + "u_proj.weight"].astype(np.float64) @ found[stem + "v_proj.weight"]).T
    else:
        product = found[module + ".weight"].astype(np.float64).T
    error = np.linalg.norm(product - wanted) / np.linalg.norm(wanted)
    assert error < 1e-4, (module, error)


whole = llama.Model(shape, weights)
ranks = {module: entry["rank"] for module, entry in entries.items() if "rank" in entry}
assert len(ranks) == (6 if IS_REFITTED else 14)
factored = llama.Model({**shape, "ranks": ranks}, found)
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
