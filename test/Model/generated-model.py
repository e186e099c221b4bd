"""What trn-gen llama writes has the logits of NumPy: a prefill, and a token behind its caches.

RUN: %python %s %t
"""

import pathlib
import shutil
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402

ROWS, CONTEXT = 11, 16
folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)


def generate(place, dtype, *options):
    source = place / "model.mlir"
    subprocess.run(["trn-gen", "llama", place, f"--dtype={dtype}", *options, "-o", source], check=True)
    return source


def run(source, inputs, count, *options):
    """The results of a function, of which there are `count`."""
    place = source.parent
    for i, value in enumerate(inputs):
        np.save(place / f"in{i}.npy", value)
    subprocess.run(["trn-run", source, "--compile=effort=1", f"--weights={place}", *options,
                    *[f"--arg=@{place}/in{i}.npy" for i in range(len(inputs))],
                    *[f"--out=@{place}/out{i}.npy" for i in range(count)]],
                   check=True, stdout=subprocess.DEVNULL)
    return [np.load(place / f"out{i}.npy") for i in range(count)]


def padded(cache):
    """Rows that no token has yet hold anything."""
    rows = np.full((cache.shape[0], CONTEXT - cache.shape[1], cache.shape[2]), 7, "<f4")
    return np.concatenate([cache, rows], 1)


def close(found, wanted, tolerance, what):
    error = np.abs(found - wanted).max() / np.abs(wanted).max()
    assert error < tolerance, (what, error)


def check(name, model_type=None, dtype="f32", tolerance=1e-5, options=(), **changes):
    place = folder / name
    shape = llama.shape_of(**changes)
    weights = llama.tensors_of(shape)
    llama.write_folder(place, shape, weights, model_type or name)
    tokens = np.random.default_rng(1).integers(0, shape["vocabulary"], ROWS + 1, dtype="<i4")
    wanted = llama.Model(shape, weights).logits(tokens)
    results = 1 + 2 * shape["layers"]

    both = generate(place, dtype, f"--rows={ROWS}", f"--context={CONTEXT}", "--all-logits", *options)
    logits, *caches = run(both, [tokens[:ROWS]], results, "--entry=prefill")
    close(logits, wanted[:ROWS], tolerance, name)
    inputs = [tokens[ROWS:], np.array([ROWS], "<i4"), *map(padded, caches)]
    last, *added = run(both, inputs, results, "--entry=decode")
    close(last, wanted[ROWS:], tolerance, (name, "decode"))

    # One token more, of which the last logits are returned.
    longer = generate(place, dtype, "--mode=prefill", f"--rows={ROWS + 1}", *options)
    again, *whole = run(longer, [tokens], results)
    close(again, last, tolerance, (name, "longer"))
    for before, row, both_of_them in zip(caches, added, whole):
        close(np.concatenate([before, row], 1), both_of_them, tolerance, (name, "caches"))


at = "model.layers.1."
check("llama", tied=False, ranks={at + "mlp.gate_proj": 8, at + "mlp.down_proj": 5,
                                  at + "self_attn.o_proj": 4, at + "self_attn.k_proj": 3})
check("mistral", layers=1, windows=[5], keys={"sliding_window": 5})
check("qwen2", bias=True, windows=[None, 7], head_dim=8,
      keys={"use_sliding_window": True, "sliding_window": 7, "max_window_layers": 1})
check("qwen3", head_norms=True, layers=1, heads=4, kv_heads=2, head_dim=10)
check("llama3", "llama", layers=1, heads=4, kv_heads=4, head_dim=6, scaling=dict(
    factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32))
check("narrow", "llama", "bf16", 0.03, layers=1)
