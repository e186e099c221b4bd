"""What the spellings of rows compute, by NumPy, which rounds where they round.

ORACLES has a function for each file of table.csv: from its arguments to its results. All arrays are
f32 and hold values of the module's types.
"""

import numpy as np

SCALE = 0.125  # of heads of 64 elements


def bf16(x):
    """The nearest bf16, ties to even."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


def f16(x):
    return np.asarray(x, np.float32).astype(np.float16).astype(np.float32)


def f32(x):
    return np.asarray(x, np.float32)


def mean(x):
    return x.mean(-1, keepdims=True)


def rms(x, gain, rounded=bf16):
    return rounded(rounded(x / np.sqrt(mean(x * x) + 1e-5)) * gain)


def layer(x, gain=1, bias=0, eps=1e-5, rounded=f32):
    d = x - mean(x)
    return rounded(d / np.sqrt(mean(d * d) + eps) * gain + bias)


def softmax(x, rounded=f32):
    e = np.exp(x - x.max(-1, keepdims=True))
    return rounded(e / e.sum(-1, keepdims=True))


def log_softmax(x):
    d = x - x.max(-1, keepdims=True)
    return d - np.log(np.exp(d).sum(-1, keepdims=True))


def heads(x, count=4):
    """[1, s, h d] as [1, h, s, d]."""
    return x.reshape(1, x.shape[1], count, -1).transpose(0, 2, 1, 3)


def rope(x, cos, sin, rounded=bf16):
    """Halves: element i turns with element i + d / 2."""
    low, high = np.split(x, 2, -1)
    turned = np.concatenate([-high, low], -1)
    return rounded(rounded(x * cos) + rounded(turned * sin))


def rope_of_parts(low, high, cos, sin):
    """The two elements of each pair, turned: [s, h, d / 2]."""
    cos, sin = cos[:, None], sin[:, None]
    return low * cos - high * sin, high * cos + low * sin


def rope_jax(x, cos, sin):
    return bf16(np.concatenate(rope_of_parts(*np.split(x, 2, -1), cos, sin), -1))


def rope_neighbours(x, cos, sin, rounded=bf16):
    pairs = rope_of_parts(x[..., ::2], x[..., 1::2], cos, sin)
    return rounded(np.stack(pairs, -1).reshape(x.shape))


def partial_rope(x, cos, sin):
    x = heads(x)
    return np.concatenate([rope(x[..., :32], cos, sin), x[..., 32:]], -1)


def grouped(q, k, v, change=f32, rounded_scores=f32, divided_last=False):
    """q [h, s, d], k and v [g, t, d]; `change` is what happens to the scaled scores."""
    k, v = (np.repeat(x, q.shape[0] // x.shape[0], 0) for x in (k, v))
    scores = rounded_scores(rounded_scores(q @ k.transpose(0, 2, 1)) * np.float32(SCALE))
    scores = change(scores)
    if divided_last:
        e = np.exp(scores - scores.max(-1, keepdims=True))
        return bf16(bf16(e) @ v / e.sum(-1, keepdims=True))
    return bf16(softmax(scores, bf16) @ v)


def torch_attention(q, k, v, change=f32):
    o = grouped(q[0], k[0], v[0], lambda s: bf16(change(s)), bf16)
    return o.transpose(1, 0, 2).reshape(1, o.shape[1], -1)


def torch_token(q, k, new_k, v, new_v):
    return torch_attention(q, np.concatenate([k, new_k], 2), np.concatenate([v, new_v], 2))


def jax_attention(q, k, v, change=f32):
    q, k, v = (x[0].transpose(1, 0, 2) for x in (q, k, v))
    return grouped(q, k, v, change).transpose(1, 0, 2)[None]


def iree_attention(q, k, v, change=f32, divided_last=False):
    return grouped(q.reshape(-1, *q.shape[2:]), k, v, change, divided_last=divided_last).reshape(q.shape)


def distance(scores):
    """By how much a row's number is above a column's."""
    return np.arange(scores.shape[1])[:, None] - np.arange(scores.shape[2])


def causal(low):
    return lambda s: np.where(distance(s) >= 0, s, np.float32(low))


def window(s):
    return np.where((distance(s) >= 0) & (distance(s) < 48), s, -np.inf)


def linear(x, w, rounded=bf16):
    return rounded(x @ w.T)


ORACLES = {
    "rms-torch": rms, "rms-jax": rms, "rms-iree": rms,
    "rms-named": lambda x, g: rms(x, g, f32),
    "rms-residual-torch": lambda x, r, g: (rms(bf16(x + r), g), bf16(x + r)),
    "layer-torch": layer,
    "layer-jax": lambda x, g, b: layer(x, g, b, 1e-6, bf16),
    "layer-iree": lambda x, g, b: layer(x, g, b, rounded=bf16),
    "layer-named": lambda x: layer(x, rounded=f16),
    "softmax-torch": softmax, "softmax-jax": softmax, "softmax-iree": softmax,
    "softmax-torch-rounded": lambda x: softmax(x, bf16),
    "softmax-op-rounded": lambda x: softmax(x * np.float32(SCALE), bf16),
    "softmax-named": lambda x: softmax(x, bf16),
    "log-softmax-jax": log_softmax,
    "rope-torch": lambda x, cos, sin: rope(heads(x), cos, sin),
    "rope-product-torch": lambda x, w, cos, sin: rope(heads(linear(x, w)), cos, sin),
    "rope-jax": rope_jax,
    "rope-iree": lambda x, cos, sin: rope(x, cos[:, None], sin[:, None]),
    "rope-neighbours-jax": rope_neighbours,
    "rope-neighbours-iree": lambda x, cos, sin: rope_neighbours(x, cos, sin, f32),
    "rope-partial-torch": partial_rope,
    "attention-torch": torch_attention, "attention-jax": jax_attention, "attention-iree": iree_attention,
    "attention-divided-last": lambda q, k, v: iree_attention(q, k, v, divided_last=True),
    "attention-token-torch": torch_token,
    "causal-torch": lambda q, k, v: torch_attention(q, k, v, causal(-np.inf)),
    "causal-jax": lambda q, k, v: jax_attention(q, k, v, causal(-1e30)),
    "causal-iree": lambda q, k, v: iree_attention(q, k, v, causal(-np.inf)),
    "window-iree": lambda q, k, v: iree_attention(q, k, v, window, divided_last=True),
    "mask-torch": lambda q, k, v, m: torch_attention(q, k, v, lambda s: s + m[0]),
    "mask-keys-torch": lambda q, k, v, m: torch_attention(q, k, v, lambda s: s + m[0]),
    "mask-jax": lambda q, k, v, m: jax_attention(q, k, v, lambda s: np.where(m[0] != 0, s, np.float32(-1e30))),
    "mask-iree": lambda q, k, v, m: iree_attention(q, k, v, lambda s: s + m),
    "rms-product-torch": lambda x, g, w: linear(rms(x, g), w),
    "rms-product-jax": lambda x, g, w: bf16(rms(x, g) @ w),
    "rms-product-iree": lambda x, g, w: bf16(rms(x, g) @ w),
    "layer-product-torch": lambda x, g, b, w, c: linear(layer(x, g, b), w, f32) + c,
    "rms-qkv-torch": lambda x, g, *weights: [linear(rms(x, g), w) for w in weights]}
