"""What trn-gen llama writes has the logits of NumPy: a prefill, a token behind its caches, and those of a batch.

RUN: %python %s %t
"""

import pathlib
import shutil
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402

ROWS = 11
folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)


def compile_model(model, dtype, *options):
    """Once for all functions: a run would also try what it advises."""
    source, compiled = folder / "model.mlir", folder / "compiled.mlir"
    subprocess.run(["trn-gen", "llama", model, f"--dtype={dtype}", *options, "-o", source], check=True)
    subprocess.run(["trn-opt", source, "--trn-compile=effort=1", "-o", compiled], check=True,
                   stderr=subprocess.DEVNULL)
    return compiled


def run(compiled, model, inputs, count, *options):
    """The results of a function, of which there are `count`."""
    for i, value in enumerate(inputs):
        np.save(folder / f"in{i}.npy", value)
    subprocess.run(["trn-run", compiled, f"--weights={model}", *options,
                    *[f"--arg=@{folder}/in{i}.npy" for i in range(len(inputs))],
                    *[f"--out=@{folder}/out{i}.npy" for i in range(count)]],
                   check=True, stdout=subprocess.DEVNULL)
    return [np.load(folder / f"out{i}.npy") for i in range(count)]


def padded(cache, context):
    """Rows that no token has yet hold anything."""
    rows = np.full((cache.shape[0], context - cache.shape[1], cache.shape[2]), 7, "<f4")
    return np.concatenate([cache, rows], 1)


def close(found, wanted, tolerance, what):
    error = np.abs(found - wanted).max() / np.abs(wanted).max()
    assert error < tolerance, (what, error)


def check(name, model_type=None, dtype="f32", tolerance=1e-5, context=16, **changes):
    """A folder, or a file of llama2.c."""
    shape = llama.shape_of(**changes)
    weights = llama.tensors_of(shape)
    model = folder / name
    if shape["neighbours"]:
        llama.write_llama2c(model, shape, weights)
    else:
        llama.write_folder(model, shape, weights, model_type or name)
    tokens = np.random.default_rng(1).integers(0, shape["vocabulary"], ROWS + 1, dtype="<i4")
    wanted = llama.Model(shape, weights).logits(tokens)
    results = 1 + 2 * shape["layers"]

    both = compile_model(model, dtype, f"--rows={ROWS}", f"--context={context}", "--all-logits")
    logits, *caches = run(both, model, [tokens[:ROWS]], results, "--entry=prefill")
    close(logits, wanted[:ROWS], tolerance, name)

    def decode(position, caches):
        inputs = [tokens[position:position + 1], np.array([position], "<i4")]
        inputs += [padded(cache, context) for cache in caches]
        return run(both, model, inputs, results, "--entry=decode")

    last, *added = decode(ROWS, caches)
    close(last, wanted[ROWS:], tolerance, (name, "decode"))
    first, *_ = decode(0, [cache[:, :0] for cache in caches])
    close(first, wanted[:1], tolerance, (name, "nothing before"))

    # One token more, of which the last logits are returned; through several layers.
    if shape["layers"] == 1:
        return
    longer = compile_model(model, dtype, "--mode=prefill", f"--rows={ROWS + 1}")
    again, *whole = run(longer, model, [tokens], results)
    close(again, last, tolerance, (name, "longer"))
    for before, row, together in zip(caches, added, whole):
        close(np.concatenate([before, row], 1), together, tolerance, (name, "caches"))


def check_batch(sequences, context=16):
    """Sequences that are continued together have the logits that they have alone."""
    shape = llama.shape_of(heads=4, kv_heads=2, head_dim=6)
    weights = llama.tensors_of(shape)
    model = folder / "batch"
    llama.write_folder(model, shape, weights, "llama")
    tokens = np.random.default_rng(2).integers(0, shape["vocabulary"], (sequences, ROWS + 1), dtype="<i4")
    results = 1 + 2 * shape["layers"]
    alone = compile_model(model, "f32", "--mode=prefill", f"--rows={ROWS}")
    caches = zip(*(run(alone, model, [own[:ROWS]], results)[1:] for own in tokens))
    together = compile_model(model, "f32", "--mode=decode", f"--context={context}", f"--batch={sequences}")
    logits, *_ = run(together, model, [tokens[:, ROWS], np.array([ROWS], "<i4"),
                                       *(np.stack([padded(own, context) for own in of_all]) for of_all in caches)], results)
    wanted = [llama.Model(shape, weights).logits(own)[-1] for own in tokens]
    close(logits, np.array(wanted), 1e-5, "batch")


at = "model.layers.1."
check("llama", tied=False, ranks={at + "mlp.gate_proj": 8, at + "mlp.down_proj": 5,
                                  at + "self_attn.o_proj": 4, at + "self_attn.k_proj": 3})
check("mistral", layers=1, windows=[5], keys={"sliding_window": 5})
check("qwen2", bias=True, windows=[None, 7], head_dim=8,
      keys={"use_sliding_window": True, "sliding_window": 7, "max_window_layers": 1})
check("qwen3", context=ROWS, head_norms=True, layers=1, heads=4, kv_heads=2, head_dim=10)
check("llama3", "llama", layers=1, heads=4, kv_heads=4, head_dim=6, scaling=dict(
    factor=8.0, low_freq_factor=1.0, high_freq_factor=4.0, original_max_position_embeddings=32))
check("narrow", "llama", "bf16", 0.03, layers=1)
check("model.bin", layers=1, neighbours=True, tied=False, heads=4, kv_heads=2, head_dim=6)
check_batch(3)
