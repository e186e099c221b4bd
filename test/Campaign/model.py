"""The byte model: what a placed kernel computes, or the first rule that it breaks.

Written from docs/Interpreter.md, one execution at a time. The content of a buffer is
gone whenever its alloc is executed, so each execution makes an `Instance` with a range
of bytes (a bank and a range, in PSUM) and with elements that nobody has written yet.
"""

import dataclasses
import itertools

import numpy as np

import partitions
import rules
import values
from program import Alloc, For, Free, Kernel
from values import Values


@dataclasses.dataclass(eq=False)
class Fault:
    statement: object  # None: the end of the kernel
    rule: str


class Unclear(Exception):
    """The docs leave open what happens."""


class Stop(Exception):
    def __init__(self, statement, rule):
        self.fault = Fault(statement, rule)


@dataclasses.dataclass(eq=False)
class Instance:
    buffer: object
    lo: np.ndarray
    hi: np.ndarray
    written: np.ndarray
    slot: int = 0
    live: bool = True
    # PSUM: elements that something else than a matmul of an open group wrote.
    foreign: np.ndarray = None

    @property
    def bank(self):
        return (self.buffer.bank or 0) + self.slot if self.buffer.kind == "psum" else None

    @property
    def spans(self):
        return spans(self.buffer, [self.slot])


def spans(buffer, slots):
    """(bank or 0, first byte, last byte) of some slots."""
    size, first = buffer.row_bytes, buffer.offset
    if buffer.kind == "sbuf":
        return [(0, first + i * size, first + (i + 1) * size) for i in slots]
    return [(buffer.bank + i, first, first + size) for i in slots]


def meet(some, others):
    return any(bank == key and start < last and first < end
               for bank, first, last in some for key, start, end in others)


def new_instance(buffer, slot=0):
    size = int(np.prod(buffer.shape))
    data = np.zeros(size, np.float32)
    return Instance(buffer, data, data.copy(), np.zeros(size, bool), slot,
                    foreign=np.zeros(size, bool) if buffer.kind == "psum" else None)


# Rules that a run is also held to before it starts: an error may stand at a later
# statement that breaks one of these, too.
EARLY = {"frees an argument", "a live buffer holds these bytes",
         "accumulates where no group was started", "accumulates on what another instruction wrote",
         "accumulates beyond a group", "writes an element twice"}


