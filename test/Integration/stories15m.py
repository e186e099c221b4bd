"""Real weights on real activations: queries, keys and values, and the MLP, of layer 0 of stories15M.

X holds the first 256 tokens of a story, as the layer sees them. The weights are whole,
and the MLP's are factored by NumPy at rank 128, too. The data is optional; where it is
absent, this test is reported as unsupported because `trn-data` is missing.

REQUIRES: trn-data
RUN: %python %s %t
"""

import json
import os
import pathlib
import struct
import subprocess
import sys

import numpy as np

RANK, TOKENS = 128, 256
TOLERANCE = {"bf16": 1e-2, "f32": 1e-5}


def read_checkpoint(path):
    """The embeddings and layer 0; its weights are [in, out] here."""
    with open(path, "rb") as file:
        dim, hidden, layers, heads, kv_heads, vocab, _ = struct.unpack("<7i", file.read(28))
        columns = dim // heads * kv_heads

        def read(*shape):
            return np.fromfile(file, "<f4", int(np.prod(shape))).reshape(shape)

        layer = {"heads": heads, "kv_heads": kv_heads, "embedding": read(abs(vocab), dim)}
        layer["attention_gain"] = read(layers, dim)[0]
        for name, rows in ("query", dim), ("key", columns), ("value", columns), ("output", dim):
            layer[name] = read(layers, rows, dim)[0].T
        layer["mlp_gain"] = read(layers, dim)[0]
        for name, shape in ("gate", (hidden, dim)), ("down", (dim, hidden)), ("up", (hidden, dim)):
            layer[name] = read(layers, *shape)[0].T
        return layer


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


def normalize(x, gain):
    return x / np.sqrt((x * x).mean(axis=1, keepdims=True) + 1e-5) * gain


def rotate(x):
    """RoPE on neighbouring pairs of [tokens, heads, columns]."""
    tokens, _, columns = x.shape
    angles = np.arange(tokens)[:, None] * 10000.0 ** (-np.arange(0, columns, 2) / columns)
    turned = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)[:, None, :]
    return np.stack([turned.real, turned.imag], axis=-1).reshape(x.shape)


def attend(x, layer):
    """What attention adds to the tokens."""
    heads, kv_heads = layer["heads"], layer["kv_heads"]
    query = rotate((x @ layer["query"]).reshape(len(x), heads, -1))
    key = rotate((x @ layer["key"]).reshape(len(x), kv_heads, -1))
    value = (x @ layer["value"]).reshape(len(x), kv_heads, -1)
    key, value = (np.repeat(each, heads // kv_heads, axis=1) for each in (key, value))
    scores = np.einsum("mhd,nhd->hmn", query, key) / np.sqrt(query.shape[-1])
    scores = np.exp(np.where(np.tri(len(x)) == 0, -np.inf, scores))
    mixed = np.einsum("hmn,nhd->mhd", scores / scores.sum(axis=-1, keepdims=True), value)
    return mixed.reshape(len(x), -1) @ layer["output"]


def factor(weight):
    left, values, right = np.linalg.svd(weight.astype(np.float64), full_matrices=False)
    root = np.sqrt(values[:RANK])
    return [left[:, :RANK] * root, root[:, None] * right[:RANK]]


def project(x, weight):
    for matrix in weight:
        x = x @ matrix
    return x


def mlp(x, gate, up, down):
    wide = project(x, gate)
    return [project(wide / (1 + np.exp(-wide)) * project(x, up), down)]


def qkv(x, *weights):
    return [project(x, weight) for weight in weights]


def check(what, evaluate, x, weights, *command):
    """Compares one kernel with NumPy, which rounds the inputs only."""
    stem = sys.argv[1]
    report = stem + ".json"
    for dtype, tolerance in TOLERANCE.items():
        sizes = [f"--m={len(x)}", f"--hidden={x.shape[1]}"]
        source = subprocess.run(["trn-gen", *command, *sizes, f"--dtype={dtype}"],
                                check=True, capture_output=True).stdout
        arguments = [x, *(matrix for weight in weights for matrix in weight)]
        paths = [f"{stem}.{number}.npy" for number in range(len(arguments))]
        for path, value in zip(paths, arguments):
            np.save(path, value.astype(np.float32))

        wide = [[round_to(matrix.astype(np.float32), dtype).astype(np.float64) for matrix in weight]
                for weight in ([x], *weights)]
        expected = evaluate(wide[0][0], *wide[1:])
        outputs = [f"{stem}.o{number}.npy" for number in range(len(expected))]
        subprocess.run(["trn-run", "-", "--compile=effort=1", "--verify", f"--report={report}",
                        *(f"--arg=@{path}" for path in paths), *(f"--out=@{path}" for path in outputs)],
                       input=source, check=True, capture_output=True)
        for path, value in zip(outputs, expected):
            error = np.linalg.norm(np.load(path) - value) / np.linalg.norm(value)
            print(f"{what}, {dtype}: relative error {error:.2e}")
            assert error <= tolerance, f"at most {tolerance:.0e} is allowed"
        loaded = json.loads(pathlib.Path(report).read_text(encoding="utf-8"))
        kernels = sum(kernel["calls"] for kernel in loaded["kernels"])
        assert kernels == 1, f"{what} is {kernels} kernels"
        assert not loaded["host_ops"], f"{what} leaves {loaded['host_ops']} on the host"


def main():
    data = pathlib.Path(os.environ["TRN_DATA_DIR"])
    model = data / "stories15M"
    layer = read_checkpoint(model / "stories15M.bin")
    pieces = read_tokenizer(model / "tokenizer.bin", len(layer["embedding"]))
    text = (data / "text" / "tinystories-valid-head.txt").read_text(encoding="utf-8")
    tokens = encode(text[:4 * 400], pieces)[:TOKENS]
    assert len(tokens) == TOKENS, f"the text has only {len(tokens)} tokens"

    stream = layer["embedding"][tokens].astype(np.float64)
    x = normalize(stream, layer["attention_gain"])
    whole = [[layer[name]] for name in ("query", "key", "value")]
    check("QKV", qkv, x, whole, "qkv", f"--heads={layer['heads']}", f"--kv-heads={layer['kv_heads']}")

    x = normalize(stream + attend(x, layer), layer["mlp_gain"])
    names = "gate", "up", "down"
    command = "mlp", f"--intermediate={layer['gate'].shape[1]}"
    check("MLP", mlp, x, [[layer[name]] for name in names], *command)
    check(f"MLP of rank {RANK}", mlp, x, [factor(layer[name]) for name in names],
          *command, f"--rank={RANK}")


main()
