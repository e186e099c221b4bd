"""Single instructions that were measured on trn2, from start to result: ns beside the elements, and ns an element.

VCT: public micro-benchmarks of the Trainium2 instruction set, isolated probes, 128 partitions. Where only a
range is known of what comes beside the elements, its middle.
"""

from trn_writer import Kernel

P = 128
SIZES, IN_PSUM, LONG = (64, 128, 512, 2048), (64, 128, 512), (64, 512, 2048, 8192)


def copy(source, target):
    return lambda k, tile: k.evict(tile(source), tile(target), "vector")


def pair(left, right, target):
    return lambda k, tile: k.tensor_tensor("add", tile(left), tile(right), tile(target))


def activation(function, source="f32"):
    return lambda k, tile: k.activation(function, tile(source), tile("f32"))


def scan(seeded):
    def make(k, tile):
        initial = "initials(%s : %s)" % (lambda c: (c.name, c.type))(tile("f32", columns=1)) if seeded else "initial 0.0"
        x, y = tile("f32"), tile("f32")
        k.line("trn.tensor_tensor_scan mul, add(%s : %s, %s : %s) %s into %s : %s" % (
            x.name, x.type, y.name, y.type, initial, y.name, y.type))
    return make


def affine_select(k, tile):
    x = tile("f32")
    k.line("trn.affine_select ge(%s : %s) start 0 partition_step 1 steps [-1] otherwise 0.0 into %s : %s" % (
        x.name, x.type, x.name, x.type))


def scaled_copy(k, tile):
    scales = tile("f32", columns=1)
    k.activation("copy", tile("f32"), tile("f32"), scales=scales)


def product(k, tile):
    """And its way out of PSUM."""
    into = tile("psum")
    k.matmul(into, tile("f32", columns=P), tile("f32"), 0)
    k.evict(into, tile("f32"), "vector")


def transpose(k, tile):
    into = tile("psum")
    k.transpose(tile("f32"), into)
    k.evict(into, tile("f32"), "vector")


def reduce(source):
    return lambda k, tile: k.tensor_reduce("add", tile(source), tile("f32", columns=1))


# Name: engine, elements, measured ns and ns an element, and the instruction. `psum` is f32 there. Of the tensor engine
# the time from one instruction to the next, of others that from start to result.
INSTRUCTIONS = {
    "tensor_tensor f32": ("vector", SIZES, 159, 1.04, pair("f32", "f32", "f32")),
    "tensor_tensor f32, bf16": ("vector", SIZES, 159, 1.04, pair("f32", "bf16", "f32")),
    "tensor_tensor bf16": ("vector", SIZES, 161, 0.517, pair("bf16", "bf16", "bf16")),
    "tensor_scalar f32": ("vector", SIZES, 160, 0.52,
                          lambda k, tile: k.tensor_scalar("mul", tile("f32"), tile("f32"), constant=2.0)),
    "copy f32": ("vector", SIZES, 160, 0.52, copy("f32", "f32")),
    "copy f32 to bf16": ("vector", SIZES, 160, 0.52, copy("f32", "bf16")),
    "copy bf16 to f32": ("vector", SIZES, 153, 0.80, copy("bf16", "f32")),
    "copy bf16": ("vector", SIZES, 156, 0.269, copy("bf16", "bf16")),
    "copy from psum": ("vector", IN_PSUM, 158, 1.04, copy("psum", "f32")),
    "copy from psum to bf16": ("vector", IN_PSUM, 158, 1.04, copy("psum", "bf16")),
    "reduce f32": ("vector", LONG, 148, 1.04, reduce("f32")),
    "reduce bf16": ("vector", LONG, 148, 1.04, reduce("bf16")),
    "reciprocal": ("vector", (1, 64, 512, 2048), 154, 6.25,
                   lambda k, tile: k.reciprocal(tile("f32"), tile("f32"))),
    "scan": ("vector", SIZES, 158, 2.08, scan(seeded=False)),
    "scan from a column": ("vector", SIZES, 218, 2.08, scan(seeded=True)),
    "memset f32": ("vector", SIZES, 58, 0.83, lambda k, tile: k.memset(tile("f32"))),
    "exp": ("scalar", LONG, 286, 0.833, activation("exp")),
    "sigmoid": ("scalar", LONG, 286, 0.833, activation("sigmoid")),
    "rsqrt": ("scalar", (1, 64, 512, 2048), 286, 0.833, activation("rsqrt")),
    "log, sqrt, square": ("scalar", SIZES, 286, 0.833, activation("square")),
    "copy on ScalarE": ("scalar", (128, 512), 196, 0.833, activation("copy")),
    "copy on ScalarE, scaled by a column": ("scalar", (128, 512), 287, 0.833, scaled_copy),
    "copy on ScalarE from psum": ("scalar", (128, 512), 167, 0.833, activation("copy", "psum")),
    "silu from psum": ("scalar", (64, 128), 260, 1.33, activation("silu", "psum")),
    "affine_select": ("gpsimd", SIZES, 177, 0.846, affine_select),
    "product f32": ("tensor", (512,), 7, 1.7035, product),
    "transpose f32 on PE": ("tensor", (128,), 168, 0, transpose),
}


def probe(name, columns):
    """The instruction on buffers that nobody wrote, and a store of what it computes."""
    make = INSTRUCTIONS[name][-1]
    k = Kernel("probe", {"x": ((P, columns), "f32")}, {"out": ((P, columns), "f32")})
    tiles = []

    def tile(where, columns=columns):
        in_psum = where == "psum"
        tiles.append(k.psum((P, columns), 0, 1) if in_psum else k.sbuf((P, columns), where, buffers=1))
        return tiles[-1]

    make(k, tile)
    result = tiles[-1]
    k.dma(result, k.hbm(k.out, 0, 0, (P, result.shape[1])))
    return k


def measured(name, columns):
    _, _, fixed, slope, _ = INSTRUCTIONS[name]
    return fixed + slope * columns


def modelled(name, result):
    """What was measured, from the report of a probe."""
    engine = INSTRUCTIONS[name][0]
    reasons = ["busy"] if engine == "tensor" else ["busy", "result_latency"]
    return 1e6 * sum(part["ms"] for part in result["critical_path"]
                     if part["engine"] == engine and part["reason"] in reasons)
