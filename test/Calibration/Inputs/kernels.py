"""The calibration kernels, loop for loop as their publishers describe them.

    kernels.py NAME     writes one kernel as a placed trn module
    kernels.py --list   names them all

Measurements: measured.py and docs/CostModel.md. P = 128 partitions; a load [p, f] is one transfer of p
partitions with f elements a row. Buffers rotate twice where that fits; blocks that fill the SBUF
are allocated once, and the hazards of their tiles let the next load begin as soon as a tile's last
reader is done.

Order of instructions: no publisher fixed it. All are NKI kernels without scheduling directives, whose
instructions the vendor's compiler reorders freely. Where a kernel prepares operands on other engines, its replay
is software-pipelined as far as it says (Kernel.ahead); where a kernel has but transfers, products and copies
out of PSUM it is in source order, because the queues of transfers and the engines run ahead by themselves.
"""

import contextlib
import sys

from adamw import adamw
from autocomp import autocomp
from flat import adamw_flat, bmm, silu
from gemm import gemm_v0, gemm_v1, gemm_v2
from measured import CURVE, TRANSFERS, spell_bytes
from nkibench import nki_matmul, nki_rmsnorm_matmul, nki_silu, nki_transpose_matmul
from transfers import P, stream, vector_add
from trn_writer import as_written, module, spell
from tutorial import tutorial_blocked, tutorial_fully_blocked, tutorial_hoisted, tutorial_tiled

# The published kernel fills all of SBUF; whether the compiler keeps a part of trn2's is not known.
WHOLE = {"sbuf_partition_bytes": 224 * 1024}
# The transfers of some kernels have descriptors that were made before.
STATIC = {"dma_static_descriptors": True}

# Machine, constants of it that differ, and what makes the kernel.
KERNELS = {
    "nki_matmul": ("trn1", {}, nki_matmul),
    "nki_transpose_matmul": ("trn1", {}, nki_transpose_matmul),
    "nki_rmsnorm_matmul": ("trn1", {}, nki_rmsnorm_matmul),
    "nki_silu": ("trn1", {}, nki_silu),
    "adamw": ("trn1", {}, adamw),
    "autocomp_2": ("trn1", {}, lambda: autocomp(2, rows=2, left_loads=2, right_loads=2)),
    "autocomp_3": ("trn1", {}, lambda: autocomp(3, rows=4, left_loads=4, right_loads=2)),
    "autocomp_4": ("trn1", {}, lambda: autocomp(4, rows=4, left_loads=2, right_loads=2)),
    "autocomp_5": ("trn1", {}, lambda: autocomp(5, rows=4, left_loads=1, right_loads=1, engine="vector")),
    "tutorial_tiled": ("trn2", {}, tutorial_tiled),
    "tutorial_hoisted": ("trn2", {}, tutorial_hoisted),
    "tutorial_blocked": ("trn2", {}, tutorial_blocked),
    "tutorial_fully_blocked": ("trn2", WHOLE, tutorial_fully_blocked),
    "gemm_v0": ("trn2", {}, gemm_v0),
    "gemm_v1": ("trn2", {}, gemm_v1),
    "gemm_v2": ("trn2", {}, gemm_v2),
    "vector_add_1x1": ("trn2", {}, lambda: vector_add(1, 1)),
    "vector_add_128x1": ("trn2", {}, lambda: vector_add(P, 1)),
    "vector_add_128x2": ("trn2", {}, lambda: vector_add(P, 2)),
    **{"silu_%d" % columns: ("trn2", STATIC, lambda columns=columns: silu(columns))
       for columns in (7168, 3584, 1024, 896)},
    **{"adamw_%d" % columns: ("trn2", STATIC, lambda columns=columns: adamw_flat(columns))
       for columns in (1824, 1216, 1024, 512)},
    "bmm": ("trn2", STATIC, bmm),
    # One engine moves partitions 0 to 7.
    "point_4x4096": ("trn2", {}, lambda: stream("point_4x4096", 4, 4096)),
    "point_128x128": ("trn2", {}, lambda: stream("point_128x128", P, 128)),
    # For the curve: one transfer alone, and many.
    **{name + spell_bytes(size): ("trn2", {}, lambda name=name, size=size, count=count: stream(
        name + spell_bytes(size), P, size // 2, count))
       for name, count in (("alone_", 1), ("stream_", TRANSFERS)) for size in CURVE},
}


def text(name, constants=None, pipelined=True):
    """The module of one kernel, on its machine with some constants replaced; in the order that it is written in, or
    software-pipelined where it says so."""
    machine, own, make = KERNELS[name]
    with contextlib.nullcontext() if pipelined else as_written():
        kernel = make()
    return module(spell(machine, {**own, **(constants or {})}), kernel)


def main():
    if len(sys.argv) != 2 or sys.argv[1] not in [*KERNELS, "--list"]:
        sys.exit("usage: kernels.py %s" % "|".join([*KERNELS, "--list"]))
    if sys.argv[1] == "--list":
        print("\n".join(KERNELS))
        return
    sys.stdout.write(text(sys.argv[1]))


if __name__ == "__main__":
    main()
