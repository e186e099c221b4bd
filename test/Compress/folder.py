"""A folder has what lay beside the weights that were read, says what it is, and can be dense.

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
out = folder / "out"
FACTORS = "--rank=6", f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}"


def compress(model, *options, status=0, out=out):
    shutil.rmtree(out, ignore_errors=True)
    result = subprocess.run(["trn-compress", model, "-o", out, "--rows=", *options], capture_output=True, text=True)
    assert result.returncode == status, result.stderr
    return result.stderr


def perplexity(model):
    report = folder / "report.json"
    subprocess.run(["trn-llm", "perplexity", model, f"--text={folder / 'text'}", f"--report={report}",
                    f"--tokenizer={folder / 'tokenizer.bin'}"], check=True, capture_output=True)
    return json.loads(report.read_text())["nll"]


def mode_of(path):
    return path.stat().st_mode & 0o777


def names_in(path):
    return {file.name for file in path.iterdir()}


# From llama2.c to shards and back.
shape = llama.shape_of(neighbours=True, tied=False)
llama.write_llama2c(folder / "model.bin", shape, llama.tensors_of(shape))
compress(folder / "model.bin", "--export=dense", "--max-shard-size=20KB")
assert len(list(out.glob("model-*-of-*.safetensors"))) > 2
found = {key: value for file in out.glob("*.safetensors")
         for key, value in llama.read_safetensors(file).items()}
llama.write_llama2c(folder / "again.bin", shape, llama.to_neighbours(found, shape))
assert (folder / "again.bin").read_bytes() == (folder / "model.bin").read_bytes()
assert abs(perplexity(out) / perplexity(folder / "model.bin") - 1) < 1e-6
assert (out / "tokenizer.bin").read_bytes() == (folder / "tokenizer.bin").read_bytes()
config = json.loads((out / "config.json").read_text())
assert config["architectures"] == ["LlamaForCausalLM"] and config["torch_dtype"] == "float32"
assert "truncation_ranks" not in config and "trn_compress" not in config

compress(folder / "model.bin", "--dtype=bf16")
for name, value in llama.read_safetensors(out / "model.safetensors").items():
    np.testing.assert_array_equal(value, llama.round_bf16(found[name]))

# As every other program makes them.
(folder / "made").mkdir(exist_ok=True)
assert mode_of(out) == mode_of(folder / "made")

# A folder with other files, and keys that do not matter here.
shape = llama.shape_of(windows=[9, 9], keys={
    "architectures": ["MistralForCausalLM"], "sliding_window": 9, "eos_token_id": [2, 7],
    "dtype": "float32", "note": {"a": None}})
model = folder / "mistral"
llama.write_folder(model, shape, llama.tensors_of(shape), "mistral")
OTHERS = {"tokenizer.json", "tokenizer_config.json", "tokenizer.model", "vocab.json", "merges.txt",
          "special_tokens_map.json", "generation_config.json", "chat_template.jinja", "LICENSE"}
for name in OTHERS | {"README.md", "pytorch_model.bin", "consolidated.safetensors", ".gitattributes",
                      "model.gguf", "rust_model.ot.bin", "trn_compress.json"}:
    (model / name).write_text(name)
(model / "onnx").mkdir()
before = json.loads((model / "config.json").read_text())
compress(model, *FACTORS, "--dtype=bf16")
assert names_in(out) == OTHERS | {"config.json", "model.safetensors", "README.md", "tokenizer.bin",
                                  "trn_compress.json"}, names_in(out)
for name in OTHERS:
    assert (out / name).read_text() == name
assert "gate_u_proj(gate_v_proj(x))" in (out / "README.md").read_text()
config = json.loads((out / "config.json").read_text())
assert config.pop("architectures") == ["TrnCompressedForCausalLM"]
assert config.pop("trn_compress") == {"format": 1} and config.pop("dtype") == "bfloat16"
ranks = config.pop("truncation_ranks")
assert len(ranks) == 6 and set(ranks.values()) == {6}
assert config == {key: value for key, value in before.items() if key not in ("architectures", "dtype")}

# Factors, and what they are multiplied to.
compress(model, *FACTORS)
nll = perplexity(out)
compress(out, "--export=dense", out=folder / "dense")
config = json.loads((folder / "dense/config.json").read_text())
assert config == before, (config, before)
raw = (folder / "dense/model.safetensors").read_bytes()
assert raw[8:].startswith(b'{"__metadata__":{"format":"pt"}'), raw[:80]  # transformers wants it
assert "A model\n" in (folder / "dense/README.md").read_text()
assert names_in(folder / "dense") == names_in(out)
assert abs(perplexity(folder / "dense") / nll - 1) < 1e-6
compress(model, *FACTORS, "--export=dense", out=folder / "straight")
assert json.loads((folder / "straight/config.json").read_text()) == before
for name, value in llama.read_safetensors(folder / "straight/model.safetensors").items():
    np.testing.assert_array_equal(value, llama.read_safetensors(folder / "dense/model.safetensors")[name])

# Links may lead to what nobody wants to publish; those of Hugging Face's cache do not.
cache = folder / "models--a--b"
shutil.rmtree(cache, ignore_errors=True)
(cache / "blobs").mkdir(parents=True)
(cache / "snapshots").mkdir()
snapshot = cache / "snapshots" / "0123"
llama.write_folder(snapshot, llama.shape_of(), llama.tensors_of(llama.shape_of()))
(cache / "blobs" / "4567").write_text("{}")
(snapshot / "tokenizer.json").symlink_to("../../blobs/4567")
(snapshot / "vocab.json").symlink_to("tokenizer.json")
compress(snapshot, "--export=dense")
assert (out / "tokenizer.json").read_text() == (out / "vocab.json").read_text() == "{}"
assert not (out / "tokenizer.json").is_symlink()
(folder / "secret").write_text("secret")
(cache / "secret").write_text("secret")
for target in folder / "secret", "../../secret":
    (snapshot / "notes.txt").unlink(missing_ok=True)
    (snapshot / "notes.txt").symlink_to(target)
    message = compress(snapshot, "--export=dense", status=1)
    assert "notes.txt' is a link to '" in message and "/secret', which is not of this model, and would be " \
        "copied; put the file itself there, or remove the link" in message, message
    assert not (out / "notes.txt").exists()

# Types that cannot hold a value, and folders that are read.
weights = llama.tensors_of(llama.shape_of())
weights["model.layers.1.mlp.down_proj.weight"][3, 4] = -70000
llama.write_folder(folder / "large", llama.shape_of(), weights)
message = compress(folder / "large", "--export=dense", "--dtype=f16", status=1)
assert "tensor 'model.layers.1.mlp.down_proj.weight' has a value of 70000.00, which f16 cannot hold; " \
    "write f32 or bf16" in message, message
weights["model.layers.1.mlp.down_proj.weight"][3, 4] = 65519.9
llama.write_folder(folder / "large", llama.shape_of(), weights)
compress(folder / "large", "--export=dense", "--dtype=f16")
for path in folder / "dense", folder:
    result = subprocess.run(["trn-compress", folder / "dense", "-o", path, "--export=dense", "--force"],
                            capture_output=True, text=True)
    assert result.returncode == 1 and "the folder to make; name another folder" in result.stderr, result.stderr
assert (folder / "dense/model.safetensors").exists()
