"""What is calibrated on is the text that is named, or its tokens, or a draw from either.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
sequences = [tokens[:12] for tokens in llama.write_stories(folder)]
shape = llama.shape_of()
llama.write_folder(folder / "model", shape, llama.tensors_of(shape))
np.save(folder / "ids.npy", np.array(sequences, "<i4"))


def call(tool, *options, status=0, message=""):
    result = subprocess.run([tool, *map(str, options)], capture_output=True, text=True)
    assert result.returncode == status and message in result.stderr, result
    return result.stderr


def compress(name, calibration, *options, **expected):
    return call("trn-compress", folder / "model", "-o", folder / name, "--rank=6", "--rows=", "--max-tokens=12",
                f"--calib={folder / calibration}", *options, **expected)


def tensors(name):
    return (folder / name / "model.safetensors").read_bytes()


tokenizer = f"--tokenizer={folder / 'tokenizer.bin'}"
assert "240 tokens" not in compress("text-out", "text", tokenizer)
compress("ids-out", "ids.npy")
assert tensors("text-out") == tensors("ids-out")
wide = np.asfortranarray(np.array(sequences, "<i8"))
np.save(folder / "wide.npy", wide)
compress("wide-out", "wide.npy")
assert tensors("wide-out") == tensors("ids-out")

# Few of them, the first ones or drawn; the same number draws the same.
message = "are few to calibrate weights of 40 columns: give a text of at least 160"
assert message in compress("first", "ids.npy", "--calib-seqs=5")
for name, seed in ("one", 1), ("again", 1), ("two", 2):
    compress(name, "ids.npy", "--calib-seqs=5", f"--seed={seed}")
assert tensors("one") == tensors("again")
assert len({tensors("one"), tensors("two"), tensors("first")}) == 3
compress("drawn", "text", tokenizer, "--calib-seqs=5", "--seed=1")
assert tensors("drawn") == tensors("one")

# The tool that measures takes tokens, too.
for text in "text", "ids.npy":
    call("trn-llm", "perplexity", folder / "model", f"--text={folder / text}", tokenizer, "--max-tokens=12",
         f"--report={folder / (text + '.json')}")
assert json.loads((folder / "text.json").read_text()) == json.loads((folder / "ids.npy.json").read_text())

for name, values, message in (
        ("float", np.zeros((2, 3), "<f4"), "it is 2x3 of f32, but must be sequences by tokens of integers"),
        ("flat", np.zeros(3, "<i4"), "it is 3 of i32, but must be sequences by tokens of integers"),
        ("large", np.full((1, 2), 300, "<i4"), "token 300 of sequence 0 is outside of the vocabulary of 300"),
        ("empty", np.zeros((1, 0), "<i4"), "sequence 0 has 0 tokens, but must have 1 to 64"),
        ("none", np.zeros((0, 3), "<i4"), "has no sequences")):
    np.save(folder / f"{name}.npy", values)
    compress("out", f"{name}.npy", status=1, message=message)
