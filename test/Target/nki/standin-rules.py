"""Each rule of the stand-ins is alive: a kernel that breaks it is an error.

A case is the name of a version, the statements of a kernel with an input `x` of float32
[128, 512], and what the error says.

RUN: env PYTHONPATH=%S/Inputs/standin %python %s
"""

import sys
import textwrap

import numpy as np

from tensors import NKIError, bfloat16

TILES = """
f = nl.float32
a = nl.ndarray((128, 512), dtype=f, buffer=nl.sbuf)
b = nl.ndarray((128, 512), dtype=nl.bfloat16, buffer=nl.sbuf)
s = nl.ndarray((128, 128), dtype=f, buffer=nl.sbuf)
c = nl.ndarray((128, 1), dtype=f, buffer=nl.sbuf)
p = nl.ndarray((128, 512), dtype=f, buffer=nl.psum)
o = nl.ndarray((128, 512), dtype=f, buffer=nl.shared_hbm)
"""

V0_6 = [
    # Tensors.
    ("nl.ndarray((129, 4), dtype=f, buffer=nl.sbuf)", "partition dimension 129 exceeds 128"),
    ("nl.ndarray((128,), dtype=f, buffer=nl.sbuf)", "two dimensions at least"),
    ("nl.ndarray((4, 4), dtype='float32', buffer=nl.sbuf)", "no type of nki.language"),
    ("nl.ndarray((4, 4), dtype=f, buffer='sbuf')", "no buffer of nki.language"),
    ("nl.ndarray((4, 4), dtype=f, buffer=nl.sbuf, address=(0, 3))", "splits an element"),
    ("a[0:129, :]", "slice 0:129:1 of a dimension of 128"),
    ("a[:, 512]", "index 512 of a dimension of 512"),
    ("a[:, 8:8]", "slice 8:8:1"),
    ("a[0:128:2, :]", "partitions are not skipped"),
    ("a[0, 0, 0]", "3 indices for 2 dimensions"),
    ("a[:, 0.5]", "not an integer"),
    ("a.reshape_dim(0, (2, 64))", "the partition dimension is not split"),
    ("a.permute((1, 0))", "the partition dimension is not moved"),
    ("x.reshape((128, 4))", "elements"),
    ("a.broadcast(1, 4)", "dimension 1 of (128, 512) has not size 1"),
    ("c.broadcast(0, 4)", "the partition dimension is not repeated"),
    ("a.expand_dim(0)", "the partition dimension is not moved"),
    ("a.flatten_dims(0, 1)", "the partition dimension is not flattened"),
    ("x.permute((1, 0)).reshape((65536,))", "the layout is none of that shape"),
    ("a.ap(pattern=[[1024, 64], [1, 512]])", "the partition step is 1024, not 512"),
    ("x.ap(pattern=[[512, 129], [1, 512]])", "elements 0 to 66047 of 65536"),
    ("nisa.activation(dst=a[32:128, :], op=nl.exp, data=a[0:96, :])",
     "96 partitions start at partition 32"),
    # Transfers.
    ("nisa.dma_copy(dst=p, src=x)", "no DMA reaches PSUM, where dst is"),
    ("nisa.dma_copy(dst=o, src=p)", "no DMA reaches PSUM, where src is"),
    ("nisa.dma_copy(dst=s, src=x)", "65536 elements to 16384"),
    ("nisa.dma_transpose(dst=s, src=x[:, 0:128])", "not 2 bytes"),
    # The tensor engine.
    ("nisa.nc_matmul(dst=p, stationary=a, moving=a, accumulate=False)",
     "stationary has 512 columns, which exceeds 128"),
    ("w = nl.ndarray((128, 1024), dtype=f, buffer=nl.sbuf)\n"
     "nisa.nc_matmul(dst=p, stationary=s, moving=w, accumulate=False)",
     "moving has 1024 columns, which exceeds 512"),
    ("nisa.nc_matmul(dst=p, stationary=s[0:64, :], moving=a, accumulate=False)",
     "stationary has 64 partitions, moving 128"),
    ("nisa.nc_matmul(dst=p, stationary=x[:, 0:128], moving=a, accumulate=False)",
     "stationary is in hbm, not on chip"),
    ("nisa.nc_matmul(dst=p, stationary=p[:, 0:128], moving=a, accumulate=False)",
     "stationary is in psum, not in sbuf"),
    ("nisa.nc_matmul(dst=p, stationary=s, moving=b, accumulate=False)", "float32 times bfloat16"),
    ("nisa.nc_matmul(dst=a, stationary=s, moving=a, accumulate=False)", "dst is in sbuf"),
    ("n = nl.ndarray((128, 512), dtype=nl.bfloat16, buffer=nl.psum)\n"
     "nisa.nc_matmul(dst=n, stationary=s, moving=a, accumulate=False)", "dst has type bfloat16"),
    ("w = nl.ndarray((128, 1024), dtype=f, buffer=nl.psum)\n"
     "nisa.nc_matmul(dst=w[:, 256:768], stationary=s, moving=a, accumulate=False)",
     "dst lies in two banks of psum"),
    ("nisa.nc_matmul(dst=p[:, 0:256], stationary=s, moving=a, accumulate=False)",
     "dst is (128, 256), the product (128, 512)"),
    ("nisa.nc_matmul(dst=p, stationary=s, moving=a, accumulate=True)",
     "a product is added to what no product has written"),
    ("nisa.memset(dst=p, value=0.0)\n"
     "nisa.nc_matmul(dst=p, stationary=s, moving=a, accumulate=True)",
     "a product is added to what no product has written"),
    ("nisa.nc_matmul(dst=p[:, 0:256], stationary=s, moving=a[:, 0:256])\n"
     "nisa.nc_matmul(dst=p, stationary=s, moving=a)", "products wrote a part of dst before"),
    ("nisa.nc_transpose(dst=p[:, 0:128], data=b[:, 0:128])", "dst has type float32"),
    ("nisa.nc_transpose(dst=s, data=s)", "dst is in sbuf, not in psum"),
    ("nisa.nc_transpose(dst=p[:, 0:128], data=p[:, 128:256])", "data is in psum, not in sbuf"),
    ("nisa.nc_transpose(dst=s, data=s, engine=nisa.engine.vector)", "exceeds 32 x 32"),
    ("nisa.nc_transpose(dst=p[:, 0:64], data=s)", "dst is no transpose"),
    # The others.
    ("nisa.activation(dst=a, op=nl.add, data=a)", "op=add is none of"),
    ("nisa.activation(dst=a, op=nl.exp, data=x)", "data is in hbm, not on chip"),
    ("nisa.activation(dst=s, op=nl.exp, data=a)", "data has 512 elements a partition, dst 128"),
    ("nisa.activation(dst=a, op=nl.exp, data=a, bias=s)", "bias is (128, 128), not a column"),
    ("nisa.activation(dst=a, op=nl.exp, data=a, scale=b[:, 0:1])", "scale has type bfloat16"),
    ("nisa.tensor_copy(dst=a, src=p, engine=nisa.engine.gpsimd)", "GpSimd does not reach PSUM"),
    ("nisa.tensor_copy(dst=a, src=a, engine=nisa.engine.tensor)", "it does not run on"),
    ("nisa.tensor_tensor(dst=a, data1=p, data2=p, op=nl.add)", "both inputs are in PSUM"),
    ("nisa.tensor_tensor(dst=a, data1=a, data2=a, op=nl.exp)", "op=exp is none of"),
    ("nisa.tensor_tensor(dst=a, data1=a, data2=a[0:64, :], op=nl.add)",
     "data2 has 64 partitions, dst 128"),
    ("nisa.tensor_scalar(dst=a, data=a, op0=nl.add, operand0=b[:, 0:1])",
     "operand0 has type bfloat16"),
    ("nisa.tensor_scalar(dst=a, data=a, op0=nl.add, operand0=1.0, engine=nisa.engine.gpsimd)",
     "it does not run on"),
    ("nisa.tensor_reduce(dst=c, op=nl.add, data=a, axis=0)", "axis 0 is not the last"),
    ("nisa.tensor_reduce(dst=c, op=nl.subtract, data=a, axis=1)", "op=subtract is none of"),
    ("nisa.tensor_reduce(dst=a, op=nl.add, data=a, axis=1)", "128 results for (128, 512)"),
    ("nisa.memset(dst=o, value=0.0)", "dst is in shared_hbm, not on chip"),
    ("nisa.iota(dst=p, pattern=[[1, 512]])", "dst is in psum, not in sbuf"),
    ("nisa.iota(dst=a, pattern=[[1, 256]])", "a pattern of 256 for 512 elements"),
    ("nisa.reciprocal(dst=c, data=a)", "data has 512 elements a partition, dst 1"),
    ("nisa.tensor_scalar(dst=a, data=a, op0=nl.add, operand0=1.0, op1=nl.multiply)",
     "op1 and operand1 come together"),
    ("nisa.scalar_tensor_tensor(dst=a, data=p, op0=nl.add, operand0=1.0, op1=nl.add, operand1=p)",
     "both inputs are in PSUM"),
    ("nisa.activation(dst=a, op=nl.exp, data=a, reduce_res=c)", "a reduction without reduce_op"),
    ("nisa.activation(dst=a, op=nl.exp, data=a, reduce_op=nl.maximum)", "op=maximum is none of"),
    ("nisa.tensor_scalar_reduce(dst=a, data=a, op0=nl.add, operand0=0.0, reduce_op=nl.subtract)",
     "op=subtract is none of"),
    ("nisa.tensor_tensor_scan(dst=a, data0=a, data1=s, initial=0.0, op0=nl.add, op1=nl.add)",
     "data1 has 128 elements a partition, dst 512"),
    ("nisa.affine_select(dst=a, pattern=[[1, 256]], channel_multiplier=0, on_true_tile=a, "
     "on_false_value=0.0)", "a pattern of 256 for 512 elements"),
    ("nisa.nc_matmul(dst=p, stationary=s, moving=b, is_transpose=True)", "float32 times bfloat16"),
    # Loops, results, names.
    ("nl.fori_loop(0, 4, lambda i: a[:, i])", "is not an integer"),
    ("nl.fori_loop(0, 4, lambda i: x.ap([[512, 128], [1, 4]], scalar_offset=i))",
     "the body of a loop returns something"),
    ("x.ap([[512, 128], [1, 4]], scalar_offset=1)", "scalar_offset is no register"),
    ("return a", "a result is no tensor in nl.shared_hbm"),
    ("nl.affine_range(4)", "nki.language.affine_range is deprecated"),
    ("nl.arange(4)", "nki.language.arange is unknown"),
    ("nisa.vector_engine", "nki.isa.vector_engine is deprecated"),
    ("nisa.nothing(dst=a)", "nki.isa.nothing is unknown"),
]