class Model:
    """Runs a kernel on its inputs. `faults` holds what the tool may report: every rule that
    is broken before anything runs, and the first one that is broken then. Where it is
    empty, `results` are the values."""

    def __init__(self, kernel, inputs):
        self.kernel, self.counters = kernel, {}
        self.instances, self.live, self.count = {}, [], {}
        self.groups = {}  # instance -> elements of its open groups
        self.grids = {}
        self.faults = []
        self.optional = []  # in loops that never run: refused, or never noticed
        self.idle_free = False  # a dealloc in such a loop
        self.seen = set()
        self.check_places(kernel.body, False)
        self.check(kernel.body)
        for buffer, value in zip(kernel.arguments, inputs):
            instance = self.instances[buffer] = new_instance(buffer)
            if buffer.kind == "input":
                instance.lo[:] = value.reshape(-1)
                instance.hi[:] = instance.lo
                instance.written[:] = True
        self.running = True  # until the first fault
        self.run(kernel.body)
        for buffer in kernel.arguments:
            if not self.instances[buffer].written.all():
                self.record(Fault(None, "a result is not written in full"))
        # A late dealloc makes a life longer, which may be told first.
        if self.faults or self.idle_free:
            self.check_places(kernel.body, True)

    @property
    def results(self):
        return [Values(i.lo.reshape(b.shape), i.hi.reshape(b.shape))
                for b in self.kernel.arguments if b.kind == "result"
                for i in [self.instances[b]]]

    def check_places(self, body, never):
        """Slots are live during the whole loop around them (docs of trn-place-buffers), which
        a run need not notice; nor does it notice what never runs."""
        allocs = [s for s in Kernel([], body).statements() if isinstance(s, Alloc)
                  and s.buffer.chip and not rules.alloc(s.buffer, "trn2")]
        for one, other in itertools.combinations(allocs, 2):
            a, b = one.buffer, other.buffer
            slots = max(a.slots, 1), max(b.slots, 1)
            if (max(slots) > 1 or never) and a.kind == b.kind \
                    and meet(spans(a, range(slots[0])), spans(b, range(slots[1]))):
                self.optional += [Fault(one, "slots are taken"), Fault(other, "slots are taken")]

    def record(self, fault):
        if self.running or fault.rule in EARLY:
            self.faults.append(fault)
        self.running = False

    # What holds before anything runs: every iteration, without values.
    def check(self, body, never=False):
        for statement in body:
            if isinstance(statement, For):
                loop = statement.loop
                if not loop.used:
                    self.optional.append(Fault(statement, "a loop near the end of its type"))
                self.check_places(statement.body, never or not loop.counts())
                for counter in loop.counts() or [loop.lower]:
                    self.counters[loop] = counter
                    self.check(statement.body, never or not loop.counts())
            elif statement not in self.seen:
                problem = None
                if isinstance(statement, Alloc):
                    problem = rules.alloc(statement.buffer, self.kernel.machine)
                elif isinstance(statement, Free):
                    self.idle_free |= never
                else:
                    if any(map(rules.odd, statement.operands.values())):
                        self.optional.append(Fault(statement, "the stride of one partition"))
                    problem = rules.instruction(statement, self.counters, self.kernel.machine)
                    if statement.operands["dst"].base.kind == "input":
                        problem = problem or "writes an input"
                    if never:  # what it would write twice is refused, too
                        self.optional.append(Fault(statement, "never runs"))
                if problem:
                    self.seen.add(statement)
                    (self.optional if never else self.faults).append(Fault(statement, problem))

    def run(self, body):
        for statement in body:
            if isinstance(statement, For):
                for counter in statement.loop.counts():
                    self.counters[statement.loop] = counter
                    self.run(statement.body)
                continue
            try:
                step = {Alloc: self.alloc, Free: self.free}.get(type(statement), self.execute)
                step(statement)
            except Stop as stop:
                self.record(stop.fault)
                self.recover(statement)

    def recover(self, statement):
        """Goes on behind a fault as if the values could be anything."""
        if isinstance(statement, (Alloc, Free)) or statement in self.seen:
            return
        for view in statement.writes().values():
            target, places = self.instances[view.base], self.elements(view)
            target.lo[places], target.hi[places] = -values.ANY, values.ANY
            target.written[places] = True
            if statement.op == "matmul" and not self.accumulates(statement):
                self.start(target, places)
            if target.foreign is not None:
                target.foreign[places] = statement.op != "matmul"

    def retire(self, instance):
        instance.live = False
        if instance in self.live:
            self.live.remove(instance)

    def free(self, statement):
        instance = self.instances[statement.buffer]
        if statement.buffer.kind in ("input", "result"):
            raise Stop(statement, "frees an argument")
        if not instance.live:
            raise Stop(statement, "frees twice")
        self.retire(instance)

    def alloc(self, statement):
        buffer = statement.buffer
        number = self.count.get(buffer, 0)
        self.count[buffer] = number + 1
        instance = self.instances[buffer] = new_instance(buffer, number % (buffer.slots or 1))
        if statement in self.seen or not buffer.chip:
            return
        for other in list(self.live):
            if other.buffer is buffer and other.slot == instance.slot:
                self.retire(other)  # the slot changes hands
        others, self.live = self.live, self.live + [instance]
        if any(other.buffer.kind == buffer.kind and meet(other.spans, instance.spans)
               for other in others):
            raise Stop(statement, "a live buffer holds these bytes")

    def elements(self, view):
        grid = self.grids.get(view)
        layout = view.layout
        if grid is None:
            grid = np.zeros(layout.shape, np.int64)
            for dim, (extent, stride) in enumerate(zip(layout.shape, layout.strides)):
                shape = [1] * len(layout.shape)
                shape[dim] = extent
                grid = grid + (np.arange(extent) * stride).reshape(shape)
            self.grids[view] = grid
        return grid + layout.offset.at(self.counters)

    def read(self, inst, view):
        instance = self.instances[view.base]
        if not instance.live:
            raise Stop(inst, "uses a buffer that is gone")
        places = self.elements(view)
        if not instance.written[places].all():
            raise Stop(inst, "reads what was never written")
        return Values(instance.lo[places], instance.hi[places])

    def execute(self, inst):
        if inst in self.seen:
            raise Stop(inst, "broken before it runs")
        if inst.op in rules.ROWS:
            return self.move_rows(inst)
        # A gone buffer counts before what is read from another one; both are this op's.
        for view in inst.writes().values():
            if not self.instances[view.base].live:
                raise Stop(inst, "uses a buffer that is gone")
            places = self.elements(view)
            if places.size != np.unique(places).size:
                raise Stop(inst, "writes an element twice")
        operands = {role: self.read(inst, view) for role, view in inst.reads().items()}
        for role, view in inst.writes().items():
            self.check_overlap(inst, view, inst.reads())
        if "sums" in inst.operands:
            self.check_overlap(inst, inst.operands["sums"], {"dst": inst.operands["dst"]}, False)
        dst = inst.operands["dst"]
        if inst.op == "matmul":
            target, places = self.instances[dst.base], self.elements(dst)
            self.write(inst, dst, self.matmul(inst, operands, target, places), False)
            return
        if inst.op == "stream_shuffle":
            return self.shuffle(inst, operands["src"])
        result = compute(inst, operands, dst.shape)
        self.write(inst, dst, result)
        if "sums" in inst.operands:
            rows = result.map(lambda v: np.broadcast_to(v, dst.shape).reshape(dst.shape[0], -1))
            if inst.attrs["accumulates"]:
                rows = values.join(operands["sums"].map(lambda v: v.reshape(-1, 1)), rows)
            self.write(inst, inst.operands["sums"], values.fold(inst.attrs["reduce"], rows))

    def shuffle(self, inst, src):
        """Partitions that stay must be there; others move as they are."""
        dst = inst.operands["dst"]
        target, places = self.instances[dst.base], self.elements(dst)
        for partition, source in enumerate(partitions.sources(inst)):
            own = places[partition]
            if source is None:
                if not target.written[own].all():
                    raise Stop(inst, "reads what was never written")
                continue
            target.lo[own], target.hi[own] = src.lo[source], src.hi[source]
            target.written[own] = True
            if target.foreign is not None:
                target.foreign[own] = True

    def move_rows(self, inst):
        """One row for each index; none where it is skipped. A block counts as one row."""
        src, dst = inst.operands["src"], inst.operands["dst"]
        is_gather = inst.op == "dma_gather"
        for view in (src, dst):
            if not self.instances[view.base].live:
                raise Stop(inst, "uses a buffer that is gone")
        chosen = self.read(inst, inst.operands["indices"])
        if not is_gather:
            self.read(inst, src)
        is_block = rules.is_block(inst)
        own = self.elements(dst) if is_gather else self.elements(dst)[:1]
        if np.unique(own).size != own.size:
            raise Stop(inst, "writes an element twice")
        self.check_overlap(inst, dst, inst.reads())
        if not chosen.certain:
            raise Unclear("chooses rows by values that are not certain")
        source, target = self.instances[src.base], self.instances[dst.base]
        places = {True: self.elements(src), False: self.elements(dst)}  # by whether it is read
        if is_block:
            places[not is_gather] = places[not is_gather][None]
        rows = len(places[is_gather])
        pairs = [(row, partition) for partition, row in enumerate(chosen.lo.ravel().astype(int))
                 if 0 <= row < rows or not inst.attrs["skips"]]
        if any(not 0 <= row < rows for row, _ in pairs):
            raise Stop(inst, "chooses a row that is not there")
        if not pairs:
            return
        row, partition = (list(one) for one in zip(*pairs))
        read, written = (row, partition) if is_gather else (partition, row)
        read, written = places[True][read], places[False][written]
        if np.unique(written).size != written.size:
            raise Stop(inst, "writes an element twice in a run")
        if not source.written[read].all():
            raise Stop(inst, "reads what was never written")
        moved = Values(source.lo[read], source.hi[read])
        self.check_integers(inst, src, moved)
        moved = moved.round_to(dst.dtype)
        target.lo[written], target.hi[written] = moved.lo, moved.hi
        target.written[written] = True

    def check_integers(self, inst, view, result, moves=False):
        """What is computed with as integers, or becomes some, is below 2^24."""
        if view.dtype not in ("i32", "ui32") or moves:
            return
        if not result.certain:
            raise Unclear("integers that are not certain")
        whole = (result.lo == np.rint(result.lo)) & (np.abs(result.lo) < 2 ** 24)
        if not whole.all() or view.dtype == "ui32" and (result.lo < 0).any():
            raise Stop(inst, "leaves what is no integer")

    def check_overlap(self, inst, written, others, in_place=True):
        """What is written meets no operand, but for one that is the same element by element."""
        places = self.elements(written)
        for view in others.values():
            if view.base is not written.base:
                continue
            source = self.elements(view)
            same = in_place and np.array_equal(source.ravel(), places.ravel())
            if inst.op in ("transpose", "dma_transpose") and places.size > 1:
                same = False
            if not same and np.intersect1d(source, places).size:
                raise Stop(inst, "reads and writes regions that overlap in part")

    def write(self, inst, view, result, foreign=True):
        target, places = self.instances[view.base], self.elements(view)
        if foreign:
            self.check_integers(inst, view, result)
            result = result.round_to(view.dtype).map(lambda v: np.broadcast_to(v, places.shape)
                                                     if v.size != places.size
                                                     else v.reshape(places.shape))
            if target.foreign is not None:
                target.foreign[places] = True
        target.lo[places], target.hi[places] = result.lo, result.hi
        target.written[places] = True

    def accumulates(self, inst):
        condition = inst.attrs.get("accumulate")
        if not isinstance(condition, tuple):
            return condition
        predicate, value, other = condition
        left = value.at(self.counters)
        return {"eq": left == other, "ne": left != other, "sgt": left > other,
                "sge": left >= other, "slt": left < other, "sle": left <= other}[predicate]

    def start(self, target, places):
        """A group, which ends those that it meets."""
        self.groups[target] = [places] + [region for region in self.groups.get(target, ())
                                          if not np.intersect1d(region, places).size]

    def matmul(self, inst, operands, target, places):
        exact, slack = values.product(operands["stationary"], operands["moving"])
        if not self.accumulates(inst):
            self.start(target, places)
            target.foreign[places] = False
            return values.accumulate(None, exact, slack)
        if not target.written[places].all():
            raise Stop(inst, "accumulates where no group was started")
        if target.foreign[places].any():
            raise Stop(inst, "accumulates on what another instruction wrote")
        met = [region for region in self.groups.get(target, ()) if np.intersect1d(region, places).size]
        if not any(np.array_equal(region, places) for region in met):
            if met:
                raise Unclear("accumulates on a part of a group")
            raise Stop(inst, "accumulates beyond a group")
        before = Values(target.lo[places], target.hi[places])
        return values.accumulate(before, exact, slack)


