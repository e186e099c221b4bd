"""Weights of projections in 8 bits: what the folder stores, what its values mean, and that all tools read them.

RUN: %python %s %t
"""

import json
import pathlib
import shutil
import struct
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
TOKENIZER = f"--tokenizer={folder / 'tokenizer.bin'}"


def values_of_fp8():
    bits = np.arange(256)
    exponent, fraction = bits >> 3 & 15, bits & 7
    values = np.where(exponent == 0, fraction * 2.0 ** -9, (8 + fraction) * 2.0 ** (exponent - 10.0))
    values[(bits & 127) == 127] = np.nan
    return np.where(bits >> 7, -values, values)


FP8 = values_of_fp8()


def read_stored(path):
    """The tensors of a folder as they are, and their types."""
    raw = (path / "model.safetensors").read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    header = json.loads(raw[8:8 + size])
    header.pop("__metadata__", None)
    tensors, types = {}, {}
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        block = raw[8 + size + begin:8 + size + end]
        kind = types[name] = entry["dtype"]
        if kind == "F8_E4M3":
            values = FP8[np.frombuffer(block, "u1")]
        else:
            values = np.frombuffer(block, {"F32": "<f4", "I8": "i1"}[kind])
        tensors[name] = values.reshape(entry["shape"])
    return tensors, types


def run(*command, fails=False):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
    assert bool(done.returncode) == fails, (command, done.stdout, done.stderr)
    return done.stderr


def nll(model, *options):
    report = folder / "report.json"
    run("trn-llm", "perplexity", model, f"--text={folder / 'text'}", f"--report={report}", TOKENIZER, *options)
    return json.loads(report.read_text())["nll"]


def numpy_nll(shape, weights):
    model = llama.Model({**shape, "neighbours": False}, weights)
    return sum(model.losses(tokens).sum() for tokens in sequences)


def check_folder(out, weights, kind):
    """Returns the weights as NumPy makes them of what is stored."""
    stored, types = read_stored(out)
    meant = {}
    for name, values in stored.items():
        if name.endswith("_scale"):
            continue
        if not name.endswith("_proj.weight"):
            assert types[name] == "F32", name
            meant[name] = values
            continue
        assert types[name] == {"int8": "I8", "fp8": "F8_E4M3"}[kind], name
        scale = stored[name + "_scale"].astype(float)
        assert scale.shape == (len(values), 1) and types[name + "_scale"] == "F32"
        most = np.abs(values.astype(float)).max(1)
        assert (most == {"int8": 127, "fp8": 240}[kind]).all(), (name, most)
        meant[name] = values.astype(float) * scale
        step = scale if kind == "int8" else np.maximum(np.abs(weights[name]) / 8, scale * 2.0 ** -9)
        assert (np.abs(meant[name] - weights[name]) <= step / 2 * 1.001).all(), name
    return meant


for name, kind in ("llama", "int8"), ("factors", "int8"), ("qwen3-window", "fp8"), ("llama2c", "fp8"):
    shape = llama.shape_of(**llama.MODELS[name])
    weights = llama.tensors_of(shape)
    model = llama.write_model(folder, name, shape, weights)
    # What it is without: rows of llama2.c have changed places.
    plain, out = folder / f"{name}-plain", folder / f"{name}-{kind}"
    run("trn-compress", model, "-o", plain, "--dtype=f32")
    run("trn-compress", model, "-o", out, f"--weights={kind}", "--dtype=f32")
    meant = check_folder(out, llama.read_safetensors(plain / "model.safetensors"), kind)
    config = json.loads((out / "config.json").read_text())
    group = config["quantization_config"]["config_groups"]["group_0"]["weights"]
    assert (group["num_bits"], group["type"], group["strategy"]) == (8, "int" if kind == "int8" else "float", "channel")
    assert json.loads((out / "trn_compress.json").read_text())["weights"] == {"int8": "i8", "fp8": "f8E4M3FN"}[kind]

    wanted = numpy_nll(shape, meant)
    assert abs(nll(out) / wanted - 1) < 1e-6, name
    # Back to floats.
    again = folder / f"{name}-again"
    run("trn-compress", out, "-o", again, "--max-shard-size=5GB", "--dtype=f32")
    assert "quantization_config" not in json.loads((again / "config.json").read_text())
    for key, values in llama.read_safetensors(again / "model.safetensors").items():
        np.testing.assert_allclose(values, meant[key], rtol=1e-6, atol=1e-9, err_msg=key)

    # As a module, with the weights of the folder.
    rows = 9
    source, compiled = folder / "model.mlir", folder / "compiled.mlir"
    tokens = np.random.default_rng(1).integers(0, shape["vocabulary"], rows, dtype="<i4")
    np.save(folder / "tokens.npy", tokens)
    run("trn-gen", "llama", out, "--mode=prefill", f"--rows={rows}", "--all-logits", "--dtype=f32", "-o", source)
    assert source.read_text().count("xi8>" if kind == "int8" else "xf8E4M3FN>") > 7
    run("trn-opt", source, "--trn-compile=effort=1", "-o", compiled)
    kernels = [line for line in compiled.read_text().splitlines() if "trn.kernel" in line]
    assert any("i8" in line if kind == "int8" else "f8E4M3FN" in line for line in kernels)
    run("trn-run", compiled, f"--weights={out}", f"--arg=@{folder}/tokens.npy", f"--out=@{folder}/logits.npy",
        *[f"--out=@{folder}/cache{i}.npy" for i in range(2 * shape["layers"])])
    logits = llama.Model({**shape, "neighbours": False}, meant).logits(tokens)
    error = np.abs(np.load(folder / "logits.npy") - logits).max() / np.abs(logits).max()
    assert error < 1e-5, (name, error)

# What other programs quantise in other ways is refused by name.
out = folder / "llama-int8"
config = json.loads((out / "config.json").read_text())


def refuses(change, message):
    changed = json.loads(json.dumps(config))
    change(changed)
    (out / "config.json").write_text(json.dumps(changed))
    assert message in run("trn-llm", "perplexity", out, f"--text={folder / 'text'}", TOKENIZER, fails=True), message


def weights_in(changed):
    return changed["quantization_config"]["config_groups"]["group_0"]["weights"]


refuses(lambda changed: weights_in(changed).update(num_bits=4), "quantization_config: 'num_bits' is not supported")
refuses(lambda changed: weights_in(changed).update(strategy="group"), "quantization_config: 'strategy' is not")
refuses(lambda changed: changed["quantization_config"].update(quant_method="gptq"), "'quant_method' is not")
refuses(lambda changed: changed.pop("quantization_config"),
        "tensor 'model.layers.0.self_attn.q_proj.weight' is i8, but must be a wider float by config.json, which "
        "has no quantization_config")
refuses(lambda changed: changed.update(quantization_config=json.loads((folder / "qwen3-window-fp8/config.json")
                                                                      .read_text())["quantization_config"]),
        "is i8, but must be f8E4M3FN by config.json")
