"""Instructions that kernels of NKI are made of, in every form that the dialect has.

RUN: %trn_python %s %t
"""

import pathlib
import re
import sys

from Inputs import exports

SBUF = "#trn.mem<sbuf>"
# Names stand for values with their types.
TYPES = {"a": f"memref<64x96xf32, {SBUF}>", "b": f"memref<64x96xf32, {SBUF}>",
         "h": f"memref<64x96xbf16, {SBUF}>", "c": f"memref<64x1xf32, {SBUF}>",
         "s": f"memref<64x1xf32, {SBUF}>", "r": f"memref<64x4x24xf32, {SBUF}>",
         "t": f"memref<64x4x24xf32, {SBUF}>", "k": f"memref<64x4xf32, {SBUF}>",
         "n": f"memref<64x4x1xf32, {SBUF}>", "d": f"memref<64x1x1xbf16, {SBUF}>",
         "e": f"memref<64x8xf32, {SBUF}>", "f": f"memref<64x6xf32, {SBUF}>",
         "g": f"memref<64x2xf32, {SBUF}>", "o": f"memref<1x96xf32, {SBUF}>",
         "i": f"memref<64x1xi32, {SBUF}>", "u": f"memref<64x8xui32, {SBUF}>"}
BYTES = {"f32": 4, "bf16": 2, "i32": 4, "ui32": 4}
# Rows in HBM, and the element types.
ROWS, ELEMENT = "memref<64x96xf32, #trn.mem<hbm>>", r"b?f\d+|u?i32"
# The tensors in HBM that tiles begin and end as.
SHAPES = {"a": "64x96", "b": "64x96", "h": "64x96", "c": "64x1", "s": "64x1", "r": "64x4x24",
          "t": "64x4x24", "k": "64x4", "n": "64x4x1", "d": "64x1x1", "e": "64x8", "f": "64x6",
          "g": "64x2", "o": "1x96", "i": "64x1", "u": "64x8"}
# Partitions of a quadrant, two by two the other way round; the last two stay.
SWAPPED = ", ".join(str(i ^ 1) if i < 30 else "255" for i in range(32))
INPUTS = "a", "b", "c", "r", "d"

