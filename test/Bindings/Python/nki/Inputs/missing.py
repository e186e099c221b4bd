"""A kernel with several calls that are not read."""

import neuronxcc.nki as nki
import neuronxcc.nki.isa as nisa
import neuronxcc.nki.language as nl


@nki.jit
def missing(x):
    out = nl.ndarray(x.shape, dtype=x.dtype, buffer=nl.shared_hbm)
    t = nl.load(x, cache=True)
    t = nisa.sequence_bounds(segment_ids=t)
    t = nisa.dropout(t, prob=0.5)
    nl.store(out, t)
    return out
