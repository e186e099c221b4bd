"""Kernels of NKI 0.6 and later with patterns, offsets, tiles of integers and shapes that differ.

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki
from trn_mlir.nki._load import find_in_text

RNG = np.random.default_rng(2)
HEAD = """import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
"""


def run(text, *inputs):
    return nki.load(find_in_text(HEAD + text), inputs).run(
        *[one.astype(np.float32) for one in inputs])


def refused(text, *inputs):
    try:
        run(text, *inputs)
    except nki.NkiError as problem:
        return problem.rule, problem.line
    raise AssertionError("it is read")


def random(*shape):
    return RNG.standard_normal(shape).astype(np.float32)


def patterns():
    """Offsets count elements over partitions, as strides do."""
    x = random(64, 32)
    found = run("""def kernel(x):
    out = nl.ndarray((32, 2, 8), dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    part = tile.ap(pattern=[[32, 32], [1, 2], [4, 8]], offset=32 * 32)
    nisa.dma_copy(dst=out, src=part)
    return out
""", x)
    expected = x[32:].reshape(32, 8, 4)[:, :, :2].transpose(0, 2, 1)
    assert (found == expected).all()


def scalar_offsets():
    """A scalar offset counts steps of a dimension of the tensor."""
    x = random(4, 128, 16)
    found = run("""def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    for i in nl.affine_range(4):
        tile = nl.ndarray((128, 16), dtype=x.dtype, buffer=nl.sbuf)
        nisa.dma_copy(dst=tile, src=x.ap(pattern=[[16, 128], [1, 16]], offset=0, scalar_offset=i,
                                         indirect_dim=0))
        nisa.dma_copy(dst=out[3 - i], src=tile)
    return out
""", x)
    assert (found == x[::-1]).all()


def shapes():
    """Elements of a partition are taken in their order; an index keeps the partition."""
    x = random(128, 24)
    found = run("""def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, 24), dtype=x.dtype, buffer=nl.sbuf)
    other = nl.ndarray((128, 4, 6), dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.activation(dst=other, op=nl.square, data=tile)
    assert tile[5].shape == (1, 24) and tile[:, 5].shape == (128, 1)
    turned = tile.rearrange(("p", ("a", "b")), ("p", "b", "a"), {"a": 4})
    assert turned.shape == (128, 6, 4) and tile.buffer == nl.sbuf
    nisa.tensor_tensor(dst=tile, data1=tile, data2=other, op=nl.add)
    nisa.dma_copy(dst=out, src=tile)
    return out
""", x)
    assert np.abs(found - (x + x * x)).max() < 1e-5


def several_banks():
    """A tile of sums takes banks side by side: products write one each, others read all."""
    w, x = random(128, 128), random(128, 1024)
    found = run("""def kernel(w, x):
    out = nl.ndarray((2, 128, 1024), dtype=x.dtype, buffer=nl.shared_hbm)
    left = nl.ndarray(w.shape, dtype=w.dtype, buffer=nl.sbuf)
    right = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=left, src=w)
    nisa.dma_copy(dst=right, src=x)
    sums = nl.ndarray((128, 2, 1024), dtype=nl.float32, buffer=nl.psum)
    done = nl.ndarray((128, 2, 1024), dtype=x.dtype, buffer=nl.sbuf)
    for i in range(2):
        for j in nl.affine_range(2):
            nisa.nc_matmul(dst=sums[:, i, j * 512:(j + 1) * 512], stationary=left,
                           moving=right[:, j * 512:(j + 1) * 512])
        nisa.activation(dst=done[:, i, :], op=nl.relu, data=sums[:, i, :], scale=i + 1)
        nisa.dma_copy(dst=out[i], src=done[:, i, :])
    return out
""", w, x)
    expected = np.maximum(w.T @ x, 0)
    assert np.abs(found - np.stack([expected, 2 * expected])).max() < 1e-3
    assert refused("""def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    sums = nl.ndarray((128, 1024), dtype=nl.float32, buffer=nl.psum, address=(0, 4))
    nisa.dma_copy(dst=tile, src=x)
    nisa.tensor_copy(dst=sums, src=tile)
    nisa.tensor_copy(dst=tile, src=sums)
    nisa.dma_copy(dst=out, src=tile)
    return out
