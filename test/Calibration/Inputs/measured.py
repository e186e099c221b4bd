"""What was measured on hardware: the calibration kernels, and streams of transfers.

Latencies are in milliseconds; engine activity in per cent of the latency, as the profiler counted it.
AOP and KO are f32, ACO is bf16.
"""

MEASURED = {
    "nki_matmul": 35.200, "nki_transpose_matmul": 9.610, "nki_rmsnorm_matmul": 1.056, "nki_silu": 1.333,
    "autocomp_2": 11.80, "autocomp_3": 8.07, "autocomp_4": 7.62, "autocomp_5": 6.96,
    "tutorial_tiled": 39.89, "tutorial_hoisted": 28.20, "tutorial_blocked": 28.41,
    "tutorial_fully_blocked": 28.30,
    # GB/s of transfers whose rows have 1 KiB and 4 KiB on trn2 (NAD dma_efficiency.md), for 8 GiB.
    "stream_1k": 8 * 2**30 / 259e6, "stream_4k": 8 * 2**30 / 354e6,
}
# By key of the report.
ACTIVITY = {
    "nki_matmul": {"scalar": 6.80, "vector": 0},
    "nki_transpose_matmul": {"scalar": 3.79, "vector": 0},
    "nki_rmsnorm_matmul": {"scalar": 17.75, "vector": 3.88},
    "nki_silu": {"scalar": 31.48, "vector": 73.87},
    "tutorial_tiled": {"tensor": 87.28, "dma": 99.93},
    "tutorial_hoisted": {"tensor": 99.85, "dma": 99.73},
    "tutorial_blocked": {"tensor": 99.52, "dma": 95.70},
    # VectorE: 2.99 ms.
    "tutorial_fully_blocked": {"tensor": 99.50, "dma": 21.54, "vector": 10.57},
}
MEASURED["nki_silu_scalar"] = MEASURED["nki_silu"]
ACTIVITY["nki_silu_scalar"] = ACTIVITY["nki_silu"]

# What the constants are fitted on. silu is not: it did not run as it is described.
TRN1 = ["nki_matmul", "nki_transpose_matmul", "nki_rmsnorm_matmul",
        "autocomp_2", "autocomp_3", "autocomp_4", "autocomp_5"]
TUTORIAL = ["tutorial_tiled", "tutorial_hoisted", "tutorial_blocked", "tutorial_fully_blocked"]
STREAMS = ["stream_1k", "stream_4k"]
