"""Small language models: their weights, their files, and what NumPy makes of them in f64."""

import json
import shutil
import struct

import numpy as np

STOP = "<|endoftext|>"


def shape_of(**changes):
    shape = dict(hidden=24, intermediate=40, layers=2, heads=6, kv_heads=3, head_dim=4,
                 vocabulary=300, positions=64, tied=True, epsilon=1e-5, base=10000.0,
                 neighbours=False, bias=False, head_norms=False, scaling=None, ranks={}, windows=None, keys={})
    shape.update(changes)
    return shape


# All kinds of models, by a name that begins with the type of config.json.
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
    "llama-linear": dict(scaling={"factor": 2.5}, base=500.0, keys={
        "rope_scaling": {"type": "linear", "factor": 2.5}}),
    "llama-default": dict(base=500.0, keys={
        "rope_theta": None, "rope_parameters": {"rope_theta": 500.0}}),
    "llama-dynamic": dict(keys={"rope_scaling": {"type": "dynamic", "factor": 2.0}}),
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


def tensors_of(shape, seed=0):
    """Random weights [out, in] by the names of Hugging Face, and gains near 1."""
    rng = np.random.default_rng(seed)
    s = shape
    wide, narrow = s["heads"] * s["head_dim"], s["kv_heads"] * s["head_dim"]
    weights = {}

    def linear(module, out, inner):
        if module in s["ranks"]:
            rank = s["ranks"][module]
            stem = module.removesuffix("proj")
            weights[stem + "v_proj.weight"] = rng.standard_normal((rank, inner)) / inner**0.5
            weights[stem + "u_proj.weight"] = rng.standard_normal((out, rank)) / rank**0.5
        else:
            weights[module + ".weight"] = rng.standard_normal((out, inner)) / inner**0.5

    def gains(name, size):
        weights[name] = 1 + 0.1 * rng.standard_normal(size)

    weights["model.embed_tokens.weight"] = rng.standard_normal((s["vocabulary"], s["hidden"]))
    for layer in range(s["layers"]):
        at = f"model.layers.{layer}."
        gains(at + "input_layernorm.weight", s["hidden"])
        for name, out in ("q", wide), ("k", narrow), ("v", narrow):
            linear(f"{at}self_attn.{name}_proj", out, s["hidden"])
            if s["bias"]:
                weights[f"{at}self_attn.{name}_proj.bias"] = rng.standard_normal(out)
        if s["head_norms"]:
            gains(at + "self_attn.q_norm.weight", s["head_dim"])
            gains(at + "self_attn.k_norm.weight", s["head_dim"])
        linear(at + "self_attn.o_proj", s["hidden"], wide)
        gains(at + "post_attention_layernorm.weight", s["hidden"])
        linear(at + "mlp.gate_proj", s["intermediate"], s["hidden"])
        linear(at + "mlp.up_proj", s["intermediate"], s["hidden"])
        linear(at + "mlp.down_proj", s["hidden"], s["intermediate"])
    gains("model.norm.weight", s["hidden"])
    if not s["tied"]:
        weights["lm_head.weight"] = rng.standard_normal((s["vocabulary"], s["hidden"]))
    return {name: value.astype("<f4") for name, value in weights.items()}


# Files


def write_llama2c(path, shape, weights):
    s = shape
    with open(path, "wb") as file:
        file.write(struct.pack("<7i", s["hidden"], s["intermediate"], s["layers"], s["heads"],
                               s["kv_heads"], s["vocabulary"] * (1 if s["tied"] else -1),
                               s["positions"]))
        weights["model.embed_tokens.weight"].tofile(file)
        for name in ("input_layernorm", "self_attn.q_proj", "self_attn.k_proj",
                     "self_attn.v_proj", "self_attn.o_proj", "post_attention_layernorm",
                     "mlp.gate_proj", "mlp.down_proj", "mlp.up_proj"):
            for layer in range(s["layers"]):
                weights[f"model.layers.{layer}.{name}.weight"].tofile(file)
        weights["model.norm.weight"].tofile(file)
        np.zeros(s["positions"] * s["head_dim"], "<f4").tofile(file)
        if not s["tied"]:
            weights["lm_head.weight"].tofile(file)


