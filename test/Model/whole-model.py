"""Whole models, compiled and run with the folder of their weights, have NumPy's logits.

One is written with whole weights and gets its factors from --trn-compress.

RUN: %python %s %t
"""

import pathlib
import re
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402
import module  # noqa: E402

ROWS = 12
PARAMETER = re.compile(r'tensor<(\w*)> {trn.param = "([^"]*)"}')
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def logits_of(place, source, tokens):
    np.save(place / "tokens.npy", tokens)
    (place / "model.mlir").write_text(source)
    subprocess.run(["trn-run", place / "model.mlir", "--compile=effort=1", f"--weights={place}",
                    f"--arg=@{place / 'tokens.npy'}", f"--out=@{place / 'logits.npy'}"],
                   check=True, stdout=subprocess.DEVNULL)
    return np.load(place / "logits.npy")


def check(model_type, rewrite=None, **changes):
    """Two shards, as factors in part."""
    place = folder / model_type
    shape = llama.shape_of(**changes)
    weights = llama.tensors_of(shape)
    llama.write_folder(place, shape, weights, model_type, shards=2)
    source = module.write(module.read_shape(place), ROWS, "f32")
    if rewrite:
        source = rewrite(source, shape)
    tokens = np.random.default_rng(1).integers(0, shape["vocabulary"], ROWS, dtype="<i4")
    found, wanted = logits_of(place, source, tokens), llama.Model(shape, weights).logits(tokens)
    error = np.abs(found - wanted).max() / np.abs(wanted).max()
    assert error < 1e-5, (model_type, error)


def compress(source, options):
    result = subprocess.run(["trn-opt", f"--trn-compress={options}"], input=source, check=True,
                            text=True, capture_output=True)
    return result.stdout, result.stderr


def factor_whole(source, shape):
    """The module of whole weights as that of factors."""
    whole = module.write({**shape, "ranks": {}}, ROWS, "f32")
    factored, remarks = compress(whole, "rank=8 modules=mlp")
    # Queries, keys, values, outputs of two layers, and the words.
    assert remarks.count("kept dense: not asked") == 9, remarks
    assert sorted(PARAMETER.findall(factored)) == sorted(PARAMETER.findall(source))
    return factored


at = "model.layers.1."
check("llama", tied=False, ranks={at + "mlp.gate_proj": 8, at + "mlp.down_proj": 5,
                                  at + "self_attn.o_proj": 4})
check("mistral", factor_whole, ranks={f"model.layers.{layer}.mlp.{name}_proj": 8
                                      for layer in range(2) for name in ("gate", "up", "down")})
check("qwen2", bias=True, layers=1, head_dim=8)
check("qwen3", head_norms=True, layers=1, heads=4, kv_heads=2, head_dim=10)
