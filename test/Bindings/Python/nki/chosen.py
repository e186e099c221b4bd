"""Elements within partitions, and blocks of HBM, that data chooses: values against NumPy.

RUN: %trn_python %s
"""

import numpy as np
from trn_mlir import nki
from trn_mlir.nki._load import find_in_text

RNG = np.random.default_rng(5)
BETA = """import numpy as np
import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl
import neuronxcc.nki.typing as nt


@nki.jit
"""
ISA = """import nki
import nki.isa as nisa
import nki.language as nl


@nki.jit
"""


def random(*shape):
    return RNG.standard_normal(shape, np.float32)


def check(text, expected, *inputs):
    for machine in ("trn2", "trn1"):
        kernel = nki.load(find_in_text(text), inputs, machine=machine)
        found = kernel.run(*inputs)
        np.testing.assert_array_equal(found.reshape(expected.shape), expected)
    return kernel


def refused(text, rule, message, *inputs):
    try:
        nki.load(find_in_text(text), inputs).run(*inputs)
    except nki.NkiError as problem:
        assert problem.rule == rule and message in problem.message, problem
    else:
        raise AssertionError("it is read")


def elements():
    """nc_n_gather counts over all free dimensions; its time is that of an instruction of GpSimd."""
    x, places = random(128, 6, 16), RNG.integers(0, 96, (128, 3, 8)).astype(np.uint32)
    wanted = np.take_along_axis(x.reshape(128, 96), places.reshape(128, 24).astype(int), 1)
    text = ISA + """def kernel(x, places):
    out = nl.ndarray((128, 3, 8), dtype=x.dtype, buffer=nl.shared_hbm)
    data = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    chosen = nl.ndarray(places.shape, dtype=places.dtype, buffer=nl.sbuf)
    found = nl.ndarray(places.shape, dtype=FOUND, buffer=nl.sbuf)
    nisa.dma_copy(dst=data, src=x)
    nisa.dma_copy(dst=chosen, src=places)
    nisa.nc_n_gather(dst=found, data=data, indices=chosen)
    nisa.dma_copy(dst=out, src=found)
    return out
"""
    kernel = check(text.replace("FOUND", "x.dtype"), wanted, x, places)
    assert kernel.mlir.count("trn.partition_gather") == 1
    numbers = RNG.integers(0, 2 ** 24, (128, 6, 16)).astype(np.int32)
    check(text.replace("FOUND", "x.dtype"),
          np.take_along_axis(numbers.reshape(128, 96), places.reshape(128, 24).astype(int), 1),
          numbers, places)
    wrong = places.copy()
    wrong[7, 1, 2] = 96
    refused(text.replace("FOUND", "x.dtype"), "indirect_c3",
            "has index 96 in partition 7, but a partition of data has 96 elements", x, wrong)
    refused(text.replace("FOUND", "nl.bfloat16"), "partition_gather_c3",
            "must have the same element type", x, places)
    refused(text.replace("FOUND", "x.dtype"), "partition_gather_c4", "dimensions of ui32", x,
            places.astype(np.int32))
    refused(ISA + """def kernel(x, places):
    return nl.gather_flattened(x, places, axis=1)
""", "nki_r2", "along axis 1, but indices count over all free dimensions", x, places)
    check(BETA + """def kernel(x, places):
    out = nl.ndarray((128, 3, 8), dtype=x.dtype, buffer=nl.shared_hbm)
    nl.store(out, nl.gather_flattened(nl.load(x), nl.load(places)))
    return out
""", wanted, x, places)


def numbers():
    """An index that is one element of a tile is a number, as in NumPy: its dimension goes."""
    table, at = random(8, 64, 16), np.array([[5, 2], [7, 0]], np.int32)
    check(BETA + """def kernel(table, at):
    out = nl.ndarray((2, 2, 64, 16), dtype=table.dtype, buffer=nl.shared_hbm)
    for i in nl.static_range(2):
        places = nl.load(at[i:i + 1, :])
        for j in nl.affine_range(2):
            nl.store(out[i, j], nl.load(table[places[0, j], :, :]))
    return out
""", table[at], table, at)
    rows = random(8, 64)
    check(BETA + """def kernel(rows, at):
    out = nl.ndarray((64, 1), dtype=rows.dtype, buffer=nl.shared_hbm)
    places = nl.load(at)
    nl.store(out, nl.load(rows[places[1, 0], :]))
    return out
""", rows[7][:, None], rows, at)


def blocks_between_tensors():
    """A block of HBM goes to or comes from another tensor in HBM; one that is not there is left
    out."""
    new, cache = random(1, 2, 16, 32), random(4, 2, 64, 32)
    text = ISA + """def kernel(new, cache, at):
    place = nl.ndarray((1, 1), dtype=at.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=place, src=at.reshape((1, 1)))
    block = cache.ap(pattern=[[4096, 1], [2048, 2], [32, 16], [1, 32]], offset=0,
                     scalar_offset=place, indirect_dim=0)
    nisa.dma_copy(dst=block, src=new, oob_mode=nisa.oob_mode.skip)
    return cache
"""
    for at in (2, 0, 9):
        wanted = cache.copy()
        if at < 4:
            wanted[at, :, :16] = new[0]
        check(text, wanted, new, cache, np.array([at], np.int32))
    check(ISA + """def kernel(cache, at):
    out = nl.ndarray((2, 64, 32), dtype=cache.dtype, buffer=nl.shared_hbm)
    place = nl.ndarray((1, 1), dtype=at.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=place, src=at.reshape((1, 1)))
    nisa.dma_copy(dst=out, src=cache.select(0, place))
    return out
""", cache[3], cache, np.array([3], np.int32))
    check(BETA + """def kernel(new: nt.tensor, cache: nt.tensor[nt.mutable], at):
    place = nl.load(at)
    _, h, s, d = nl.mgrid[0:1, 0:2, 0:16, 0:32]
    nisa.dma_copy(src=new, dst=cache[place, h, s, d], oob_mode=nisa.oob_mode.skip)
    return cache
""", np.concatenate([cache[:1], np.concatenate([new[0], cache[1, :, 16:]], 1)[None], cache[2:]]),
          new, cache, np.array([1], np.int32))