def to_neighbours(weights, shape):
    """Weights of Hugging Face with the rotary rows where llama2.c has them."""
    turned = dict(weights)
    for layer in range(shape["layers"]):
        for name in "qk":
            key = f"model.layers.{layer}.self_attn.{name}_proj.weight"
            rows = weights[key].reshape(-1, 2, shape["head_dim"] // 2, shape["hidden"])
            turned[key] = np.ascontiguousarray(rows.swapaxes(1, 2)).reshape(weights[key].shape)
    return turned


def to_bf16(values):
    bits = np.asarray(values, "<f4").view("<u4")
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2")


def round_bf16(values):
    return (to_bf16(values).astype("<u4") << 16).view("<f4")


def write_safetensors(path, tensors, dtype="F32"):
    header, blocks, at = {}, [], 0
    for name, value in tensors.items():
        block = {"F64": lambda: value.astype("<f8"), "F32": lambda: value,
                 "F16": lambda: value.astype("<f2"),
                 "BF16": lambda: to_bf16(value)}[dtype]().tobytes()
        header[name] = {"dtype": dtype, "shape": list(value.shape),
                        "data_offsets": [at, at + len(block)]}
        blocks.append(block)
        at += len(block)
    text = json.dumps(header).encode()
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(blocks))


def config_of(shape, model_type="llama"):
    s = shape
    config = {"model_type": model_type, "hidden_size": s["hidden"],
              "intermediate_size": s["intermediate"], "num_hidden_layers": s["layers"],
              "num_attention_heads": s["heads"], "num_key_value_heads": s["kv_heads"],
              "head_dim": s["head_dim"], "vocab_size": s["vocabulary"],
              "max_position_embeddings": s["positions"], "rms_norm_eps": s["epsilon"],
              "rope_theta": s["base"], "tie_word_embeddings": s["tied"]}
    if s["scaling"]:
        config["rope_scaling"] = {"rope_type": "llama3", **s["scaling"]}
    if s["ranks"]:
        config["truncation_ranks"] = s["ranks"]
    return {**config, **s["keys"]}


def write_folder(path, shape, weights, model_type="llama", dtype="F32", shards=1):
    path.mkdir(parents=True, exist_ok=True)
    (path / "config.json").write_text(json.dumps(config_of(shape, model_type)))
    if shards == 1:
        write_safetensors(path / "model.safetensors", weights, dtype)
        return
    names = list(weights)
    index = {}
    for shard in range(shards):
        file = f"model-{shard + 1:05}-of-{shards:05}.safetensors"
        own = names[shard::shards]
        write_safetensors(path / file, {name: weights[name] for name in own}, dtype)
        index.update({name: file for name in own})
    (path / "model.safetensors.index.json").write_text(json.dumps({"weight_map": index}))


def write_model(folder, name, shape, weights):
    """A model that is called as one of MODELS, in its own kind of file. Returns where it is."""
    if name.startswith("llama2c"):
        path = folder / f"{name}.bin"
        write_llama2c(path, shape, weights)
    else:
        path = folder / name
        write_folder(path, shape, weights, name.split("-")[0].replace("llama3", "llama")
                     .replace("factors", "llama"))
    return path


def read_safetensors(path):
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    tensors = {}
    header = json.loads(raw[8:8 + size])
    header.pop("__metadata__", None)
    for name, entry in header.items():
        begin, end = entry["data_offsets"]
        block = raw[8 + size + begin:8 + size + end]
        values = (np.frombuffer(block, "<u2").astype("<u4") << 16).view("<f4") \
            if entry["dtype"] == "BF16" else \
            np.frombuffer(block, {"F32": "<f4", "F16": "<f2"}[entry["dtype"]])
        tensors[name] = values.reshape(entry["shape"])
    return tensors


