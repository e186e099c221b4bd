# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each op of a graph becomes. Parameters have the names and the order that PyTorch has; one
without a default here must be given."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from ._library import TrnError
from ._linalg import Value, Writer, broadcast

Reader = Callable[..., object]
_FLOATS = {"float32": "f32", "float16": "f16", "bfloat16": "bf16"}


def _tensor(value: object, what: str) -> Value:
    if not isinstance(value, Value):
        raise TrnError(f"{what} is {value!r}, but must be a tensor")
    return value


def _dim(dim: int, rank: int) -> int:
    if not isinstance(dim, int) or not -rank <= dim < rank:
        raise TrnError(f"there is no dimension {dim} of {rank}")
    return dim % rank


def _of_two(operation: str) -> Reader:
    """An op of two tensors, or of one and a number."""
    def read(writer: Writer, input: object, other: object, alpha: float = 1) -> Value:
        if alpha != 1:
            raise TrnError(f"alpha is {alpha}, but only 1 is read")
        tensors = [one for one in (input, other) if isinstance(one, Value)]
        if not tensors:
            raise TrnError("neither operand is a tensor")
        words, index = [], 0
        for one in (input, other):
            if isinstance(one, Value):
                words.append("{%d}" % index)
                index += 1
            elif isinstance(one, (int, float)):
                words.append(writer.constant(float(one)))
            else:
                raise TrnError(f"operand {one!r} is neither a tensor nor a number")
        return writer.elementwise(tensors, f"y = arith.{operation} {', '.join(words)}")
    return read


def _of_one(body: str, *constants: float) -> Reader:
    """A function of each element. `{c0}` is the first constant."""
    def read(writer: Writer, input: Value) -> Value:
        names = {f"c{i}": writer.constant(number) for i, number in enumerate(constants)}
        text = body.format("{0}", **names)
        return writer.elementwise([_tensor(input, "the operand")], text)
    return read


_SILU = _of_one("n = arith.negf {0}; e = math.exp n; a = arith.addf e, {c0}; d = arith.divf {c0}, a;"
                "y = arith.mulf d, {0}", 1.0)
_GELU_ERF = _of_one("z = arith.mulf {0}, {c0}; e = math.erf z; a = arith.addf e, {c1};"
                    "h = arith.mulf {0}, {c2}; y = arith.mulf h, a", math.sqrt(0.5), 1.0, 0.5)
_GELU_TANH = _of_one(
    "s = arith.mulf {0}, {0}; p = arith.mulf s, {0}; q = arith.mulf p, {c0};"
    "r = arith.addf {0}, q; i = arith.mulf r, {c1}; t = math.tanh i; u = arith.addf t, {c2};"
    "h = arith.mulf {0}, {c3}; y = arith.mulf h, u", 0.044715, math.sqrt(2 / math.pi), 1.0, 0.5)


def _gelu(writer: Writer, input: Value, approximate: str = "none") -> Value:
    if approximate not in ("none", "tanh"):
        raise TrnError(f"approximate is {approximate!r}, but must be 'none' or 'tanh'")
    return (_GELU_TANH if approximate == "tanh" else _GELU_ERF)(writer, input)


def _pow(writer: Writer, input: Value, exponent: float) -> Value:
    if exponent != 2:
        raise TrnError(f"the exponent is {exponent}, but only 2 is read")
    return writer.elementwise([_tensor(input, "the operand")], "y = arith.mulf {0}, {0}")


def _flat(writer: Writer, value: Value) -> Value:
    """All but the last dimension as one."""
    return writer.reshape(value, (math.prod(value.shape[:-1]), value.shape[-1]))


def _linear(writer: Writer, input: Value, weight: Value, bias: Value | None = None) -> Value:
    if len(weight.shape) != 2 or input.shape[-1:] != weight.shape[1:]:
        raise TrnError(f"x is {list(input.shape)} and the weight {list(weight.shape)}, but the "
                       "weight must be [n, k] and x [..., k]")
    return _product(writer, input, weight, bias, transposed=True)


