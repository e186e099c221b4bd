"""Trained factors come nearer to the whole model, from where NumPy says that they begin.

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

RANK, STORIES = 6, 4
folder = pathlib.Path(sys.argv[1])
# As many as a step takes: each step sees all of them.
sequences = llama.write_stories(folder)[:STORIES]
shape = llama.shape_of(neighbours=True)
weights = llama.tensors_of(shape)
llama.write_llama2c(folder / "model.bin", shape, weights)
KEPT = f"--rank={RANK}", "--modules=mlp,attention"


def run(*arguments, status=0, message=""):
    result = subprocess.run(["trn-compress", *arguments, "--rows=", f"--tokenizer={folder / 'tokenizer.bin'}"],
                            capture_output=True, text=True)
    assert result.returncode == status and message in result.stderr, result


def compress(name, *options, **expected):
    run(folder / "model.bin", "-o", folder / name, *KEPT, f"--calib={folder / 'text'}", *options, **expected)


def train(name, *options, **expected):
    compress(name, f"--train-seqs={STORIES}", *options, **expected)


def contents(name):
    return {file.name: file.read_bytes() for file in (folder / name).iterdir()}


def model_in(name):
    config = json.loads((folder / name / "config.json").read_text())
    return llama.Model({**shape, "neighbours": False, "ranks": config["truncation_ranks"]},
                       llama.read_safetensors(folder / name / "model.safetensors"))


def curve_of(name):
    return json.loads((folder / name / "trn_compress.json").read_text())["training"]["losses"]


def logarithms(model, tokens):
    logits = model.logits(tokens)
    return logits - np.log(np.exp(logits).sum(-1, keepdims=True))


def divergence(name):
    """Of a token, from what the whole model says to what the factored one says."""
    own, total = model_in(name), 0
    for tokens in sequences:
        said = logarithms(whole, tokens)
        total += (np.exp(said) * (said - logarithms(own, tokens))).sum()
    return total / sum(map(len, sequences))


def loss(name):
    own = model_in(name)
    return sum(own.losses(tokens).sum() for tokens in sequences) / sum(len(t) - 1 for t in sequences)


whole = llama.Model(shape, weights)

# Distilling begins with the factors of block.
compress("block", "--recover=block")
train("distilled", "--recover=distill", "--steps=40")
curve = curve_of("distilled")
assert len(curve) == 40 and abs(curve[0] / divergence("block") - 1) < 1e-3, curve
assert divergence("distilled") < 0.6 * curve[0], (divergence("distilled"), curve)
train("alone", "--recover=distill", "--steps=40", "--threads=1")
assert contents("alone") == contents("distilled")

# Adapters learn the text, and are merged; the same base with them is the same model.
compress("none", "--recover=none")
train("lora", "--recover=lora", "--steps=20", f"--save-adapter={folder / 'adapter'}")
curve = curve_of("lora")
assert abs(curve[0] / loss("none") - 1) < 1e-3 and loss("lora") < 0.98 * curve[0], (loss("none"), loss("lora"), curve)
run(folder / "none", "-o", folder / "merged", f"--adapter={folder / 'adapter'}")
merged, trained = model_in("merged").weights, model_in("lora").weights
for name, values in trained.items():
    assert np.abs(values - merged[name]).max() < 1e-5, name
train("nearer", "--recover=lora", "--lora-from=closed", "--loss=dense", "--steps=20")
compress("closed")
assert abs(curve_of("nearer")[0] / divergence("closed") - 1) < 1e-3
assert divergence("nearer") < divergence("closed")

# What was interrupted in training goes on to the same bytes.
blocked = folder / "part/.partial/trained/layer-00000.json"
blocked.mkdir(parents=True)
train("part", "--recover=distill", "--steps=40", "--resume", status=1, message="layer-00000.json")
shutil.rmtree(blocked)
train("part", "--recover=distill", "--steps=41", "--resume", status=1, message="its options differ")
train("part", "--recover=distill", "--steps=40", "--resume")
assert contents("part") == contents("distilled")

# Nor is a text reported on that factors are trained on only.
(folder / "trained").write_text((folder / "text").read_text().split(llama.STOP)[3])
train("reported", "--recover=distill", "--calib-seqs=2", f"--evaluate={folder / 'trained'}", status=1,
      message="is one that factors are fitted to")
