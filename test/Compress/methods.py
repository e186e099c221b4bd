"""Factors are those that NumPy finds by singular values of W S, for models in all files.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

RANK = 6
folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)


def run(tool, *arguments):
    return subprocess.run([tool, *map(str, arguments)], check=True, capture_output=True, text=True)


def root_of(method, x):
    """S, so that S S^T says how much each direction of the inputs counts."""
    size = x.shape[1]
    if method == "plain":
        return np.eye(size)
    if method == "asvd":
        return np.diag(np.abs(x).mean(0) ** 0.5 + 1e-6)
    gram = x.T @ x / len(x)
    return np.linalg.cholesky(gram + 1e-6 * np.trace(gram) / size * np.eye(size))


def relative(a, b):
    return np.linalg.norm(a - b) / np.linalg.norm(b)


def check(name, model, shape, weights, method, *options, tolerance=2e-5, asked=3):
    out = folder / f"{name}-{method}"
    run("trn-compress", model, "-o", out, f"--rank={RANK}", "--rows=", "--recover=none", f"--method={method}",
        f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}", *options)
    seen = {}
    for tokens in sequences:
        llama.losses(tokens, shape, weights,
                     lambda module, x, y: seen.setdefault(module, []).append(x))
    found = {key: value for file in out.glob("*.safetensors")
             for key, value in llama.read_safetensors(file).items()}
    manifest = json.loads((out / "trn_compress.json").read_text())
    ranks = json.loads((out / "config.json").read_text())["truncation_ranks"]
    assert manifest["calibration"]["tokens"] == sum(map(len, sequences))
    assert len(manifest["matrices"]) == 7 * shape["layers"] and len(ranks) == asked * shape["layers"]
    for entry in manifest["matrices"]:
        module = entry["name"]
        if entry.get("kept_dense") == "not asked":
            assert module not in ranks
            continue
        assert ranks[module] == entry["rank"] == RANK
        weight = weights[module + ".weight"].astype(np.float64)
        inputs = np.concatenate(seen[module])
        root = root_of(method, inputs)
        q, sigma, _ = np.linalg.svd(weight @ root)
        wanted = q[:, :RANK] @ q[:, :RANK].T @ weight
        stem = module.removesuffix("proj")
        u, v = found[stem + "u_proj.weight"], found[stem + "v_proj.weight"]
        assert u.shape == (len(weight), RANK) and v.shape == (RANK, weight.shape[1])
        product = u.astype(np.float64) @ v
        if shape["neighbours"] and ("q_proj" in module or "k_proj" in module):
            wanted = llama.to_halves(wanted, shape)
        assert relative(product, wanted) < tolerance, (name, method, module)
        np.testing.assert_allclose(np.linalg.norm(u, axis=0), np.linalg.norm(v, axis=1), rtol=1e-2)
        wanted = q[:, :RANK] @ q[:, :RANK].T @ weight
        assert abs(entry["weight_error"] - relative(wanted, weight)) < 1e-4, entry
        # There are no other stories to measure on.
        lost = relative(inputs @ wanted.T, inputs @ weight.T)
        assert manifest["errors_of"] == "calibration" and abs(entry["output_error"] - lost) < 1e-4, (entry, lost)
    return out


def perplexity(model):
    report = folder / "report.json"
    run("trn-llm", "perplexity", model, f"--text={folder / 'text'}",
        f"--tokenizer={folder / 'tokenizer.bin'}", f"--report={report}")
    return json.loads(report.read_text())["nll"]


for method in "whiten", "plain", "asvd":
    shape = llama.shape_of(neighbours=True)
    weights = llama.tensors_of(shape)
    llama.write_llama2c(folder / "model.bin", shape, weights)
    out = check("llama2c", folder / "model.bin", shape, weights, method, "--modules=mlp,attention", asked=7)
    # What is written reads as what NumPy makes of it, rotary elements turned.
    factored = {**shape, "neighbours": False,
                "ranks": json.loads((out / "config.json").read_text())["truncation_ranks"]}
    tensors = llama.read_safetensors(out / "model.safetensors")
    wanted = sum(llama.losses(tokens, factored, tensors).sum() for tokens in sequences)
    assert abs(perplexity(out) / wanted - 1) < 1e-5, method

# More inputs than outputs on one side only, many shards, narrow types, one thread.
shape = llama.shape_of(hidden=24, intermediate=16, bias=True, tied=False)
weights = llama.tensors_of(shape)
llama.write_folder(folder / "qwen2", shape, weights, "qwen2")
out = check("qwen2", folder / "qwen2", shape, weights, "whiten", "--max-shard-size=0.00002")
assert len(list(out.glob("model-*-of-*.safetensors"))) > 2
again = check("again", folder / "qwen2", shape, weights, "whiten", "--threads=1", "--max-shard-size=0.00002")
for file in out.iterdir():
    assert file.read_bytes() == (again / file.name).read_bytes(), file
check("short", folder / "qwen2", shape, weights, "whiten", "--dtype=bf16", tolerance=1e-2)