""", x) == ("placed_c5", 10)


def integers():
    """Masks and indices are integers; what they are not is refused."""
    x = random(128, 64)
    text = """def kernel(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    mask = nl.ndarray(x.shape, dtype=nl.uint8, buffer=nl.sbuf)
    index = nl.ndarray(x.shape, dtype=nl.int32, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.iota(dst=index, pattern=[[1, 64]], offset=-32, channel_multiplier=1)
    nisa.tensor_scalar(dst=index, data=index, op0=nl.multiply, operand0=%s)
    nisa.tensor_scalar(dst=mask, data=index, op0=nl.greater, operand0=64)
    nisa.tensor_copy_predicated(dst=tile, src=0.5, predicate=mask)
    nisa.dma_copy(dst=out, src=tile)
    return out
"""
    index = 2 * (np.arange(64) - 32 + np.arange(128)[:, None])
    assert (run(text % "2", x) == np.where(index > 64, np.float32(0.5), x)).all()
    assert refused(text % "0.5", x) == ("integer_c1", 14)
    assert refused("""def kernel(x):
    out = nl.ndarray((128, 64), dtype=nl.uint8, buffer=nl.shared_hbm)
    nisa.dma_copy(dst=out, src=x)
    return out
""", x) == ("nki_r6", 9)
    assert refused("""def kernel(x):
    return x.view(nl.int32)
""", x) == ("nki_r6", 8)


def shuffles():
    """One partition for all of a quadrant, in place, too."""
    x = random(1, 40)
    found = run("""def kernel(x):
    out = nl.ndarray((32, 40), dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((32, 40), dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile[0:1], src=x)
    nisa.nc_stream_shuffle(dst=tile, src=tile[0:1], shuffle_mask=[0] * 32)
    nisa.dma_copy(dst=out, src=tile)
    return out
""", x)
    assert (found == np.broadcast_to(x, (32, 40))).all()


def compositions():
    """Instructions that the dialect has no op for."""
    x = random(128, 32)
    low = RNG.integers(0, 16, (128, 1)).astype(np.float32)
    high = RNG.integers(16, 33, (128, 1)).astype(np.float32)
    text = """def kernel(x, low, high):
    out = nl.ndarray((4, 128, 32), dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    mask = nl.ndarray(x.shape, dtype=nl.uint8, buffer=nl.sbuf)
    bounds = nl.ndarray((128, 2), dtype=x.dtype, buffer=nl.sbuf)
    results = nl.ndarray((128, 4, 32), dtype=x.dtype, buffer=nl.sbuf)
    most = nl.ndarray((128, 2), dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.dma_copy(dst=bounds[:, 0:1], src=low)
    nisa.dma_copy(dst=bounds[:, 1:2], src=high)
    nisa.range_select(dst=results[:, 0, :], on_true_tile=tile, comp_op0=nl.greater_equal,
                      comp_op1=nl.less, bound0=bounds[:, 0:1], bound1=bounds[:, 1:2],
                      reduce_res=most[:, 0:1], on_false_value=-3.4028235e38)
    nisa.tensor_scalar(dst=mask, data=tile, op0=nl.greater, operand0=0.0)
    nisa.select_reduce(dst=results[:, 1, :], predicate=mask, on_true=tile, on_false=-7.0,
                       reduce_res=most[:, 1:2], reduce_cmd=nisa.reduce_cmd.reset_reduce)
    nisa.tensor_scalar(dst=results[:, 1, :], data=results[:, 1, :], op0=nl.subtract,
                       operand0=most[:, 1:2])
    nisa.tensor_scalar_cumulative(dst=results[:, 2, :], src=tile, op0=nl.multiply, op1=nl.add,
                                  imm0=2.0)
    nisa.tensor_scalar_cumulative(dst=results[:, 3, :], src=tile, op0=nl.add, op1=nl.OP,
                                  imm0=1.0)
    nisa.dma_copy(dst=out, src=results.permute((0, 1, 2)).ap(
        pattern=[[128, 128], [32, 4], [1, 32]]).rearrange(("p", "k", "f"), ("p", "k", "f")))
    return out
"""
    text = text.replace("(4, 128, 32)", "(128, 4, 32)")
    at = np.arange(32)
    chosen = np.where(x > 0, x, np.float32(-7))
    for name, fold in (("maximum", np.maximum), ("minimum", np.minimum),
                       ("multiply", np.multiply)):
        found = run(text.replace("OP", name), x, low, high)
        ranged = np.where((at >= low) & (at < high), x, np.finfo(np.float32).min)
        expected = np.stack([ranged, chosen - chosen.max(1, keepdims=True),
                             np.cumsum(2 * x, 1), fold.accumulate(x + 1, 1)], 1)
        assert np.allclose(found, expected, rtol=1e-4, atol=1e-5)


for test in (compositions, patterns, scalar_offsets, shapes, several_banks, integers, shuffles):
    test()