BETA1 = [
    ("nl.ndarray((129, 4), dtype=f, buffer=nl.sbuf)", "partition dimension 129 exceeds 128"),
    ("x.assert_shape((128, 256))", "shape (128, 512), not (128, 256)"),
    ("a[...] = nl.load(a)", "src of nl.load is not in HBM"),
    ("a[...] = nl.load(x.reshape((256, 256)))", "256 partitions exceed 128"),
    ("a[...] = nl.load(x.reshape((65536,)))", "has no free dimension"),
    ("p[...] = nl.load(x)", "is assigned to psum"),
    ("s[...] = nl.load(x)", "a tile of (128, 512) is assigned to (128, 128)"),
    ("a[...] = 0.0", "is no tile"),
    ("a[...] = b", "a tensor is assigned"),
    ("o[...] = nisa.tensor_copy(src=a)", "a tile is assigned to shared_hbm"),
    ("nl.store(o, value=x)", "is not on chip"),
    ("nl.store(o, value=b)", "bfloat16 to float32"),
    ("nl.store(o[:, 0:256], value=a)", "a tile of (128, 512) to (128, 256)"),
    ("nisa.dma_copy(dst=p, src=x)", "no DMA reaches PSUM"),
    ("p[...] += nisa.nc_matmul(stationary=s, moving=a)", "neither nl.zeros nor a product"),
    ("p[...] = nisa.tensor_copy(src=a)\np[...] += nisa.nc_matmul(stationary=s, moving=a)",
     "neither nl.zeros nor a product"),
    ("a[...] += nisa.nc_matmul(stationary=s, moving=a)", "dst is in sbuf, not in psum"),
    ("p[...] += nisa.tensor_copy(src=a)", "adds products only"),
    ("a[...] = nisa.nc_matmul(stationary=s, moving=a)", "is assigned to sbuf"),
    ("p[...] = nisa.nc_matmul(stationary=a, moving=a)", "which exceeds 128"),
    ("p[...] = nisa.nc_matmul(stationary=s, moving=b)", "float32 times bfloat16"),
    ("s[...] = nisa.nc_transpose(data=s)", "is assigned to sbuf"),
    ("p[:, 0:32] = nisa.nc_transpose(data=a[:, 0:32], engine=nisa.vector_engine)",
     "exceeds 32 x 32"),
    ("a[...] = nisa.activation(op=nl.exp, data=a, bias=1.0)", "trn1 takes no number"),
    ("a[...] = nisa.activation(op=nl.maximum, data=a)", "op=maximum is none of"),
    ("a[...] = nisa.tensor_copy(src=a, engine=nisa.scalar_engine)", "it does not run on scalar"),
    ("p[...] = nisa.tensor_copy(src=a, engine=nisa.gpsimd_engine)", "is assigned to psum"),
    ("a[...] = nisa.tensor_tensor(data1=p, data2=p, op=nl.add)", "both inputs are in PSUM"),
    ("a[...] = nisa.tensor_scalar(data=a, op0=nl.add, operand0=b[:, 0:1])",
     "operand0 has type bfloat16"),
    ("a[nl.arange(128)[:, None], 0:4]", "mix slices and nl.arange"),
    ("nl.exp(a[nl.arange(128)[:, None], 1 + nl.arange(512)[None, :]])", "indices 1 to 512"),
    ("i = nl.arange(512)[None, :]\nnl.exp(a[nl.arange(128)[:, None], 2 * i], mask=i < 300)",
     "indices 0 to 1022"),
    ("t = nl.ndarray((2, nl.par_dim(128), 512), dtype=f)\nnl.exp(t[:, :, 0:4])",
     "a block is chosen by an integer"),
    ("nl.max(a, axis=[0])", "axis [0] is not the last"),
    ("nisa.tensor_scalar(a, nl.add, 1.0, op1=nl.multiply)", "op1 and operand1 come together"),
    ("nisa.activation(nl.exp, a, reduce_res=c)", "a reduction without reduce_op"),
    ("nisa.affine_select(True, a, 0.0)", "pred is not of nl.arange"),
    ("a[:, 0:513]", "slice 0:513:1"),
    ("nl.fori_loop(0, 4, lambda i: None)", "neuronxcc.nki.language.fori_loop is unknown"),
    ("return a", "a result is no tensor in nl.shared_hbm"),
]