def registers():
    """A register keeps what was loaded, also from one iteration to the next. One that holds a
    number is that number: a length, a condition, a place."""
    table, at = random(8, 128, 32), np.array([3, 5, 0, 7], np.int32)
    head = ISA + """def kernel(table, at):
    out = nl.ndarray((4, 128, 32), dtype=table.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray((128, 32), dtype=table.dtype, buffer=nl.sbuf)
    places = nl.ndarray((1, 4), dtype=at.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=places, src=at.reshape((1, 4)))
    place = nisa.register_alloc(2)
"""
    for body, wanted in {
            """    for i in range(4):
        nisa.register_load(place, places[:, i:i + 1])
        nisa.memset(dst=places[:, i:i + 1], value=6)
        nisa.dma_copy(dst=tile, src=table.ap(pattern=[[32, 128], [1, 32]], scalar_offset=place))
        nisa.dma_copy(dst=out[i], src=tile)
    return out
""": at,
            """    for i in range(4):
        nisa.dma_copy(dst=out[i], src=table.select(0, place))
        nisa.register_load(place, at[i:i + 1])
    return out
""": [2, 3, 5, 0],
            """    count, left = nisa.register_alloc(), 4
    nisa.register_move(count, 4)
    for i in nl.dynamic_range(0, count, 1):
        nisa.dma_copy(dst=out[i], src=table.ap(pattern=[[32, 128], [1, 32]], scalar_offset=place))
    while count:
        left -= 1
        nisa.register_move(count, left)
    assert left == 0
    return out
""": [2] * 4}.items():
        check(head + body, table[wanted], table, at)
    check(ISA + """def kernel(at):
    out = nl.ndarray((1, 4), dtype=at.dtype, buffer=nl.shared_hbm)
    found = nl.ndarray((1, 2), dtype=at.dtype, buffer=nl.sbuf)
    nisa.register_store(found[:, 0:1], nisa.register_alloc(9))
    nisa.dma_copy(dst=out[:, 0:2], src=at[0:2].reshape((1, 2)))
    given = nisa.register_alloc()
    nisa.register_load(given, at[3:4])
    nisa.register_store(found[:, 1:2], given)
    nisa.dma_copy(dst=out[:, 2:4], src=found)
    return out
""", np.array([[3, 5, 9, 7]], np.int32), at)


def scalars():
    """What is computed of a scalar is one. Later writes to where it was loaded do not change it."""
    table, at = random(8, 128, 32), np.array([[2]], np.int32)
    check(ISA + """def kernel(table, at):
    out = nl.ndarray((7, 128, 32), dtype=table.dtype, buffer=nl.shared_hbm)
    place = nl.ndarray((1, 1), dtype=nl.int32, buffer=nl.sbuf)
    nisa.dma_copy(dst=place, src=at)
    k = nisa.scalar_load(place)
    nisa.memset(dst=place, value=1)
    one = nisa.scalar_load(place)
    for i, begin in enumerate((k, k * 2 + one, 3 - k, -k + 6, 7 - 2 * (k + 1), k * k - one)):
        nisa.dma_copy(dst=out[i], src=table.ap(pattern=[[32, 128], [1, 32]], scalar_offset=begin))

    def store(i):
        nisa.scalar_store(place, i)

    nl.fori_loop(0, 4, store)
    nisa.scalar_store(place, nisa.scalar_load(place) - 3)
    nisa.dma_copy(dst=out[6], src=table.ap(pattern=[[32, 128], [1, 32]],
                                           scalar_offset=nisa.scalar_load(place)))
    return out
""", table[[2, 5, 1, 4, 1, 3, 0]], table, at)


def shared_indices():
    """16 partitions share the indices that they hold, of one partition after the other."""
    for rows, free, columns, each, count in ((128, (512,), 4, 1, 64), (32, (64,), 2, 1, 20),
                                             (32, (64, 4), 3, 4, 48)):
        x, size = random(rows, *free), int(np.prod(free))
        at = RNG.integers(0, size // each, (rows, columns)).astype(np.int32) * each
        expected = np.zeros((rows, count, each), np.float32)
        for row in range(rows):
            first = row // 16 * 16
            one = at[first:first + 16].flatten(order="F")[:count, None] + np.arange(each)
            expected[row] = x[row].reshape(-1)[one]
        text = ISA + """def kernel(x, at):
    out = nl.ndarray(SHAPE, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    wide = nl.ndarray(at.shape, dtype=at.dtype, buffer=nl.sbuf)
    places = nl.ndarray(at.shape, dtype=nl.uint16, buffer=nl.sbuf)
    found = nl.ndarray(SHAPE, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    nisa.dma_copy(dst=wide, src=at)
    nisa.tensor_scalar(dst=places, data=wide, op0=nl.bitwise_and, operand0=0xFFFF)
    nisa.local_gather(dst=found, src_buffer=tile, index=places, num_elem_per_idx=SHAPE[2],
                      num_valid_indices=SHAPE[1])
    nisa.dma_copy(dst=out, src=found)
    return out
""".replace("SHAPE", str(expected.shape))
        check(text, expected, x, at)


for test in (elements, numbers, blocks_between_tensors, registers, scalars,
             shared_indices):
    test()