CASES = {
    "two operations": (
        "a", "trn.tensor_scalar mul({a}) constant 2.0 then add scalars({c}) into {a} on vector"),
    "two reversed operations": (
        "a", "trn.tensor_scalar sub({a}) scalars({c}) reversed then sub constant 3.0 reversed "
             "into {a}"),
    "quotient of a sum": (
        "a", "trn.tensor_scalar add({a}) constant 9.0 then div constant 4.0 into {a}"),
    "over a sum": (
        "a", "trn.tensor_scalar add({a}) constant 9.0 then div scalars({c}) reversed into {a}"),
    "over an element, and a sum": (
        "a", "trn.activation exp({a}) into {a}",
        "trn.tensor_scalar div({a}) constant 2.0 reversed then add constant 1.0 into {a}"),
    "scalar and tile": (
        "a", "trn.scalar_tensor_tensor mul({a}) constant 0.5 then sub({b}) into {a} on vector"),
    "scalars and tile, reversed": (
        "a", "trn.scalar_tensor_tensor sub({a}) scalars({c}) reversed then sub({b}) reversed "
             "into {a}"),
    "scalar and quotient": (
        "a", "trn.activation exp({b}) into {b}",
        "trn.scalar_tensor_tensor add({a}) constant 1.0 then div({b}) into {a}"),
    "scalar and reversed quotient": (
        "a", "trn.scalar_tensor_tensor add({a}) constant 9.0 then div({b}) reversed into {a}"),
    "tile of bf16": ("h", "trn.scalar_tensor_tensor max({a}) scalars({c}) then mul({b}) into {h}"),
    "running sums": ("as", "trn.activation exp({a}) reducing add({s}) into {a}"),
    "running sums of columns": (
        "as", "trn.memset {s:v}, 1.0 : {s:t} on vector",
        "trn.activation square({a}) scale 0.5 biases({c}) reducing add({s}) accumulate into {a}"),
    "running maxima": (
        "hs", "trn.tensor_scalar mul({a}) scalars({c}) reducing max({s}) into {h} on vector"),
    "running minima": (
        "as", "trn.memset {s:v}, -1.0 : {s:t} on vector",
        "trn.tensor_scalar add({a}) constant 0.5 reducing min({s}) accumulate into {a} on vector"),
    "running products": (
        "as", "trn.tensor_scalar mul({a}) constant 0.01 then add constant 1.0 into {a}",
        "trn.tensor_scalar div({a}) constant 1.0 reversed reducing mul({s}) into {a} on vector"),
    "negated": ("s", "trn.tensor_reduce max({a}) negated into {s}"),
    "products": ("s", "trn.tensor_scalar mul({a}) constant 0.01 then add constant 1.0 into {a}",
                 "trn.tensor_reduce mul({a}) into {s}"),
    "last dimension": ("k", "trn.tensor_reduce add({r}) into {k}"),
    "last dimension kept": ("n", "trn.tensor_reduce min({r}) negated into {n}"),
    "all dimensions": ("s", "trn.tensor_reduce add({r}) into {s}"),
    "scan": ("a", "trn.tensor_tensor_scan mul, add({a}, {b}) initial 0.5 into {a}"),
    "scan reversed": (
        "a", "trn.tensor_tensor_scan sub, max({a}, {b}) initials({c}) reversed0 reversed1 into {b}",
        "trn.tensor_copy {b:v} into {a:v} : {b:t} to {a:t}"),
    "scan of three dimensions": (
        "r", "trn.tensor_tensor_scan add, max({r}, {r}) initial 0.0 into {t}",
                                 "trn.tensor_copy {t:v} into {r:v} : {t:t} to {r:t}"),
    "three dimensions": (
        "r", "trn.tensor_scalar mul({r}) scalars({c}) then add constant 1.0 into {t}",
                         "trn.activation tanh({t}) scales({c}) into {t}",
                         "trn.tensor_tensor mul({t}, {r}) into {r}"),
    "columns of three dimensions": (
        "s", "trn.activation tanh({r}) scales({d}) biases({d}) reducing add({s}) into {t}"),
    "quotient by columns of three dimensions": (
        "a", "trn.tensor_scalar add({a}) scalars({d}) then div scalars({d}) into {a}"),
    "a column repeated": (
        "a", "%w = memref.reinterpret_cast %c to offset: [0], sizes: [64, 96], strides: [1, 0] : "
             f"{TYPES['c']} to memref<64x96xf32, strided<[1, 0]>, {SBUF}>",
        f"trn.tensor_tensor mul({{a}}, %w : memref<64x96xf32, strided<[1, 0]>, {SBUF}>) "
        "into {a}"),
    "a row of each block repeated": (
        "r", "%w = memref.reinterpret_cast %r to offset: [0], sizes: [64, 4, 24], "
             f"strides: [96, 0, 1] : {TYPES['r']} "
             f"to memref<64x4x24xf32, strided<[96, 0, 1]>, {SBUF}>",
        f"trn.tensor_tensor sub({{r}}, %w : memref<64x4x24xf32, strided<[96, 0, 1]>, {SBUF}>) "
        "into {t}",
        "trn.tensor_copy {t:v} into {r:v} : {t:t} to {r:t}"),
    "product of three dimensions": (
        "t", "%p = trn.alloc bank 0 offset 0 : memref<96x4x24xf32, #trn.mem<psum>>",
        "trn.matmul stationary({a}) moving({r}) into %p : memref<96x4x24xf32, #trn.mem<psum>>",
        "%q = memref.subview %p[0, 0, 0] [64, 4, 24] [1, 1, 1] : "
        "memref<96x4x24xf32, #trn.mem<psum>> "
        "to memref<64x4x24xf32, strided<[96, 24, 1]>, #trn.mem<psum>>",
        "trn.tensor_copy %q "
        "into {t:v} : memref<64x4x24xf32, strided<[96, 24, 1]>, #trn.mem<psum>> to {t:t}"),
    "causal": (
        "a", "trn.affine_select ge({a}) start 2 partition_step 1 steps [-1] otherwise -3.0 "
             "into {a}"),
    "two free steps": (
        "t", "trn.affine_select lt({r}) start -40 partition_step 1 steps [-8, 1] otherwise 2.0 "
             "into {t}"),
    "sums over partitions": ("o", "trn.partition_reduce add({a}) into {o}"),
    "maxima over partitions": ("o", "trn.partition_reduce max({a}) into {o}"),
    "statistics": ("fg", "trn.bn_stats {a:v} into {f:v} : {a:t} to {f:t}",
                   "trn.bn_aggr {f:v} into {g:v} : {f:t} to {g:t}"),
    "the largest eight replaced": (
        "ae", "trn.max8 {a:v} into {e:v} : {a:t} to {e:t}",
        "trn.match_replace8 data({a}) values({e}) replacement -9.0 into {a}"),
    "partitions swapped": (
        "b", f"trn.stream_shuffle {{a:v}} into {{b:v}} mask [{SWAPPED}] : {{a:t}} to {{b:t}}"),
    "iota": ("t", "trn.iota {t:v} start 5 steps [100, -2] partition_step 3 : {t:t}"),
    "rows gathered": (
        "ab", "trn.iota {i:v} start 63 step 0 partition_step -1 : {i:t}",
        f"trn.dma_gather %xa[%i] to {{b:v}} : memref<64x96xf32>[{{i:t}}] to {{b:t}}",
        "trn.tensor_tensor sub({a}, {b}) into {a}"),
    "rows of a part gathered": (
        "a", "trn.iota {i:v} start 2 step 0 partition_step 1 : {i:t}",
        "trn.tensor_scalar sub({i}) constant 2.0 into {i} on vector",
        "%w = memref.subview %xa[0, 48] [64, 24] [1, 1] : memref<64x96xf32> "
        "to memref<64x24xf32, strided<[96, 1], offset: 48>>",
        f"%v = memref.subview %a[0, 0] [64, 24] [1, 1] : {TYPES['a']} "
        f"to memref<64x24xf32, strided<[96, 1]>, {SBUF}>",
        "trn.dma_gather %w[%i] to %v : memref<64x24xf32, strided<[96, 1], offset: 48>>[{i:t}] "
        f"to memref<64x24xf32, strided<[96, 1]>, {SBUF}>"),
    "a block chosen": (
        "a", "trn.iota {i:v} start 1 step 0 partition_step 1 : {i:t}",
        f"%one = memref.subview %i[0, 0] [1, 1] [1, 1] : {TYPES['i']} "
        f"to memref<1x1xi32, strided<[1, 1]>, {SBUF}>",
        "%w = memref.expand_shape %xa [[0, 1], [2]] output_shape [2, 32, 96] : memref<64x96xf32> "
        "into memref<2x32x96xf32>",
        f"%v = memref.subview %a[32, 0] [32, 96] [1, 1] : {TYPES['a']} "
        f"to memref<32x96xf32, strided<[96, 1], offset: 3072>, {SBUF}>",
        f"trn.dma_gather %w[%one] to %v : memref<2x32x96xf32>[memref<1x1xi32, strided<[1, 1]>, "
        f"{SBUF}>] to memref<32x96xf32, strided<[96, 1], offset: 3072>, {SBUF}>"),
    "rows skipped": (
        "a", "trn.iota {i:v} start 40 step 0 partition_step 1 : {i:t}",
        "trn.dma_gather %xa[%i] to {a:v} skip : memref<64x96xf32>[{i:t}] to {a:t}"),
    "rows scattered": (
        "b", f"%m = memref.alloc() : {ROWS}",
        "trn.iota {i:v} start 63 step 0 partition_step -1 : {i:t}",
        f"trn.dma_scatter {{a:v}} to %m[%i] : {{a:t}} to {ROWS}[{{i:t}}]",
        f"trn.dma_copy %m to {{b:v}} : {ROWS} to {{b:t}}",
        f"memref.dealloc %m : {ROWS}"),
    "the largest found": (
        "bh", "trn.max8 {a:v} into {e:v} : {a:t} to {e:t}",
        "trn.find_index8 data({a}) values({e}) into {u}",
        f"%w = memref.subview %u[0, 2] [64, 1] [1, 1] : {TYPES['u']} "
        f"to memref<64x1xui32, strided<[8, 1], offset: 2>, {SBUF}>",
        "trn.memset {h:v}, 0.0 : {h:t} on vector",
        f"trn.dma_gather %xa[%w] to {{h:v}} skip : "
        f"memref<64x96xf32>[memref<64x1xui32, strided<[8, 1], offset: 2>, {SBUF}>] to {{h:t}}",
        "trn.activation copy({h}) into {b}"),
    "elements chosen": (
        "be", "trn.max8 {a:v} into {e:v} : {a:t} to {e:t}",
        "trn.find_index8 data({a}) values({e}) into {u}",
        "trn.partition_gather data({b}) indices({u}) into {e}"),
    "power": (
        "a", "trn.activation square({a}) into {a}", "trn.tensor_tensor pow({a}, {b}) "
                                                    "into {a} on gpsimd"),
    **{f"comparison {name}": ("a", f"trn.tensor_tensor {name}({{a}}, {{b}}) into {{a}} on vector",
                              f"trn.tensor_scalar {name}({{a}}) constant 1.0 into {{a}}")
       for name in ("eq", "ne", "gt", "ge", "lt", "le", "and", "or", "xor")},
    **{name: ("a", f"trn.tensor_scalar {name}({{a}}) constant 0.75 "
                   "into {a}") for name in ("mod", "fmod")},
    **{name: ("a", f"trn.activation {name}({{a}}) into {{a}}") for name in (
        "sin", "arctan", "sign", "gelu_apprx_sigmoid", "silu_dx", "gelu_dx", "erf_dx")},
    "gelu_apprx_sigmoid_dx": ("a", "trn.activation gelu_apprx_sigmoid_dx({a}) into {a}"),
}
ONLY_0_6 = {"gelu_apprx_sigmoid_dx", "rows skipped", "the largest found",
            "a block chosen", "elements chosen"}


