"""Public kernels in NKI: what they are called with, and what they compute, in NumPy."""

import collections

import numpy as np

Case = collections.namedtuple("Case", "files kernel inputs reference options", defaults=({},))


def exp_scaled(scores):
    return np.exp(scores - scores.max(-1, keepdims=True))


def softmax(scores):
    powers = exp_scaled(scores)
    return powers / powers.sum(-1, keepdims=True)


def silu(x):
    return x / (1 + np.exp(-x))


def rms(x, eps=0.0):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps)


def adamw(theta, g, m, v):
    return theta * 0.99999 - 0.001 * (9 * m + g) / np.sqrt(999 * v + g * g)


def add_rmsnorm_matmul(x, w, eps, z, g):
    return rms(x + z, eps) * g @ w


def matmul_add_rmsnorm(x, w, eps, z, g):
    return rms(x @ w + z, eps) * g


def rmsnorm_matmul(x, w):
    return rms(x.reshape(4096, 1024)) @ w.reshape(1024, 2048)


def tiled_matmul(x, w):
    return x.reshape(4096, -1) @ w.reshape(-1, w.shape[-1])


def lora(x, w, a, b):
    x, w, a = x.reshape(4096, 5120), w.reshape(5120, -1), a.reshape(5120, -1)
    return x @ w + x @ a @ b


