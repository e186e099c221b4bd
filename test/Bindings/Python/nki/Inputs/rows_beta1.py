"""Kernels that gather and scatter rows of HBM, for the beta of NKI."""

import numpy as np
from neuronxcc import nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl


@nki.jit
def loaded(table, indices):
    out = nl.ndarray((64, 512), dtype=table.dtype, buffer=nl.shared_hbm)
    i_p = nl.arange(64)[:, None]
    i_f = nl.arange(512)[None, :]
    column = nl.load(indices[i_p])
    rows = nl.load(table[column[i_p, 0], i_f])
    nl.store(out, value=rows)
    return out


@nki.jit
def counted(table):
    """Every second row, by a column that is computed."""
    out = nl.ndarray((64, 256), dtype=table.dtype, buffer=nl.shared_hbm)
    i_f = nl.arange(256)[None, :]
    column = nisa.iota(2 * nl.arange(64)[:, None], dtype=np.int32)
    nl.store(out, value=nl.load(table[column, 256 + i_f]))
    return out


@nki.jit
def stored(x, indices):
    out = nl.ndarray((64, 512), dtype=x.dtype, buffer=nl.shared_hbm)
    i_p = nl.arange(64)[:, None]
    i_f = nl.arange(512)[None, :]
    rows = nl.load(x)
    column = nl.load(indices[i_p])
    nl.store(out[column[i_p, 0], i_f], value=rows[0:64, 0:512])
    return out


@nki.jit
def skipped(table, indices):
    out = nl.ndarray((64, 512), dtype=table.dtype, buffer=nl.shared_hbm)
    i_p = nl.arange(64)[:, None]
    i_f = nl.arange(512)[None, :]
    column = nl.load(indices[i_p])
    rows = nl.zeros((64, 512), dtype=table.dtype, buffer=nl.sbuf)
    nisa.dma_copy(dst=rows[i_p, i_f], src=table[column[i_p, 0], i_f],
                  oob_mode=nisa.oob_mode.skip)
    nl.store(out, value=rows)
    return out
