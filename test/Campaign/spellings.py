"""Products as frontends spell them, against NumPy: all of them must become kernels.

A chain of up to three products over tensors of any rank: vectors, batches with one weight or
with one each, several dimensions of rows, columns or contraction in any order, dimensions of
one; operands are parts of arguments, widened, transposed, broadcast or reshaped, results
behind it, where masks are added that have some of their dimensions.
Inputs are small whole numbers, so that sums are exact in any order.
"""

import io
import math
import random
import re

import numpy as np

from tools import Failure
from values import round_to


class Text:
    """The module, and the value of each tensor in it."""

    def __init__(self, rng):
        self.rng, self.number = rng, 0
        self.lines, self.arguments, self.inputs = [], [], []
        self.values, self.types = {}, {}
        self.flops = 0

    def type(self, shape, dtype):
        return f"tensor<{''.join(f'{s}x' for s in shape)}{dtype}>"

    def name(self, value, dtype):
        self.number += 1
        name = f"%v{self.number}"
        self.values[name], self.types[name] = value, (self.type(value.shape, dtype), dtype)
        return name

    def input(self, shape, dtype):
        """An argument, or a part of one."""
        is_part = self.rng.random() < 0.2
        around = [(self.rng.choice((0, 0, 1, 5)), self.rng.choice((0, 0, 3, 8))) if is_part
                  else (0, 0) for _ in shape]
        whole = [size + before + behind for size, (before, behind) in zip(shape, around)]
        value = np.random.default_rng(self.rng.randrange(2 ** 31)).integers(-2, 3, whole)
        name = self.name(value.astype(np.float32), dtype)
        self.arguments.append(f"{name}: {self.types[name][0]}")
        self.inputs.append(self.values[name])
        if not any(map(any, around)):
            return name
        offsets = [before for before, _ in around]
        part = tuple(slice(o, o + size) for o, size in zip(offsets, shape))
        return self.put(self.values[name][part], dtype, (
            f"tensor.extract_slice {name}{offsets} {list(shape)} {[1] * len(shape)} : "
            f"{self.types[name][0]} to {{t}}"))

    def put(self, value, dtype, text):
        """`text` with {t} for the type of the result, {e} for an empty tensor of it."""
        name = self.name(value, dtype)
        result = self.types[name][0]
        empty = f"%e{self.number}"
        self.lines.append(f"{empty} = tensor.empty() : {result}")
        self.lines.append(f"{name} = " + text.format(t=result, e=f"{empty} : {result}"))
        return name

    def elementwise(self, name, dtype, op):
        """A cast, on tensors, as a generic, or mapped."""
        type, source = self.types[name]
        shape = self.values[name].shape
        value = round_to(self.values[name], dtype).reshape(shape)
        form = self.rng.randrange(3)
        if form == 0:
            return self.put(value, dtype, f"arith.{op} {name} : {type} to {{t}}")
        if form == 1:
            return self.put(value, dtype, f"linalg.map {{{{ arith.{op} }}}} ins({name} : {type}) "
                                          "outs({e})")
        loops = ", ".join(f"d{i}" for i in range(len(shape)))
        kinds = ", ".join(['"parallel"'] * len(shape))
        identity = f"affine_map<({loops}) -> ({loops})>"
        return self.put(value, dtype, (
            f"linalg.generic {{{{indexing_maps = [{identity}, {identity}], "
            f"iterator_types = [{kinds}]}}}} ins({name} : {type}) outs({{e}}) {{{{\n"
            f"  ^bb0(%a: {source}, %o: {dtype}):\n    %r = arith.{op} %a : {source} to {dtype}\n"
            f"    linalg.yield %r : {dtype}\n  }}}} -> {{t}}"))

    def transpose(self, name, permutation):
        type, dtype = self.types[name]
        value = self.values[name].transpose(permutation)
        return self.put(value, dtype, f"linalg.transpose ins({name} : {type}) outs({{e}}) "
                                      f"permutation = [{', '.join(map(str, permutation))}]")

    def broadcast(self, name, axis, size):
        type, dtype = self.types[name]
        value = np.repeat(np.expand_dims(self.values[name], axis), size, axis)
        return self.put(value, dtype, f"linalg.broadcast ins({name} : {type}) outs({{e}}) "
                                      f"dimensions = [{axis}]")

    def reshape(self, name, shape, at):
        """Merges the dimensions `at` and `at + 1`, or splits the dimension `at` into them."""
        type, dtype = self.types[name]
        value = self.values[name]
        groups = [[i] for i in range(at)] + [[at, at + 1]] + [
            [i] for i in range(at + 2, max(len(shape), value.ndim))]
        if len(shape) < value.ndim:
            text = f"tensor.collapse_shape {name} {groups} : {type} into {{t}}"
        else:
            text = (f"tensor.expand_shape {name} {groups} output_shape {list(shape)} "
                    f": {type} into {{t}}")
        return self.put(value.reshape(shape), dtype, text)

    def indices(self, shape):
        """Of an operand that has all loops: those of one iteration may be 0."""
        return ["0" if size == 1 and self.rng.random() < 0.5 else f"d{l}"
                for l, size in enumerate(shape)]

    def add(self, name, mask, axes):
        """`mask` has some axes of `name`."""
        type, dtype = self.types[name]
        value = self.values[name]
        loops = list(range(value.ndim))
        shape = [value.shape[l] if l in axes else 1 for l in loops]
        added = self.values[mask].transpose([axes.index(l) for l in sorted(axes)]).reshape(shape)
        all_loops = ", ".join(f"d{l}" for l in loops)
        identity = f"affine_map<({all_loops}) -> ({all_loops})>"
        read = f"affine_map<({all_loops}) -> ({', '.join(self.indices(value.shape))})>"
        part = f"affine_map<({all_loops}) -> ({', '.join(f'd{l}' for l in axes)})>"
        kinds = ", ".join(['"parallel"'] * len(loops))
        return self.put(value + added, dtype, (
            f"linalg.generic {{{{indexing_maps = [{read}, {part}, {identity}], "
            f"iterator_types = [{kinds}]}}}} ins({name}, {mask} : {type}, {self.types[mask][0]}) "
            f"outs({{e}}) {{{{\n  ^bb0(%a: {dtype}, %b: {dtype}, %o: {dtype}):\n"
            f"    %r = arith.addf %a, %b : {dtype}\n    linalg.yield %r : {dtype}\n  }}}} -> {{t}}"))

    def product(self, x, w, axes, loops, summed, init=None):
        """`axes` are the loops of x, w and the result, which begins with `init`, or zeros."""
        (xt, xd), (wt, wd) = self.types[x], self.types[w]
        a, b, o = ("".join(chr(97 + l) for l in part) for part in axes)
        value = np.einsum(f"{a},{b}->{o}", self.values[x].astype(np.float64),
                          self.values[w].astype(np.float64)).astype(np.float32)
        result = self.type(value.shape, "f32")
        sizes = {l: s for n, part in ((x, axes[0]), (w, axes[1]))
                 for l, s in zip(part, self.values[n].shape)}
        self.flops += 2 * math.prod(sizes.values())
        self.number += 1
        zeros = init or f"%z{self.number}"
        if init:
            value = value + self.values[init]
        else:
            self.lines.append(f"{zeros} = arith.constant dense<0.0> : {result}")
        order = ", ".join(f"d{l}" for l in loops)
        maps = ", ".join(f"affine_map<({order}) -> ({', '.join(f'd{l}' for l in part)})>"
                         for part in axes)
        operands = f"ins({x}, {w} : {xt}, {wt}) outs({zeros} : {result})"
        if self.rng.random() < 0.5:
            return self.put(value, "f32", f"linalg.contract indexing_maps = [{maps}] {operands} "
                                          "-> {t}")
        kinds = ", ".join('"reduction"' if l in summed else '"parallel"' for l in loops)
        body = [f"^bb0(%a: {xd}, %b: {wd}, %o: f32):"]
        names = []
        for n, dtype in (("%a", xd), ("%b", wd)):
            names.append(n if dtype == "f32" else n + "w")
            if dtype != "f32":
                body.append(f"  {n}w = arith.extf {n} : {dtype} to f32")
        self.rng.shuffle(names)
        body += [f"  %p = arith.mulf {', '.join(names)} : f32", "  %s = arith.addf %p, %o : f32",
                 "  linalg.yield %s : f32"]
        return self.put(value, "f32", f"linalg.generic {{{{indexing_maps = [{maps}], "
                        f"iterator_types = [{kinds}]}}}} {operands} {{{{\n"
                        + "\n".join(body) + "\n  }} -> {t}")

    def module(self, results):
        types = ", ".join(self.types[result][0] for result in results)
        lines = [f"func.func @main({', '.join(self.arguments)}) -> ({types}) {{",
                 *("  " + line for line in self.lines), f"  return {', '.join(results)} : {types}", "}"]
        return "\n".join(lines) + "\n"


