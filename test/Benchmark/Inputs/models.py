"""The models whose MLPs are timed: hidden and intermediate size."""

MODELS = {
    "Llama-3.2-1B": (2048, 8192), "Llama-3.2-3B": (3072, 8192), "Llama-3.1-8B": (4096, 14336),
    "Qwen3-1.7B": (2048, 6144), "Qwen3-4B": (2560, 9728), "Qwen3-8B": (4096, 12288),
    "DeepSeek-V3": (7168, 18432)}