def _product(writer: Writer, left: Value, right: Value, bias: Value | None = None,
             transposed: bool = False) -> Value:
    """Of rows and one matrix, with a bias that is added before the sum is rounded."""
    sums = writer.product(_flat(writer, left), right, transposed)
    shape = (*left.shape[:-1], sums.shape[-1])
    if bias is not None and broadcast(bias.shape, sums.shape) == sums.shape:
        made = writer.elementwise([sums, bias], "y = arith.addf {0}, {1}", left.dtype)
    elif bias is not None:
        raise TrnError(f"the bias is {list(bias.shape)}, but the product {list(sums.shape)}")
    else:
        made = writer.cast(sums, left.dtype)
    return writer.reshape(made, shape)


def _addmm(writer: Writer, input: Value, mat1: Value, mat2: Value, beta: float = 1,
           alpha: float = 1) -> Value:
    if beta != 1 or alpha != 1:
        raise TrnError(f"beta is {beta} and alpha {alpha}, but only 1 is read")
    return _product(writer, mat1, mat2, input)


def _matmul(writer: Writer, input: Value, other: Value) -> Value:
    left, right = _tensor(input, "the first operand"), _tensor(other, "the second operand")
    if min(len(left.shape), len(right.shape)) < 2 or left.shape[-1] != right.shape[-2]:
        raise TrnError(f"operands are {list(left.shape)} and {list(right.shape)}, but must be "
                       "[..., m, k] and [..., k, n]")
    if len(right.shape) == 2:
        return _product(writer, left, right)
    return writer.cast(_batches(writer, left, right), left.dtype)


def _batches(writer: Writer, left: Value, right: Value, transposed: bool = False) -> Value:
    """Products of equal batches, in f32."""
    batch = left.shape[:-2]
    if batch != right.shape[:-2]:
        raise TrnError(f"batches are {list(batch)} and {list(right.shape[:-2])}, but must be equal")
    one = [writer.reshape(value, (math.prod(batch), *value.shape[-2:])) for value in (left, right)]
    made = writer.product(*one, transposed)
    return writer.reshape(made, (*batch, *made.shape[-2:]))


def _softmax(writer: Writer, input: Value, dim: int = -1, half_to_float: object = False,
             dtype: object = None) -> Value:
    """`half_to_float` of aten._softmax is where others have `dtype`."""
    made = writer.softmax(input, _dim(dim, len(input.shape)))
    if half_to_float is True:
        return made
    return _to(writer, writer.cast(made, input.dtype) if not (dtype or half_to_float) else made,
               dtype or half_to_float)


def _check_norm(input: Value, normalized_shape: Sequence[int]) -> None:
    if list(normalized_shape) != list(input.shape[-1:]):
        raise TrnError(f"normalized_shape is {list(normalized_shape)}, but only the last dimension "
                       f"is read, {list(input.shape[-1:])}")


def _layer_norm(writer: Writer, input: Value, normalized_shape: Sequence[int],
                weight: Value | None = None, bias: Value | None = None,
                eps: float = 1e-5, cudnn_enable: object = None) -> Value:
    _check_norm(input, normalized_shape)
    count, small = writer.constant(float(input.shape[-1])), writer.constant(eps)
    mean = writer.elementwise([writer.sums(input)], f"y = arith.divf {{0}}, {count}")
    centred = writer.elementwise([input, mean], "y = arith.subf {0}, {1}", "f32")
    squares = writer.elementwise([centred], "y = arith.mulf {0}, {0}")
    scale = writer.elementwise([writer.sums(squares)], f"v = arith.divf {{0}}, {count};"
                               f"e = arith.addf v, {small}; y = math.rsqrt e")
    return _scaled(writer, centred, scale, weight, bias, input.dtype)


