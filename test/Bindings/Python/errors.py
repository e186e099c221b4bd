"""Whatever is wrong is an exception with the diagnostics, and nothing is printed.

RUN: %trn_python %s > %t 2>&1
RUN: count 0 < %t
"""

import pathlib
import re
import tempfile
import warnings

import numpy as np
import trn_mlir as trn


def refused(text, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except (trn.TrnError, KeyError) as problem:
        assert re.search(text, str(problem)), f"{problem} is not about {text}"
    else:
        assert False, f"no error about {text}"


def compiling():
    source = trn.product(4, 8, 16)
    refused(r"module:1:7: error: expected", trn.compile, "module {")
    refused(r"error", trn.compile, b"ML\xefR\x0d\x01\x00\xff\xff")
    refused(r"nothing that it can compile", trn.compile, "")
    refused(r"Segmentation fault'; .* nested too deep", trn.compile, "module {" * 200000)
    refused(r"unknown machine 'trn9'", trn.compile, source, machine="trn9")
    refused(r"/no where/m 'x'.json: cannot read", trn.compile, source, machine="/no where/m 'x'.json")
    refused(r"block-m is 'many', but must be a whole number", trn.compile, source, block_m="many")
    refused(r"size k is -8, but at least 1", trn.chain, 4, -8, 2, 16)
    refused(r"r is 0, but must be positive", trn.chain, 4, 8, 0, 16)
    refused(r"no dtype 'f64'", trn.chain, 4, 8, 2, 16, dtype="f64")
    refused(r"is no float", trn.product, 4, 8, 16, dtype="i8")
    refused(r"size k is 8.5, but must be a whole number of 64 bits", trn.product, 4, 8.5, 16)
    refused(r"size m is 1180591620717411303424, but", trn.chain, 2 ** 70, 8, 2, 16)
    refused(r"blocks has 'm=256,k', but names and values have no '=', ',' or blanks: write blocks={",
            trn.compile, source, blocks={"m=256,k": 1})
    refused(r"^a module is text, bytes or a pathlib.Path, not int$", trn.compile, 5)
    refused(r"^'model.mlir' is no module, but the name of a file; compile "
            r"pathlib.Path\('model.mlir'\)$", trn.compile, "model.mlir")
    refused(r"^cannot read 'no such.mlir': No such file", trn.compile, pathlib.Path("no such.mlir"))
    refused(r"^character 3 of a text is '\\udc80', half of a surrogate pair and no character; ",
            trn.compile, "// \udc80")
    refused(r"^module:1:\d+: error: [^\x1b]*\n[^\x1b]*\\1B\[2K", trn.compile, "func.func @f // \x1b[2K")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "a file.mlir"
        path.write_text("func.func @f(")
        refused(r"a file.mlir:1:13: error", trn.compile, path)


def running():
    k = trn.compile(trn.product(4, 8, 16))
    x, w = np.ones((4, 8), np.float32), np.ones((8, 16), np.float32)
    refused(r"@main has 2 inputs, but 1 are given", k.run, x)
    refused(r"input 1 of @main: shape is 16x8, but 8x16 is needed", k.run, x, w.T)
    refused(r"input 1 has dtype int64, but bf16 is needed; for these values, give its "
            r"astype\(np.float32\), for their bits, uint16", k.run, x, w.astype(int))
    refused(r"input 1 has dtype <U1, but bf16 is needed", k.run, x, "w")
    refused(r"input 1 has dtype uint32, but bf16 is needed", k.run, x, w.astype(np.uint32))
    refused(r"input 1 has dtype uint64, but bf16 is needed", k.run, x, w.astype(np.uint64))
    refused(r"input 0 is the number 5, but an array is needed: np.full\(\(4, 8\), 5.0\)$",
            k.run, 5, w)
    refused(r"input 0 is no array: .*inhomogeneous", k.run, [[1.0], [2.0, 3.0]], w)
    refused(r"input 0 is a masked array.*; give its filled\(0\)",
            k.run, np.ma.masked_greater(x, 0), w)
    assert k.run(np.ma.masked_greater(x, 1), w)[0, 0] == 8  # masks nothing
    f32 = trn.compile(trn.product(4, 8, 16, dtype="f32"))
    refused(r"input 0 has dtype uint16, but f32 is needed; for these values, give its "
            r"astype\(np.float32\)$", f32.run, x.astype(np.uint16), w)
    refused(r"input 0 has dtype object", k.run, None, w)
    refused(r"input 0 has dtype complex64", k.run, x.astype(np.complex64), w)
    refused(r"no function @other; functions: @main", lambda: k["other"])
    refused(r"no level 'final'; levels are tensor, virtual, placed", k.mlir_at, "final")
    assert k.run(x, w)[0, 0] == 8  # still fine


SEVERAL = """
func.func @good(%x: tensor<4x8xf32>, %w: tensor<8x4xf32>) -> tensor<4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4xf32>
  %o = linalg.matmul ins(%x, %w : tensor<4x8xf32>, tensor<8x4xf32>)
                     outs(%z : tensor<4x4xf32>) -> tensor<4x4xf32>
  return %o : tensor<4x4xf32>
}
func.func @dynamic(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  return %x : tensor<?x8xf32>
}
func.func @state(%x: memref<2xf32>) {
  return
}
"""


def several():
    k = trn.compile(SEVERAL)
    refused(r"3 functions, so choose one as k\[\"name\"\]: @good, @dynamic, @state", k.run)
    refused(r"3 functions", lambda: k.report)
    refused(r"type 'tensor<\?x8xf32>', but only static shapes", k["dynamic"].run, np.ones((1, 8)))
    assert "@good" in k._repr_html_()
    frozen = np.zeros(2, np.float32)
    frozen.flags.writeable = False
    for state in [[0, 0], np.zeros(2), frozen]:
        refused(r"input 0 is a memref.*an array of f32 that can be written", k["state"].run, state)


def options():
    """Every option of the compiler is one of `compile`, and the other way round."""
    try:
        trn.compile(trn.product(4, 8, 16), machine="trn1 speed=11")
    except trn.TrnError as problem:
        assert "machine 'trn1 speed=11'" in str(problem), problem  # quoted: one value
    accepted = set(trn.compile.__kwdefaults__)
    refusal = ""
    try:
        trn._library.call("trnModuleCompile", trn._library.ref(trn.product(4, 8, 16)),
                          trn._library.ref(""), trn._library.ref("speed=11"))
    except trn.TrnError as problem:
        refusal = str(problem)
    known = re.search(r"known are (.*)", refusal).group(1).replace("-", "_").split(", ")
    assert accepted == set(known), accepted ^ set(known)


with warnings.catch_warnings():
    warnings.simplefilter("error")
    compiling()
    running()
    several()
    options()
