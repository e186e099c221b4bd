"""Writes placed `trn` kernels: loops, buffers that are freed with their scope, and instructions.

Offsets are sums of loop counters; `Index` keeps them linear and spells them as `affine.apply`.
"""

import contextlib

BYTES = {"bf16": 2, "f16": 2, "f32": 4}


class Index:
    """`constant + sum of coefficient * counter`; counters are SSA names."""

    def __init__(self, constant=0, terms=None):
        self.constant = constant
        self.terms = dict(terms or {})

    @staticmethod
    def of(value):
        return value if isinstance(value, Index) else Index(value)

    def __add__(self, other):
        other = Index.of(other)
        terms = dict(self.terms)
        for name, coefficient in other.terms.items():
            terms[name] = terms.get(name, 0) + coefficient
        return Index(self.constant + other.constant, terms)

    __radd__ = __add__

    def __mul__(self, factor):
        return Index(self.constant * factor, {n: c * factor for n, c in self.terms.items()})

    __rmul__ = __mul__


class View:
    """A memref: an SSA name and what its type says. `offset` is None where only the program knows."""

    def __init__(self, name, shape, dtype, space=None, strides=None, offset=0, identity=True):
        self.name, self.shape, self.dtype, self.space = name, tuple(shape), dtype, space
        self.strides = strides or row_major(shape)
        self.offset, self.identity = offset, identity

    @property
    def type(self):
        text = "x".join([*map(str, self.shape), self.dtype])
        if not self.identity:
            text += ", strided<[%s]" % ", ".join(map(str, self.strides))
            if self.offset is None:
                text += ", offset: ?"
            elif self.offset:
                text += ", offset: %d" % self.offset
            text += ">"
        if self.space:
            text += ", #%s" % self.space
        return "memref<%s>" % text


def spell(machine, constants=None):
    """The attribute of a machine, with some constants replaced."""
    def literal(value):
        if isinstance(value, bool):
            return "true" if value else "false"
        return "%d : i64" % value if isinstance(value, int) else "%r : f64" % value

    replaced = ", ".join("%s = %s" % (key, literal(value)) for key, value in sorted((constants or {}).items()))
    return '#trn.machine<"%s"%s>' % (machine, ", {%s}" % replaced if replaced else "")


def module(machine, *kernels):
    """A module whose host code calls the kernels one after the other, so that `trn-run` has something
    to run: the result of one is the first argument of the next."""
    inputs, body = [], []
    last = None
    for number, kernel in enumerate(kernels):
        *arguments, result = kernel.types
        names = [last] if last else []
        for type_ in arguments[len(names):]:
            names.append("%%a%d" % len(inputs))
            inputs.append("%s: %s" % (names[-1], type_))
        last = "%%r%d" % number
        body.append("  %s = memref.alloc() : %s" % (last, result))
        body.append("  call @%s(%s) : (%s) -> ()" % (
            kernel.name, ", ".join([*names, last]), ", ".join(kernel.types)))
    lines = ["#sbuf = #trn.mem<sbuf>", "#psum = #trn.mem<psum>",
             "module attributes {trn.machine = %s} {" % machine,
             "func.func @main(%s) -> %s {" % (", ".join(inputs), kernels[-1].types[-1]),
             *body, "  return %s : %s" % (last, kernels[-1].types[-1]), "}"]
    for kernel in kernels:
        lines += kernel.function()
    return "\n".join([*lines, "}", ""])


def real(value):
    """A literal of MLIR, which wants a dot before an exponent."""
    return repr(float(value)) if "." in repr(float(value)) else "%.6e" % value


def row_major(shape):
    strides, total = [], 1
    for size in reversed(shape):
        strides.append(total)
        total *= size
    return tuple(reversed(strides))


@contextlib.contextmanager
def as_written():
    """Kernels that are made in it are not software-pipelined."""
    Kernel.pipelined = False
    try:
        yield
    finally:
        Kernel.pipelined = True


