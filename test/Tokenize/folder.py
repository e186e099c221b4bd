"""All tools take the tokenizer.json of a model's folder, and what they make has it too.

RUN: %python %s %t
"""

import json
import pathlib
import shutil
import subprocess
import sys

import numpy as np

sys.path += [str(pathlib.Path(__file__).parent / "Inputs"), str(pathlib.Path(__file__).parent.parent / "Model/Inputs")]
import bpe  # noqa: E402
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
model, report = folder / "model", folder / "report.json"
LINES = [text for text in (line.strip(" \t\n\v\f\r") for line in bpe.make_lines(14, seed=4))
         if text and "<|endoftext|>" not in text]
tokenizer = bpe.OfBytes(bpe.PATTERNS["llama3"], LINES, count=20, begin="<|begin_of_text|>")
# As models have it, there are more embeddings than pieces.
shape = llama.shape_of(vocabulary=300)
weights = llama.tensors_of(shape)
llama.write_folder(model, shape, weights)
bpe.write(tokenizer, model / "tokenizer.json")
(folder / "text").write_text("\n<|endoftext|>\n".join(LINES), newline="")


def call(tool, *arguments, status=0):
    result = subprocess.run([tool, *arguments], capture_output=True)
    assert result.returncode == status, result
    return result.stdout if status == 0 else result.stderr.decode()


def perplexity(model, *options):
    call("trn-llm", "perplexity", model, f"--text={folder / 'text'}", f"--report={report}", *options)
    return json.loads(report.read_text())["nll"]


STORIES = [tokenizer.encode(line)[:64] for line in LINES]
wanted = sum(llama.losses(tokens, shape, weights).sum() for tokens in STORIES)
assert abs(perplexity(model) / wanted - 1) < 1e-5

# A prompt begins with its mark, and special tokens are not printed.
text = call("trn-llm", "generate", model, "--prompt=the quick", "-n", "5", f"--report={report}")
found = json.loads(report.read_text())
assert found["prompt_tokens"] == tokenizer.encode("the quick")
assert text == tokenizer.decode(found["prompt_tokens"] + found["tokens"]) + b"\n"

# Choices, of texts and of tokens; the latter need no tokenizer, but then there are no lengths.
ITEMS = [("the quick", [" brown", " fox"]), ("if (a", [" != b)", "12"])]
nll = [[llama.losses(tokenizer.encode(context + choice), shape, weights)[len(tokenizer.encode(context)) - 1:].sum()
        for choice in choices] for context, choices in ITEMS]
(folder / "texts.jsonl").write_text("\n".join(json.dumps(
    {"context": context, "choices": choices, "answer": int(np.argmin(losses))})
    for (context, choices), losses in zip(ITEMS, nll)))
(folder / "ids.jsonl").write_text("\n".join(json.dumps(
    {"context_ids": tokenizer.encode(context), "answer": int(np.argmin(losses)),
     "choices_ids": [tokenizer.encode(context + choice)[len(tokenizer.encode(context)):] for choice in choices]})
    for (context, choices), losses in zip(ITEMS, nll)))
for items in "texts", "ids":
    call("trn-llm", "choose", model, folder / f"{items}.jsonl", f"--report={report}")
    found = json.loads(report.read_text())
    assert found["accuracy"] == 1 and "accuracy_per_byte" in found, found

# A compressed folder takes it along, and it is what the text was calibrated with.
out = folder / "out"
call("trn-compress", model, "-o", out, "--rank=6", "--rows=", f"--calib={folder / 'text'}")
assert (out / "tokenizer.json").read_bytes() == (model / "tokenizer.json").read_bytes()
np.save(folder / "rows.npy", np.array([tokens[:9] for tokens in STORIES if len(tokens) > 8], "<i4"))
call("trn-compress", model, "-o", folder / "rows", "--rank=6", "--rows=", f"--calib={folder / 'rows.npy'}")
by_rows = (folder / "rows/model.safetensors").read_bytes()
long = [line for line in LINES if len(tokenizer.encode(line)) > 8]
(folder / "long").write_text("\n<|endoftext|>\n".join(long), newline="")
call("trn-compress", model, "-o", folder / "texts", "--rank=6", "--rows=", "--max-tokens=9", f"--calib={folder / 'long'}")
assert (folder / "texts/model.safetensors").read_bytes() == by_rows

# One that is named takes the place of what the folder has.
llama.write_tokenizer(model / "tokenizer.bin", *llama.pieces_of(300))
(model / "tokenizer.json").rename(folder / "named.json")
call("trn-compress", model, "-o", folder / "named", "--rank=6", "--rows=", "--max-tokens=9", f"--calib={folder / 'long'}",
     f"--tokenizer={folder / 'named.json'}")
assert (folder / "named/model.safetensors").read_bytes() == by_rows
assert not (folder / "named/tokenizer.bin").exists() and (folder / "named/tokenizer.json").exists()
(model / "tokenizer.bin").unlink()

# Without a tokenizer.
call("trn-llm", "choose", model, folder / "ids.jsonl", f"--report={report}")
found = json.loads(report.read_text())
assert found["accuracy"] == 1 and "accuracy_per_byte" not in found, found
message = call("trn-llm", "choose", model, folder / "texts.jsonl", status=1)
assert "line 1: texts need a tokenizer; there is none beside the model: name it with --tokenizer=FILE" in message, message
large = bpe.OfBytes(bpe.PATTERNS["gpt2"], ["the quick brown fox " * 3, *LINES], count=60)
bpe.write(large, model / "tokenizer.json")
message = call("trn-llm", "generate", model, status=1)
assert f"has {len(large.pieces) + 3} pieces, but the vocabulary of the model has 300" in message, message