def shuffled(rng, items):
    return rng.sample(items, len(items))


def dressed(text, rng, shape, dtype, widened, shared):
    """A tensor of `shape`, made of an input by what a product can read through; `shared` is an
    axis that may be broadcast."""
    steps, stored = [], list(shape)
    if shared is not None:
        steps.append(("broadcast", shared, stored.pop(shared)))
    if len(stored) > 1 and rng.random() < 0.4:
        permutation = shuffled(rng, range(len(stored)))
        steps.append(("transpose", permutation))
        stored = [stored[permutation.index(i)] for i in range(len(stored))]
    if len(stored) > 1 and rng.random() < 0.25:
        i = rng.randrange(len(stored) - 1)
        steps.append(("reshape", tuple(stored), i))
        stored[i:i + 2] = [stored[i] * stored[i + 1]]
    elif stored and rng.random() < 0.2:
        i = rng.randrange(len(stored) + 1)
        steps.append(("reshape", tuple(stored), max(i - 1, 0)))
        stored.insert(i, 1)
    name = text.input(stored, dtype)
    if widened:
        steps.insert(rng.randint(0, len(steps)), ("elementwise", "f32", "extf"))
    for kind, *arguments in reversed(steps):
        name = getattr(text, kind)(name, *arguments)
    return name


