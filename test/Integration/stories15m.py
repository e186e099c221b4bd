"""A real weight on real activations: the gate of layer 0 of stories15M.

The weight (768 x 288) is factored by NumPy at rank 128. X holds the normalised
embeddings of the first 256 tokens of a story. The data is optional; where it is
absent, this test is reported as unsupported because `trn-data` is missing.

REQUIRES: trn-data
RUN: %python %s %t
"""

import os
import pathlib
import struct
import subprocess
import sys

import numpy as np

RANK, TOKENS, LAYER = 128, 256, 0
TOLERANCE = {"bf16": 1e-2, "f32": 1e-5}


def read_checkpoint(path):
    """Token embeddings, and norm gains and gate weights of the MLPs."""
    with open(path, "rb") as file:
        dim, hidden, layers, heads, kv_heads, vocab, _ = struct.unpack("<7i", file.read(28))
        head = dim // heads

        def read(*shape):
            return np.fromfile(file, "<f4", int(np.prod(shape))).reshape(shape)

        embedding = read(abs(vocab), dim)
        read(layers, dim)                    # attention norm
        read(layers, dim, dim)               # wq
        read(2 * layers, kv_heads * head, dim)  # wk, wv
        read(layers, dim, dim)               # wo
        return embedding, read(layers, dim), read(layers, hidden, dim)


def read_tokenizer(path, size):
    pieces = {}
    with open(path, "rb") as file:
        file.read(4)
        for number in range(size):
            score, length = struct.unpack("<fi", file.read(8))
            pieces.setdefault(file.read(length), (number, score))
    return pieces


def encode(text, pieces):
    """Ids: merges the pair with the best score until none is known."""
    parts = [b" "]
    for character in text:
        raw = character.encode()
        parts += [raw] if raw in pieces else [bytes([byte]) for byte in raw]
    while True:
        merged = [(pieces[a + b][1], -i) for i, (a, b) in enumerate(zip(parts, parts[1:]))
                  if a + b in pieces]
        if not merged:
            break
        i = -max(merged)[1]
        parts[i:i + 2] = [parts[i] + parts[i + 1]]
    return [1] + [pieces[p][0] if p in pieces else p[0] + 3 for p in parts]


def round_to(values, dtype):
    if dtype == "f32":
        return values
    bits = np.ascontiguousarray(values).view(np.uint32)
    bits = (bits + 0x7FFF + ((bits >> 16) & 1)) & np.uint32(0xFFFF0000)
    return bits.view(np.float32)


def main():
    stem, data = sys.argv[1], pathlib.Path(os.environ["TRN_DATA_DIR"])
    model = data / "stories15M"
    embedding, gains, gates = read_checkpoint(model / "stories15M.bin")
    pieces = read_tokenizer(model / "tokenizer.bin", len(embedding))
    text = (data / "text" / "tinystories-valid-head.txt").read_text(encoding="utf-8")
    tokens = encode(text[:4 * 400], pieces)[:TOKENS]
    assert len(tokens) == TOKENS, f"the text has only {len(tokens)} tokens"

    x = embedding[tokens]
    x = x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5) * gains[LAYER]
    left, values, right = np.linalg.svd(gates[LAYER].T.astype(np.float64), full_matrices=False)
    root = np.sqrt(values[:RANK])
    arrays = [value.astype(np.float32)
              for value in (x, left[:, :RANK] * root, root[:, None] * right[:RANK])]
    paths = [f"{stem}.{name}.npy" for name in "xuv"]
    for path, value in zip(paths, arrays):
        np.save(path, value)

    (m, k), n = x.shape, arrays[2].shape[1]
    for dtype, tolerance in TOLERANCE.items():
        source = subprocess.run(
            ["trn-gen", "xuv", f"--m={m}", f"--k={k}", f"--r={RANK}", f"--n={n}",
             f"--dtype={dtype}"], check=True, capture_output=True).stdout
        subprocess.run(
            ["trn-run", "-", "--compile", "--verify", f"--out=@{stem}.o.npy",
             *(f"--arg=@{path}" for path in paths)], input=source, check=True)
        wide = [round_to(value, dtype).astype(np.float64) for value in arrays]
        expected = wide[0] @ wide[1] @ wide[2]
        error = np.linalg.norm(np.load(f"{stem}.o.npy") - expected) / np.linalg.norm(expected)
        print(f"{dtype}: relative error {error:.2e}")
        assert error <= tolerance, f"at most {tolerance:.0e} is allowed"


main()
