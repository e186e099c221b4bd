"""Kernels that gather and scatter rows of HBM, for NKI 0.6 and later."""

import nki
import nki.isa as nisa
import nki.language as nl


def tile(shape, dtype=nl.float32):
    return nl.ndarray(shape, dtype=dtype, buffer=nl.sbuf)


def result(shape, dtype=nl.float32):
    return nl.ndarray(shape, dtype=dtype, buffer=nl.shared_hbm)


def loaded(indices):
    column = tile((indices.shape[0], 1), indices.dtype)
    nisa.dma_copy(dst=column, src=indices.reshape((indices.shape[0], 1)))
    return column


@nki.jit
def embed(table, tokens):
    """A block of 128 tokens at a time."""
    width = table.shape[1]
    out = result((tokens.shape[0], width), table.dtype)
    for i in nl.affine_range(tokens.shape[0] // 128):
        column = tile((128, 1), tokens.dtype)
        nisa.dma_copy(dst=column, src=tokens[nl.ds(i * 128, 128), :])
        rows = tile((128, width), table.dtype)
        nisa.dma_copy(dst=rows, src=table.ap(pattern=[[width, 128], [1, width]],
                                             vector_offset=column, indirect_dim=0))
        nisa.dma_copy(dst=out[nl.ds(i * 128, 128), :], src=rows)
    return out


@nki.jit
def selected(table, indices):
    """By a view primitive, converted on the way."""
    rows = tile((indices.shape[0], table.shape[1]), nl.float32)
    nisa.dma_copy(dst=rows, src=table.vector_select(0, loaded(indices)))
    out = result(rows.shape)
    nisa.dma_copy(dst=out, src=rows)
    return out


@nki.jit
def columns(table, indices):
    """Some columns of each row; the second column of a tile of indices chooses."""
    count, width = indices.shape[0], table.shape[1]
    both = tile(indices.shape, indices.dtype)
    nisa.dma_copy(dst=both, src=indices)
    rows = tile((count, width // 2), table.dtype)
    nisa.dma_copy(dst=rows, src=table.ap(
        pattern=[[width, count], [1, width // 2]], offset=width // 2,
        vector_offset=both.ap(pattern=[[indices.shape[1], count], [1, 1]], offset=1),
        indirect_dim=0))
    out = result(rows.shape, table.dtype)
    nisa.dma_copy(dst=out, src=rows)
    return out


@nki.jit
def picked(x, columns):
    """One element of each row, by a number for one partition."""
    count, width = x.shape
    numbers = loaded(columns)
    found = tile((count, 1), x.dtype)
    for row in range(count):
        nisa.dma_copy(dst=found[row:row + 1, :], src=x.ap(
            pattern=[[width, 1], [1, 1]], offset=row * width,
            scalar_offset=numbers.ap(pattern=[[1, 1], [1, 1]], offset=row), indirect_dim=1))
    out = result((count, 1), x.dtype)
    nisa.dma_copy(dst=out, src=found)
    return out


@nki.jit
def expert(weights, which, x):
    """One of several matrices, which a number chooses, times x; and back where it was."""
    _count, rows, width = weights.shape
    number = loaded(which)
    w = tile((rows, width), weights.dtype)
    nisa.dma_copy(dst=w, src=weights.ap(pattern=[[width, rows], [1, width]],
                                        scalar_offset=number, indirect_dim=0))
    out = result(weights.shape, weights.dtype)
    for other in range(weights.shape[0]):
        zeros = tile((rows, width), weights.dtype)
        nisa.memset(dst=zeros, value=0.0)
        nisa.dma_copy(dst=out[other], src=zeros)
    nisa.dma_copy(dst=out.select(0, number), src=w)
    moving, sums = tile(x.shape, x.dtype), nl.ndarray((width, x.shape[1]), nl.float32, nl.psum)
    nisa.dma_copy(dst=moving, src=x)
    nisa.nc_matmul(dst=sums, stationary=w, moving=moving)
    back, product = tile(sums.shape), result(sums.shape)
    nisa.tensor_copy(dst=back, src=sums)
    nisa.dma_copy(dst=product, src=back)
    return product, out


@nki.jit
def present(table, indices):
    """Zeros for rows that are not there."""
    rows = tile((indices.shape[0], table.shape[1]))
    nisa.memset(dst=rows, value=0.0)
    nisa.dma_copy(dst=rows, src=table.vector_select(0, loaded(indices)),
                  oob_mode=nisa.oob_mode.skip)
    out = result(rows.shape)
    nisa.dma_copy(dst=out, src=rows)
    return out


@nki.jit
def permuted(x, indices):
    """A scatter: row p of x becomes row indices[p]."""
    out = result(x.shape, x.dtype)
    rows = tile(x.shape, x.dtype)
    nisa.dma_copy(dst=rows, src=x)
    count, width = x.shape
    nisa.dma_copy(dst=out.ap(pattern=[[width, count], [1, width]],
                             vector_offset=loaded(indices), indirect_dim=0), src=rows)
    return out


@nki.jit
def cached(cache, new, places):
    """What a step of attention does: rows of a cache in three dimensions, which an index of the
    batch and one within it choose; places that no row has are skipped."""
    batch, length, width = cache.shape
    out = result(cache.shape, cache.dtype)
    for b in range(batch):
        old = tile((length, width), cache.dtype)
        nisa.dma_copy(dst=old, src=cache[b])
        nisa.dma_copy(dst=out[b], src=old)
    column = loaded(places)
    first = tile((batch, 1), places.dtype)
    nisa.iota(dst=first, pattern=[[0, 1]], offset=0, channel_multiplier=length)
    nisa.tensor_tensor(dst=column, data1=column, data2=first, op=nl.add)
    rows = tile((batch, width), cache.dtype)
    nisa.dma_copy(dst=rows, src=new)
    nisa.dma_copy(dst=out.reshape((batch * length, width)).ap(
        pattern=[[width, batch], [1, width]], offset=0, vector_offset=column, indirect_dim=0),
        src=rows, oob_mode=nisa.oob_mode.skip)
    return out


@nki.jit
def transposed_cache(cache, new, places):
    """Rows that are columns: elements a row apart, from an element that the index chooses."""
    width, length = cache.shape
    out = result(cache.shape, cache.dtype)
    old = tile((width, length), cache.dtype)
    nisa.dma_copy(dst=old, src=cache)
    nisa.dma_copy(dst=out, src=old)
    rows = tile(new.shape, cache.dtype)
    nisa.dma_copy(dst=rows, src=new)
    nisa.dma_copy(dst=out.reshape((width * length,)).ap(
        pattern=[[1, new.shape[0]], [length, width], [1, 1]], vector_offset=loaded(places),
        indirect_dim=0), src=rows)
    return out


@nki.jit
def best(scores, table):
    """The rows of the largest values: searched, and gathered by what was found."""
    x = tile(scores.shape)
    nisa.dma_copy(dst=x, src=scores)
    top = tile((scores.shape[0], 8))
    nisa.max8(dst=top, src=x)
    places = tile((scores.shape[0], 8), nl.uint32)
    nisa.nc_find_index8(dst=places, data=x, vals=top)
    rows = tile((scores.shape[0], table.shape[1]))
    nisa.dma_copy(dst=rows, src=table.vector_select(0, places[:, 0:1]))
    out = result(rows.shape)
    nisa.dma_copy(dst=out, src=rows)
    found = result(places.shape, nl.uint32)
    nisa.dma_copy(dst=found, src=places)
    return out, found


@nki.jit
def counted(x):
    """Integers that are computed with, and come back as they are."""
    t = tile(x.shape, x.dtype)
    nisa.dma_copy(dst=t, src=x)
    nisa.tensor_scalar(dst=t, data=t, op0=nl.multiply, operand0=3, op1=nl.add, operand1=-1)
    f = tile(x.shape)
    nisa.tensor_copy(dst=f, src=t)
    nisa.tensor_scalar(dst=f, data=f, op0=nl.multiply, operand0=0.5)
    out, halves = result(x.shape, x.dtype), result(x.shape)
    nisa.dma_copy(dst=out, src=t)
    nisa.dma_copy(dst=halves, src=f)
    return out, halves
