"""Placed kernels as plain data, and how they are written down as MLIR.

A kernel is a list of statements: `Alloc`, `Free`, `For` and `Inst`. An operand of an
instruction is a `View`: a buffer and the steps that lead from it to the region. The
generator makes these, `plant.py` damages them, `model.py` runs them, and a failing
one is made smaller by leaving statements out.
"""

import dataclasses
import itertools

BYTES = {"bf16": 2, "f16": 2, "f32": 4, "i32": 4, "ui32": 4}


class Index:
    """`constant + sum of coefficient * loop counter`."""

    def __init__(self, constant=0, terms=None):
        self.constant = constant
        self.terms = {loop: c for loop, c in (terms or {}).items() if c}

    def __add__(self, other):
        if not isinstance(other, Index):
            return Index(self.constant + other, self.terms)
        terms = dict(self.terms)
        for loop, coefficient in other.terms.items():
            terms[loop] = terms.get(loop, 0) + coefficient
        return Index(self.constant + other.constant, terms)

    __radd__ = __add__

    def __mul__(self, factor):
        return Index(self.constant * factor, {l: c * factor for l, c in self.terms.items()})

    def at(self, counters):
        return self.constant + sum(c * counters[loop] for loop, c in self.terms.items())


def index(value):
    return value if isinstance(value, Index) else Index(value)


@dataclasses.dataclass(eq=False)
class Loop:
    name: str
    lower: int
    upper: int
    step: int
    type: str = "index"
    unsigned: bool = False
    used: bool = True  # whether addresses follow its counter

    def counts(self):
        return range(self.lower, self.upper, self.step)


@dataclasses.dataclass(eq=False)
class Buffer:
    """`kind`: input, result, scratch (all of them HBM), sbuf or psum."""
    name: str
    kind: str
    shape: tuple
    dtype: str
    slots: int = 0  # 0: not written
    bank: int = None
    offset: int = None

    @property
    def chip(self):
        return self.kind in ("sbuf", "psum")

    @property
    def space(self):
        return self.kind if self.chip else "hbm"

    @property
    def row_bytes(self):
        size = BYTES[self.dtype]
        for extent in self.shape[1:]:
            size *= extent
        return size

    def type(self):
        space = {"sbuf": ", #sbuf", "psum": ", #psum", "scratch": ", #hbm"}.get(self.kind, "")
        return f"memref<{'x'.join(map(str, self.shape))}x{self.dtype}{space}>"


def row_major(shape):
    strides = [1] * len(shape)
    for i in reversed(range(len(shape) - 1)):
        strides[i] = strides[i + 1] * shape[i + 1]
    return tuple(strides)


@dataclasses.dataclass(frozen=True)
class Layout:
    shape: tuple
    strides: tuple
    offset: Index
    identity: bool


@dataclasses.dataclass(eq=False)
class Subview:
    offsets: list  # of Index
    sizes: list
    strides: list
    drop: tuple = ()  # dimensions of one element that the result lacks

    def apply(self, layout):
        offset = layout.offset
        for o, stride in zip(self.offsets, layout.strides):
            offset = offset + o * stride
        kept = [i for i in range(len(self.sizes)) if i not in self.drop]
        return Layout(tuple(self.sizes[i] for i in kept),
                      tuple(layout.strides[i] * self.strides[i] for i in kept), offset, False)


@dataclasses.dataclass(eq=False)
class Expand:
    dim: int
    factors: tuple

    def apply(self, layout):
        inner = row_major(self.factors)
        d, stride = self.dim, layout.strides[self.dim]
        return Layout(layout.shape[:d] + tuple(self.factors) + layout.shape[d + 1:],
                      layout.strides[:d] + tuple(stride * s for s in inner)
                      + layout.strides[d + 1:], layout.offset, layout.identity)


@dataclasses.dataclass(eq=False)
class Collapse:
    """Makes dimensions `dim` and `dim + 1` one."""
    dim: int

    def apply(self, layout):
        d = self.dim
        return Layout(layout.shape[:d] + (layout.shape[d] * layout.shape[d + 1],)
                      + layout.shape[d + 2:], layout.strides[:d] + layout.strides[d + 1:],
                      layout.offset, layout.identity)


@dataclasses.dataclass(eq=False)
class Permute:
    order: tuple

    def apply(self, layout):
        return Layout(tuple(layout.shape[i] for i in self.order),
                      tuple(layout.strides[i] for i in self.order), layout.offset, False)


@dataclasses.dataclass(eq=False)
class Reinterpret:
    offset: int
    sizes: tuple
    strides: tuple

    def apply(self, layout):
        return Layout(tuple(self.sizes), tuple(self.strides), Index(self.offset), False)


