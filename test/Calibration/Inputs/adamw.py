"""AdamW's first step: trn1, f32, four matrices [10944, 2048].

    m' = 0.9 m + 0.1 g,  v' = 0.999 v + 0.001 g^2
    theta' = theta - 1e-5 theta - 0.01 m' / (sqrt(1000 v') + 1e-8)

The description leaves open which results of one-input instructions are in PSUM. Here it is those of
ScalarE that VectorE combines with another tensor, as far as that spares VectorE a second pass over a
second operand in SBUF: 1e-5 theta, 0.9 m, 0.01 m' (in the bank of 0.9 m, which is no longer needed),
0.999 v and 0.001 g. That is four banks for each half, so all eight. The halves of a block are interleaved
instruction by instruction, as the vendor's compiler does it, and what needs only what is loaded comes one
block ahead.
"""

from trn_writer import Kernel

P, BANK, BLOCK = 128, 512, 1024


class Half:
    """512 columns of a block: what is loaded, and buffers for what is computed."""

    def __init__(self, k, rows, loaded, out, banks, number):
        self.theta, self.m, self.v, self.g, self.out = (k.part(b, number * BANK, BANK) for b in (*loaded, out))
        self.decay, self.moment, self.gradient, self.variance = banks
        self.decayed, self.gradient_part, self.sum, self.square, self.total, self.root, self.divisor, \
            self.inverse, self.update = (k.sbuf((rows, BANK), "f32", buffers=1) for _ in range(9))


# The instructions of a half: op, operands, result. The early ones need only what is loaded, and come one block
# ahead. ORDER mixes them with the late ones of the block before, lest ScalarE and VectorE wait for each other.
EARLY = {
    "decay": ("scale", 1e-5, "theta", "decay"),
    "decayed": ("sub", "theta", "decay", "decayed"),
    "gradient part": ("scale", 0.1, "g", "gradient_part"),
    "variance": ("scale", 0.999, "v", "variance"),
    "gradient": ("scale", 0.001, "g", "gradient"),
    "square": ("mul", "gradient", "g", "square"),
    "total": ("add", "variance", "square", "total"),
}
LATE = {
    "moment": ("scale", 0.9, "m", "moment"),
    "sum": ("add", "moment", "gradient_part", "sum"),
    "step": ("scale", 0.01, "sum", "moment"),
    "root": ("sqrt", 1000.0, "total", "root"),
    "divisor": ("shift", 1e-8, "root", "divisor"),
    "inverse": ("reciprocal", "divisor", "inverse"),
    "update": ("mul", "moment", "inverse", "update"),
    "out": ("sub", "decayed", "update", "out"),
}
ORDER = ["root", "moment", "sum", "decay", "divisor", "decayed", "inverse", "step", "variance", "gradient", "square",
         "update", "total", "gradient part", "out"]


def emit(k, half, op, *operands):
    *values, target = (getattr(half, o) if isinstance(o, str) else o for o in operands)
    if op in ("scale", "sqrt"):
        k.activation("copy" if op == "scale" else op, values[1], target, scale=values[0])
    elif op == "shift":
        k.tensor_scalar("add", values[1], target, constant=values[0])
    elif op == "reciprocal":
        k.reciprocal(*values, target)
    else:
        k.tensor_tensor(op, *values, target)


def row_tiles(k, first, count, rows, n):
    """`count` tiles of `rows` rows, each with its column blocks."""
    columns = n // BLOCK
    slots = [[k.sbuf((rows, BLOCK), "f32", buffers=1) for _ in range(5)] for _ in range(columns)]
    banks = [[k.psum((rows, BANK), 4 * number + i, 1) for i in range(4)] for number in range(2)]
    halves = [[Half(k, rows, loaded, out, banks[number], number) for number in range(2)] for *loaded, out in slots]

    def block(argument, i, slot):
        return k.hbm(argument, first + (i + -slot) * (rows // columns), slot * BLOCK, (rows, BLOCK))

    def prepare(i, slot, part):
        if part == "load":
            for argument, buffer in zip((k.theta, k.m, k.v, k.g), slots[slot]):
                k.dma(block(argument, i, slot), buffer)
        else:
            for half in halves[slot]:
                emit(k, half, *EARLY[part])

    def finish(i, slot, prepare_next):
        prepare_next("load")
        for name in ORDER:
            if name in EARLY:
                prepare_next(name)
                continue
            for half in halves[slot]:
                emit(k, half, *LATE[name])
        k.dma(slots[slot][-1], block(k.out, i, slot))

    def begin(prepare_first):
        for part in ("load", *EARLY):
            prepare_first(part)

    k.ahead(count * columns, [prepare], finish, begin, slots=columns)


def adamw(m=10944, n=2 * BLOCK):
    k = Kernel("adamw", {name: ((m, n), "f32") for name in ("theta", "m", "v", "g")}, {"out": ((m, n), "f32")})
    with k.scope():
        row_tiles(k, 0, m // P, P, n)
    if m % P:
        k.sbuf_top = 0  # where the other tiles were
        row_tiles(k, m // P * P, 1, m % P, n)
    return k