def _native_layer_norm(writer: Writer, *arguments: object) -> tuple:
    """With its mean and its scale, which inference does not use."""
    return (_layer_norm(writer, *arguments), None, None)


def _rms_norm(writer: Writer, input: Value, normalized_shape: Sequence[int],
              weight: Value | None = None, eps: float | None = None) -> Value:
    _check_norm(input, normalized_shape)
    least = {"f32": 2.0 ** -23, "bf16": 2.0 ** -7, "f16": 2.0 ** -10}
    count = writer.constant(float(input.shape[-1]))
    small = writer.constant(least[input.dtype] if eps is None else eps)
    squares = writer.elementwise([input], "y = arith.mulf {0}, {0}", "f32")
    scale = writer.elementwise([writer.sums(squares)], f"v = arith.divf {{0}}, {count};"
                               f"e = arith.addf v, {small}; y = math.rsqrt e")
    return _scaled(writer, input, scale, weight, None, input.dtype)


def _scaled(writer: Writer, value: Value, scale: Value, weight: Value | None,
            bias: Value | None, dtype: str) -> Value:
    inputs, body = [value, scale], "y = arith.mulf {0}, {1}"
    for operation, one in (("mulf", weight), ("addf", bias)):
        if one is not None:
            body += f"; z{len(inputs)} = arith.{operation} " + \
                ("y" if len(inputs) == 2 else f"z{len(inputs) - 1}") + f", {{{len(inputs)}}}"
            inputs.append(one)
    return writer.elementwise(inputs, body, dtype)


def _attention(writer: Writer, query: Value, key: Value, value: Value,
               attn_mask: Value | None = None, dropout_p: float = 0.0, is_causal: bool = False,
               scale: float | None = None, enable_gqa: bool = False) -> Value:
    if dropout_p or enable_gqa:
        raise TrnError("dropout_p and enable_gqa are not read; leave them out, and repeat the heads "
                       "of keys and values")
    scores = _batches(writer, query, key, transposed=True)
    factor = writer.constant(1 / math.sqrt(query.shape[-1]) if scale is None else scale)
    scores = writer.elementwise([scores], f"y = arith.mulf {{0}}, {factor}")
    if is_causal:
        lowest, rank = writer.constant(-math.inf), len(scores.shape)
        scores = writer.elementwise(
            [scores], f"row = linalg.index {rank - 2} : index; column = linalg.index {rank - 1} : "
            f"index; sees = arith.cmpi sge, row, column : index; y = arith.select sees, {{0}}, "
            f"{lowest} : f32")
    if attn_mask is not None:
        scores = writer.elementwise([scores, _tensor(attn_mask, "the mask")],
                                    "y = arith.addf {0}, {1}")
    weights = writer.cast(writer.softmax(scores, len(scores.shape) - 1), value.dtype)
    return writer.cast(_batches(writer, weights, value), query.dtype)


def _transpose(writer: Writer, input: Value, dim0: int, dim1: int) -> Value:
    order = list(range(len(input.shape)))
    a, b = _dim(dim0, len(order)), _dim(dim1, len(order))
    order[a], order[b] = order[b], order[a]
    return writer.transpose(input, order)


def _permute(writer: Writer, input: Value, *dims: object) -> Value:
    order = [_dim(dim, len(input.shape)) for dim in _sizes(dims)]
    if sorted(order) != list(range(len(input.shape))):
        raise TrnError(f"{order} is no order of {len(input.shape)} dimensions")
    return writer.transpose(input, order)


def _t(writer: Writer, input: Value) -> Value:
    return writer.transpose(input, range(len(input.shape))[::-1])


def _sizes(given: Sequence[object]) -> list[int]:
    """Of `view(2, 3)` and of `view([2, 3])`."""
    sizes = list(given[0]) if len(given) == 1 and isinstance(given[0], (list, tuple)) else \
        list(given)
    if not all(isinstance(size, int) for size in sizes):
        raise TrnError(f"sizes are {sizes}, but must be numbers: trace with static shapes")
    return sizes


