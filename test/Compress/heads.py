"""Which heads of attention stay, and what `o` becomes, is what NumPy finds; the folder is a plain one of fewer heads.

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

SHRINK = 0.05
folder = pathlib.Path(sys.argv[1])
sequences = llama.write_stories(folder)
TEXT = [f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}"]


def cut(model, out, *options):
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run(["trn-compress", model, "-o", out, "--rows=", "--method=neurons", f"--shrink={SHRINK}", *TEXT,
                    *options], check=True, capture_output=True)
    config, manifest = (json.loads((out / name).read_text()) for name in ("config.json", "trn_compress.json"))
    return llama.read_safetensors(out / "model.safetensors"), config, manifest


def nll(model, *options):
    report = folder / "report.json"
    subprocess.run(["trn-llm", "perplexity", model, f"--text={folder / 'text'}", f"--report={report}",
                    f"--tokenizer={folder / 'tokenizer.bin'}", *options], check=True, capture_output=True)
    return json.loads(report.read_text())["nll"]


def numbers_in(text):
    runs = [[int(number) for number in run.split("-")] for run in text.split(",")]
    return [number for run in runs for number in range(run[0], run[-1] + 1)]


def regression(x, y, weight):
    gram = x.T @ x / len(x)
    mean = np.trace(gram) / len(gram)
    return (gram + (SHRINK + 1e-6) * mean * np.eye(len(gram)), x.T @ y / len(x) + SHRINK * mean * weight.T)


def choose(gram, cross, part, count, room):
    """Parts of the inputs, one by one, of which the outputs need most; `room` of groups of parts for more of them."""
    taken, shared = [], len(gram) // part // len(room)
    while len(taken) < count:
        at = [part * number + i for number in taken for i in range(part)]
        left = cross - gram[:, at] @ np.linalg.solve(gram[np.ix_(at, at)], cross[at])
        scores = (left**2).sum(1).reshape(-1, part).sum(1)
        for number in range(len(scores)):
            if number in taken or not room[number // shared]:
                scores[number] = -1
        taken.append(scores.argmax())
        room[taken[-1] // shared] -= 1
    return sorted(taken)


def check_choice(shape, weights, found, manifest, heads, groups):
    """Stream by stream, with what was found in the layers before."""
    dim, shared = shape["head_dim"], shape["heads"] // shape["kv_heads"]
    whole, thin = llama.Model(shape, weights), llama.Model({**shape, "heads": heads, "kv_heads": groups}, found)
    dense = [whole.weights["model.embed_tokens.weight"][tokens] for tokens in sequences]
    own = list(dense)
    for layer in range(shape["layers"]):
        name = f"model.layers.{layer}.self_attn.o_proj.weight"
        mixed = np.concatenate([whole.mixed(y, layer) for y in own])
        dense_added = [whole.attention(x, layer) for x in dense]
        target = np.concatenate([x + more - y for x, more, y in zip(dense, dense_added, own)])
        gram, cross = regression(mixed, target, whole.weights[name])
        of_keys = choose(gram, cross, dim * shared, groups, [1] * shape["kv_heads"])
        room = [heads // groups if group in of_keys else 0 for group in range(shape["kv_heads"])]
        wanted = choose(gram, cross, dim, heads, room)
        kept = numbers_in(manifest["heads"][layer]["kept"])
        assert kept == wanted, (layer, kept, wanted)
        at = [dim * head + i for head in kept for i in range(dim)]
        part = regression(mixed[:, at], target, whole.weights[name][:, at])
        fitted = np.linalg.solve(*part).T
        assert np.linalg.norm(found[name] - fitted) < 1e-4 * np.linalg.norm(fitted), layer
        dense = [x + more for x, more in zip(dense, dense_added)]
        own = [y + thin.attention(y, layer) for y in own]
        dense, own = ([x + model.down(model.gated(x, layer), layer) for x in stream]
                      for model, stream in ((whole, dense), (thin, own)))


# All kinds of models: of each group of heads one goes, or whole groups go.
for name, heads, groups in (("llama2c", 4, 2), ("llama", 4, 2), ("mistral-window", 3, 3), ("qwen2", 2, 2),
                            ("qwen3-window", 4, 2)):
    shape = llama.shape_of(**llama.MODELS[name])
    weights = llama.tensors_of(shape)
    model, out = llama.write_model(folder, name, shape, weights), folder / f"{name}-thin"
    found, config, manifest = cut(model, out, f"--heads={heads}", f"--kv-heads={groups}")
    assert (config["num_attention_heads"], config["num_key_value_heads"], config["head_dim"]) == \
        (heads, groups, shape["head_dim"]), config
    assert not {"truncation_ranks", "trn_compress"} & set(config)
    thin = {**shape, "heads": heads, "kv_heads": groups}
    assert found["model.layers.1.self_attn.k_proj.weight"].shape == (groups * shape["head_dim"], shape["hidden"])
    in_numpy = llama.Model({**thin, "neighbours": False}, found)
    assert abs(nll(out) / sum(in_numpy.losses(tokens).sum() for tokens in sequences) - 1) < 1e-6, name
    if name != "llama2c":
        check_choice(shape, weights, found, manifest, heads, groups)
    entry = manifest["matrices"][3]
    assert entry["head_elements"] == heads * shape["head_dim"] and 0 < entry["output_error"] < 1, entry
    module = subprocess.run(["trn-gen", "llama", out, "--mode=prefill", "--rows=3"], check=True, capture_output=True,
                            text=True).stdout
    assert f"tensor<{shape['hidden']}x{heads * shape['head_dim']}x" in module, name

# With neurons in one run, and with each way to win back; trained models are nearer to the whole one.
shape = llama.shape_of()
weights = llama.tensors_of(shape)
llama.write_folder(folder / "model", shape, weights)
BOTH = ["--neurons=30", "--heads=4"]
losses = {}
for way in (["none"], ["closed"], ["block", "--steps=30"], ["distill", "--steps=30"], ["lora", "--steps=10"]):
    out, options = folder / way[0], [f"--recover={way[0]}", *way[1:]]
    shutil.rmtree(out, ignore_errors=True)
    subprocess.run(["trn-compress", folder / "model", "-o", out, "--rows=", "--method=neurons", *TEXT, *BOTH, *options],
                   check=True, capture_output=True)
    config = json.loads((out / "config.json").read_text())
    assert (config["num_key_value_heads"], config["intermediate_size"]) == (2, 30), config
    thin = llama.Model({**shape, "heads": 4, "kv_heads": 2}, llama.read_safetensors(out / "model.safetensors"))
    whole = llama.Model(shape, weights)
    losses[way[0]] = sum(((thin.logits(tokens) - whole.logits(tokens))**2).sum() for tokens in sequences)
assert losses["closed"] < losses["none"] and losses["distill"] < losses["block"], losses
one = ["--stories=1"]
assert abs(nll(out, *one, "--simulate", "--effort=1", "--dtype=f32") / nll(out, *one) - 1) < 1e-4
found, config, manifest = cut(folder / "model", out, "--modules=mlp,attention", "--ratio=0.34", "--block=32")
assert (config["num_attention_heads"], config["num_key_value_heads"], config["intermediate_size"]) == (4, 2, 32)
assert len(manifest["heads"]) == len(manifest["neurons"]) == 2
