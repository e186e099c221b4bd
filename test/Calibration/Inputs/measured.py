"""What was measured on hardware: the calibration kernels, and streams of transfers.

Latencies are in milliseconds; engine activity in per cent of the latency, as the profiler counted it.
AOP and KO are f32, ACO is bf16.
"""

TRANSFERS = 2**16  # of a stream, so many that the time of the first one does not matter
MEASURED = {
    "nki_matmul": 35.200, "nki_transpose_matmul": 9.610, "nki_rmsnorm_matmul": 1.056, "nki_silu": 1.333,
    "adamw": 2.000,
    "autocomp_2": 11.80, "autocomp_3": 8.07, "autocomp_4": 7.62, "autocomp_5": 6.96,
    "tutorial_tiled": 39.89, "tutorial_hoisted": 28.20, "tutorial_blocked": 28.41,
    "tutorial_fully_blocked": 28.30,
    "gemm_v0": 8.602, "gemm_v1": 2.451, "gemm_v2": 1.801,
    "vector_add_1x1": 37.308, "vector_add_128x1": 0.378, "vector_add_128x2": 0.186,
    "silu_7168": 0.602, "silu_3584": 0.600, "silu_1024": 0.588, "silu_896": 0.621,
    "adamw_1824": 1.096, "adamw_1216": 1.123, "adamw_1024": 1.184, "adamw_512": 1.554, "bmm": 4.071,
    # 259 and 354 GB/s of transfers whose rows have 1 KiB and 4 KiB on trn2 (NAD dma_efficiency.md).
    "stream_1k": TRANSFERS * 128 * 1024 / 259e6, "stream_4k": TRANSFERS * 128 * 4096 / 354e6,
    # 1416 and 97 ns of an engine on trn2 (DMAo).
    "point_4x4096": TRANSFERS * 1416e-6, "point_128x128": TRANSFERS * 97e-6,
}

# The published rate of transfers of 128 rows by the bytes of a row, in per cent of that of 32 KiB (DMAo,
# digitised; trn2). 100 is 23 bytes/ns of each of 16 engines.
CURVE = {32: 1.3, 64: 2.5, 128: 5.0, 256: 10.2, 512: 20.6, 1024: 42.3, 2048: 81.4, 4096: 96.6, 8192: 98.3,
         16384: 99.2, 32768: 100.0}
PEAK_GB_PER_S = 23 * 16
# The times of one engine that were published for a transfer.
POINTS = {"point_4x4096": "[4, 4096]", "point_128x128": "[128, 128]"}


def spell_bytes(size):
    return "%dk" % (size // 1024) if size >= 1024 else "%d" % size


def percent(name, **milliseconds):
    """The activity of engines that were counted in milliseconds."""
    return {engine: 100 * value / MEASURED[name] for engine, value in milliseconds.items()}


# By key of the report.
ACTIVITY = {
    "nki_matmul": {"scalar": 6.80, "vector": 0},
    "nki_transpose_matmul": {"scalar": 3.79, "vector": 0},
    "nki_rmsnorm_matmul": {"scalar": 17.75, "vector": 3.88},
    "nki_silu": {"scalar": 31.48, "vector": 73.87},
    "adamw": {"scalar": 61.62, "vector": 90.02},
    "tutorial_tiled": {"tensor": 87.28, "dma": 99.93},
    "tutorial_hoisted": {"tensor": 99.85, "dma": 99.73},
    "tutorial_blocked": {"tensor": 99.52, "dma": 95.70},
    "tutorial_fully_blocked": {"tensor": 99.50, "dma": 21.54, **percent("tutorial_fully_blocked", vector=2.99)},
    "silu_7168": {"dma": 97, "vector": 1, "scalar": 34}, "silu_1024": {"dma": 98, "scalar": 45},
    "silu_896": {"dma": 98, "scalar": 44},
    "adamw_1824": {"dma": 99, "vector": 72, "scalar": 32}, "adamw_1216": {"dma": 99, "vector": 72, "scalar": 34},
    "adamw_1024": {"dma": 99, "vector": 69, "scalar": 33}, "adamw_512": {"vector": 57},
    "gemm_v0": percent("gemm_v0", tensor=4.806, dma=7.906, vector=0.176),
    "gemm_v1": percent("gemm_v1", tensor=2.163, dma=1.325, vector=0.174),
    "gemm_v2": percent("gemm_v2", tensor=1.781, dma=0.819, vector=0.172),
}

# Replays that are software-pipelined, because the vendor's compiler orders such kernels freely.
PIPELINED = ["nki_matmul", "nki_rmsnorm_matmul", "adamw"]

# A load and a store of 128 rows on trn2, alone, by the bytes of an engine: trigger to data, the bytes, and until who
# reads knows, in ns (VCT).
SINGLE = {"load": (599 + 751, 293, 1.305, 315), "store": (609 + 566, 162, 0.963, 355)}
KERNEL_OVERHEAD_NS = 9403  # of isolated probes (VCT)

# What the constants of a machine are fitted on.
FITTED = {"trn1": ["nki_matmul", "nki_transpose_matmul", "nki_rmsnorm_matmul", "nki_silu", "adamw",
                   "autocomp_2", "autocomp_3", "autocomp_4", "autocomp_5"],
          "trn2": ["tutorial_tiled", "tutorial_hoisted", "tutorial_blocked", "tutorial_fully_blocked",
                   "gemm_v0", "gemm_v1", "gemm_v2", "vector_add_1x1", "vector_add_128x1", "vector_add_128x2",
                   "silu_7168", "silu_3584", "silu_1024", "silu_896",
                   "adamw_1824", "adamw_1216", "adamw_1024", "adamw_512", "bmm"]}
# Streams that trn2's are fitted on, too.
STREAMS = ["stream_1k", "stream_4k"]
