"""A model that lost neurons is one that every program can load, or says why not, and computes what NumPy does.

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
TEXT = [f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}"]


def compress(model, out, *options):
    shutil.rmtree(out, ignore_errors=True)
    return subprocess.run(["trn-compress", model, "-o", out, "--rows=", *options], check=True,
                          capture_output=True, text=True)


def cut(model, out, *options):
    return compress(model, out, "--method=neurons", *TEXT, *options)


def nll(model, *options):
    report = folder / "report.json"
    subprocess.run(["trn-llm", "perplexity", model, f"--text={folder / 'text'}", f"--report={report}",
                    f"--tokenizer={folder / 'tokenizer.bin'}", *options], check=True, capture_output=True)
    return json.loads(report.read_text())["nll"]


def numpy_nll(shape, weights):
    model = llama.Model({**shape, "neighbours": False}, weights)
    return sum(model.losses(tokens).sum() for tokens in sequences)


def config_in(path):
    return json.loads((path / "config.json").read_text())


# All kinds of models; the folders are plain ones.
ARCHITECTURES = {"mistral": "MistralForCausalLM", "qwen2": "Qwen2ForCausalLM", "qwen3": "Qwen3ForCausalLM"}
for name in "llama2c", "llama", "llama3", "mistral-window", "qwen2", "qwen3-window":
    shape = llama.shape_of(**llama.MODELS[name])
    model = llama.write_model(folder, name, shape, llama.tensors_of(shape))
    out = folder / f"{name}-thin"
    cut(model, out, "--neurons=17")
    config = config_in(out)
    assert config["intermediate_size"] == 17 and config["head_dim"] == shape["head_dim"]
    assert config["architectures"] == [ARCHITECTURES.get(name.split("-")[0], "LlamaForCausalLM")], config
    assert not {"intermediate_sizes", "truncation_ranks", "trn_compress"} & set(config)
    found = llama.read_safetensors(out / "model.safetensors")
    assert found["model.layers.1.mlp.up_proj.weight"].shape == (17, 24)
    assert found["model.layers.1.mlp.down_proj.weight"].shape == (24, 17)
    assert abs(nll(out) / numpy_nll(shape, found) - 1) < 1e-6, name

# Numbers that differ, and zeros up to the largest one.
thin, padded, again = (folder / name for name in ("thin", "padded", "again"))
shape = llama.shape_of()
llama.write_folder(folder / "model", shape, llama.tensors_of(shape))
cut(folder / "model", thin, "--neurons=12,31")
config = config_in(thin)
assert config["intermediate_sizes"] == [12, 31] and config["intermediate_size"] == 31
assert config["architectures"] == ["TrnCompressedForCausalLM"] and config["trn_compress"] == {"format": 1}
assert "`intermediate_sizes`" in (thin / "README.md").read_text()
found = llama.read_safetensors(thin / "model.safetensors")
assert found["model.layers.0.mlp.down_proj.weight"].shape == (24, 12)
assert abs(nll(thin) / numpy_nll(shape, found) - 1) < 1e-6
one = ["--stories=1"]
assert abs(nll(thin, *one, "--simulate", "--effort=1", "--dtype=f32") / nll(thin, *one) - 1) < 1e-4
warning = cut(folder / "model", padded, "--neurons=12,31", "--export=padded").stderr
assert "--export=padded fills MLPs with zeros up to 31 neurons, which take time as all others do" in warning, warning
compress(thin, again, "--export=padded")
for path in padded, again:
    config = config_in(path)
    assert config["architectures"] == ["LlamaForCausalLM"] and config["intermediate_size"] == 31
    assert "intermediate_sizes" not in config and "trn_compress" not in config
    filled = llama.read_safetensors(path / "model.safetensors")
    for name, values in found.items():
        part = filled[name][tuple(slice(size) for size in values.shape)]
        np.testing.assert_array_equal(part, values)
        assert np.count_nonzero(filled[name]) == np.count_nonzero(values), name
    assert filled["model.layers.0.mlp.down_proj.weight"].shape == (24, 31)
    assert abs(nll(path) / nll(thin) - 1) < 1e-6

# Factors of what neurons leave; one MLP has so few that none are smaller.
cut(folder / "model", thin, "--neurons=8,31", "--rank=9", "--recover=block", "--steps=20")
config = config_in(thin)
assert config["intermediate_sizes"] == [8, 31]
assert config["truncation_ranks"] == {f"model.layers.1.mlp.{name}_proj": 9 for name in ("gate", "up", "down")}, config
found = llama.read_safetensors(thin / "model.safetensors")
assert found["model.layers.1.mlp.down_v_proj.weight"].shape == (9, 31)
assert abs(nll(thin) / numpy_nll({**shape, "ranks": config["truncation_ranks"]}, found) - 1) < 1e-6
assert abs(nll(thin, *one, "--simulate", "--effort=1", "--dtype=f32") / nll(thin, *one) - 1) < 1e-4
cut(folder / "model", again, "--neurons=8,31", "--rank=9", "--recover=block", "--steps=20", "--export=dense")
assert abs(nll(again) / nll(thin) - 1) < 1e-5
cut(folder / "model", thin, "--neurons=24", "--rank=8")
module = subprocess.run(["trn-gen", "llama", thin, "--mode=decode", "--context=8"], check=True, capture_output=True).stdout
cores = subprocess.run(["trn-opt", "-", "--trn-partition=cores=3"], input=module, check=True,
                       capture_output=True).stdout.decode()
assert 'tensor<8x8xbf16> {trn.param = "model.layers.0.mlp.gate_u_proj.weight"' in cores, cores[:3000]
assert 'tensor<8x8xbf16> {trn.param = "model.layers.0.mlp.down_v_proj.weight"' in cores, cores[:3000]

# Some layers alone; what is thin already loses more, and gets factors.
cut(folder / "model", thin, "--neurons=12", "--layers=1")
assert config_in(thin)["intermediate_sizes"] == [40, 12]
cut(thin, again, "--ratio=0.5", "--block=32", "--layers=0")
assert config_in(again)["intermediate_sizes"] == [32, 12]
compress(thin, again, "--rank=5", *TEXT)
config = config_in(again)
assert config["intermediate_sizes"] == [40, 12] and len(config["truncation_ranks"]) == 6
found = llama.read_safetensors(again / "model.safetensors")
assert found["model.layers.1.mlp.down_v_proj.weight"].shape == (5, 12)
assert abs(nll(again) / numpy_nll({**shape, "ranks": config["truncation_ranks"]}, found) - 1) < 1e-6
