"""Models by chance, on more cores than they have heads of keys, have NumPy's logits.

RUN: %python %s %t
"""

import pathlib
import random
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402

KINDS = {"llama": {}, "mistral": {}, "qwen2": {"bias": True}, "qwen3": {"head_norms": True}}
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
chance = random.Random(1)

for number in range(10):
    kind, kv_heads = chance.choice(list(KINDS)), chance.choice([1, 2, 3])
    cores = kv_heads * chance.choice([2, 3, 4])
    head_dim, layers = chance.choice([4, 6, 8, 12]), chance.choice([1, 2])
    heads = cores * chance.choice([1, 2])
    shape = llama.shape_of(
        layers=layers, heads=heads, kv_heads=kv_heads, head_dim=head_dim,
        hidden=chance.choice([20, 24, 32]) if kind == "qwen3" else heads * head_dim,
        intermediate=chance.choice([33, 40, 64]), vocabulary=chance.choice([61, 100, 128]),
        tied=chance.random() < 0.5, **KINDS[kind],
        ranks={f"model.layers.{layer}.mlp.{name}_proj": 7 for layer in range(layers) for name in ("gate", "up", "down")}
        if chance.random() < 0.5 else {})
    scheme, rows = chance.choice(["column", "gather", "reduce"]), chance.choice([1, 5, 11])
    weights = llama.tensors_of(shape)
    llama.write_folder(folder, shape, weights, kind)
    tokens = np.random.default_rng(number).integers(0, shape["vocabulary"], rows, dtype="<i4")
    np.save(folder / "tokens.npy", tokens)
    subprocess.run(["trn-gen", "llama", folder, "--dtype=f32", "--mode=prefill", "--all-logits", f"--rows={rows}",
                    "-o", folder / "model.mlir"], check=True)
    results = [folder / f"out{i}.npy" for i in range(1 + 2 * layers)]
    subprocess.run(["trn-run", folder / "model.mlir", f"--weights={folder}", f"--arg=@{folder}/tokens.npy",
                    f"--compile=effort=1 partition={cores} scheme={scheme}", *[f"--out=@{at}" for at in results]],
                   check=True, stdout=subprocess.DEVNULL)
    found, wanted = np.load(results[0]), llama.Model(shape, weights).logits(tokens)
    error = np.abs(found - wanted).max() / np.abs(wanted).max()
    assert error < 1e-5, (number, kind, kv_heads, cores, scheme, error)
