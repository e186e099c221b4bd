"""Graphs of torch.fx become linalg that computes what they say, and what is not read is refused.
PyTorch is not needed: a graph is what has nodes.

RUN: %trn_python %s
"""

import operator
import pathlib
import sys

import numpy as np
import trn_mlir as trn

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
from nodes import Graph  # noqa: E402

rng = np.random.default_rng(0)


def normal(*shape):
    return rng.standard_normal(shape, np.float32)


def run(graph, *inputs, effort=1):
    text = trn.from_fx(graph, *inputs)
    k = trn.compile(text, effort=effort)
    return k, k.run(*text.arguments(*inputs))


def check(name, found, expected, tolerance=1e-5):
    error = np.abs(found - expected).max() / np.abs(expected).max()
    assert found.shape == expected.shape and error < tolerance, (name, found.shape, error)


def softmax(x):
    powers = np.exp(x - x.max(-1, keepdims=True))
    return powers / powers.sum(-1, keepdims=True)


def layer_norm(x, w, b, eps):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred ** 2).mean(-1, keepdims=True) + eps) * w + b


def silu(x):
    return x / (1 + np.exp(-x))


# A SwiGLU MLP behind a norm, by the names of aten, in one launch.
x, w = normal(2, 8, 16), {name: normal(*shape) for name, shape in
                          (("gate", (32, 16)), ("up", (32, 16)), ("down", (16, 32)), ("bias", (16,)), ("gain", (16,)))}
graph = Graph(**w)
x_, gate, up, down, bias, gain = graph.input("x"), *map(graph.weight, ("gate", "up", "down", "bias", "gain"))
normed = graph.call("aten.layer_norm.default", x_, [16], gain, bias, 1e-3)
product = graph.call("aten.mul.Tensor", graph.call("aten.silu.default", graph.call("aten.linear.default", normed, gate)),
                     graph.call("aten.linear.default", normed, up))
graph.output(graph.call(operator.add, graph.call("aten.linear.default", product, down, bias), x_))
k, found = run(graph, x)
y = layer_norm(x, w["gain"], w["bias"], 1e-3)
check("mlp", found, (silu(y @ w["gate"].T) * (y @ w["up"].T)) @ w["down"].T + w["bias"] + x)
assert not k.report["host_ops"] and k.report["launches"] == 1, k.report["host_ops"]

# Weights are arguments with names; those that nothing needs are none, and dead nodes are not read.
text = trn.from_fx(graph, x)
assert list(text.parameters) == ["gate", "up", "down", "bias", "gain"] and 'trn.param = "gate"' in text

# Attention, causal and with a mask, by the one op and written out.
q, key, v = normal(2, 4, 16, 8), normal(2, 4, 16, 8), normal(2, 4, 16, 8)
mask = np.where(np.tri(16, dtype=bool), 0, -np.inf).astype(np.float32)
expected = softmax(q @ key.swapaxes(-1, -2) / np.sqrt(8) + mask) @ v
for named in ({"is_causal": True}, {"attn_mask": True}):
    graph = Graph(mask=mask)
    inputs = [graph.input(name) for name in "qkv"]
    if "attn_mask" in named:
        named = {"attn_mask": graph.weight("mask")}
    graph.output(graph.call("aten.scaled_dot_product_attention.default", *inputs, **named))
    check("attention", run(graph, q, key, v)[1], expected)
graph = Graph()
q_, k_, v_ = (graph.input(name) for name in "qkv")
scores = graph.call(operator.truediv, graph.call("matmul", q_, graph.call("transpose", k_, -2, -1)), 8 ** 0.5)
shares = graph.call("softmax", scores, dim=-1)
heads = graph.call("permute", graph.call(operator.matmul, shares, v_), 0, 2, 1, 3)
graph.output(graph.call("reshape", heads, 2, 16, -1), graph.call("contiguous", shares))
found, shares = run(graph, q, key, v)[1]
expected = softmax(q @ key.swapaxes(-1, -2) / np.sqrt(8))
check("shares", shares, expected)
check("heads", found, (expected @ v).transpose(0, 2, 1, 3).reshape(2, 16, 32))

