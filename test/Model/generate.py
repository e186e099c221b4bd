"""Models of all kinds go on with a prompt as NumPy finds it most probable, as text or as tokens.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path += [str(folder / "Inputs") for folder in pathlib.Path(__file__).parents[:2]]
import llama  # noqa: E402
import terminal  # noqa: E402

BEGIN, END = 1, 2
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
pieces, scores = llama.pieces_of(300)
llama.write_tokenizer(folder / "tokenizer.bin", pieces, scores)
report = folder / "report.json"


def generate(model, *options):
    """What is printed, what is said beside it, and the report."""
    done = subprocess.run(["trn-llm", "generate", model, f"--report={report}", *options], check=True,
                          capture_output=True)
    return done.stdout, done.stderr, json.loads(report.read_text())


def greedy(shape, weights, tokens, count, ends=(BEGIN, END)):
    model, tokens, found = llama.Model(shape, weights), list(tokens), []
    while len(found) < count:
        best = int(model.logits(tokens)[-1].argmax())
        if best in ends:
            break
        found.append(best)
        tokens.append(best)
    return found


def text_of(tokens):
    """What tokens say, the first of which is the one that begins a text."""
    raw = b"".join(bytes([token - 3]) if token < 259 else pieces[token] for token in tokens[1:])
    return raw.removeprefix(b" ") if tokens[1:2] and tokens[1] >= 259 else raw


PROMPT = [BEGIN, 263, 299, 17, 42, 260]
np.save(folder / "prompt.npy", np.array(PROMPT, np.int64))
for name, changes in llama.MODELS.items():
    shape = llama.shape_of(**changes)
    weights = llama.tensors_of(shape)
    path = llama.write_model(folder, name, shape, weights)
    out, err, found = generate(path, f"--ids={folder / 'prompt.npy'}", "-n", "12")
    wanted = greedy(shape, weights, PROMPT, 12)
    assert found["tokens"] == wanted, (name, found["tokens"], wanted)
    assert found["prompt_tokens"] == PROMPT and not err, (found, err)
    assert out.decode().split() == [str(token) for token in PROMPT + wanted], (name, out)
    assert found["ended_by"] == ("count" if len(wanted) == 12 else "end"), (name, found)

# Text: that of the prompt and of the pieces, to the byte, until the context is full.
shape = llama.shape_of(neighbours=True)
weights = llama.tensors_of(shape)
model = folder / "llama2c.bin"
endings = set()
for prompt in "", "abc", "  ab\u00e9\u4e2d\n":
    tokens = llama.encode(prompt, pieces, scores) if prompt else [BEGIN]
    out, err, found = generate(model, f"--prompt={prompt}", f"--tokenizer={folder / 'tokenizer.bin'}")
    # The last one has no room, and needs none.
    wanted = greedy(shape, weights, tokens, shape["positions"] - len(tokens) + 1)
    assert found["prompt_tokens"] == tokens and found["tokens"] == wanted, (found, wanted)
    assert out == text_of(tokens + wanted) + b"\n", (out, wanted)
    is_full = len(tokens) + len(wanted) > shape["positions"]
    assert (b"trn-llm: note: ended because the model takes 64 tokens at most\n" == err) == is_full, err
    assert found["ended_by"] == ("context" if is_full else "end"), found
    assert found["seconds"] > 0, found
    endings.add(found["ended_by"])
assert endings == {"context", "end"}, endings

# What ends a text is what config.json says, if it says so.
shape = llama.shape_of()
weights = llama.tensors_of(shape)
some = greedy(shape, weights, PROMPT, 8, ends=())
for key, value in ("eos_token_id", some[5]), ("eos_token_id", [0, some[5]]), ("bos_token_id", some[5]):
    llama.write_folder(folder / "ends", {**shape, "keys": {key: value}}, weights)
    _, _, found = generate(folder / "ends", f"--ids={folder / 'prompt.npy'}")
    assert found["tokens"] == some[:some.index(some[5])] and found["ended_by"] == "end", (found, some)

# generation_config.json beside it has the last word, as in Hugging Face.
llama.write_folder(folder / "beside", {**shape, "keys": {"eos_token_id": some[2]}}, weights)
beside = folder / "beside" / "generation_config.json"
for text, end in ('{"eos_token_id": %d}' % some[5], 5), ('{"do_sample": true}', 2):
    beside.write_text(text)
    _, _, found = generate(folder / "beside", f"--ids={folder / 'prompt.npy'}")
    assert found["tokens"] == some[:some.index(some[end])], (text, found, some)
for text, problem in ("{", b"generation_config.json': "), ("[1]", b"generation_config.json': must be a JSON object"):
    beside.write_text(text)
    failed = subprocess.run(["trn-llm", "generate", folder / "beside", f"--ids={folder / 'prompt.npy'}"], capture_output=True)
    assert failed.returncode == 1 and problem in failed.stderr, failed

# The same seed draws the same tokens, on any number of threads, and another one others.
DRAWN = ["--temperature=1.5", "--top-k=100", "--top-p=0.95", "-n", "30"]
texts = [generate(model, *DRAWN, f"--seed={seed}", f"--threads={threads}")[0]
         for seed, threads in ((7, 1), (7, 3), (8, 1))]
assert texts[0] == texts[1] != texts[2], texts
assert generate(model, *DRAWN[:1], "--top-k=1", "-n", "9")[0] == generate(model, "-n", "9")[0]

# On a terminal, how fast it was, and nothing that a terminal acts on.
shown, _ = terminal.run(["trn-llm", "generate", model, "--prompt=a\x1b[31mb\u00e9", "-n", "1"])
assert shown.startswith("a\\1B[31mb\u00e9") and shown.endswith(" tokens per second\r\n"), shown