@dataclasses.dataclass(eq=False)
class View:
    base: Buffer
    steps: list

    def layouts(self):
        layout = Layout(tuple(self.base.shape), row_major(self.base.shape), Index(), True)
        result = [layout]
        for step in self.steps:
            layout = step.apply(layout)
            result.append(layout)
        return result

    @property
    def layout(self):
        return self.layouts()[-1]

    @property
    def shape(self):
        return self.layout.shape

    @property
    def dtype(self):
        return self.base.dtype


@dataclasses.dataclass(eq=False)
class Alloc:
    buffer: Buffer


@dataclasses.dataclass(eq=False)
class Free:
    buffer: Buffer


@dataclasses.dataclass(eq=False)
class For:
    loop: Loop
    body: list


@dataclasses.dataclass(eq=False)
class Inst:
    op: str
    operands: dict  # name of the role -> View
    attrs: dict = dataclasses.field(default_factory=dict)

    def writes(self):
        return {role: self.operands[role] for role in ("dst", "sums") if role in self.operands}

    def reads(self):
        written = ("dst",) if self.attrs.get("accumulates") else ("dst", "sums")
        return {role: view for role, view in self.operands.items() if role not in written}


@dataclasses.dataclass(eq=False)
class Kernel:
    arguments: list  # of Buffer, results last
    body: list
    machine: str = "trn1"

    def statements(self):
        def walk(body):
            for statement in body:
                yield statement
                if isinstance(statement, For):
                    yield from walk(statement.body)
        return walk(self.body)


