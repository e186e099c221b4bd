# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of torch.fx and torch.export as linalg. PyTorch itself is not imported: a graph is what has
nodes with `op`, `name`, `target`, `args` and `kwargs`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ._fx_ops import OPS, Reader
from ._library import TrnError
from ._linalg import Value, Writer

_DTYPES = {"float32": "f32", "float16": "f16", "bfloat16": "bf16", "f32": "f32",
           "f16": "f16", "bf16": "bf16"}
# Names of the same op: of operators, of methods, of aten, of modules.
_NAMES = {"truediv": "div", "_softmax": "softmax", "mm": "matmul", "bmm": "matmul",
          "_unsafe_view": "reshape", "view": "reshape", "_to_copy": "to", "imul": "mul",
          "iadd": "add", "relu_": "relu", "silu_": "silu", "multiply": "mul", "subtract": "sub",
          "divide": "div"}
# What says how something is computed, not what.
_IGNORED = ("memory_format", "layout", "device", "pin_memory", "inplace", "_stacklevel")
# Layers that are functions of their attributes.
_LAYERS = {"Linear": ("linear", ("weight", "bias"), ()), "SiLU": ("silu", (), ()),
           "GELU": ("gelu", (), ("approximate",)), "ReLU": ("relu", (), ()),
           "Tanh": ("tanh", (), ()), "Sigmoid": ("sigmoid", (), ()),
           "Softmax": ("softmax", (), ("dim",)), "Dropout": ("dropout", (), ("p", "training")),
           "Identity": ("contiguous", (), ()),
           "LayerNorm": ("layer_norm", ("weight", "bias"), ("normalized_shape", "eps")),
           "RMSNorm": ("rms_norm", ("weight",), ("normalized_shape", "eps"))}


class Imported(str):
    """The text of a module, as `from_fx` returns it. `parameters` are the weights, by the names of
    the arguments that they are."""
    parameters: Mapping[str, object]
    _order: Sequence[str]

    def arguments(self, *inputs: object) -> list[object]:
        """What to run the function on: `inputs` and the weights, in its order."""
        given = iter(inputs)
        return [_as_array(self.parameters[name]) if name in self.parameters else next(given)
                for name in self._order]


def _as_array(tensor: object) -> np.ndarray:
    if hasattr(tensor, "detach"):
        tensor = tensor.detach().cpu().float()
    return np.asarray(tensor)


def _dtype(value: object) -> str:
    name = str(getattr(value, "dtype", value)).rsplit(".", 1)[-1]
    if name not in _DTYPES:
        raise TrnError(f"tensors of {name} are not read; types are float32, float16 and bfloat16")
    return _DTYPES[name]


def name_of(target: object) -> str:
    """The op that a node calls: `aten.linear.default`, `<built-in function matmul>` and `"view"`
    are `linear`, `matmul` and `reshape`."""
    text = target if isinstance(target, str) else str(target)
    found = re.fullmatch(r"(?:torch\.ops\.)?aten\.(\w+)(?:\.\w+)?", text)
    name = found[1] if found else text if isinstance(target, str) else \
        getattr(target, "__name__", text)
    return _NAMES.get(name, name)