def gqa(q, k, v):
    q = q.reshape(4096, 16, 128)
    k, v = k.reshape(4096, 8, 128), v.reshape(4096, 8, 128)
    heads = [softmax(q[:, head] @ k[:, head // 2].T / np.sqrt(128)) @ v[:, head // 2]
             for head in range(16)]
    return np.stack(heads)


def scan(delta, u, a, b, c):
    """The recurrence of Mamba: (channels, length), states along the last dimension of a."""
    states = np.zeros(a.shape, np.float64)
    out = np.zeros(delta.shape, np.float64)
    for at in range(delta.shape[-1]):
        step = delta[:, at, None].astype(np.float64)
        states = np.exp(step * a) * states + step * u[:, at, None] * b[None, :, at]
        out[:, at] = (states * c[None, :, at]).sum(-1)
    return out


def rope(x, cos, sin):
    top, bottom = np.split(x, 2)
    return np.concatenate([top * cos - bottom * sin, bottom * cos + top * sin])


def swiglu(x, up, down, gate):
    x = x.reshape(4096, 1024)
    up, gate, down = up.reshape(1024, 3072), gate.reshape(1024, 3072), down.reshape(3072, 1024)
    return silu(x @ gate) * (x @ up) @ down


def transposed_matmul(x, w):
    return x.reshape(2048, -1).T @ w.reshape(2048, -1)


def attention(q, k, v):
    return softmax(q.T @ k) @ v.T


def f32(*shape):
    return "f32", shape


def bf16(*shape):
    return "bf16", shape


def integers(below, *shape, dtype="int32"):
    return "int", shape, below, dtype


KDA = [
    Case("workspaces/adamw/runs/*.py", "kernel", [f32(10944, 2048)] * 4, adamw, {"positive": (3,)}),
    Case("workspaces/add_rmsnorm_matmul/runs/*.py", "kernel",
         [f32(4096, 1024), f32(1024, 2048), 1e-5, f32(4096, 1024), f32(1024)], add_rmsnorm_matmul),
    Case("workspaces/bmm/runs/*.py", "kernel", [f32(16, 4096, 64), f32(16, 64, 4096)], np.matmul),
    Case("workspaces/bmm_softmax/runs/*.py", "kernel", [f32(16, 4096, 64), f32(16, 64, 4096)],
         lambda a, b: softmax(a @ b)),
    Case("workspaces/gqa_full/runs/*.py", "kernel",
         [f32(32, 128, 16, 128), f32(1, 8, 4, 128, 8, 128), f32(1, 32, 128, 1024)], gqa),
    Case("workspaces/lora/runs/*.py", "kernel",
         [f32(8, 4, 128, 40, 128), f32(40, 128, 12288), f32(40, 128, 128), f32(128, 12288)], lora),
    Case("workspaces/mamba/runs/*.py", "kernel",
         [f32(256, 7168), f32(256, 7168), f32(256, 16), f32(16, 7168), f32(16, 7168)], scan,
         {"positive": (0,), "negative": (2,)}),
    Case("workspaces/matmul/runs/*.py", "kernel", [f32(32, 128, 40, 128), f32(40, 128, 12288)],
         tiled_matmul),
    Case("workspaces/matmul_add_rmsnorm/runs/*.py", "kernel",
         [f32(4096, 2048), f32(2048, 2048), 1e-5, f32(4096, 2048), f32(2048)], matmul_add_rmsnorm),
    Case("workspaces/rmsnorm_matmul/runs/*.py", "kernel",
         [f32(32, 128, 1024), f32(8, 128, 2048)], rmsnorm_matmul),
    Case("workspaces/rope_single_freq_apply/runs/*.py", "kernel",
         [f32(128, 4096), f32(64, 4096), f32(64, 4096)], rope),
    Case("workspaces/silu/runs/*.py", "kernel", [f32(128, 32, 7168)], silu),
    Case("workspaces/swiglu/runs/*.py", "kernel",
         [f32(8, 4, 128, 8, 128), f32(8, 128, 3072), f32(24, 128, 1024), f32(8, 128, 3072)], swiglu),
    Case("workspaces/transpose_matmul/runs/*.py", "kernel",
         [f32(128, 16, 4096), f32(128, 16, 10944)], transposed_matmul),
]

_TUTORIALS = "src/nki_samples/tutorials/"


def mamba(delta, u, a, b, c):
    return np.stack([scan(*one) for one in zip(delta, u, [a] * len(delta), b, c)])


def average_pool(x, size):
    channels, height, width = x.shape
    return x.reshape(channels, height // size, size, width // size, size).mean((2, 4))


def max_pool(x, size):
    windows = np.lib.stride_tricks.sliding_window_view(x, (size, size))
    return windows.max((2, 3))


def transpose_2d(x, shape):
    return x.reshape(x.shape[0], *shape).transpose(0, 2, 1).reshape(x.shape)


def _upsampled(x, axis):
    """Twice as long, by linear interpolation between the middles of cells."""
    size = x.shape[axis]
    at = np.clip((np.arange(2 * size) + 0.5) / 2 - 0.5, 0, size - 1)
    low = np.floor(at).astype(int)
    high = np.minimum(low + 1, size - 1)
    weight = (at - low).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
    return np.take(x, low, axis) * (1 - weight) + np.take(x, high, axis) * weight


def upsample(axes):
    def reference(x, *_rest):
        for axis in axes:
            x = _upsampled(x, axis)
        return x
    return reference


_SCAN = [f32(1, 256, 512), f32(1, 256, 512), f32(256, 16), f32(1, 16, 512), f32(1, 16, 512)]
_SIGNS = {"positive": (0,), "negative": (2,)}
_ATTENTION = [f32(128, 512)] * 3
SAMPLES = [
    Case(_TUTORIALS + "tensor_addition/*add*_nki_kernels.py", "nki_tensor_add_kernel_",
         [f32(512, 1024)] * 2, np.add, {"grid": (4, 2)}),
    Case(_TUTORIALS + "transpose2d/*.py", "tensor_transpose2D_kernel_", [f32(128, 12), (3, 4)],
         transpose_2d),
    Case(_TUTORIALS + "average_pool2d/*kernels.py", "tensor_avgpool_kernel",
         [f32(16, 12, 12), 2], average_pool),
    Case(_TUTORIALS + "matrix_multiplication/*kernels.py", "nki_matmul_basic_",
         [f32(128, 64), f32(128, 512)], lambda a, b: a.T @ b),
    *[Case(_TUTORIALS + "matrix_multiplication/*kernels.py", "nki_matmul_%s_" % name,
           [f32(1024, 256), f32(1024, 1024)], lambda a, b: a.T @ b)
      for name in ("tiled", "hoist_load", "block_free_dimension")],
    Case(_TUTORIALS + "matrix_multiplication/*kernels.py", "nki_matmul_fully_optimized_",
         [f32(1024, 2048), f32(1024, 1024)], lambda a, b: a.T @ b),
    *[Case(_TUTORIALS + "fused_mamba/*kernels.py", "mamba_v%d" % number, _SCAN, mamba, _SIGNS)
      for number in (1, 2, 3)],
    *[Case(_TUTORIALS + "attention_fwd_performance/*kernels.py", "attn_fwd_" + name,
           [f32(128, 128)] * 3 if name in ("v1", "v2") else _ATTENTION, attention)
      for name in ("v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "v8a", "v9", "v10", "v11")],
    Case("contributed/matmul.py", "matmul", [f32(1024, 512), f32(1024, 2048)],
         lambda a, b: a.T @ b),
    Case("contributed/pipelined_attention.py", "flash_fwd",
         {"q": f32(1, 128, 16384), "k": f32(1, 128, 16384), "v": f32(1, 16384, 128),
          "use_causal_mask": False}, None,  # values would take an hour
         # The end of the file runs it on a device.
         {"grid": (1,), "until": "\nbs=1\n"}),
    Case("contributed/maxpooling.py", "max_pooling_2d_stride_1", [f32(448, 448), 3], max_pool),
    Case("contributed/interpolate_bilinear_fwd.py", "interpolate_bilinear_2x_fwd",
         [f32(2, 30, 14, 16)], upsample((2, 3))),
    Case("contributed/interpolate_trilinear_fwd.py", "interpolate_trilinear_2x_fwd",
         [f32(2, 30, 6, 6, 6)], upsample((2, 3, 4))),
]

# Files of autocomp are texts that its harness puts imports before.
_BETA = """import math
from functools import reduce
from operator import mul
import numpy as np
import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import neuronxcc.nki.typing as nt
from neuronxcc.nki.language import par_dim


def normalize_dim(dim, rank):
    return dim % rank


def n_elts(shape):
    return reduce(mul, shape, 1)


def div_ceil(n, d):
    return -(-n // d)


"""
_NOW = """import math
import numpy as np
import nki
import nki.isa as nisa
import nki.language as nl
"""


def flash(q, k, v, **_named):
    """Causal, before it is divided by the sums, which the kernels return, too."""
    scores = np.matmul(q, k)
    scores = np.where(np.tril(np.ones(scores.shape[-2:], bool)), scores, -9984.0)
    return np.matmul(exp_scaled(scores), v)


def flash_of_turned(q, k, v, num_heads, **_named):
    """The same, where each block of 128 queries lies turned in q."""
    tiles = q.reshape(num_heads, -1, 128, 128).transpose(0, 1, 3, 2)
    return flash(tiles.reshape(q.shape), k, v)


def conv1d(img_ref, filter_ref, padding):
    width = img_ref.shape[-1]
    padded = np.pad(img_ref[:, :, 0], ((0, 0), (0, 0), padding[1]))
    return sum(padded[:, :, at:at + width] * filter_ref[None, :, 0, 0, at, None]
               for at in range(3))


def mlp(x, up, gate, down):
    return silu(x @ gate) * (x @ up) @ down


_FLASH = {"q": f32(2048, 128), "k": f32(128, 2048), "v": f32(2048, 128),
          "kernel_dtype": "bfloat16", "acc_type": "float32"}
_HEADS = {"q": f32(8, 2048, 128), "k": f32(8, 128, 2048), "v": f32(8, 2048, 128),
          "kernel_dtype": "bfloat16", "acc_type": "float32", "num_heads": 8}
_MASK = {"1": {}, "2": {"causal_mask": np.tril(np.ones((2048, 2048), np.float32))}}
_CONV = {"img_ref": f32(8, 512, 1, 2048), "filter_ref": f32(512, 1, 1, 3),
         "padding": ((0, 0), (1, 1))}


def _autocomp(files, kernel, inputs, reference, prelude=_BETA, **options):
    return Case(files, kernel, inputs, reference, {"prelude": prelude, **options})


AUTOCOMP = [
    case for version, prelude in (("1", _BETA), ("2", _NOW)) for case in [
        _autocomp("sols/trn-advanced-nki%s/0_*.py" % version, "solution", [f32(2048, 2048)],
                  lambda x: np.cumsum(x.astype(np.float64), -1), prelude),
        _autocomp("sols/trn-advanced-nki%s/1_*.py" % version, "solution", [f32(64, 512, 512), 1],
                  lambda x, _dim: x.transpose(0, 2, 1), prelude),
        _autocomp("sols/trn-advanced-nki%s/2_*.py" % version, "solution", [f32(448, 448), 3],
                  max_pool, prelude),
        _autocomp("sols/trn-advanced-nki%s/3_*.py" % version, "solution",
                  [f32(128, 4096), f32(64, 4096), f32(64, 4096)], rope, prelude),
        _autocomp("sols/trn-advanced-nki%s/4_*.py" % version, "solution", _CONV, conv1d, prelude),
        _autocomp("sols/trn-advanced-nki%s/6_*.py" % version, "solution",
                  {**_FLASH, **_MASK[version]}, flash, prelude, scale=0.2),
        _autocomp("sols/trn-advanced-nki%s/8_*.py" % version, "solution",
                  {**_HEADS, **_MASK[version]},
                  flash_of_turned if version == "1" else flash, prelude, scale=0.2)]
] + [
    _autocomp("examples/trn-tutorial/[12]_gemm_opt.py", "test", [f32(4096, 512), f32(4096, 1024)],
              lambda a, b: a.T @ b),
    _autocomp("examples/trn-tutorial/3_mamba_opt.py", "test", _SCAN, mamba, **_SIGNS),
    _autocomp("examples/trn-tutorial/4_attention_opt.py", "test", [f32(128, 2048)] * 3, attention),
    _autocomp("examples/trn-tutorial/5_sd_attention_opt.py", "test", [f32(4096, 64)] * 3,
              lambda q, k, v: softmax(q @ k.T / 8) @ v, scale=0.5),
    _autocomp("examples/trn-advanced/4_conv1d_opt.py", "test", _CONV, conv1d),
    _autocomp("sols/trn-e2e/*.py", "nki_rmsnorm_kernel", [f32(512, 2048), f32(2048)],
              lambda x, g: rms(x) * g),
    _autocomp("sols/trn-e2e/*.py", "nki_matmul_tiled_", [f32(2048, 128), f32(2048, 1024)],
              lambda a, b: a.T @ b),
    _autocomp("sols/trn-e2e/11_*.py", "solution",
              [f32(32, 1, 2048), f32(2048, 4096), f32(2048, 4096), f32(4096, 2048)], mlp),
    _autocomp("sols/trn-e2e/3_*.py", "solution",
              [f32(1, 1, 2048), f32(2048, 4096), f32(2048, 4096), f32(4096, 2048)], mlp),
]

def token_attention(q, k, v, past, mask):
    """One token of several heads of queries for each head of keys."""
    groups = q.shape[1] // k.shape[1]
    keys = np.repeat(np.concatenate([past[0], k], 2), groups, 1)
    values = np.repeat(np.concatenate([past[1], v], 2), groups, 1)
    scores = np.matmul(q, keys.swapaxes(2, 3)) / 8
    scores[..., :-1] = np.where(mask, scores[..., :-1], -np.inf)
    return np.matmul(softmax(scores), values)


def layernorm(x, epsilon, gamma, beta):
    centered = x - x.mean(-1, keepdims=True)
    return rms(centered, epsilon) * gamma + beta


def triangle_attention(q, k, v, bias, scale=32 ** -0.5):
    """Rows of q attend to keys of the same row."""
    heads = bias.shape[-1]
    q, k, v = (one.reshape(*one.shape[:2], heads, -1) for one in (q, k, v))
    scores = np.einsum("ijhd,ikhd->ihjk", q, k) * scale + bias.transpose(2, 0, 1)
    return np.einsum("ihjk,ikhd->ijhd", softmax(scores), v).reshape(*bias.shape[:2], -1)


def selective_scan(decay, inputs, weights, skip, *_shapes):
    """Rows are (head dimension, state, head), those of the results (head dimension, head)."""
    heads, length = decay.shape
    inputs = inputs.reshape(len(skip) // heads, -1, heads, length)
    states = np.zeros(inputs.shape)
    for at in range(length):
        before = states[..., at - 1] if at else 0
        states[..., at] = decay[:, at] * before + inputs[..., at]
    sums = (states * weights.reshape(-1, heads, length)).sum(1)
    return sums.reshape(-1, length) + skip


def delta_rule(q, k, v, decay, gate):
    state = np.zeros((128, 128))
    out = np.empty(q.shape)
    for at in range(len(q)):
        state *= np.exp(decay[at])[:, None]
        state += np.outer(k[at], (v[at] - k[at] @ state) * gate[at])
        out[at] = q[at] @ state
    return out


def mamba_of_rows(delta, u, a, b, c):
    """Each channel of a tile of 128 has its own rows of b and c."""
    rows = [one.reshape(-1, 128, one.shape[-1]) for one in (b[0], c[0])]
    out = [scan(delta[0, at:at + 1], u[0, at:at + 1], a[at:at + 1],
                *[one[:, at % 128] for one in rows]) for at in range(delta.shape[1])]
    return np.concatenate(out)[None]


_REPEATED = [*_SCAN[:3], f32(1, 16 * 128, 512), f32(1, 16 * 128, 512)]
_PAST = [f32(1, 16, 1, 64), f32(1, 4, 1, 64), f32(1, 4, 1, 64), f32(1, 4, 512, 64),
         f32(1, 4, 512, 64), integers(2, 1, 1, 1, 512, dtype="bool")]
_PASTS = [f32(32, 16, 1, 64), f32(32, 4, 1, 64), f32(32, 4, 1, 64),
          [f32(32, 4, 512, 64), f32(32, 4, 512, 64)], integers(2, 32, 16, 1, 512, dtype="bool")]
_SQUARE = [f32(128, 128, 64)] * 3 + [f32(128, 128, 2)]
AUTOCOMP += [
    case for version, prelude in (("1", _BETA), ("2", _NOW)) for case in [
        _autocomp("sols/trn-tutorial-nki%s/0_*.py" % version, "solution",
                  [f32(512, 1024), f32(1024)], lambda x, g: rms(x) * g, prelude),
        _autocomp("sols/trn-tutorial-nki%s/1_*.py" % version, "solution",
                  [f32(512, 1024), 1e-5, f32(1024), f32(1024)], layernorm, prelude),
        _autocomp("sols/trn-tutorial-nki%s/2_*.py" % version, "solution",
                  [f32(512, 256), f32(512, 1024)], lambda a, b: a.T @ b, prelude),
        _autocomp("sols/trn-tutorial-nki%s/3_*.py" % version, "solution",
                  _SCAN if version == "1" else _REPEATED, mamba if version == "1" else
                  mamba_of_rows, prelude, **_SIGNS),
        _autocomp("sols/trn-tutorial-nki%s/4_*.py" % version, "solution", [f32(128, 512)] * 3,
                  attention, prelude, scale=0.5),
        _autocomp("sols/trn-tutorial-nki%s/5_*.py" % version, "solution", [f32(512, 64)] * 3,
                  lambda q, k, v: softmax(q @ k.T / 8) @ v, prelude)]
] + [
    _autocomp("sols/trn-internal/10_*.py", "solution", [f32(512, 512)] * 2, lambda a, b: a.T @ b,
              _NOW),
    _autocomp("sols/trn-internal/12_*.py", "solution",
              [bf16(1, 256, 128), bf16(1, 128, 1024), bf16(1, 1024, 128), 0.1],
              None, _NOW),  # it multiplies by rows of q: no attention
    _autocomp("sols/trn-internal/15_*.py", "solution", [f32(512, 200), f32(512, 1024)],
              lambda a, b: a.T @ b, _NOW),
    _autocomp("sols/trn-internal/3_*.py", "solution", _SQUARE, triangle_attention, _NOW),
    _autocomp("sols/trn-internal/4_*.py", "solution", [f32(128, 128, 4)] * 2,
              lambda a, b: np.einsum("ikd,jkd->ijd", a, b), _NOW),
    _autocomp("sols/trn-internal/5_*.py", "solution",
              [f32(128, 256)] * 2 + [f32(128, 128)] * 4, None, _NOW),
    _autocomp("sols/trn-internal/6_*.py", "solution",
              [f32(8, 128), f32(128, 128), f32(32, 128), f32(32, 128), f32(32, 128), f32(4),
               f32(4)], selective_scan, _NOW, positive=(0,)),
    _autocomp("sols/trn-internal/7_*.py", "solution",
              [f32(128, 4)] * 4 + [f32(128, 1)] * 2 + [f32(2)] + [f32(128, 128)] * 4
              + [integers(4, 2, 128, 4, dtype="uint32")], None, _NOW),
    _autocomp("sols/trn-internal/8_*.py", "solution", [f32(64, 128)] * 5, delta_rule, _NOW,
              negative=(3,), scale=0.1),
    _autocomp("sols/trn-e2e/1[02]_*.py", "nki_matmul_tiled_batched_",
              [f32(2, 1024, 1), f32(1024, 1024)], lambda a, b: a.transpose(0, 2, 1) @ b),
    _autocomp("sols/trn-e2e/6_*.py", "nki_matmul_tiled_reference_",
              [f32(512, 1), f32(512, 1024)], lambda a, b: a.T @ b),
    _autocomp("sols/trn-e2e/7_*.py", "solution", [f32(1, 1, 2048), f32(2048, 64128)], np.matmul),
    _autocomp("sols/trn-e2e/13_*.py", "solution", [f32(32, 1, 2048), f32(2048, 64128)], np.matmul),
    _autocomp("sols/trn-e2e/5_*.py", "solution", _PAST,
              lambda q, k, v, keys, values, mask: token_attention(q, k, v, (keys, values), mask)),
    _autocomp("sols/trn-e2e/9_*.py", "solution", _PASTS, token_attention),
]


_LIBRARY = "src/nkilib_src/nkilib/"


def rope_of_halves(x_in, cos, sin, **_named):
    """(head dimension, batch, heads, sequence), the halves of the first one after the other."""
    top, bottom = np.split(x_in, 2)
    cos, sin = cos[:, :, None], sin[:, :, None]
    return np.concatenate([top * cos - bottom * sin, bottom * cos + top * sin])


def rope_of_pairs(x_in, cos, sin, **_named):
    cos, sin = cos[:, :, None], sin[:, :, None]
    out = np.empty_like(x_in)
    out[::2] = x_in[::2] * cos - x_in[1::2] * sin
    out[1::2] = x_in[1::2] * cos + x_in[::2] * sin
    return out


def rope_hf(q, k, q_out, k_out, cos, sin):
    first, second = np.split(q, 2, -1)
    return q * cos + np.concatenate([-second, first], -1) * sin


def output_projection(attention, weight, bias):
    """Heads of (head dimension, sequence)."""
    batch, _heads, _size, length = attention.shape
    return attention.reshape(batch, -1, length).transpose(0, 2, 1) @ weight + bias


def attention_cte(q, k, v, scale, causal_mask=True):
    scores = np.matmul(q, k) * scale
    if causal_mask:
        scores = np.where(np.tril(np.ones(scores.shape[-2:], bool)), scores, -np.inf)
    return np.matmul(softmax(scores), v)


def attention_bwd(q, k, v, o, dy, lse):
    """The gradient of the queries. `o` and `lse` are taken as they are given."""
    scale = q.shape[2] ** -0.5
    d_head = (dy * o).sum(2)[..., None]
    scores = np.einsum("bhdq,bhdk->bhqk", q, k) * scale
    lse = lse.transpose(0, 1, 3, 2).reshape(*lse.shape[:2], -1, 1)
    weights = np.exp(scores - lse)
    grads = weights * (np.einsum("bhdq,bhdk->bhqk", dy, v) - d_head)
    return np.einsum("bhqk,bhdk->bhdq", grads, k) * scale


def cross_entropy(logits, targets, *_sizes):
    top = logits.max(-1)
    sums = top + np.log(np.exp(logits - top[:, None]).sum(-1))
    return sums - logits[np.arange(len(logits)), targets]


def cross_entropy_backward(logits_hbm, targets_hbm, lse_state_hbm, **_named):
    found = np.exp(logits_hbm - lse_state_hbm[:, None])
    found[np.arange(len(found)), targets_hbm] -= 1
    return found / len(found)


def depthwise_conv1d(img_ref, filter_ref, **_named):
    image, weight = img_ref, filter_ref
    width = image.shape[-1] - weight.shape[-1] + 1
    return sum(image[..., at:at + width] * weight[:, 0, :, at:at + 1]
               for at in range(weight.shape[-1]))


def conv1d_of_channels(x, filters, bias):
    width = x.shape[-1] - len(filters) + 1
    return sum(np.einsum("bcl,co->bol", x[..., at:at + width], one)
               for at, one in enumerate(filters)) + bias[:, None]


def _topk(module, shape=(8, 4096), count=64):
    # Its constants are made with a function of SciPy, which need not be installed.
    module.create_topk_config.__globals__["circulant"] = lambda column: np.stack(
        [np.roll(column, at) for at in range(len(column))], 1)
    config = module.create_topk_config(shape, np.dtype("float32"), count, True, 1)
    config = module.create_rotational_topk_config(shape, config)
    return {"config": module.prepare_rotational_constants(config)}


def _scanned(module):
    return _topk(module, (128, 1024), 16)


_BLOCK = {"X": f32(2, 1, 512), "W_qkv": f32(512, 4 * 128), "K_cache": f32(2, 256, 128),
          "V_cache": f32(2, 256, 128), "W_out": f32(256, 512),
          "attention_mask": integers((1, 2), 256, 2, 2, 1, dtype="uint8")}


def _block(module):
    none = module.QuantizationType.NONE
    absent = ("X_hidden_dim_actual rmsnorm_X_eps rmsnorm_X_gamma bias_qkv "
              "weight_dequant_scale_qkv input_dequant_scale_qkv rmsnorm_QK_pre_rope_W_Q "
              "rmsnorm_QK_pre_rope_W_K cos sin rmsnorm_QK_post_rope_W_Q rmsnorm_QK_post_rope_W_K "
              "active_blocks_table sink kv_cache_update_idx bias_out weight_dequant_scale_out "
              "input_dequant_scale_out").split()
    return {**dict.fromkeys(absent), "rmsnorm_X_enabled": False, "quantization_type_qkv": none,
            "rmsnorm_QK_pre_rope_enabled": False, "rmsnorm_QK_pre_rope_eps": 1e-6,
            "rope_contiguous_layout": True, "rmsnorm_QK_post_rope_enabled": False,
            "rmsnorm_QK_post_rope_eps": 1e-6, "K_cache_transposed": False, "update_cache": False,
            "quantization_type_out": none, "transposed_out": False, "out_in_sb": False}


def attention_block(X, W_qkv, K_cache, V_cache, W_out, attention_mask, **_named):
    """One token: what it multiplies to is the last of the keys and of the values."""
    parts = (X[:, 0] @ W_qkv).reshape(len(X), 4, 128)
    keys = np.concatenate([K_cache[:, :-1], parts[:, 2, None]], 1)
    values = np.concatenate([V_cache[:, :-1], parts[:, 3, None]], 1)
    scores = np.einsum("bhd,bsd->bhs", parts[:, :2], keys) / np.sqrt(128)
    mask = attention_mask[..., 0].transpose(1, 2, 0).astype(bool)
    mask[..., -1] = True
    weights = softmax(np.where(mask, scores, -np.inf))
    return np.einsum("bhs,bsd->bhd", weights, values).reshape(len(X), -1) @ W_out


def _tokens(_module):
    """Two blocks have each token once: none is padding, whose rows several partitions write."""
    return {"token_position_to_id": np.concatenate(
        [np.random.default_rng(at).permutation(512) for at in range(2)]).astype(np.int32),
        "block_to_expert": np.array([[2], [0], [3], [1]], np.int32)}


def experts(hidden_states, expert_affinities_masked, gate_up_proj_weight, down_proj_weight,
            block_size, token_position_to_id, block_to_expert):
    found = np.zeros(hidden_states.shape)
    for tokens, expert in zip(token_position_to_id.reshape(-1, block_size), block_to_expert[:, 0]):
        x = hidden_states[tokens].astype(np.float64)
        gate, up = np.moveaxis(np.tensordot(x, gate_up_proj_weight[expert], 1), 1, 0)
        found[tokens] += silu(gate) * up @ down_proj_weight[expert] * \
            expert_affinities_masked[tokens * len(gate_up_proj_weight) + expert]
    return found


_EXPERTS = {"hidden_states": bf16(513, 512), "expert_affinities_masked": bf16(513 * 4, 1),
            "gate_up_proj_weight": bf16(4, 512, 2, 256), "down_proj_weight": bf16(4, 256, 512),
            "block_size": 256, "token_position_to_id": integers(513, 4 * 256),
            "block_to_expert": integers(4, 4, 1)}
_ROPE = {"x_in": f32(128, 2, 4, 256), "cos": f32(64, 2, 256), "sin": f32(64, 2, 256)}
LIBRARY = [
    Case(_LIBRARY + "core/cumsum/cumsum.py", "cumsum", [f32(256, 4096)],
         lambda x: np.cumsum(x.astype(np.float64), -1)),
    Case(_LIBRARY + "core/embeddings/rope.py", "RoPE", _ROPE, rope_of_halves),
    Case(_LIBRARY + "core/embeddings/rope.py", "RoPE",
         {**_ROPE, "contiguous_layout": False}, rope_of_pairs, {"label": "interleaved"}),
    Case(_LIBRARY + "core/embeddings/rope_hf.py", "rope_hf",
         [f32(2, 4, 1024, 128), f32(2, 2, 1024, 128), f32(2, 4, 1024, 128), f32(2, 2, 1024, 128),
          f32(1024, 128), f32(1024, 128)], rope_hf, {"outputs": (2, 3)}),
    Case(_LIBRARY + "core/max/cascaded_max.py", "cascaded_max", [f32(4, 1, 4096)],
         lambda x: x.max(-1)),
    Case(_LIBRARY + "core/output_projection/output_projection_cte/output_projection_cte.py",
         "output_projection_cte", [f32(1, 4, 128, 512), f32(512, 1024), f32(1, 1024)],
         output_projection),
    Case(_LIBRARY + "core/output_projection/output_projection_tkg.py", "output_projection_tkg",
         [f32(128, 4, 4, 1), f32(512, 1024), f32(1, 1024)],
         lambda a, w, b: a.transpose(1, 3, 2, 0).reshape(4, 512) @ w + b),
    Case(_LIBRARY + "core/qkv/qkv.py", "qkv", [f32(1, 256, 512), f32(512, 768)],
         lambda x, w: x @ w),
    Case(_LIBRARY + "core/qkv/qkv.py", "qkv", [f32(4, 1, 512), f32(512, 768)],
         lambda x, w: x @ w, {"label": "of one token"}),
    Case(_LIBRARY + "core/attention/attention_cte.py", "attention_cte",
         {"q": f32(2, 512, 128), "k": f32(1, 128, 512), "v": f32(1, 512, 128), "scale": 0.1,
          "causal_mask": False}, attention_cte),
    Case(_LIBRARY + "core/attention/attention_cte.py", "attention_cte",
         {"q": f32(2, 512, 128), "k": f32(1, 128, 512), "v": f32(1, 512, 128), "scale": 0.1},
         attention_cte, {"label": "causal"}),
    Case(_LIBRARY + "experimental/loss/cross_entropy.py", "cross_entropy_forward",
         [f32(64, 4096), integers(4096, 64), 32, 2048, np.float32], cross_entropy),
    Case(_LIBRARY + "experimental/loss/cross_entropy.py", "cross_entropy_backward",
         {"logits_hbm": f32(64, 4096), "targets_hbm": integers(4096, 64), "lse_state_hbm": f32(64),
          "chunk_size": 2048, "dtype": np.float32, "inplace": False}, cross_entropy_backward),
    Case(_LIBRARY + "experimental/conv/depthwise_conv1d.py", "depthwise_conv1d_implicit_gemm",
         {"img_ref": f32(2, 128, 1, 512), "filter_ref": f32(128, 1, 1, 4),
          "feature_group_count": 128}, depthwise_conv1d),
    Case(_LIBRARY + "experimental/conv/conv1d.py", "conv1d",
         [f32(2, 64, 512), f32(3, 64, 128), f32(128)], conv1d_of_channels),
    Case(_LIBRARY + "core/subkernels/find_nonzero_indices.py", "find_nonzero_indices",
         [f32(1024, 16)], None),
    Case(_LIBRARY + "core/subkernels/indexed_flatten.py", "indexed_flatten",
         [integers(100, 8, 1024), 64, 8192, integers(8, 8)], None),
    Case(_LIBRARY + "core/attention/attention_bwd.py", "attention_bwd",
         [f32(1, 2, 128, 128)] * 5 + [f32(1, 2, 128, 1)], attention_bwd, {"scale": 0.5}),
    Case(_LIBRARY + "experimental/dynamic_shapes/dynamic_elementwise_add.py",
         "dynamic_elementwise_add", [f32(256, 512), f32(256, 512), integers(2, 1, 1)], None),
    Case(_LIBRARY + "experimental/benchmark/find_nonzero_indices_with_count.py",
         "find_nonzero_indices_with_count", [f32(1, 256)], None),
    Case(_LIBRARY + "core/topk/rotational_topk.py", "rotational_topk", {"inp": f32(8, 4096)},
         lambda inp, config: -np.sort(-inp, -1)[:, :64], {"prepare": _topk}),
    Case(_LIBRARY + "core/topk/rotational_topk.py", "rotational_topk", {"inp": f32(128, 1024)},
         lambda inp, config: -np.sort(-inp, -1)[:, :16],
         {"prepare": _scanned, "label": "of one stage"}),
    Case(_LIBRARY + "core/rmsnorm/rmsnorm_quant.py", "rmsnorm_quant_kernel",
         {"hidden": f32(1, 256, 512), "ln_w": f32(512)}, None,
         {"prepare": lambda module: {"kargs": module.RmsNormQuantKernelArgs()}}),
    Case(_LIBRARY + "experimental/transformer/attention_block_tkg.py", "attention_block_tkg",
         _BLOCK, attention_block, {"prepare": _block, "scale": 0.2}),
    Case(_LIBRARY + "core/moe/moe_cte/bwmm_shard_on_I.py",
         "blockwise_mm_baseline_shard_intermediate", _EXPERTS, None),
    Case(_LIBRARY + "core/moe/moe_cte/bwmm_shard_on_I.py",
         "blockwise_mm_baseline_shard_intermediate_hybrid",
         {**_EXPERTS, "conditions": integers(2, 5)}, None),
    Case(_LIBRARY + "core/moe/moe_cte/bwmm_shard_on_I.py",
         "blockwise_mm_shard_intermediate_dropping",
         {**_EXPERTS, "block_size": 1024, "token_position_to_id": integers(513, 4 * 1024)}, None),
    Case(_LIBRARY + "core/moe/moe_cte/bwmm_shard_on_block.py", "bwmm_shard_on_block", _EXPERTS,
         None),
    Case(_LIBRARY + "experimental/moe/forward/bwmm_shard_on_H.py",
         "blockwise_mm_baseline_shard_hidden", _EXPERTS, experts,
         {"prepare": _tokens, "scale": 0.2}),
    Case(_LIBRARY + "core/moe/moe_cte/moe_cte.py", "moe_cte", _EXPERTS, None,
         {"prepare": lambda module: {"spec": module.MoECTESpec(
             implementation=module.MoECTEImplementation.shard_on_block)}}),
    Case(_LIBRARY + "core/moe_block/moe_block_tkg.py", "moe_block_tkg",
         {"inp": bf16(4, 1, 512), "gamma": bf16(1, 512), "router_weights": bf16(512, 8),
          "expert_gate_up_weights": bf16(8, 512, 2, 256), "expert_down_weights": bf16(8, 256, 512)},
         None),
    Case(_LIBRARY + "experimental/moe/bwd/blockwise_mm_backward.py", "blockwise_mm_bwd",
         {**{name: value for name, value in _EXPERTS.items()},
          "gate_up_proj_act_checkpoint_T": bf16(4, 2, 256, 256),
          "down_proj_act_checkpoint": bf16(4, 256, 512),
          "output_hidden_states_grad": bf16(513, 512)}, None),
    Case(_LIBRARY + "experimental/collectives/topk_reduce.py", "topk_reduce",
         ["bf16[256, 514]", 64, 2], None),
]

CORPORA = {"kda-for-trainium": ("Jerry2423/kda-for-trainium", KDA),
           "nki-samples": ("aws-neuron/nki-samples", SAMPLES),
           "autocomp": ("ucb-bar/autocomp", AUTOCOMP),
           "nki-library": ("aws-neuron/nki-library", LIBRARY)}
