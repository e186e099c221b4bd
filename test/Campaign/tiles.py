"""Buffers and regions for the generator: addresses that are free, tiles that are filled, and
views of them that fit, perhaps moving with the loops around.
"""

import random

import numpy as np

from program import (BYTES, Alloc, Buffer, Collapse, Expand, Free, Index, Inst, Permute,
                     Reinterpret, Subview, View)

TYPES = ("f32", "f32", "bf16", "bf16", "f16")
CONSTANTS = (0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 0.125)
SBUF_BYTES, BANKS, BANK_BYTES = 180224, 8, 2048


class Tiles:
    def __init__(self, seed, machine=None, chains=False):
        self.chains = chains  # instructions of several operations, folds, and tiles of any rank
        self.rng = random.Random(seed)
        self.machine = machine or self.rng.choice(["trn1", "trn1", "trn2"])
        self.arguments, self.results = [], []
        self.body = []
        self.scopes = [self.body]
        self.loops = []
        self.tiles = []  # filled: (buffer, scope depth)
        self.taken = []  # [buffer, space key, first byte, last byte, depth]
        self.history = []  # the same, of buffers that are gone too
        self.number = 0

    # Names, sizes and addresses.
    def name(self, stem):
        self.number += 1
        return f"{stem}{self.number}"

    def chance(self, p):
        return self.rng.random() < p

    def partitions(self):
        r = self.rng
        return r.choice([r.randint(1, 32), r.randint(1, 128), 32, 64, 128, r.randint(33, 64)])

    def free_size(self):
        r = self.rng
        return r.choice([1, r.randint(1, 8), r.randint(1, 40), r.randint(1, 40), 64])

    def emit(self, statement):
        self.scopes[-1].append(statement)
        return statement

    def inst(self, op, operands, **attrs):
        return self.emit(Inst(op, operands, attrs))

    def alloc(self, kind, shape, dtype, slots=0):
        buffer = Buffer(self.name({"sbuf": "t", "psum": "p", "scratch": "h"}[kind]), kind,
                        tuple(shape), dtype, slots)
        if kind != "scratch" and not self.place(buffer):
            return None
        self.emit(Alloc(buffer))
        return buffer

    def place(self, buffer):
        size, slots = buffer.row_bytes, buffer.slots or 1
        unit = BYTES[buffer.dtype]
        for attempt in range(60):
            if buffer.kind == "sbuf":
                span = 4096 << min(attempt // 4, 6)
                first = min(self.rng.randrange(0, span), SBUF_BYTES - slots * size)
                first -= first % unit
                spots = [("sbuf", first, first + slots * size)]
            else:
                bank = self.rng.randrange(BANKS - slots + 1)
                room = BANK_BYTES - size
                first = self.rng.choice([0, 0, self.rng.randrange(0, room + 1)])
                first -= first % unit
                # A bank of its own, so that groups do not meet by chance.
                spots = [(bank + i, 0, BANK_BYTES) for i in range(slots)]
            if first < 0:
                return False
            # Slots are taken during the whole loop around, before their alloc too.
            if all(key != taken[1] or end <= taken[2] or taken[3] <= start
                   for key, start, end in spots
                   for taken in (self.history if slots > 1 else self.taken)):
                buffer.offset = first
                buffer.bank = None if buffer.kind == "sbuf" else bank
                self.taken += [[buffer, *spot, len(self.scopes)] for spot in spots]
                self.history += [[buffer, *spot] for spot in spots]
                return True
        return False

    def free(self, buffer):
        self.emit(Free(buffer))
        self.tiles = [t for t in self.tiles if t[0] is not buffer]
        if not buffer.slots:
            self.taken = [t for t in self.taken if t[0] is not buffer]

    def filled(self, buffer):
        self.tiles.append((buffer, len(self.scopes)))

    # Views.
    def offset(self, extent, size, stride=1, unit=1):
        """A first element such that `size` of them fit, perhaps moving with loops."""
        room = extent - ((size - 1) * stride + 1)
        base = self.rng.randint(0, room // unit) * unit if self.chance(0.5) else 0
        result = Index(base)
        for loop in self.loops:
            counts = loop.counts()
            if len(counts) == 0 or self.chance(0.3):
                continue
            span = counts[-1] - counts[0]
            left = room - base
            step = min(left // span, size * stride // loop.step or 1) if span else left
            if self.chance(0.3):
                step = self.rng.randint(0, left // span if span else left)
            step -= step % unit
            result = result + Index(-step * loop.lower, {loop: step})
            base += step * span
        return result

    def region(self, buffer, shape, compute=True, start=None):
        """A region of that shape of a filled tile on chip; None if it is too small."""
        p, *rest = shape
        extents = buffer.shape
        unit = 1
        if compute:
            unit = 32 if p <= 32 else 64 if p <= 64 else 128
        if p > extents[0] or (start is not None and start + p > extents[0]):
            return None
        first = Index(start) if start is not None else self.offset(extents[0], p, 1, unit)
        if len(extents) == 2 and len(rest) == 1:
            f = rest[0]
            if f > extents[1]:
                return None
            most = (extents[1] - 1) // (f - 1) if f > 1 else 1
            stride = self.rng.randint(1, most) if self.chance(0.2) else 1
            if (p, f) == extents and not self.loops and self.chance(0.8):
                return View(buffer, [])
            return View(buffer, [Subview([first, self.offset(extents[1], f, stride)], [p, f],
                                         [1, stride])])
        # Of one partition it is unclear which dimension is dropped.
        if len(extents) == 3 and len(rest) == 1 and p > 1:
            f = rest[0]
            if f == extents[1] * extents[2] and p == extents[0] and self.chance(0.5):
                return View(buffer, [Collapse(1)])
            if f <= extents[2] and (f > 1 or self.chance(0.5)):
                return View(buffer, [Subview([first, self.offset(extents[1], 1),
                                              self.offset(extents[2], f)], [p, 1, f], [1, 1, 1],
                                             (1,))])
            if f <= extents[1]:
                return View(buffer, [Subview([first, self.offset(extents[1], f),
                                              self.offset(extents[2], 1)], [p, f, 1], [1, 1, 1],
                                             (2,))])
        return None

    def whole(self, buffer):
        return View(buffer, [])

    def input_region(self, shape):
        """Something of that shape in HBM that is written: an input, old or new."""
        n = len(shape)
        for buffer in self.rng.sample(self.arguments, len(self.arguments)):
            if len(buffer.shape) == n and all(s <= e for s, e in zip(shape, buffer.shape)) \
                    and self.chance(0.7):
                return self.hbm_subview(buffer, shape)
        dtype = self.rng.choice(TYPES)
        kind = self.rng.randrange(8)
        size = int(np.prod(shape))
        if kind == 0:
            return View(self.argument((size,), dtype), [Expand(0, tuple(shape))] if n > 1 else [])
        if kind == 1 and n == 2:
            return View(self.argument(shape[::-1], dtype), [Permute((1, 0))])
        if kind == 2 and n == 2 and shape[1] > 1:
            return View(self.argument((shape[1] + 3,), dtype),
                        [Reinterpret(self.rng.randint(0, 3), shape, (0, 1))])
        if kind == 3 and n == 2 and shape[1] % 2 == 0 and shape[1] > 2:
            return View(self.argument((shape[0], 2, shape[1] // 2), dtype), [Collapse(1)])
        larger = [s * self.rng.choice([1, 1, 2, 3]) + self.rng.choice([0, 0, 1, 5]) for s in shape]
        return self.hbm_subview(self.argument(larger, dtype), shape)

    def hbm_subview(self, buffer, shape):
        if tuple(shape) == buffer.shape and not self.loops:
            return View(buffer, [])
        strides = [self.rng.randint(1, (e - 1) // (s - 1)) if s > 1 and self.chance(0.2) else 1
                   for s, e in zip(shape, buffer.shape)]
        return View(buffer, [Subview([self.offset(e, s, k) for s, e, k in
                                      zip(shape, buffer.shape, strides)], list(shape), strides)])

    def argument(self, shape, dtype):
        buffer = Buffer(self.name("x"), "input", tuple(int(s) for s in shape), dtype)
        self.arguments.append(buffer)
        return buffer

    # Tiles that hold values.
    def new_tile(self, shape, dtype=None, slots=0):
        """An SBUF tile that is written in full by one or two instructions."""
        dtype = dtype or self.rng.choice(TYPES)
        buffer = self.alloc("sbuf", shape, dtype, slots)
        if buffer is None:
            return None
        kind = self.rng.random()
        if kind < 0.12:
            self.inst("memset", {"dst": self.whole(buffer)}, value=self.rng.choice(CONSTANTS),
                      engine=self.rng.choice(["vector", "gpsimd"]))
        elif kind < 0.2 and len(shape) == 2:
            self.inst("iota", {"dst": self.whole(buffer)}, start=self.rng.randint(-9, 9),
                      steps=[self.rng.randint(-2, 3)], partition_step=self.rng.randint(-3, 3))
        elif kind < 0.35 and len(shape) == 2 and shape[1] > 1:
            cut = self.rng.randrange(1, shape[1])
            for first, size in ((0, cut), (cut, shape[1] - cut)):
                part = View(buffer, [Subview([Index(), Index(first)], [shape[0], size], [1, 1])])
                self.inst("dma_copy", {"src": self.input_region((shape[0], size)), "dst": part})
        elif kind < 0.45 and self.machine == "trn2" and len(shape) == 2 and dtype != "f32":
            source = self.argument(shape[::-1], dtype)
            self.inst("dma_transpose", {"src": View(source, []), "dst": self.whole(buffer)})
        else:
            self.inst("dma_copy", {"src": self.input_region(shape), "dst": self.whole(buffer)})
        self.filled(buffer)
        return buffer

    def operand(self, shape, types=TYPES, kinds=("sbuf",), start=None, fresh=0.15):
        """A filled region of that shape, of one of the types."""
        candidates = [b for b, _ in self.tiles if b.dtype in types and b.kind in kinds]
        self.rng.shuffle(candidates)
        if not self.chance(fresh):
            for buffer in candidates:
                if view := self.region(buffer, shape, start=start):
                    return view
        buffer = self.new_tile(self.around(shape), self.rng.choice(types))
        return self.region(buffer, shape, start=start or 0) if buffer else None

    def around(self, shape):
        p, f = shape
        if self.chance(0.3):
            return (min(128, p + self.rng.choice([0, 32])), f * self.rng.choice([1, 2]))
        if p > 1 and self.chance(0.2):
            return (p, self.rng.randint(1, 3), f)
        return (p, f)

    def destination(self, shape, sources, kinds=("sbuf",), in_place=True):
        """Where to write: a new tile, a source itself, or a region of an old tile."""
        choice = self.rng.random()
        if in_place and choice < 0.2:
            same = [v for v in sources if v.shape == tuple(shape) and v.base.kind in kinds]
            if same:
                return self.rng.choice(same)
        if choice < 0.45:
            for buffer, _ in self.rng.sample(self.tiles, len(self.tiles)):
                if buffer.kind in kinds and all(v.base is not buffer for v in sources):
                    if view := self.region(buffer, shape):
                        return view
        kind = "psum" if "psum" in kinds and self.chance(0.15) else "sbuf"
        dtype = self.rng.choice(TYPES)
        if kind == "psum" and shape[1] * BYTES[dtype] > BANK_BYTES:
            kind = "sbuf"
        buffer = self.alloc(kind, shape, dtype)
        if buffer is None:
            return None
        self.filled(buffer)
        return self.whole(buffer)