def link(text, rng, x, dtype, batched):
    """The product of `x`, or of a new tensor, and a weight, which has rows of `x` as batches with
    the probability `batched`."""
    size = lambda: rng.choice([1, 2, 3, 4, 5, 8, 13])
    widened = dtype != "f32" and rng.random() < 0.4
    if x is None:
        shape = [size() for _ in range(rng.choice([1, 2, 2, 3, 3, 4]))]
        x = dressed(text, rng, shape, dtype, widened, None)
    elif widened:
        x = text.elementwise(x, "f32", "extf")
    shape = text.values[x].shape
    rank = len(shape)
    summed = rng.sample(range(rank), rng.choice([1, 1, 1, 2]) if rank > 1 else rank)
    rows = [i for i in range(rank) if i not in summed]
    columns = list(range(rank, rank + rng.choice([0, 1, 1, 1, 2])))
    sizes = [*shape, *(size() for _ in columns)]
    shared = [rng.choice(rows)] if rows and rng.random() < 0.25 else []
    shared += [r for r in rows if sizes[r] == 1 and r not in shared and rng.random() < 0.3]
    own = [r for r in rows if r not in shared and rng.random() < batched]
    weight = shuffled(rng, summed + columns + shared + own)
    if shared and sizes[shared[0]] == 1:
        shared_axis = None
    else:
        shared_axis = weight.index(shared[0]) if shared else None
    w = dressed(text, rng, [sizes[l] for l in weight], dtype, widened, shared_axis)
    result = shuffled(rng, rows + columns) if rng.random() < 0.3 else rows + columns
    pair = [(x, list(range(rank))), (w, weight)]
    if rng.random() < 0.3:
        pair.reverse()
    (a, a_axes), (b, b_axes) = pair
    loops = shuffled(rng, range(len(sizes))) if rng.random() < 0.5 else list(range(len(sizes)))
    y = text.product(a, b, (a_axes, b_axes, result), loops, summed)
    if batched and result and rng.random() < 0.3:
        axes = shuffled(rng, rng.sample(range(len(result)), rng.randint(1, len(result))))
        mask = text.input([text.values[y].shape[l] for l in axes], "f32")
        y = text.add(y, mask, axes)
    return text.elementwise(y, dtype, "truncf") if dtype != "f32" else y


def between(text, rng, y):
    shape = text.values[y].shape
    if len(shape) > 1 and rng.random() < 0.3:
        return text.transpose(y, shuffled(rng, range(len(shape))))
    if len(shape) > 1 and rng.random() < 0.5:
        i = rng.randrange(len(shape) - 1)
        return text.reshape(y, shape[:i] + (shape[i] * shape[i + 1],) + shape[i + 2:], i)
    if shape and rng.random() < 0.4:
        i = rng.randrange(len(shape))
        part = next((d for d in (2, 3, 5) if shape[i] % d == 0), 1)
        return text.reshape(y, shape[:i] + (part, shape[i] // part) + shape[i + 1:], i)
    return y


def run(number, seed, tools, directory):
    rng = random.Random(f"spellings {seed} {number}")
    text = Text(rng)
    dtype = rng.choice(["f32", "bf16", "f16"])
    y, batched = None, rng.choice([0, 0.4, 0.7])
    for _ in range(rng.choice([1, 1, 2, 3])):
        if y is not None:
            y = between(text, rng, y)
            if not text.values[y].shape:
                break
        y = link(text, rng, y, dtype, batched)
    return judge(text, [y], tools, directory)


def judge(text, results, tools, directory):
    """Whether the module has the values of `results`, and all of its products are in kernels."""
    files = {"case.mlir": text.module(results).encode()}
    for i, array in enumerate(text.inputs):
        stream = io.BytesIO()
        np.save(stream, array)
        files[f"in{i}.npy"] = stream.getvalue()
    for name, data in files.items():
        (directory / name).write_bytes(data)
    steps = [("trn-opt", "case.mlir", "--trn-compile=effort=1", "-o", "compiled.mlir"),
             ("trn-run", "compiled.mlir", *(f"--arg=@in{i}.npy" for i in range(len(text.inputs))),
              *(f"--out=@out{i}.npy" for i in range(len(results))))]
    fail = lambda kind, words: (kind, Failure(kind, words, files, " && ".join(map(" ".join, steps))))
    for step in steps:
        done = tools.run(*step, cwd=directory)
        if done.trouble:
            return fail(done.trouble, done.describe())
        if done.status:
            return fail("wrong", "it should become kernels\n" + done.describe())
    flops = int(re.search(r"^ +flops +([\d,]+)", done.out.decode(), re.M)[1].replace(",", ""))
    if flops != text.flops:
        return fail("wrong", f"kernels have {flops} FLOPs, but there are {text.flops}")
    for i, result in enumerate(results):
        actual = np.load(directory / f"out{i}.npy").astype(np.float32)
        expected = text.values[result]
        if actual.shape != expected.shape or not np.array_equal(actual, expected):
            return fail("wrong", f"result {i} is\n{actual}\nbut should be\n{expected}")
    return "agree", None
