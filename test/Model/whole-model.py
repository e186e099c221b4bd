"""Whole models, compiled and run with the folder of their weights, have NumPy's logits.

RUN: %python %s %t
"""

import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402
import module  # noqa: E402

ROWS = 12
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def check(model_type, **changes):
    """Two shards, as factors in part."""
    place = folder / model_type
    shape = llama.shape_of(**changes)
    weights = llama.tensors_of(shape)
    llama.write_folder(place, shape, weights, model_type, shards=2)
    tokens = np.random.default_rng(1).integers(0, shape["vocabulary"], ROWS, dtype="<i4")
    np.save(place / "tokens.npy", tokens)
    (place / "model.mlir").write_text(module.write(module.read_shape(place), ROWS, "f32"))
    subprocess.run(["trn-run", place / "model.mlir", "--compile=effort=1", f"--weights={place}",
                    f"--arg=@{place / 'tokens.npy'}", f"--out=@{place / 'logits.npy'}"],
                   check=True, stdout=subprocess.DEVNULL)
    found, wanted = np.load(place / "logits.npy"), llama.Model(shape, weights).logits(tokens)
    error = np.abs(found - wanted).max() / np.abs(wanted).max()
    assert error < 1e-5, (model_type, error)


at = "model.layers.1."
check("llama", tied=False, ranks={at + "mlp.gate_proj": 8, at + "mlp.down_proj": 5,
                                  at + "self_attn.o_proj": 4})
check("qwen2", bias=True, layers=1, head_dim=8)
check("qwen3", head_norms=True, layers=1, heads=4, kv_heads=2, head_dim=10)