# Numbers, broadcasts and functions, behind a product, which makes a kernel of them.
ERF = np.vectorize(__import__("math").erf, otypes=[np.float32])
a, b, c = normal(8, 16), normal(16, 24), normal(24)
for target, arguments, expected in (
        ("aten.gelu.default", (), lambda y: y * (1 + ERF(y / np.sqrt(2))) / 2),
        ("aten.sub.Tensor", (2.5,), lambda y: y - 2.5), ("relu", (), lambda y: np.maximum(y, 0)),
        ("tanh", (), np.tanh), ("sigmoid", (), lambda y: 1 / (1 + np.exp(-y))),
        ("pow", (2,), lambda y: y ** 2), ("neg", (), lambda y: -y), ("exp", (), np.exp),
        ("mean", (-1, True), lambda y: y.mean(-1, keepdims=True)),
        ("view", (4, 2, 3, 8), lambda y: y.reshape(4, 2, 3, 8)), ("t", (), lambda y: y.T),
        ("unsqueeze", (1,), lambda y: y[:, None]), ("flatten", (), lambda y: y.reshape(-1))):
    graph = Graph(c=c)
    product = graph.call("aten.addmm.default", graph.weight("c"), graph.input("a"), graph.input("b"))
    graph.output(graph.call(target, product, *arguments))
    check(target, run(graph, a, b)[1], expected(a @ b + c), 1e-4)
graph = Graph()
product = graph.call("aten.mm.default", graph.input("a"), graph.input("b"))
graph.output(graph.call(operator.sub, 1, graph.call("aten.gelu.default", product, approximate="tanh")))
y = a @ b
check("gelu", run(graph, a, b)[1], 1 - y * (1 + np.tanh(np.sqrt(2 / np.pi) * (y + 0.044715 * y ** 3))) / 2, 1e-4)

# In bf16 each op rounds, as in PyTorch.
graph = Graph()
product = graph.call("aten.mm.default", graph.input("a"), graph.input("b"))
graph.output(graph.call("aten.rms_norm.default", product, [24], None, 1e-5))
text = trn.from_fx(graph, trn.bf16(8, 16), trn.bf16(16, 24))
assert text.count("arith.truncf") == 2 and "-> (tensor<8x24xbf16>)" in text, text
check("rms_norm", trn.compile(text, effort=1).run(a, b), y / np.sqrt((y ** 2).mean(-1, keepdims=True) + 1e-5), 2e-2)


class Exported(Graph):
    """As torch.export gives it: weights are inputs that a signature tells apart."""

    @property
    def graph_module(self):
        return self


graph = Exported(state_dict={"fc.weight": b.T.copy()})
graph.graph_signature = type("", (), {"inputs_to_parameters": {"p_fc_weight": "fc.weight"}, "inputs_to_buffers": {}})
weight, given = graph.input("p_fc_weight"), graph.input("x")
given.meta["val"] = trn.f32(8, 16)
graph.output(graph.call("aten.linear.default", given, weight))
text = trn.from_fx(graph)
assert text.startswith("func.func @main(%p_fc_weight: tensor<24x16xf32> {trn.param = \"fc.weight\"}, %x: ")
check("exported", trn.compile(text, effort=1).run(*text.arguments(a)), a @ b)


def refuses(expected, target, *arguments, inputs=(trn.f32(8, 16), trn.f32(16, 24)), **named):
    graph = Graph(layer=Graph())
    values = [graph.input(name) for name in "ab"]
    graph.output(graph.call(target, *(values[one] if one in (0, 1) and isinstance(one, int) and not
                                      isinstance(one, bool) else one for one in arguments), **named))
    try:
        trn.from_fx(graph, *inputs)
    except trn.TrnError as problem:
        assert expected in str(problem) and str(problem).startswith("node "), str(problem)
        return
    raise AssertionError(f"{expected} is not refused")


refuses("node n2: conv2d is not read; ops are add, addmm, ", "aten.conv2d.default", 0, 1)
refuses("operands are [16, 24] and [16, 24], but must be [..., m, k] and [..., k, n]", "matmul", 1, 1)
refuses("the weight must be [n, k] and x [..., k]", "aten.linear.default", 0, 1)
refuses("cannot be broadcast to each other", operator.add, 0, 1)
refuses("alpha is 2, but only 1 is read", "aten.add.Tensor", 0, 0, alpha=2)
refuses("there is no dimension 5 of 2", "softmax", 0, 5)
refuses("[8, 16] cannot become [3, -1]", "view", 0, 3, -1)
refuses("training is not read; call model.eval()", "aten.dropout.default", 0, 0.5, True)
refuses("approximate is 'fast'", "aten.gelu.default", 0, approximate="fast")
refuses("only the last dimension is read", "aten.layer_norm.default", 0, [8, 16])
refuses("the exponent is 3, but only 2 is read", "pow", 0, 3)
refuses("out = 7 is not read; arguments that are read are input, other", "matmul", 0, 1, out=7)
refuses("arguments that are read are input", "exp", 0, 1, 1)
refuses("input a has no shape; give one for each input", "exp", 0, inputs=())
refuses("tensors of int64 are not read", "exp", 0, inputs=(np.ones((2, 2), np.int64), trn.f32(2, 2)))