# Tokens


def pieces_of(size, seed=0):
    """Marks, bytes, letters, and pairs of pieces that are there already."""
    rng = np.random.default_rng(seed)
    pieces = [b"<unk>", b"<s>", b"</s>"] + [b"<0x%02X>" % byte for byte in range(256)]
    pieces += [bytes([letter]) for letter in b" abcdefgh"]
    while len(pieces) < size:
        merged = pieces[rng.integers(259, len(pieces))] + pieces[rng.integers(259, len(pieces))]
        if merged not in pieces:
            pieces.append(merged)
    # Few values, so that there are ties.
    return pieces, [float(score) for score in rng.integers(-3, 3, size)]


def write_tokenizer(path, pieces, scores):
    with open(path, "wb") as file:
        file.write(struct.pack("<i", max(map(len, pieces))))
        for piece, score in zip(pieces, scores):
            file.write(struct.pack("<fi", score, len(piece)) + piece)


def read_tokenizer(path):
    raw, at, pieces, scores = path.read_bytes(), 4, [], []
    while at < len(raw):
        score, length = struct.unpack_from("<fi", raw, at)
        at += 8 + length
        pieces.append(raw[at - length:at])
        scores.append(score)
    return pieces, scores


def encode(text, pieces, scores):
    numbers = {}
    for number, piece in enumerate(pieces):
        numbers.setdefault(piece, number)
    parts = []
    for character in " " + text:
        raw = character.encode()
        parts += [(raw, numbers[raw])] if raw in numbers else [
            (pieces[byte + 3], byte + 3) for byte in raw]
    while True:
        best = None
        for i, (a, b) in enumerate(zip(parts, parts[1:])):
            number = numbers.get(a[0] + b[0])
            if number is not None and (best is None or scores[number] > scores[best[1]]):
                best = i, number
        if best is None:
            return [1] + [number for _, number in parts]
        i, number = best
        parts[i:i + 2] = [(pieces[number], number)]


