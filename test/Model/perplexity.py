"""Models of all kinds, in all files that they come in, score texts as NumPy does.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402

STORIES = ["abcd efgh abab", "a", "  hgfe dcba,\n\u00e9\u4e2d abcdefgh " * 4, "bad cafe " * 20]


def perplexity(model, folder, *options):
    report = folder / "report.json"
    subprocess.run(["trn-llm", "perplexity", model, f"--text={folder / 'text'}",
                    f"--tokenizer={folder / 'tokenizer.bin'}", f"--report={report}", *options],
                   check=True, stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())


def check(name, found, sequences, shape, weights):
    nll = [llama.losses(tokens, shape, weights) for tokens in sequences]
    wanted = sum(map(np.sum, nll))
    assert found["stories"] == len(sequences), name
    assert found["tokens"] == sum(map(len, nll)), name
    assert abs(found["nll"] / wanted - 1) < 1e-5, (name, found["nll"], wanted)
    mean = wanted / found["tokens"]
    assert abs(np.log(found["perplexity"]) - mean) < 1e-5 * mean, name


folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
pieces, scores = llama.pieces_of(300)
llama.write_tokenizer(folder / "tokenizer.bin", pieces, scores)
(folder / "text").write_text(f"\n{llama.STOP}\n".join(STORIES) + f"\n{llama.STOP}\n \n")
sequences = [llama.encode(story.strip(), pieces, scores)[:64] for story in STORIES]
for name, changes in llama.MODELS.items():
    shape = llama.shape_of(**changes)
    weights = llama.tensors_of(shape)
    path = llama.write_model(folder, name, shape, weights)
    check(name, perplexity(path, folder), sequences, shape, weights)

# Shards, narrower types, and fewer tokens of fewer stories, on one thread.
shape = llama.shape_of()
weights = llama.tensors_of(shape)
for dtype, rounded in ("BF16", llama.round_bf16), ("F16", lambda v: v.astype("<f2")):
    llama.write_folder(folder / dtype, shape, weights, dtype=dtype, shards=3)
    narrow = {key: rounded(value).astype("<f4") for key, value in weights.items()}
    (folder / dtype / "model.fp16.safetensors").write_bytes(b"of another")
    check(dtype, perplexity(folder / dtype, folder), sequences, shape, narrow)
    check(dtype, perplexity(folder / dtype, folder, "--stories=3", "--max-tokens=9", "--threads=1"),
          [tokens[:9] for tokens in sequences[:3]], shape, narrow)
