"""Writes placed kernels of the `trn` dialect by hand: unrolled, with views of partitions and steps.

Buffers are bumped and never freed; what rotates is a list of buffers that a kernel picks from. (The
replays of test/Calibration have a writer of loops.)
"""

import os
import tempfile

import numpy as np

from timing import execute, report

BYTES = {"bf16": 2, "f32": 4}


def bf16(x):
    """The nearest bf16, ties to even, as f32."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).view(np.float32)


def row_major(shape):
    return tuple(int(np.prod(shape[dim + 1:])) for dim in range(len(shape)))


def real(value):
    """A literal of MLIR, which wants a dot before an exponent."""
    text = repr(float(value))
    return text if "." in text and "e" not in text else "%.9e" % value


class View:
    """A memref: a buffer, an argument or a part of one. `offset` counts elements."""

    def __init__(self, kernel, name, shape, dtype, space=None, strides=None, offset=0, identity=True):
        self.kernel, self.name, self.shape, self.dtype, self.space = kernel, name, tuple(shape), dtype, space
        self.strides = tuple(strides or row_major(shape))
        self.offset, self.identity, self.parts = offset, identity, {}

    @property
    def type(self):
        text = "x".join([*map(str, self.shape), self.dtype])
        if not self.identity:
            offset = ", offset: %d" % self.offset if self.offset else ""
            text += ", strided<[%s]%s>" % (", ".join(map(str, self.strides)), offset)
        return "memref<%s%s>" % (text, ", #" + self.space if self.space else "")

    @property
    def typed(self):
        return "%s : %s" % (self.name, self.type)

    def __call__(self, partition=0, partitions=None, column=0, columns=None, step=1):
        """Partitions from `partition`, columns from `column` in steps, of a buffer with two dimensions."""
        partitions = self.shape[0] - partition if partitions is None else partitions
        columns = (self.shape[1] - column + step - 1) // step if columns is None else columns
        key = (partition, partitions, column, columns, step)
        if key == (0, *self.shape[:1], 0, *self.shape[1:], 1):
            return self
        if key not in self.parts:
            assert partition + partitions <= self.shape[0] and column + (columns - 1) * step < self.shape[1], key
            part = View(self.kernel, self.kernel.fresh(), (partitions, columns), self.dtype, self.space,
                        (self.strides[0], self.strides[1] * step),
                        self.offset + partition * self.strides[0] + column * self.strides[1], False)
            self.kernel.line("%s = memref.subview %s[%d, %d] [%d, %d] [1, %d] : %s to %s" % (
                part.name, self.name, partition, column, partitions, columns, step, self.type, part.type))
            self.parts[key] = part
        return self.parts[key]

    def window(self, offsets, sizes):
        """A part of a buffer with any number of dimensions."""
        key = (*offsets, *sizes)
        if key not in self.parts:
            part = View(self.kernel, self.kernel.fresh(), sizes, self.dtype, self.space, self.strides,
                        self.offset + sum(map(int.__mul__, offsets, self.strides)), False)
            self.kernel.line("%s = memref.subview %s%s %s %s : %s to %s" % (
                part.name, self.name, list(offsets), list(sizes), [1] * len(sizes), self.type, part.type))
            self.parts[key] = part
        return self.parts[key]

    def split(self, *sizes):
        """The columns as several dimensions."""
        strides = [stride * self.strides[1] for stride in row_major(sizes)]
        part = View(self.kernel, self.kernel.fresh(), (self.shape[0], *sizes), self.dtype, self.space,
                    (self.strides[0], *strides), self.offset, self.identity)
        self.kernel.line("%s = memref.expand_shape %s [[0], %s] output_shape [%s] : %s into %s" % (
            part.name, self.name, list(range(1, len(sizes) + 1)), ", ".join(map(str, part.shape)), self.type,
            part.type))
        return part


class Kernel:
    """One kernel; `inputs` and `results` are name -> (shape, dtype)."""

    def __init__(self, machine, inputs, results, flops=0):
        self.machine, self.inputs, self.results, self.flops = machine, inputs, results, flops
        self.lines, self.names, self.top = [], 0, 0
        self.arguments = {name: View(self, "%" + name, *of) for name, of in {**inputs, **results}.items()}

    def fresh(self):
        self.names += 1
        return "%%_%d" % self.names

    def line(self, text):
        self.lines.append("    " + text)

    # Buffers.

    def sbuf(self, partitions, columns, dtype="bf16"):
        view = View(self, self.fresh(), (partitions, columns), dtype, "sbuf")
        self.line("%s = trn.alloc offset %d : %s" % (view.name, self.top, view.type))
        self.top += -(-columns * BYTES[dtype] // 64) * 64
        return view

    def several(self, count, *of):
        return [self.sbuf(*of) for _ in range(count)]

    def psum(self, bank):
        view = View(self, self.fresh(), (128, 512), "f32", "psum")
        self.line("%s = trn.alloc bank %d offset 0 : %s" % (view.name, bank, view.type))
        return view

    def hbm(self, argument, offset, sizes, strides):
        """A part of an argument, which starts at element `offset`."""
        whole = self.arguments[argument]
        view = View(self, self.fresh(), sizes, whole.dtype, None, strides, offset, False)
        self.line("%s = memref.reinterpret_cast %s to offset: [%d], sizes: [%s], strides: [%s] : %s to %s" % (
            view.name, whole.name, offset, ", ".join(map(str, sizes)), ", ".join(map(str, strides)),
            whole.type, view.type))
        return view

    # Instructions.

    def dma(self, source, target):
        self.line("trn.dma_copy %s to %s : %s to %s" % (source.name, target.name, source.type, target.type))

    def matmul(self, into, stationary, moving, accumulates=False):
        self.line("trn.matmul stationary(%s) moving(%s) into %s%s" % (
            stationary.typed, moving.typed, into.typed, " accumulate(%true)" if accumulates else ""))

    def transpose(self, source, target):
        self.line("trn.transpose %s into %s : %s to %s on tensor" % (
            source.name, target.name, source.type, target.type))

    def activation(self, function, source, target, scale=None, bias=None, sums=None):
        """`scale` and `bias` are numbers or columns; `sums` is a column for the sums of each row."""
        text = "trn.activation %s(%s)" % (function, source.typed)
        for word, value in (("scale", scale), ("bias", bias)):
            if isinstance(value, View):
                text += " %ss(%s)" % ("biase" if word == "bias" else word, value.typed)
            elif value is not None:
                text += " %s %s" % (word, real(value))
        if sums is not None:
            text += " reducing add(%s)" % sums.typed
        self.line(text + " into " + target.typed)

    def copy(self, source, target, engine="vector"):
        if engine == "scalar":
            self.activation("copy", source, target)
        else:
            self.line("trn.tensor_copy %s into %s : %s to %s on %s" % (
                source.name, target.name, source.type, target.type, engine))

    def pair(self, function, lhs, rhs, target, engine="vector"):
        """Of two tensors."""
        self.line("trn.tensor_tensor %s(%s, %s) into %s on %s" % (function, lhs.typed, rhs.typed, target.typed, engine))

    def apply(self, function, source, operand, target, engine="vector", is_reversed=False):
        """Of a tensor and a number or a column."""
        operand = "scalars(%s)" % operand.typed if isinstance(operand, View) else "constant " + real(operand)
        self.line("trn.tensor_scalar %s(%s) %s%s into %s on %s" % (
            function, source.typed, operand, " reversed" if is_reversed else "", target.typed, engine))

    def reduce(self, function, source, target):
        self.line("trn.tensor_reduce %s(%s) into %s" % (function, source.typed, target.typed))

    def reciprocal(self, source, target):
        self.line("trn.reciprocal %s into %s : %s to %s" % (source.name, target.name, source.type, target.type))

    def fill(self, value, *targets):
        for target in targets:
            self.line("trn.memset %s, %s : %s on gpsimd" % (target.name, real(value), target.type))

    # Constants that are made on chip.

    def iota(self, target, step, partition_step):
        self.line("trn.iota %s start 0 step %d partition_step %d : %s" % (
            target.name, step, partition_step, target.type))

    def identity(self, size=128):
        distance, result = self.sbuf(size, size, "f32"), self.sbuf(size, size)
        self.iota(distance, 1, -1)
        self.activation("abs", distance, distance)
        self.apply("min", distance, 1.0, distance)
        self.apply("sub", distance, 1.0, result, is_reversed=True)
        return result

    def causal(self, repeat=1, keys_on_partitions=True):
        """[128, repeat * 128]: 0 for keys up to the query, and -30000 a step behind it."""
        distance, result = self.sbuf(128, 128, "f32"), self.sbuf(128, 128 * repeat)
        self.iota(distance, *((1, -1) if keys_on_partitions else (-1, 1)))
        self.apply("min", distance, 0.0, distance)
        for i in range(repeat):
            self.apply("mul", distance, 30000.0, result(0, 128, 128 * i, 128))
        return result

    # What becomes of it.

    def text(self):
        given = ["%%%s: %s" % (name, self.arguments[name].type) for name in self.inputs]
        made = [self.arguments[name] for name in self.results]
        types = [view.type for view in self.arguments.values()]
        return "\n".join([
            "#sbuf = #trn.mem<sbuf>", "#psum = #trn.mem<psum>",
            'module attributes {trn.machine = #trn.machine<"%s">} {' % self.machine,
            "  func.func @main(%s) -> (%s) {" % (", ".join(given), ", ".join(view.type for view in made)),
            *("    %s = memref.alloc() : %s" % (view.name, view.type) for view in made),
            "    call @kernel(%s) : (%s) -> ()" % (
                ", ".join(view.name for view in self.arguments.values()), ", ".join(types)),
            "    return %s : %s" % (", ".join(view.name for view in made), ", ".join(view.type for view in made)),
            "  }",
            "  func.func private @kernel(%s) attributes {trn.kernel, trn.flops = %d : i64} {" % (
                ", ".join([*given, *("%s: %s {trn.result}" % (view.name, view.type) for view in made)]), self.flops),
            "    %true = arith.constant true", *self.lines, "    return", "  }", "}", ""])

    def report(self):
        return report(self.text())

    def values(self, given):
        """Runs it: name -> array of each result."""
        with tempfile.TemporaryDirectory() as folder:
            def path(name):
                return os.path.join(folder, name + ".npy")

            for name in self.inputs:
                np.save(path(name), np.ascontiguousarray(given[name], np.float32))
            execute(["trn-run", "-", "--threads=1", *("--arg=@" + path(name) for name in self.inputs),
                     *("--out=@" + path(name) for name in self.results)], self.text())
            return {name: np.load(path(name)) for name in self.results}


def difference(actual, expected):
    """Of the norms."""
    expected = np.asarray(expected, np.float64)
    return float(np.linalg.norm(actual - expected) / np.linalg.norm(expected))