def write_stories(folder):
    """A new folder with tokenizer.bin and a text of 20 random stories; returns their tokens."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pieces, scores = pieces_of(300)
    write_tokenizer(folder / "tokenizer.bin", pieces, scores)
    rng = np.random.default_rng(3)
    stories = ["".join(rng.choice(list("abcdefgh "), 40)) + "a" for _ in range(20)]
    (folder / "text").write_text(STOP.join(stories))
    return [encode(story.strip(), pieces, scores)[:64] for story in stories]


# Values


def to_halves(rows, shape):
    """Elements 2i and 2i + 1 of each head, that llama2.c rotates, as i and i + head_dim / 2."""
    heads = rows.reshape(-1, shape["head_dim"] // 2, 2, rows.shape[1])
    return heads.swapaxes(1, 2).reshape(rows.shape)


def frequencies(shape):
    dim = shape["head_dim"]
    plain = shape["base"] ** (-2 * np.arange(dim // 2) / dim)
    if not shape["scaling"]:
        return plain
    s = shape["scaling"]
    if len(s) == 1:  # linear
        return plain / s["factor"]
    result = []
    for frequency in plain:
        length, original = 2 * np.pi / frequency, s["original_max_position_embeddings"]
        low, high = s["low_freq_factor"], s["high_freq_factor"]
        if length > original / low:
            frequency /= s["factor"]
        elif length >= original / high:
            share = (original / length - low) / (high - low)
            frequency = frequency * ((1 - share) / s["factor"] + share)
        result.append(frequency)
    return np.array(result)


def rotate(x, shape):
    """x is [rows, heads, head_dim]."""
    angle = np.outer(np.arange(len(x)), frequencies(shape))[:, None, :]
    cosine, sine = np.cos(angle), np.sin(angle)
    half = shape["head_dim"] // 2
    first, second = ((slice(0, None, 2), slice(1, None, 2)) if shape["neighbours"] else
                     (slice(0, half), slice(half, None)))
    y = np.empty_like(x)
    y[..., first] = x[..., first] * cosine - x[..., second] * sine
    y[..., second] = x[..., first] * sine + x[..., second] * cosine
    return y


def norm(x, gains, shape):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + shape["epsilon"]) * gains


class Model:
    """Runs in f64; `watch` sees what goes into each module and what comes out."""

    def __init__(self, shape, weights, watch=lambda module, x, y: None):
        self.shape, self.watch = shape, watch
        self.weights = {name: value.astype(np.float64) for name, value in weights.items()}

    def linear(self, x, module):
        w = self.weights
        if module in self.shape["ranks"]:
            stem = module.removesuffix("proj")
            y = x @ w[stem + "v_proj.weight"].T @ w[stem + "u_proj.weight"].T
        else:
            y = x @ w[module + ".weight"].T
        y = y + w.get(module + ".bias", 0)
        self.watch(module, x, y)
        return y

    def norm(self, x, name):
        return norm(x, self.weights[name + ".weight"], self.shape)

    def mixed(self, x, layer):
        s, rows, at = self.shape, len(x), f"model.layers.{layer}."
        y = self.norm(x, at + "input_layernorm")
        q = self.linear(y, at + "self_attn.q_proj").reshape(rows, s["heads"], -1)
        k = self.linear(y, at + "self_attn.k_proj").reshape(rows, s["kv_heads"], -1)
        v = self.linear(y, at + "self_attn.v_proj").reshape(rows, s["kv_heads"], -1)
        if s["head_norms"]:
            q = self.norm(q, at + "self_attn.q_norm")
            k = self.norm(k, at + "self_attn.k_norm")
        q, k = rotate(q, s), rotate(k, s)
        group = s["heads"] // s["kv_heads"]
        k, v = np.repeat(k, group, 1), np.repeat(v, group, 1)
        later = np.triu(np.full((rows, rows), -np.inf), 1)
        if s["windows"] and s["windows"][layer]:
            later += np.tril(np.full((rows, rows), -np.inf), -s["windows"][layer])
        scores = np.einsum("mhd,nhd->hmn", q, k) / s["head_dim"] ** 0.5 + later
        p = np.exp(scores - scores.max(-1, keepdims=True))
        p /= p.sum(-1, keepdims=True)
        return np.einsum("hmn,nhd->mhd", p, v).reshape(rows, -1)

    def output(self, mixed, layer):
        return self.linear(mixed, f"model.layers.{layer}.self_attn.o_proj")

    def attention(self, x, layer):
        return self.output(self.mixed(x, layer), layer)

    def gated(self, x, layer):
        at = f"model.layers.{layer}."
        y = self.norm(x, at + "post_attention_layernorm")
        gate, up = self.linear(y, at + "mlp.gate_proj"), self.linear(y, at + "mlp.up_proj")
        return gate / (1 + np.exp(-gate)) * up

    def down(self, gated, layer):
        return self.linear(gated, f"model.layers.{layer}.mlp.down_proj")

    def logits(self, tokens):
        embedding = self.weights["model.embed_tokens.weight"]
        x = embedding[tokens]
        for layer in range(self.shape["layers"]):
            x = x + self.attention(x, layer)
            x = x + self.down(self.gated(x, layer), layer)
        head = embedding if self.shape["tied"] else self.weights["lm_head.weight"]
        return self.norm(x, "model.norm") @ head.T

    def losses(self, tokens):
        return losses_of(self.logits(tokens), tokens)


def losses_of(logits, tokens):
    """What the logits of all rows make of all tokens but the first."""
    logits = logits[:-1]
    most = logits.max(-1, keepdims=True)
    total = (most + np.log(np.exp(logits - most).sum(-1, keepdims=True)))[:, 0]
    return total - logits[np.arange(len(tokens) - 1), tokens[1:]]


def losses(tokens, shape, weights, watch=lambda module, x, y: None):
    """The negative logarithm of the probability of each token but the first."""
    return Model(shape, weights, watch).losses(tokens)
