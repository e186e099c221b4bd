"""Which neurons stay, and what `down` becomes, is what NumPy finds stream by stream; and the factors of what they leave.

RUN: %python %s %t
RUN: %python %s %t.norm --scores=norm
RUN: %python %s %t.off --stream-error=off
RUN: %python %s %t.refit --refit=attention
RUN: %python %s %t.none --recover=none
RUN: %python %s %t.rank --rank=8
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

KEPT, SHRINK = 26, 0.05
OPTIONS = sys.argv[2:]
IS_FITTED = "--recover=none" not in OPTIONS
RANK = 8 if "--rank=8" in OPTIONS else None
folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
shape = llama.shape_of()
weights = llama.tensors_of(shape)
llama.write_folder(folder / "model", shape, weights)
subprocess.run(["trn-compress", folder / "model", "-o", folder / "out", "--method=neurons", f"--neurons={KEPT}",
                *([f"--shrink={SHRINK}"] if IS_FITTED else []), "--rows=", *OPTIONS, f"--calib={folder / 'text'}",
                f"--tokenizer={folder / 'tokenizer.bin'}"], check=True, capture_output=True)
found = llama.read_safetensors(folder / "out/model.safetensors")
manifest = json.loads((folder / "out/trn_compress.json").read_text())
entries = {entry["name"]: entry for entry in manifest["matrices"]}


def numbers_in(text):
    """`0,3-5` as [0, 3, 4, 5]."""
    runs = [[int(number) for number in run.split("-")] for run in text.split(",")]
    return [number for run in runs for number in range(run[0], run[-1] + 1)]


def fit(gram, cross, weight, kept):
    """`down`, transposed, of these neurons with the least error, pulled towards the weight."""
    part = gram[np.ix_(kept, kept)]
    mean = np.trace(part) / len(kept)
    return np.linalg.solve(part + (SHRINK + 1e-6) * mean * np.eye(len(kept)),
                           cross[kept] + SHRINK * mean * weight.T[kept])


def fit_factors(x, y, weight):
    """The transpose of what has this rank and the least error."""
    gram, size = x.T @ x / len(x), x.shape[1]
    mean = np.trace(gram) / size
    root = np.linalg.cholesky(gram + (SHRINK + 1e-6) * mean * np.eye(size))
    b = np.linalg.solve(root, x.T @ y / len(x) + SHRINK * mean * weight.T)
    p = np.linalg.svd(b)[0][:, :RANK]
    return np.linalg.solve(root.T, p @ p.T @ b)


def check_factors(module, x, y, weight):
    stem, wanted = module.removesuffix("proj"), fit_factors(x, y, weight).T
    product = found[stem + "u_proj.weight"].astype(np.float64) @ found[stem + "v_proj.weight"]
    assert np.linalg.norm(product - wanted) < 1e-4 * np.linalg.norm(wanted), module
    assert entries[module]["rank"] == RANK and "weight_error" not in entries[module]


def choose(gram, cross, weight):
    if "--scores=norm" in OPTIONS:
        return sorted(np.argsort(-np.diag(gram) * (weight**2).sum(0))[:KEPT])
    pull, mean, kept = SHRINK if IS_FITTED else 0.1, np.trace(gram) / len(gram), []
    gram, wanted = gram + (pull + 1e-6) * mean * np.eye(len(gram)), cross + pull * mean * weight.T
    gram += np.diag(np.diag(gram))
    while len(kept) < KEPT:
        left = wanted - gram[:, kept] @ np.linalg.solve(gram[np.ix_(kept, kept)], wanted[kept])
        left[kept] = 0
        kept.append((left**2).sum(1).argmax())
    return sorted(kept)


ranks = {module: RANK for module in entries if RANK and ".mlp." in module}
whole, thin = llama.Model(shape, weights), llama.Model({**shape, "ranks": ranks}, found)
dense = [whole.weights["model.embed_tokens.weight"][tokens] for tokens in sequences]
own = list(dense)
for layer in range(shape["layers"]):
    at = f"model.layers.{layer}.mlp."
    dense = [x + whole.attention(x, layer) for x in dense]
    own = [y + thin.attention(y, layer) for y in own] if IS_FITTED else dense
    z = np.concatenate([whole.gated(y, layer) for y in own])
    added = [whole.down(whole.gated(x, layer), layer) for x in dense]
    target = np.concatenate(added)
    if "--stream-error=off" not in OPTIONS:
        target = target + np.concatenate(dense) - np.concatenate(own)
    gram, cross = z.T @ z / len(z), z.T @ target / len(z)
    weight = whole.weights[at + "down_proj.weight"]
    kept = numbers_in(manifest["neurons"][layer]["kept"])
    assert manifest["neurons"][layer]["layer"] == layer
    assert kept == choose(gram, cross, weight), (layer, kept)
    here, there = (np.concatenate([whole.norm(x, f"model.layers.{layer}.post_attention_layernorm") for x in stream])
                   for stream in (own, dense))
    for name in "gate", "up":
        if RANK:
            part = whole.weights[f"{at}{name}_proj.weight"][kept]
            check_factors(f"{at}{name}_proj", here, there @ part.T, part)
            continue
        np.testing.assert_array_equal(found[f"{at}{name}_proj.weight"], weights[f"{at}{name}_proj.weight"][kept])
        assert entries[f"{at}{name}_proj"]["neurons"] == KEPT
    if RANK:
        check_factors(at + "down_proj", np.concatenate([thin.gated(y, layer) for y in own]), target, weight[:, kept])
    else:
        down = found[at + "down_proj.weight"]
        wanted = fit(gram, cross, weight, kept).T if IS_FITTED else weight[:, kept]
        assert np.linalg.norm(down - wanted) < 1e-4 * np.linalg.norm(wanted), layer
    dense = [x + more for x, more in zip(dense, added)]
    own = [y + thin.down(thin.gated(y, layer), layer) for y in own]

options = {"allocate": "uniform", "svd": "mixed", "sigma": "balanced", "method": "neurons", "scores": "greedy",
           "recover": "closed", "shrink": SHRINK, "stream_error": True, "refit": "none"}
options.update({key.replace("-", "_"): value for key, value in (option[2:].split("=") for option in OPTIONS if not RANK)})
if "--stream-error=off" in OPTIONS:
    options["stream_error"] = False
if not IS_FITTED:
    del options["shrink"], options["stream_error"], options["refit"]
assert manifest["options"] == options, manifest["options"]