class _Graph:
    """One graph while it is read."""

    def __init__(self, owner: object, inputs: Sequence[object]) -> None:
        self.owner, self.inputs = owner, iter(inputs)
        self.values: dict[object, object] = {}
        self.arguments: list[tuple[Value, str]] = []  # with the attribute of a weight
        self.parameters: dict[str, object] = {}
        self.known: dict[str, Value] = {}  # weights by their path
        self.writer = Writer()
        # Weights of torch.export are inputs with names of their own.
        signature = getattr(owner, "graph_signature", None)
        self.lifted = {**getattr(signature, "inputs_to_parameters", {}),
                       **getattr(signature, "inputs_to_buffers", {})}

    def argument(self, name: str, like: object, path: str = "") -> Value:
        taken = self.writer.take(name)
        value = Value(taken, tuple(int(size) for size in like.shape), _dtype(like))
        self.arguments.append((value, path))
        if path:
            self.parameters[taken[1:]] = like
        return value

    def weight(self, path: str) -> Value:
        if path not in self.known:
            self.known[path] = self.argument(path.replace(".", "_"), self.attribute(path), path)
        return self.known[path]

    def attribute(self, path: str) -> object:
        found = self.owner
        for word in path.split("."):
            found = getattr(found, word)
        return found

    def placeholder(self, node: object) -> Value:
        if node.target in self.lifted:
            path = self.lifted[node.target]
            return self.argument(node.name, self.owner.state_dict[path], path)
        meta = getattr(node, "meta", {})
        like = next(self.inputs, None)
        like = like if like is not None else meta.get("val", meta.get("tensor_meta"))
        if like is None or not hasattr(like, "shape"):
            raise TrnError(f"input {node.name} has no shape; give one for each input, as "
                           "trn.from_fx(graph, trn.bf16(128, 512))")
        return self.argument(node.name, like)

    def called(self, node: object) -> object:
        """The value of a call of a function, a method or a layer."""
        arguments, named = self._resolve(node.args), self._resolve(dict(node.kwargs))
        name = name_of(node.target)
        if node.op == "call_module":
            layer = self.attribute(node.target)
            kind = type(layer).__name__
            if kind not in _LAYERS:
                raise TrnError(f"layers of class {kind} are not read; layers are "
                               + ", ".join(sorted(_LAYERS)) + ", and those that fx traces into")
            name, weights, options = _LAYERS[kind]
            named = {one: self.weight(f"{node.target}.{one}") for one in weights
                     if getattr(layer, one, None) is not None}
            named.update((one, getattr(layer, one)) for one in options if hasattr(layer, one))
        if name == "getitem" and isinstance(arguments[0], tuple):
            return arguments[0][arguments[1]]
        if name not in OPS:
            raise TrnError(f"{name} is not read; ops are " + ", ".join(sorted(OPS)))
        return _call(OPS[name], self.writer, arguments, named)

    def _resolve(self, value: object) -> object:
        if isinstance(value, dict):
            return {key: self._resolve(one) for key, one in value.items()}
        if isinstance(value, (list, tuple)):
            return [self._resolve(one) for one in value]
        return self.values[value] if hasattr(value, "op") else value

    def read(self, nodes: Iterable[object]) -> list[Value]:
        """Writes the nodes that results need, and returns these."""
        nodes = list(nodes)
        needed = _needed(nodes)
        for node in nodes:
            self.writer.name = node.name
            try:
                if node.op == "output":
                    found = self._resolve(node.args[0])
                    return found if isinstance(found, list) else [found]
                if node.op == "placeholder":
                    self.values[node] = self.placeholder(node)
                elif node.op == "get_attr":
                    self.values[node] = self.weight(node.target)
                elif node in needed:
                    self.values[node] = self.called(node)
            except TrnError as problem:
                raise TrnError(f"node {node.name}: {problem}") from None
        raise TrnError("the graph has no output")


def _call(reader: Reader, writer: Writer, arguments: Sequence[object],
          named: Mapping[str, object]) -> object:
    """Calls what reads an op, with the arguments that it knows."""
    parameters = inspect.signature(reader).parameters
    names = [name for name in parameters if name != "writer"]
    given = {}
    for name, value in named.items():
        name = names[0] if name in ("input", "self") else name
        if name in parameters:
            given[name] = value
        elif name not in _IGNORED and value is not None and value is not False:
            raise TrnError(f"{name} = {value} is not read; arguments that are read are "
                           + ", ".join(names))
    try:
        inspect.signature(reader).bind(writer, *arguments, **given)
    except TypeError as problem:
        raise TrnError(f"{problem}; arguments that are read are " + ", ".join(names)) from None
    return reader(writer, *arguments, **given)


def _needed(nodes: Sequence[object]) -> set:
    """The nodes that the output depends on: others are dead."""
    needed: set = set()

    def visit(value: object) -> None:
        if isinstance(value, dict):
            visit(list(value.values()))
        elif isinstance(value, (list, tuple)):
            for one in value:
                visit(one)
        elif hasattr(value, "op"):
            needed.add(value)

    for node in reversed(nodes):
        if node.op == "output" or node in needed:
            visit(node.args)
            visit(dict(node.kwargs))
    return needed


def from_fx(graph: object, *inputs: object, name: str = "main") -> Imported:
    """The linalg of a graph that torch.fx has traced or torch.export has exported, for `inputs` of
    these shapes and types: tensors, arrays, or `trn.bf16(128, 512)`. They may be left out where
    the graph knows them.

    Weights are arguments behind or between the inputs, with `trn.param`; `text.arguments(x)` gives
    all of them for a run. What is not read is refused by name, with what is.

        text = trn.from_fx(torch.fx.symbolic_trace(model), x)
        o = trn.compile(text).run(*text.arguments(x))
    """
    module = getattr(graph, "graph_module", graph)
    read = _Graph(graph, inputs)
    if module is not graph and not read.lifted:
        read.owner = module
    results = read.read(getattr(module, "graph", module).nodes)
    for one in results:
        if not isinstance(one, Value):
            raise TrnError(f"result {one!r} is no tensor")
    arguments = ", ".join(f"{value.name}: {value.type}" + (
        f" {{trn.param = {_quoted(path)}}}" if path else "") for value, path in read.arguments)
    types = ", ".join(one.type for one in results)
    values = ", ".join(one.name for one in results)
    lines = "\n".join(f"  {line}" for line in read.writer.lines)
    text = Imported(f"func.func @{name}({arguments}) -> ({types}) {{\n{lines}\n"
                    f"  return {values} : {types}\n}}\n")
    text.parameters = read.parameters
    text._order = [value.name[1:] for value, _ in read.arguments]
    return text


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\22') + '"'
