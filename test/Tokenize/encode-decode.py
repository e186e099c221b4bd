"""Texts become the tokens of published algorithms, written down in Python, and texts again.

RUN: %python %s %t
"""

import pathlib
import random
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import bpe  # noqa: E402

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)


def call(command, *arguments, text=None):
    return subprocess.run(["trn-llm", command, folder, *arguments], input=text, check=True, capture_output=True).stdout


TEXTS = bpe.make_lines(60, seed=1)
LINES = bpe.make_lines(200, seed=2)
TOKENIZERS = {
    "gpt2": bpe.OfBytes(bpe.PATTERNS["gpt2"], TEXTS),
    "llama3": bpe.OfBytes(bpe.PATTERNS["llama3"], TEXTS, ignore_merges=True, begin="<|begin_of_text|>"),
    "qwen2": bpe.OfBytes(bpe.PATTERNS["qwen2"], TEXTS, nfc=True),
    "cl100k": bpe.OfBytes(bpe.PATTERNS["cl100k"], TEXTS),
    "o200k": bpe.OfBytes(bpe.PATTERNS["o200k"], TEXTS),
    "llama2": bpe.OfCharacters(TEXTS),
    "mistral": bpe.OfCharacters(TEXTS, metaspace=True)}
for name, tokenizer in TOKENIZERS.items():
    bpe.write(tokenizer, folder / "tokenizer.json")
    wanted = [tokenizer.encode(line) for line in LINES]
    found = call("encode", "--lines", text="".join(line + "\n" for line in LINES).encode())
    for line, own, tokens in zip(LINES, found.decode().splitlines(), wanted, strict=True):
        assert list(map(int, own.split())) == tokens, (name, line, own, tokens)
    texts = call("decode", "--lines", text=found).split(b"\n")[:-1]
    for tokens, text in zip(wanted, texts, strict=True):
        assert tokenizer.decode(tokens) == text, (name, tokens, text)
    # A whole file as one text, with its newlines.
    whole = "\n\n".join(LINES[:40]) + "\n"
    assert list(map(int, call("encode", text=whole.encode()).split())) == tokenizer.encode(whole), name

# Bytes that are no UTF-8 come back, also through a file.
rng = random.Random(3)
broken = b"\n".join(bpe.damage(line.replace("<", ""), rng) for line in LINES)
(folder / "broken").write_bytes(broken)
for name in "gpt2", "llama3", "llama2":
    bpe.write(TOKENIZERS[name], folder / "tokenizer.json")
    text = broken.replace(bpe.BLANK.encode(), b"")  # of which there are two kinds in llama2
    (folder / "broken").write_bytes(text)
    call("encode", folder / "broken", "-o", folder / "tokens.npy")
    assert np.load(folder / "tokens.npy").shape[0] == 1
    assert call("decode", folder / "tokens.npy") == text, name
