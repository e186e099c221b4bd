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

SCALING = {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
           "original_max_position_embeddings": 16}
RANKS = {"model.layers.0.mlp.gate_proj": 8, "model.layers.1.mlp.down_proj": 16}
MODELS = {
    "llama2c": dict(neighbours=True),
    "llama2c-untied": dict(neighbours=True, tied=False),
    "llama": dict(tied=False),
    "llama3": dict(scaling=SCALING, base=500000.0),
    "factors": dict(ranks=RANKS),
    "llama-parameters": dict(scaling=SCALING, base=500000.0, keys={
        "rope_scaling": None, "rope_theta": None,
        "rope_parameters": {"rope_type": "llama3", "rope_theta": 500000.0, **SCALING}}),
    "llama-theta-apart": dict(scaling=SCALING, base=500000.0, keys={
        "rope_scaling": None, "rope_parameters": {"rope_type": "llama3", **SCALING}}),
    "mistral": dict(head_dim=8, epsilon=1e-3),
    "mistral-window": dict(windows=[5, 5], keys={"sliding_window": 5}),
    "mistral-whole": dict(keys={"sliding_window": None}),
    "qwen2": dict(bias=True),
    "qwen2-window": dict(bias=True, windows=[None, 7], keys={
        "use_sliding_window": True, "sliding_window": 7, "max_window_layers": 1}),
    "qwen2-whole": dict(bias=True, keys={"use_sliding_window": False, "sliding_window": 7}),
    "qwen3": dict(head_norms=True, head_dim=6),
    "qwen3-window": dict(head_norms=True, windows=[1, None], keys={
        "use_sliding_window": True, "sliding_window": 1,
        "layer_types": ["sliding_attention", "full_attention"]}),
}
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
for name, changes in MODELS.items():
    shape = llama.shape_of(**changes)
    weights = llama.tensors_of(shape)
    if name.startswith("llama2c"):
        path = folder / f"{name}.bin"
        llama.write_llama2c(path, shape, weights)
    else:
        path = folder / name
        llama.write_folder(path, shape, weights, name.split("-")[0].replace("llama3", "llama")
                           .replace("factors", "llama"))
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