class Kernel:
    """One kernel. Arguments are `name: (shape, dtype)`, the result comes last. `flops` are those of
    the model, where the kernel executes more."""

    pipelined = True  # whether `ahead` does what it says, or prepares each step just before it

    def __init__(self, name, arguments, result, flops=None):
        self.lines, self.depth, self.names = [], 1, 0
        self.sbuf_top, self.sbuf_peak = 0, 0
        self.scopes = [[]]
        self.constants = {}
        self.name = name
        self.types = []
        spelled = []
        for argument, (shape, dtype) in {**arguments, **result}.items():
            view = View("%" + argument, shape, dtype)
            setattr(self, argument, view)
            mark = " {trn.result}" if argument in result else ""
            spelled.append("%s: %s%s" % (view.name, view.type, mark))
            self.types.append(view.type)
        model = "" if flops is None else ", trn.flops = %d : i64" % flops
        self.head = "func.func private @%s(%s) attributes {trn.kernel%s} {" % (name, ", ".join(spelled), model)

    # Text.

    def line(self, text):
        self.lines.append("  " * self.depth + text)

    def fresh(self, stem):
        self.names += 1
        return "%%%s%d" % (stem, self.names)

    def constant(self, value):
        return self.constants.setdefault(value, "%%c%d" % value)

    def function(self):
        self.end_scope()
        constants = ["  %s = arith.constant %d : index" % (n, v) for v, n in sorted(self.constants.items())]
        return [self.head, *constants, *self.lines, "  return", "}"]

    # Loops and buffers.

    @contextlib.contextmanager
    def loop(self, count):
        counter = self.fresh("i")
        self.line("scf.for %s = %s to %s step %s {" % (
            counter, self.constant(0), self.constant(count), self.constant(1)))
        self.depth += 1
        self.scopes.append([])
        yield Index(0, {counter: 1})
        self.end_scope()
        self.depth -= 1
        self.line("}")

    @contextlib.contextmanager
    def scope(self):
        self.scopes.append([])
        yield
        self.end_scope()

    def ahead(self, count, stages, consume, alone, slots=1):
        """A loop over `count` steps that is software-pipelined, as a compiler's scheduler would do it: what
        later steps need is prepared amid the instructions of step i, so that no engine waits for it.

        `consume(i, slot, prepare)` is step i. It calls `prepare(*part)` for each part of the preparation, where
        its instructions shall be: the last of `stages` for step i + 1, the one before for i + 2, and so on. A stage
        is `stage(i, slot, *part)`. `alone(prepare)` does the same without a step, before step 0.
        Slots are i modulo `slots`, as a number: they tell apart buffers that a later step writes already,
        which are allocated outside. Other buffers of a stage or a step are live inside it, and have the same
        addresses wherever it is written."""
        tops = {}

        def copy(function, i, *arguments):
            outer = self.sbuf_top
            self.sbuf_top = tops.setdefault(function, max(outer, self.sbuf_peak))
            with self.loop(1):  # what rotates is live in the whole loop that it is in
                function(Index.of(i), Index.of(i).constant % slots, *arguments)
            self.sbuf_peak = max(self.sbuf_peak, self.sbuf_top)
            self.sbuf_top = outer

        def prepare(i, *part):
            for distance, stage in enumerate(reversed(stages), 1):
                if isinstance(i, Index) or 0 <= i + distance < count:
                    copy(stage, i + distance, *part)

        def step(i):
            if self.pipelined:
                copy(consume, i, lambda *part: prepare(i, *part))
                return
            for stage in stages:
                alone(lambda *part: copy(stage, i, *part))
            copy(consume, i, lambda *part: None)

        self.sbuf_peak = self.sbuf_top
        if self.pipelined:
            for i in range(-len(stages), 0):
                alone(lambda *part, i=i: prepare(i, *part))
        rounds = max(0, count - len(stages) * self.pipelined) // slots
        if rounds:
            with self.loop(rounds) as number:
                for slot in range(slots):
                    step(number * slots + slot)
        for i in range(rounds * slots, count):
            step(i)
        self.sbuf_top = self.sbuf_peak

    def end_scope(self):
        for view in reversed(self.scopes.pop()):
            self.line("trn.dealloc %s : %s" % (view.name, view.type))

    def sbuf(self, shape, dtype, buffers=2):
        """Buffers never share addresses, so what overlaps is up to the program alone."""
        view = View(self.fresh("sbuf"), shape, dtype, "sbuf")
        rotation = "buffers %d " % buffers if buffers > 1 else ""
        self.line("%s = trn.alloc %soffset %d : %s" % (view.name, rotation, self.sbuf_top, view.type))
        size = BYTES[dtype] * buffers
        for extent in shape[1:]:
            size *= extent
        self.sbuf_top += -(-size // 64) * 64
        self.scopes[-1].append(view)
        return view

    def psum(self, shape, bank, buffers, dtype="f32"):
        view = View(self.fresh("psum"), shape, dtype, "psum")
        rotation = "buffers %d " % buffers if buffers > 1 else ""
        self.line("%s = trn.alloc %sbank %d offset 0 : %s" % (view.name, rotation, bank, view.type))
        self.scopes[-1].append(view)
        return view

    # Views.

    def value(self, index):
        index = Index.of(index)
        if not index.terms:
            return None
        names = list(index.terms)
        dims = ["d%d" % i for i in range(len(names))]
        terms = ["%s * %d" % (d, index.terms[n]) for d, n in zip(dims, names)]
        result = self.fresh("at")
        self.line("%s = affine.apply affine_map<(%s) -> (%s)>(%s)" % (
            result, ", ".join(dims), " + ".join([*terms, str(index.constant)]), ", ".join(names)))
        return result

    def hbm(self, argument, row, column, sizes, row_step=1):
        """Rows from `row` in steps of `row_step`, columns from `column`, of a matrix."""
        pitch = argument.shape[1]
        offset = Index.of(row) * pitch + column
        value = self.value(offset)
        strides = (pitch * row_step, 1)
        view = View(self.fresh("block"), sizes, argument.dtype, None, strides,
                    None if value else offset.constant, identity=False)
        self.line("%s = memref.reinterpret_cast %s to offset: [%s], sizes: [%d, %d], strides: [%d, 1] : %s to %s" % (
            view.name, argument.name, value or offset.constant, *sizes, strides[0], argument.type, view.type))
        return view

    def part(self, buffer, at, columns):
        """Columns of a tile, or with `at` = (tile, column) of one tile of a folded buffer."""
        at = at if isinstance(at, tuple) else (at,)
        values = [self.value(index) for index in at]
        offset = 0
        for index, value, stride in zip(at, values, buffer.strides[1:]):
            offset = None if value or offset is None else offset + Index.of(index).constant * stride
        view = View(self.fresh("part"), (buffer.shape[0], columns), buffer.dtype, buffer.space,
                    (buffer.strides[0], 1), offset, identity=False)
        offsets = ["0", *(value or str(Index.of(index).constant) for index, value in zip(at, values))]
        sizes = [buffer.shape[0], *[1] * (len(at) - 1), columns]
        self.line("%s = memref.subview %s[%s] [%s] [%s] : %s to %s" % (
            view.name, buffer.name, ", ".join(offsets), ", ".join(map(str, sizes)),
            ", ".join(["1"] * len(sizes)), buffer.type, view.type))
        return view

    # Instructions.

    def dma(self, source, target):
        self.line("trn.dma_copy %s to %s : %s to %s" % (source.name, target.name, source.type, target.type))

    def matmul(self, into, stationary, moving, step):
        """Adds to `into` unless the counter `step` is 0."""
        flag = ""
        value = self.value(step)
        if value:
            condition = self.fresh("more")
            self.line("%s = arith.cmpi ne, %s, %s : index" % (condition, value, self.constant(0)))
            flag = " accumulate(%s)" % condition
        self.line("trn.matmul stationary(%s : %s) moving(%s : %s) into %s : %s%s" % (
            stationary.name, stationary.type, moving.name, moving.type, into.name, into.type, flag))

    def transpose(self, source, target):
        self.line("trn.transpose %s into %s : %s to %s on tensor" % (
            source.name, target.name, source.type, target.type))

    def activation(self, function, source, target, scale=None, scales=None, biases=None):
        scaled = " scale %s" % real(scale) if scale is not None else ""
        for word, column in (("scales", scales), ("biases", biases)):
            if column:
                scaled += " %s(%s : %s)" % (word, column.name, column.type)
        self.line("trn.activation %s(%s : %s)%s into %s : %s" % (
            function, source.name, source.type, scaled, target.name, target.type))

    def evict(self, source, target, engine="scalar"):
        if engine == "scalar":
            self.activation("copy", source, target)
        else:
            self.line("trn.tensor_copy %s into %s : %s to %s on vector" % (
                source.name, target.name, source.type, target.type))

    def tensor_tensor(self, function, lhs, rhs, target, engine="vector"):
        self.line("trn.tensor_tensor %s(%s : %s, %s : %s) into %s : %s on %s" % (
            function, lhs.name, lhs.type, rhs.name, rhs.type, target.name, target.type, engine))

    def tensor_scalar(self, function, source, target, constant=None, scalars=None):
        operand = "scalars(%s : %s)" % (scalars.name, scalars.type) if scalars else "constant %s" % real(constant)
        self.line("trn.tensor_scalar %s(%s : %s) %s into %s : %s on vector" % (
            function, source.name, source.type, operand, target.name, target.type))

    def tensor_reduce(self, function, source, target):
        self.line("trn.tensor_reduce %s(%s : %s) into %s : %s" % (
            function, source.name, source.type, target.name, target.type))

    def reciprocal(self, source, target):
        self.line("trn.reciprocal %s into %s : %s to %s" % (source.name, target.name, source.type, target.type))

    def memset(self, target):
        self.line("trn.memset %s, 0.0 : %s on vector" % (target.name, target.type))