def compute(inst, operands, shape):
    """The values of all instructions but matmul, before they are rounded."""
    a, op = inst.attrs, inst.op
    if op in partitions.ALL:
        return partitions.compute(inst, operands, shape)
    src = operands.get("src")
    if op in ("dma_copy", "tensor_copy"):
        return src
    if op in ("transpose", "dma_transpose"):
        return src.map(np.transpose)
    if op == "memset":
        return Values(np.full(shape, a["value"], np.float32))
    if op in ("iota", "affine_select"):
        indices = np.indices(shape)
        count = (a["start"] + sum(index * step for index, step in
                                  zip(indices, [a["partition_step"], *a["steps"]])))
        if op == "iota":
            return Values(count.astype(np.float32))
        holds = values.LOGIC[a["function"]](count, 0)
        return src.map(lambda v: np.where(holds, v, np.float32(a["otherwise"])))
    if op == "reciprocal":
        return values.unary("reciprocal", src)
    if op == "tensor_reduce":
        rows = int(np.prod(shape))
        folded = values.fold(a["function"], src.map(lambda v: v.reshape(rows, -1)))
        return values.binary("mul", folded, constant(-1)) if a["negated"] else folded
    if op == "tensor_tensor":
        return values.binary(a["function"], operands["lhs"], operands["rhs"])
    if op in ("tensor_scalar", "scalar_tensor_tensor"):
        result = combine(a["function"], src, column(operands, a, "", src), a.get("reversed"))
        if op == "scalar_tensor_tensor":
            return combine(a["then_function"], result, operands["rhs"], a["then_reversed"])
        if "then_function" not in a:
            return result
        return combine(a["then_function"], result, column(operands, a, "then_", src),
                       a["then_reversed"])
    if op == "tensor_tensor_scan":
        return scan(a, operands)
    if op == "select":
        return choose(operands["condition"], operands["on_true"], operands["on_false"])
    plain = a["function"] == "copy" and not {"scale", "bias"} & set(a) \
        and not {"scales", "biases"} & set(operands)
    if plain:  # a zero keeps its sign
        return src
    for factor, role, name, absent in (("scale", "scales", "mul", 1), ("bias", "biases", "add", 0)):
        other = spread(operands[role], src) if role in operands else constant(a.get(factor, absent))
        src = values.binary(name, src, other)
    return values.unary(a["function"], src)