def run(version, statements):
    imports = {"0.6": "import nki, nki.isa as nisa, nki.language as nl",
               "beta1": "from neuronxcc import nki\nimport neuronxcc.nki.isa as nisa\n"
                        "import neuronxcc.nki.language as nl"}[version]
    body = textwrap.indent(TILES + statements + "\nreturn o\n", "    ")
    namespace = {}
    exec(f"{imports}\n@nki.jit\ndef kernel(x):\n{body}", namespace)
    kernel, nki = namespace["kernel"], namespace["nki"]
    x = np.ones((128, 512), np.float32)
    return nki.simulate(kernel)(x) if version == "0.6" else nki.simulate_kernel(kernel, x)


problems = []
for version, cases in ("0.6", V0_6), ("beta1", BETA1):
    run(version, "")
    for statements, message in cases:
        try:
            run(version, statements)
            problems.append(f"{version}: {statements!r} is taken")
        except NKIError as error:
            if message not in str(error):
                problems.append(f"{version}: {statements!r} says: {error}")

# What nobody wrote is NaN, and stays it.
if not np.isnan(run("0.6", "nisa.dma_copy(dst=o, src=a)")).all():
    problems.append("what nobody wrote is a number")
# Types round to nearest even when they are written: 1 + 2^-8 is half way to the next bf16.
halves = np.array([1 + 2**-8, 1 + 3 * 2**-8], np.float32)
if list(bfloat16.round(halves)) != [1.0, 1 + 2**-6]:
    problems.append(f"bfloat16 rounds {halves} to {bfloat16.round(halves)}")
print(f"{len(V0_6)} and {len(BETA1)} cases")
sys.exit("\n".join(problems) or 0)