def _reshape(writer: Writer, input: Value, *shape: object) -> Value:
    sizes, total = _sizes(shape), math.prod(input.shape)
    known = math.prod(size for size in sizes if size != -1)
    if sizes.count(-1) > 1 or not known or total % known or (-1 not in sizes and known != total):
        raise TrnError(f"{list(input.shape)} cannot become {sizes}")
    return writer.reshape(input, [total // known if size == -1 else size for size in sizes])


def _flatten(writer: Writer, input: Value, start_dim: int = 0, end_dim: int = -1) -> Value:
    first, last = (_dim(dim, len(input.shape)) for dim in (start_dim, end_dim))
    return _reshape(writer, input, *input.shape[:first], -1, *input.shape[last + 1:])


def _unsqueeze(writer: Writer, input: Value, dim: int) -> Value:
    at = _dim(dim, len(input.shape) + 1)
    return writer.reshape(input, (*input.shape[:at], 1, *input.shape[at:]))


def _mean(writer: Writer, input: Value, dim: object, keepdim: bool = False) -> Value:
    if _sizes([dim]) not in ([-1], [len(input.shape) - 1]):
        raise TrnError(f"dim is {dim}, but only the last dimension is read")
    count = writer.constant(float(input.shape[-1]))
    made = writer.elementwise([writer.sums(input)], f"y = arith.divf {{0}}, {count}", input.dtype)
    return made if keepdim else writer.reshape(made, input.shape[:-1])


def _same(writer: Writer, input: Value, p: object = None, training: bool = False,
          train: bool = False) -> Value:
    if (training or train) and p:
        raise TrnError("dropout of a model in training is not read; call model.eval()")
    return input


def _to(writer: Writer, input: Value, *others: object, dtype: object = None) -> Value:
    for one in (*others, dtype):
        name = str(one).rsplit(".", 1)[-1]
        if name in _FLOATS:
            return writer.cast(input, _FLOATS[name])
        if str(one).startswith("torch.") and name in ("float64", "int64", "int32", "bool"):
            raise TrnError(f"{name} is not read; types are float32, float16 and bfloat16")
    return input


OPS: dict[str, Reader] = {
    "add": _of_two("addf"), "sub": _of_two("subf"), "mul": _of_two("mulf"), "div": _of_two("divf"),
    "neg": _of_one("y = arith.negf {0}"), "exp": _of_one("y = math.exp {0}"),
    "tanh": _of_one("y = math.tanh {0}"), "rsqrt": _of_one("y = math.rsqrt {0}"),
    "sqrt": _of_one("y = math.sqrt {0}"), "relu": _of_one("y = arith.maximumf {0}, {c0}", 0.0),
    "sigmoid": _of_one("n = arith.negf {0}; e = math.exp n; a = arith.addf e, {c0};"
                       "y = arith.divf {c0}, a", 1.0),
    "silu": _SILU, "gelu": _gelu, "pow": _pow, "mean": _mean,
    "linear": _linear, "matmul": _matmul, "addmm": _addmm, "softmax": _softmax,
    "layer_norm": _layer_norm, "native_layer_norm": _native_layer_norm,
    "rms_norm": _rms_norm, "scaled_dot_product_attention": _attention,
    "transpose": _transpose, "permute": _permute, "t": _t, "reshape": _reshape,
    "flatten": _flatten, "unsqueeze": _unsqueeze,
    "contiguous": _same, "clone": _same, "detach": _same, "alias": _same, "dropout": _same,
    "to": _to,
    "float": lambda writer, input: writer.cast(input, "f32"),
    "half": lambda writer, input: writer.cast(input, "f16"),
    "bfloat16": lambda writer, input: writer.cast(input, "bf16"),
}
