"""AdamW's first step: trn1, f32, four matrices [10944, 2048].

    m' = 0.9 m + 0.1 g,  v' = 0.999 v + 0.001 g^2
    theta' = theta - 1e-5 theta - 0.01 m' / (sqrt(1000 v') + 1e-8)

The description leaves open which results of one-input instructions are in PSUM. Here it is those of
ScalarE that VectorE combines with another tensor, as far as that spares VectorE a second pass over a
second operand in SBUF: 1e-5 theta, 0.9 m, 0.01 m' (in the bank of 0.9 m, which is no longer needed),
0.999 v and 0.001 g. That is four banks for each half, so all eight. The halves of a block are interleaved
instruction by instruction, as the vendor's compiler does it.
"""

from trn_writer import Kernel

P, BANK, BLOCK = 128, 512, 1024


class Half:
    """512 columns of a block: what is loaded, and buffers for what is computed."""

    def __init__(self, k, rows, loaded, out, number):
        self.theta, self.m, self.v, self.g, self.out = (k.part(b, number * BANK, BANK) for b in (*loaded, out))
        self.decay, self.moment, self.gradient, self.variance = (
            k.psum((rows, BANK), 4 * number + i, 1) for i in range(4))
        self.decayed, self.gradient_part, self.sum, self.square, self.total, self.root, self.divisor, \
            self.inverse, self.update = (k.sbuf((rows, BANK), "f32") for _ in range(9))


def stages(k):
    """What happens to each half, in order."""
    def scale(h, source, target, factor):
        k.activation("copy", getattr(h, source), getattr(h, target), scale=factor)

    def combine(h, function, lhs, rhs, target):
        k.tensor_tensor(function, getattr(h, lhs), getattr(h, rhs), getattr(h, target))

    return [
        lambda h: scale(h, "theta", "decay", 1e-5),
        lambda h: combine(h, "sub", "theta", "decay", "decayed"),
        lambda h: scale(h, "m", "moment", 0.9),
        lambda h: scale(h, "g", "gradient_part", 0.1),
        lambda h: combine(h, "add", "moment", "gradient_part", "sum"),
        lambda h: scale(h, "sum", "moment", 0.01),
        lambda h: scale(h, "v", "variance", 0.999),
        lambda h: scale(h, "g", "gradient", 0.001),
        lambda h: combine(h, "mul", "gradient", "g", "square"),
        lambda h: combine(h, "add", "variance", "square", "total"),
        lambda h: k.activation("sqrt", h.total, h.root, scale=1000.0),
        lambda h: k.tensor_scalar("add", h.root, h.divisor, constant=1e-8),
        lambda h: k.reciprocal(h.divisor, h.inverse),
        lambda h: combine(h, "mul", "moment", "inverse", "update"),
        lambda h: combine(h, "sub", "decayed", "update", "out"),
    ]


def row_tile(k, row, rows, n):
    with k.loop(n // BLOCK) as column:
        loaded = [k.sbuf((rows, BLOCK), "f32") for _ in range(4)]
        for argument, buffer in zip((k.theta, k.m, k.v, k.g), loaded):
            k.dma(k.hbm(argument, row, column * BLOCK, (rows, BLOCK)), buffer)
        out = k.sbuf((rows, BLOCK), "f32")
        halves = [Half(k, rows, loaded, out, number) for number in range(2)]
        for stage in stages(k):
            for half in halves:
                stage(half)
        k.dma(out, k.hbm(k.out, row, column * BLOCK, (rows, BLOCK)))


def adamw(m=10944, n=2048):
    k = Kernel("adamw", {name: ((m, n), "f32") for name in ("theta", "m", "v", "g")}, {"out": ((m, n), "f32")})
    with k.loop(m // P) as row:
        row_tile(k, row * P, P, n)
    if m % P:
        k.sbuf_top = 0  # where the other tiles were
        row_tile(k, m // P * P, m % P, n)
    return k
