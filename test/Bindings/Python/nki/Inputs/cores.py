"""Kernels for the two cores of a logical one."""

import nki
import nki.isa as nisa
import nki.language as nl

ROWS, COLUMNS = 128, 512


def product(xt, w, begin, end, columns=slice(None)):
    """A tile of x @ w in SBUF, over rows [begin, end) of xt and w."""
    stationary = nl.ndarray((128, ROWS), dtype=xt.dtype, buffer=nl.sbuf)
    moving = nl.ndarray((128, w[:, columns].shape[1]), dtype=w.dtype, buffer=nl.sbuf)
    sums = nl.ndarray((ROWS, moving.shape[1]), dtype=nl.float32, buffer=nl.psum)
    for k in nl.affine_range((end - begin) // 128):
        nisa.dma_copy(dst=stationary, src=xt[begin + k * 128:begin + (k + 1) * 128, :])
        nisa.dma_copy(dst=moving, src=w[begin + k * 128:begin + (k + 1) * 128, columns])
        nisa.nc_matmul(dst=sums, stationary=stationary, moving=moving, accumulate=k > 0)
    tile = nl.ndarray(sums.shape, dtype=nl.float32, buffer=nl.sbuf)
    nisa.tensor_copy(dst=tile, src=sums)
    return tile


@nki.jit
def columns_apart(xt, w):
    """Each core computes half of the columns."""
    out = nl.ndarray((ROWS, COLUMNS), dtype=nl.float32, buffer=nl.shared_hbm)
    half = COLUMNS // nl.num_programs()
    own = slice(nl.program_id(0) * half, (nl.program_id(0) + 1) * half)
    nisa.dma_copy(dst=out[:, own], src=product(xt, w, 0, xt.shape[0], own))
    return out


def half_of(core):
    return slice(core * COLUMNS // 2, (core + 1) * COLUMNS // 2)


@nki.jit
def sum_by_sendrecv(xt, w):
    """Each core has half of the sum, sends the half of the columns that the other one stores, and
    adds what it gets."""
    out = nl.ndarray((ROWS, COLUMNS), dtype=nl.float32, buffer=nl.shared_hbm)
    core, depth = nl.program_id(0), xt.shape[0] // 2
    part = product(xt, w, core * depth, (core + 1) * depth)
    theirs = nl.ndarray((ROWS, COLUMNS // 2), dtype=nl.float32, buffer=nl.sbuf)
    nisa.sendrecv(src=part[:, half_of(1 - core)], dst=theirs, send_to_rank=1 - core,
                  recv_from_rank=1 - core, pipe_id=0)
    nisa.tensor_tensor(dst=theirs, data1=theirs, data2=part[:, half_of(core)], op=nl.add)
    nisa.dma_copy(dst=out[:, half_of(core)], src=theirs)
    return out


def sum_in_hbm(xt, w, with_barrier=True):
    """The same through scratch that both see."""
    out = nl.ndarray((ROWS, COLUMNS), dtype=nl.float32, buffer=nl.shared_hbm)
    parts = nl.ndarray((2, ROWS, COLUMNS), dtype=nl.float32, buffer=nl.shared_hbm)
    core, depth = nl.program_id(0), xt.shape[0] // 2
    nisa.dma_copy(dst=parts[core], src=product(xt, w, core * depth, (core + 1) * depth))
    if with_barrier:
        nisa.core_barrier(data=parts, cores=(0, 1))
    both = nl.ndarray((ROWS, 2, COLUMNS // 2), dtype=nl.float32, buffer=nl.sbuf)
    for one in range(2):
        nisa.dma_copy(dst=both[:, one, :], src=parts[one, :, half_of(core)])
    nisa.tensor_tensor(dst=both[:, 0, :], data1=both[:, 0, :], data2=both[:, 1, :], op=nl.add)
    nisa.dma_copy(dst=out[:, half_of(core)], src=both[:, 0, :])
    return out


@nki.jit
def sum_by_barrier(xt, w):
    return sum_in_hbm(xt, w)


@nki.jit
def relay(x):
    """In each round both cores double their half, and take the other's: what was of one core is in
    its place again after two rounds."""
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    board = nl.ndarray((2, *x.shape), dtype=x.dtype, buffer=nl.shared_hbm)
    core, half = nl.program_id(0), x.shape[1] // 2
    tile = nl.ndarray((x.shape[0], half), dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x[:, core * half:(core + 1) * half])
    for i in nl.sequential_range(4):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.multiply, operand0=2.0)
        nisa.dma_copy(dst=board[core, :, 0:half], src=tile)
        nisa.core_barrier(board, (0, 1))
        nisa.dma_copy(dst=tile, src=board[1 - core, :, 0:half])
        nisa.core_barrier(board, (0, 1))
    nisa.dma_copy(dst=out[:, core * half:(core + 1) * half], src=tile)
    return out


@nki.jit
def one_waits(xt, w):
    if nl.program_id(0) == 0:
        return sum_in_hbm(xt, w)
    return sum_in_hbm(xt, w, with_barrier=False)


@nki.jit
def nobody_waits(xt, w):
    return sum_in_hbm(xt, w, with_barrier=False)


def copied(x, write):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    write(out, tile, nl.program_id(0))
    return out


@nki.jit
def both_write(x):
    def write(out, tile, core):
        nisa.tensor_scalar(dst=tile, data=tile, op0=nl.add, operand0=float(core))
        nisa.dma_copy(dst=out, src=tile)
    return copied(x, write)


@nki.jit
def both_write_the_same(x):
    def write(out, tile, core):
        nisa.dma_copy(dst=out, src=tile)
    return copied(x, write)


@nki.jit
def nobody_writes(x):
    def write(out, tile, core):
        nisa.dma_copy(dst=out[core * 64:core * 64 + 32, :], src=tile[0:32, :])
    return copied(x, write)


@nki.jit
def other_pipes(x):
    def write(out, tile, core):
        other = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
        nisa.sendrecv(src=tile, dst=other, send_to_rank=1 - core, recv_from_rank=1 - core,
                      pipe_id=core)
        nisa.dma_copy(dst=out[core * 64:core * 64 + 64, :], src=other[0:64, :])
    return copied(x, write)


@nki.jit
def itself(x):
    def write(out, tile, core):
        nisa.sendrecv(src=tile, dst=tile, send_to_rank=core, recv_from_rank=1 - core, pipe_id=0)
    return copied(x, write)


@nki.jit
def other_tensors(x):
    out = nl.ndarray((128 + nl.program_id(0), 8), dtype=x.dtype, buffer=nl.shared_hbm)
    return out


@nki.jit
def private_barrier(x):
    def write(out, tile, core):
        own = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
        nisa.core_barrier(own, (0, 1))
    return copied(x, write)


def sum_by_compute(xt, w, op=nl.add):
    """The same in one call."""
    out = nl.ndarray((ROWS, COLUMNS), dtype=nl.float32, buffer=nl.shared_hbm)
    core, depth = nl.program_id(0), xt.shape[0] // 2
    part = product(xt, w, core * depth, (core + 1) * depth)
    nisa.sendrecv_compute(src=part, dst=part, send_to_rank=1 - core, recv_from_rank=1 - core, reduce_op=op)
    nisa.dma_copy(dst=out[:, half_of(core)], src=part[:, half_of(core)])
    return out


def largest_by_compute(xt, w):
    return sum_by_compute(xt, w, nl.maximum)


def product_by_compute(xt, w):
    return sum_by_compute(xt, w, nl.multiply)


def compute_in_hbm(x):
    """Tiles of private HBM, too, on a device."""
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    own = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.private_hbm)
    other = 1 - nl.program_id(0)
    nisa.sendrecv_compute(src=own, dst=own, send_to_rank=other, recv_from_rank=other, reduce_op=nl.add)
    return out


def computes_and_sends(x):
    """One core reduces what the other one only sends."""
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    tile = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=tile, src=x)
    if nl.program_id(0) == 0:
        nisa.sendrecv_compute(src=tile, dst=tile, send_to_rank=1, recv_from_rank=1, reduce_op=nl.add)
    else:
        nisa.sendrecv(src=tile, dst=tile, send_to_rank=0, recv_from_rank=0, pipe_id=0)
    nisa.dma_copy(dst=out, src=tile)
    return out
