"""Training brings MLPs that lost neurons nearer to the whole model, and goes on where it was interrupted.

RUN: %python %s %t
"""

import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
shape = llama.shape_of()
weights = llama.tensors_of(shape)
llama.write_folder(folder / "model", shape, weights)


def compress(name, *options, status=0, message=""):
    result = subprocess.run(["trn-compress", folder / "model", "-o", folder / name, "--method=neurons",
                             "--neurons=20,24", "--rows=", f"--calib={folder / 'text'}",
                             f"--tokenizer={folder / 'tokenizer.bin'}", *options], capture_output=True, text=True)
    assert result.returncode == status and message in result.stderr, result


def manifest_of(name):
    return json.loads((folder / name / "trn_compress.json").read_text())


def contents(name):
    return {file.name: file.read_bytes() for file in (folder / name).iterdir()}


def logarithms(model, tokens):
    logits = model.logits(tokens)
    return logits - np.log(np.exp(logits).sum(-1, keepdims=True))


def divergence(name):
    """Of a token, from what the whole model says to what the thin one says."""
    whole, total = llama.Model(shape, weights), 0
    own = llama.Model(shape, llama.read_safetensors(folder / name / "model.safetensors"))
    for tokens in sequences:
        said = logarithms(whole, tokens)
        total += (np.exp(said) * (said - logarithms(own, tokens))).sum()
    return total / sum(map(len, sequences))


ways = {"none": [], "closed": [], "block": ["--steps=100"], "distill": ["--steps=40"],
        "lora": ["--steps=40", "--loss=dense", "--step-size=0.01", f"--save-adapter={folder / 'adapter'}"]}
for way, options in ways.items():
    compress(way, f"--recover={way}", *options)
found = {way: divergence(way) for way in ways}
assert found["closed"] < 0.8 * found["none"] and found["block"] < 0.95 * found["closed"], found
assert found["distill"] < 0.9 * found["block"] and found["lora"] < 0.97 * found["closed"], found
for curve in manifest_of("block")["recovery"]:
    assert curve["errors"][-1] < 0.97 * curve["errors"][0], curve
assert manifest_of("distill")["options"]["training"]["step_size"] == 0.002
losses = manifest_of("distill")["training"]["losses"]
assert losses[-1] < 0.9 * losses[0], losses

# Adapters are of the thin weights, under their names.
adapter = llama.read_safetensors(folder / "adapter/adapter_model.safetensors")
key = "base_model.model.model.layers.0.mlp.down_proj.lora_"
assert len(adapter) == 12 and adapter[key + "A.weight"].shape == (8, 20), list(adapter)
update = adapter[key + "B.weight"].astype(np.float64) @ adapter[key + "A.weight"]
name = "model.layers.0.mlp.down_proj.weight"
before, after = (llama.read_safetensors(folder / way / "model.safetensors")[name] for way in ("closed", "lora"))
np.testing.assert_allclose(after, before + update, atol=1e-5)

# To the same bytes, whatever stands in between.
for way in "none", "closed", "block":
    part = folder / f"part-{way}"
    (part / ".partial/layer-00001.json").mkdir(parents=True)
    options = [f"--recover={way}", *ways[way], "--resume"]
    compress(part.name, *options, status=1, message="layer-00001.json")
    shutil.rmtree(part / ".partial/layer-00001.json")
    (part / ".partial/layer-00001.safetensors").unlink(missing_ok=True)
    compress(part.name, *options, "--scores=norm", status=1, message="was begun with other work, its options differ")
    compress(part.name, *options, "--threads=1")
    assert contents(part.name) == contents(way), way