class Writer:
    """Text of a kernel, and the statement that each line belongs to."""

    def __init__(self, kernel, style=0):
        self.lines, self.owners = [], []
        self.numbers = itertools.count()
        self.style = style  # which of the spellings of an address
        self.owner = None
        self.kernel = kernel
        self.put(f'module attributes {{trn.machine = #trn.machine<"{kernel.machine}">}} {{')
        arguments = ", ".join(
            f"%{b.name}: {b.type()}" + (" {trn.result}" if b.kind == "result" else "")
            for b in kernel.arguments)
        self.put(f"func.func private @k({arguments}) attributes {{trn.kernel}} {{")
        self.block(kernel.body)
        self.owner = None
        self.put("  return", "}", "}")

    def put(self, *lines):
        self.lines += lines
        self.owners += [self.owner] * len(lines)

    def text(self):
        aliases = [f"#{s} = #trn.mem<{s}>" for s in ("hbm", "sbuf", "psum")]
        return "\n".join(aliases + self.lines) + "\n"

    def owner_of(self, line):
        """The statement of a line that a diagnostic names; None: the kernel as a whole."""
        return self.owners[line - 4] if 0 <= line - 4 < len(self.owners) else None

    def fresh(self):
        return f"%v{next(self.numbers)}"

    def block(self, body):
        for statement in body:
            self.owner = statement
            getattr(self, type(statement).__name__.lower())(statement)

    def alloc(self, statement):
        b = statement.buffer
        if not b.chip:
            self.put(f"  %{b.name} = memref.alloc() : {b.type()}")
            return
        words = [f"%{b.name} = trn.alloc"]
        words += [f"buffers {b.slots}"] if b.slots else []
        words += [f"bank {b.bank}"] if b.bank is not None else []
        words += [f"offset {b.offset}"] if b.offset is not None else []
        self.put(f"  {' '.join(words)} : {b.type()}")

    def free(self, statement):
        b = statement.buffer
        self.put(f"  {'trn' if b.chip else 'memref'}.dealloc %{b.name} : {b.type()}")

    def constant(self, value, type_="index"):
        name = self.fresh()
        self.put(f"  {name} = arith.constant {value} : {type_}")
        return name

    def __getattr__(self, name):
        if name == "for":
            return self.loop
        raise AttributeError(name)

    def loop(self, statement):
        loop = statement.loop
        bits = 64 if loop.type == "index" else int(loop.type[1:])
        bounds = [self.constant(v - (1 << bits) * (v >= 1 << bits - 1), loop.type)
                  for v in (loop.lower, loop.upper, loop.step)]
        plain = loop.type == "index"
        counter = f"%{loop.name}" + ("" if plain else "raw")
        self.put(f"  scf.for {'unsigned ' * loop.unsigned}{counter} = {bounds[0]} to {bounds[1]} "
                 f"step {bounds[2]} {'' if plain else ': ' + loop.type + ' '}{{")
        if not plain and loop.used:
            cast = "index_castui" if loop.unsigned else "index_cast"
            self.put(f"  %{loop.name} = arith.{cast} {counter} : {loop.type} to index")
        self.block(statement.body)
        self.owner = statement
        self.put("  }")

    def address(self, value):
        """The operand that an Index becomes: a number, or the name of a value."""
        if not value.terms:
            return str(value.constant)
        items = list(value.terms.items())
        if len(items) == 1 and items[0][1] == 1 and not value.constant:
            return f"%{items[0][0].name}"
        if self.style % 5 < 3:
            parts = [f"d{i} * {c}" for i, (_, c) in enumerate(items)]
            dims = ", ".join(f"d{i}" for i in range(len(items)))
            names = ", ".join(f"%{loop.name}" for loop, _ in items)
            total = " + ".join([*parts, str(value.constant)])
            op, text = [("apply", f"({total})"), ("apply", f"((({total}) * 8 + 3) floordiv 8)"),
                        ("min", f"({total}, 1000000)")][self.style % 5]
            name = self.fresh()
            self.put(f"  {name} = affine.{op} affine_map<({dims}) -> {text}>({names})")
            return name
        total = self.constant(value.constant)
        for loop, coefficient in items:
            product, before = self.fresh(), total
            self.put(f"  {product} = arith.muli %{loop.name}, {self.constant(coefficient)} : index"
                     if self.style % 5 == 3 else
                     f"  {product} = affine.apply affine_map<(d0) -> (d0 * {coefficient})>"
                     f"(%{loop.name})")
            total = self.fresh()
            self.put(f"  {total} = arith.addi {product}, {before} : index")
        return total

    def memref(self, buffer, layout):
        text = "x".join([*map(str, layout.shape), buffer.dtype])
        if not layout.identity:
            text += f", strided<[{', '.join(map(str, layout.strides))}]"
            if layout.offset.terms:
                text += ", offset: ?"
            elif layout.offset.constant:
                text += f", offset: {layout.offset.constant}"
            text += ">"
        space = {"sbuf": ", #sbuf", "psum": ", #psum", "scratch": ", #hbm"}.get(buffer.kind, "")
        return f"memref<{text}{space}>"

    def view(self, view):
        """Writes the steps, and returns the name and the type."""
        name, layouts = f"%{view.base.name}", view.layouts()
        types = [self.memref(view.base, layout) for layout in layouts]
        for step, before, after, source, target in zip(view.steps, layouts, layouts[1:],
                                                       types, types[1:]):
            name, old = self.fresh(), name
            if isinstance(step, Subview):
                offsets = ", ".join(self.address(o) for o in step.offsets)
                line = (f"memref.subview {old}[{offsets}] {list(step.sizes)} "
                        f"{list(step.strides)}")
            elif isinstance(step, Expand):
                groups = [[i] if i < step.dim else [i + len(step.factors) - 1]
                          for i in range(len(before.shape))]
                groups[step.dim] = list(range(step.dim, step.dim + len(step.factors)))
                line = f"memref.expand_shape {old} {groups} output_shape {list(after.shape)}"
                target = f"{target}"
                self.put(f"  {name} = {line} : {source} into {target}")
                continue
            elif isinstance(step, Collapse):
                groups = [[i] if i < step.dim else [i + 1] for i in range(len(after.shape))]
                groups[step.dim] = [step.dim, step.dim + 1]
                self.put(f"  {name} = memref.collapse_shape {old} {groups} : {source} into {target}")
                continue
            elif isinstance(step, Permute):
                dims = [f"d{i}" for i in range(len(step.order))]
                line = (f"memref.transpose {old} ({', '.join(dims)}) -> "
                        f"({', '.join(dims[i] for i in step.order)})")
            else:
                line = (f"memref.reinterpret_cast {old} to offset: [{step.offset}], "
                        f"sizes: {list(step.sizes)}, strides: {list(step.strides)}")
            self.put(f"  {name} = {line} : {source} to {target}")
        return name, types[-1]

    def inst(self, inst):
        named = {role: self.view(view) for role, view in inst.operands.items()}
        typed = {role: f"{name} : {type_}" for role, (name, type_) in named.items()}
        a, engine = inst.attrs, f" on {inst.attrs['engine']}" if inst.attrs.get("engine") else ""
        src, dst = named.get("src"), named["dst"]
        into = f"into {typed['dst']}"
        if inst.op in ("dma_copy", "dma_transpose"):
            text = f"{src[0]} to {dst[0]} : {src[1]} to {dst[1]}"
        elif inst.op in ("dma_gather", "dma_scatter"):
            (name, type_), ends = named["indices"], [src, dst]
            rows = 0 if inst.op == "dma_gather" else 1
            ends[rows] = (f"{ends[rows][0]}[{name}]", f"{ends[rows][1]}[{type_}]")
            text = (f"{ends[0][0]} to {ends[1][0]}{' skip' * a['skips']} : {ends[0][1]} to "
                    f"{ends[1][1]}")
        elif inst.op in ("tensor_copy", "transpose", "reciprocal"):
            text = f"{src[0]} into {dst[0]} : {src[1]} to {dst[1]}{engine}"
        elif inst.op in ("bn_stats", "bn_aggr", "max8"):
            text = f"{src[0]} into {dst[0]} : {src[1]} to {dst[1]}"
        elif inst.op == "stream_shuffle":
            text = f"{src[0]} into {dst[0]} mask {a['mask']} : {src[1]} to {dst[1]}"
        elif inst.op == "partition_reduce":
            text = f"{a['function']}({typed['src']}) {into}"
        elif inst.op == "partition_gather":
            text = f"data({typed['data']}) indices({typed['indices']}) {into}"
        elif inst.op in ("find_index8", "match_replace8"):
            replacement = f"replacement {a['replacement']:e} " if "replacement" in a else ""
            text = f"data({typed['data']}) values({typed['values']}) {replacement}{into}"
        elif inst.op == "iota":
            steps = f"step {a['steps'][0]}" if len(a["steps"]) == 1 else f"steps {a['steps']}"
            text = (f"{dst[0]} start {a['start']} {steps} "
                    f"partition_step {a['partition_step']} : {dst[1]}")
        elif inst.op == "affine_select":
            text = (f"{a['function']}({typed['src']}) start {a['start']} partition_step "
                    f"{a['partition_step']} steps {a['steps']} otherwise {a['otherwise']:e} {into}")
        elif inst.op == "memset":
            text = f"{dst[0]}, {a['value']:e} : {dst[1]}{engine}"
        elif inst.op == "select":
            text = (f"if({typed['condition']}) then({typed['on_true']}) "
                    f"else({typed['on_false']}) {into}")
        elif inst.op == "tensor_reduce":
            text = f"{a['function']}({typed['src']}) {'negated ' * a['negated']}{into}"
        elif inst.op == "tensor_tensor":
            text = f"{a['function']}({typed['lhs']}, {typed['rhs']}) {into}{engine}"
        elif inst.op == "tensor_scalar":
            text = f"{a['function']}({typed['src']}) {self.scalar(a, typed, '')}"
            if "then_function" in a:
                text += f"then {a['then_function']} {self.scalar(a, typed, 'then_')}"
            text += f"{self.reducing(a, typed)}{into}{engine}"
        elif inst.op == "scalar_tensor_tensor":
            text = (f"{a['function']}({typed['src']}) {self.scalar(a, typed, '')}"
                    f"then {a['then_function']}({typed['rhs']}) "
                    f"{'reversed ' * a['then_reversed']}{into}{engine}")
        elif inst.op == "tensor_tensor_scan":
            initial = f"initials({typed['initials']})" if "initials" in typed \
                else f"initial {a['initial']:e}"
            text = (f"{a['function0']}, {a['function1']}({typed['data0']}, {typed['data1']}) "
                    f"{initial} {'reversed0 ' * a['reversed0']}{'reversed1 ' * a['reversed1']}{into}")
        elif inst.op == "activation":
            words = [f"{a['function']}({typed['src']})"]
            words += [f"scale {a['scale']:e}"] if "scale" in a else []
            words += [f"scales({typed['scales']})"] if "scales" in typed else []
            words += [f"bias {a['bias']:e}"] if "bias" in a else []
            words += [f"biases({typed['biases']})"] if "biases" in typed else []
            text = " ".join(words + [self.reducing(a, typed) + into])
        else:
            text = (f"stationary({typed['stationary']}) moving({typed['moving']}) "
                    f"{into}{self.accumulate(a.get('accumulate'))}")
        self.put(f"  trn.{inst.op} {text}")

    @staticmethod
    def scalar(attrs, typed, prefix):
        """The second argument of a function, and whether it comes first."""
        role = prefix + "scalars"
        text = f"scalars({typed[role]})" if role in typed \
            else f"constant {attrs[prefix + 'constant']:e}"
        return f"{text} {'reversed ' * bool(attrs.get(prefix + 'reversed'))}"

    @staticmethod
    def reducing(attrs, typed):
        if "sums" not in typed:
            return ""
        accumulate = "accumulate " * attrs["accumulates"]
        return f"reducing {attrs['reduce']}({typed['sums']}) {accumulate}"

    def accumulate(self, condition):
        if condition is None:
            return ""
        name = self.fresh()
        if isinstance(condition, bool):
            self.put(f"  {name} = arith.constant {'true' if condition else 'false'}")
        else:
            predicate, value, other = condition
            address = self.address(value)
            if not address.startswith("%"):
                address = self.constant(address)
            self.put(f"  {name} = arith.cmpi {predicate}, {address}, {self.constant(other)} : index")
        return f" accumulate({name})"
