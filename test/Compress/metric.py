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
import llama  # noqa: E402

RANK, JITTER, DAMPING = 6, 1e-6, 1
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


def backward_norm(x, gains, dy):
    """Gradients of what a norm reads from those of what it makes."""
    scale = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + shape["epsilon"])
    dy = dy * gains
    return scale * (dy - x * scale**2 * (dy * x).mean(-1, keepdims=True))


def gradients_of(model, x, tokens):
    """Of the loss of a story, at the outputs of gate, up and down; x is the stream in front of the MLP."""
    w = model.weights
    at = "model.layers.0.mlp."
    gate, up, down = (w[f"{at}{name}_proj.weight"] for name in ("gate", "up", "down"))
    h = model.norm(x, "model.layers.0.post_attention_layernorm")
    g, u = h @ gate.T, h @ up.T
    sigmoid = 1 / (1 + np.exp(-g))
    y = x + (g * sigmoid * u) @ down.T
    words = w["model.embed_tokens.weight"]
    logits = model.norm(y, "model.norm") @ words.T
    chances = np.exp(logits - logits.max(-1, keepdims=True))
    chances /= chances.sum(-1, keepdims=True)
    chances[np.arange(len(tokens) - 1), tokens[1:]] -= 1
    chances[-1] = 0
    dy = backward_norm(y, w["model.norm.weight"], chances @ words)
    dz = dy @ down
    return {"gate": dz * u * sigmoid * (1 + g * (1 - sigmoid)), "up": dz * g * sigmoid, "down": dy}


def damped_root(rows, share):
    """S for which S S^T is the mean of x x^T and a share of its mean diagonal."""
    square = rows.T @ rows / len(rows)
    return np.linalg.cholesky(square + share * np.trace(square) / len(square) * np.eye(len(square)))


def check(name, x, y, gradients):
    """The best M of x M = y is the truncated SVD of S^T M T: once all directions of x, and all of y, cost alike."""
    weight = whole.weights[f"model.layers.0.mlp.{name}_proj.weight"]
    size, bend = x.shape[1], damped_root(gradients, DAMPING)
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
embedded = [whole.weights["model.embed_tokens.weight"][tokens] for tokens in sequences]
middles = [x + whole.output(whole.mixed(x, 0), 0) for x in embedded]
parts = [gradients_of(whole, x, tokens) for x, tokens in zip(middles, sequences)]
gradients = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
h = np.concatenate([whole.norm(x, "model.layers.0.post_attention_layernorm") for x in middles])
for name in ("gate", "up"):
    check(name, h, h @ whole.weights[f"model.layers.0.mlp.{name}_proj.weight"].T, gradients[name])
own = factored if IS_FITTED else whole
check("down", np.concatenate([own.gated(x, 0) for x in middles]),
      np.concatenate([whole.down(whole.gated(x, 0), 0) for x in middles]), gradients["down"])
