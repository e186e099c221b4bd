"""Equations 10 and 11 of the paper, and what a run of its loops must say by them."""

from paper_runs import BLOCK, TABLE3

BYTES = 2  # of a bf16
TOLERANCE = 1e-4


def intensity(strip):
    """Eq. 10: FLOPs over bytes, X and O once, U and V once for each strip."""
    m, k, r, n = TABLE3
    return 2 * m * r * (k + n) / (BYTES * (m * k + m * n + m // strip * (k * r + r * n)))


def sbuf(strip, block=BLOCK):
    """Eq. 11: bytes of the larger of two phases, with a block of each matrix and the strip of Y."""
    r = TABLE3[2]
    return BYTES * max(strip * block + block * block + strip * r, strip * r + block * block + strip * block)


def find_mistakes(strip, run):
    found = run["flops"] / run["hbm_bytes"]
    if abs(found / intensity(strip) - 1) > TOLERANCE:
        yield f"Eq. 10 at {strip} rows: the intensity is {found:.4f}, but the formula's {intensity(strip):.4f}"
    if run["sbuf_live_bytes"] != sbuf(strip):
        yield f"Eq. 11 at {strip} rows: {run['sbuf_live_bytes']} bytes of SBUF, but the formula's {sbuf(strip)}"