def write(outputs, statements, version):
    def expand(match):
        name, form = match[1], match[2]
        return {"v": f"%{name}", "t": TYPES[name]}.get(form, f"%{name} : {TYPES[name]}")

    lines, offset = [], 0
    for name, kind in TYPES.items():
        sizes, element = re.match(rf"memref<([\dx]+)x({ELEMENT})", kind).groups()
        lines.append(f"%{name} = trn.alloc offset {offset} : {kind}")
        count = 1
        for size in sizes.split("x")[1:]:
            count *= int(size)
        offset += (count * BYTES[element] + 63) // 64 * 64
    element = {name: re.search(ELEMENT, kind)[0] for name, kind in TYPES.items()}
    host = {name: f"memref<{SHAPES[name]}x{element[name]}>" for name in TYPES}
    # An input of bf16 would let all results be as coarse.
    inputs = [name for name in INPUTS if re.search(rf"[{{%]{name}\b", " ".join(statements))]
    lines += [f"trn.dma_copy %x{name} to %{name} : {host[name]} to {TYPES[name]}"
              for name in inputs]
    lines += [re.sub(r"\{(\w)(?::(\w))?\}", expand, one) for one in statements]
    lines += [f"trn.dma_copy %{name} to %y{name} : {TYPES[name]} to {host[name]}"
              for name in outputs]
    arguments = ", ".join([f"%x{name}: {host[name]}" for name in inputs] +
                          [f"%y{name}: {host[name]} {{trn.result}}" for name in outputs])
    body = "\n".join("    " + line for line in [*lines, "return"])
    machine = exports.MACHINES[version]
    return (f"module attributes {{trn.machine = #trn.machine<\"{machine}\">}} {{\n"
            f"  func.func private @kernel({arguments}) attributes {{trn.kernel}} {{\n{body}\n"
            f"  }}\n}}\n")


for name, (outputs, *statements) in CASES.items():
    for version in exports.MACHINES:
        if version == "beta1" and name in ONLY_0_6:
            continue
        stem = pathlib.Path(f"{sys.argv[1]}-" + re.sub(r"\W+", "-", f"{name} {version}"))
        # The pipeline assigns engines.
        text = exports.compiled(write(outputs, statements, version), version)
        exports.check_compiled(f"{name} in {version}", stem, text, version)
exports.finish(2 * len(CASES) - len(ONLY_0_6))
