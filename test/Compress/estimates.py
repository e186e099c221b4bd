"""A dry run says what a run would need, from headers alone; a run without enough memory is
refused before it reads a weight.

RUN: %python %s %t
"""

import json
import pathlib
import re
import struct
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
llama.write_stories(folder)


def write_empty(path, **changes):
    """A model all of whose weights are holes in a file."""
    shape = llama.shape_of(layers=1, heads=2, kv_heads=2, head_dim=32, hidden=64, vocabulary=300, **changes)
    wide, inter, header, at = 64, shape["intermediate"], {}, 0
    names = {"model.embed_tokens": (300, wide), "model.norm": (wide,)}
    for name, sizes in {"input_layernorm": (wide,), "post_attention_layernorm": (wide,), "mlp.gate_proj": (inter, wide),
                        "mlp.up_proj": (inter, wide), "mlp.down_proj": (wide, inter),
                        **{f"self_attn.{kind}_proj": (wide, wide) for kind in "qkvo"}}.items():
        names["model.layers.0." + name] = sizes
    for name, sizes in names.items():
        end = at + 2 * sizes[0] * (sizes[1] if len(sizes) > 1 else 1)
        header[name + ".weight"] = {"dtype": "BF16", "shape": sizes, "data_offsets": [at, end]}
        at = end
    path.mkdir()
    (path / "config.json").write_text(json.dumps(llama.config_of(shape)))
    text = json.dumps(header).encode()
    with open(path / "model.safetensors", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        file.truncate(8 + len(text) + at)
    return path


def compress(model, *options, status=0):
    result = subprocess.run(["trn-compress", model, "--rank=32", "--rows=", *options], capture_output=True, text=True)
    assert result.returncode == status, (options, result.stdout, result.stderr)
    return result.stdout + result.stderr


def needs(model, *options):
    told = re.search(r"estimated: ([0-9.]+) GB of memory, ([0-9.]+) GB on disk, about [0-9.]+ (s|min) on this machine",
                     compress(model, "--dry-run", *options))
    return float(told[1]), float(told[2])


# inter^2 in f64 is 8.8 TB; factors of weights alone need no such thing.
large = write_empty(folder / "large", intermediate=1 << 20)
memory, disk = needs(large)
assert 8790 < memory < 9300, memory
# 96 M parameters less in bf16, and factors in f32 until all is done.
assert 0.5 < disk < 0.7, disk
assert needs(large, "--recover=none")[0] < 10
text = [f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}"]
told = compress(large, "-o", folder / "out", *text, status=1)
assert re.search(r"not enough memory: about 8[0-9]{3}\.[0-9]+ GB are needed \(estimated\), but [0-9.]+ GB are available; "
                 "give fewer tokens with --calib-seqs or --max-tokens, or --recover=none", told), told
assert not (folder / "out").exists()

# Streams have a row for each token of the text, or for as many as there may be.
small = write_empty(folder / "small", intermediate=128, positions=1000)
many = ["--calib-seqs=10000", "--max-tokens=1000"]
memory, _ = needs(small, *many)
assert abs(memory - 2 * 1e7 * 64 * 4 / 1e9 - 0.1) < 0.1, memory
assert needs(small, *many, *text)[0] < 0.2
