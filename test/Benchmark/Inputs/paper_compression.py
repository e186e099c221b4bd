"""The rows of the paper's Figures 6 and 7 and of its section 4.3.1, in stories15M and stories260K."""

import json

from stories import measure, measure_whole

SIZES = {"stories15M": (288, 768), "stories260K": (64, 172)}  # hidden and intermediate
RATIOS = [0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5]
TRAINED = [0.05, 0.1, 0.2, 0.35, 0.5]
ATTENTION = {"mlp": "mlp", "attention": "attention", "both": "mlp,attention"}
REMOVED = 0.2  # of what 4.3.1 factors


def rank_of(ratio, model="stories15M"):
    """These models are too small for blocks of 128 ranks."""
    hidden, intermediate = SIZES[model]
    return round((1 - ratio) * hidden * intermediate / (hidden + intermediate))


def rank_of_square(ratio, size):
    return round((1 - ratio) * size / 2)


def names():
    """In the order in which they are run: what takes long last."""
    rows = [f"{model}-whole" for model in SIZES]
    for way in ("whiten", "closed", "block"):
        rows += [f"stories15M-{way}-{ratio}" for ratio in RATIOS]
    rows += [f"stories15M-{part}-{way}" for part in ("attention", "both") for way in ("whiten", "closed")]
    rows += [f"stories260K-{way}-{ratio}" for way in ("whiten", "closed", "block") for ratio in TRAINED]
    rows += [f"stories15M-lora-{ratio}" for ratio in (0.1, 0.2, 0.05, 0.5, 0.35)]
    rows += [f"stories15M-{part}-lora" for part in ("both", "attention")]
    return rows


def write_ranks(path, parts):
    """Ranks of both kinds of weights of stories15M, of which the same share is to be removed."""
    hidden = SIZES["stories15M"][0]
    ranks = {}
    for layer in range(6):
        if parts != "mlp":
            for weight in "qkvo":
                ranks[f"model.layers.{layer}.self_attn.{weight}_proj"] = rank_of_square(REMOVED, hidden)
        if parts != "attention":
            for weight in ("gate", "up", "down"):
                ranks[f"model.layers.{layer}.mlp.{weight}_proj"] = rank_of(REMOVED)
    with open(path, "w", encoding="utf-8") as file:
        json.dump(ranks, file)


def run_row(name, folder):
    model, first, *rest = name.split("-")
    if first == "whole":
        return {key: round(value, 4) for key, value in measure_whole(model).items()}
    if first in ATTENTION:
        write_ranks(folder / "ranks.json", first)
        found = measure(rest[0], f"--ranks={folder / 'ranks.json'}", name=model)
    else:
        found = measure(first, f"--rank={rank_of(float(rest[0]), model)}", name=model)
    manifest = found.pop("manifest")["model"]
    row = {key: round(value, 4) for key, value in found.items() if key != "seconds"}
    return {**row, "removed": round(1 - manifest["params_after"] / manifest["params_before"], 4)}