def constant(value):
    return Values(np.float32(value).reshape(1, 1))


def spread(one, tile):
    """One value for each partition, beside all elements of `tile`."""
    rank = tile.lo.ndim
    return one.map(lambda v: v.reshape(-1, *[1] * (rank - 1)))


def column(operands, attrs, prefix, tile):
    role = prefix + "scalars"
    return spread(operands[role], tile) if role in operands \
        else constant(attrs[prefix + "constant"])


def combine(name, left, right, is_reversed):
    return values.binary(name, *((right, left) if is_reversed else (left, right)))


def scan(attrs, operands):
    """Column by column, each with the results of the one before."""
    shape = operands["data0"].lo.shape
    rows = [operands[role].map(lambda v: v.reshape(shape[0], -1)) for role in ("data0", "data1")]
    state = operands["initials"].map(lambda v: v.reshape(-1, 1)) if "initials" in operands \
        else Values(np.full((shape[0], 1), attrs["initial"], np.float32))
    results = []
    for i in range(rows[0].lo.shape[1]):
        x, y = (row.map(lambda v: v[:, i:i + 1]) for row in rows)
        state = combine(attrs["function0"], x, state, attrs["reversed0"])
        state = combine(attrs["function1"], state, y, attrs["reversed1"])
        results.append(state)
    return values.join(*results).map(lambda v: v.reshape(shape))


def choose(condition, on_true, on_false):
    may_be_zero = (condition.lo <= 0) & (condition.hi >= 0)
    must_be_zero = (condition.lo == 0) & (condition.hi == 0)
    if condition.certain:
        return Values(np.where(must_be_zero, on_false.lo, on_true.lo),
                      np.where(must_be_zero, on_false.hi, on_true.hi))
    both = values.hull(on_true.lo, on_true.hi, on_false.lo, on_false.hi)
    unclear = may_be_zero & ~must_be_zero

    def pick(end):
        return np.where(unclear, getattr(both, end),
                        np.where(must_be_zero, getattr(on_false, end), getattr(on_true, end)))
    return Values(pick("lo"), pick("hi"))
