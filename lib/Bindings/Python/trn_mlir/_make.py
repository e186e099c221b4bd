# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules from sizes, and factored models, as `trn-gen` and `trn-compress` make them."""

from __future__ import annotations

import json
import os
import pathlib
import re
from typing import Any, NamedTuple

from ._tools import flags, run_tool

_RANK = re.compile(r"^(\S+) +\d+ x \d+ +rank (\d+)$", re.M)


def generate(what: str, model: str | os.PathLike | None = None, *,
             m: int | None = None,
             k: int | None = None,
             r: int | None = None,
             n: int | None = None,
             hidden: int | None = None,
             intermediate: int | None = None,
             heads: int | None = None,
             kv_heads: int | None = None,
             head_dim: int | None = None,
             context: int | None = None,
             causal: bool = False,
             window: int | None = None,
             qk_norm: bool = False,
             eps: float | None = None,
             rank: int | None = None,
             ratio: float | None = None,
             dense: bool = False,
             mode: str | None = None,
             rows: int | None = None,
             batch: int | None = None,
             layers: int | None = None,
             all_logits: bool = False,
             dtype: str | None = None,
             weights: str | None = None,
             transposed_input: bool = False,
             transposed_output: bool = False,
             kind: str | None = None) -> str:
    """A module, as `trn-gen` writes it: "xw" for X[m, k] W[k, n], "xuv" for
    X[m, k] U[k, r] V[r, n], "mlp" for down(silu(gate(X)) * up(X)) with X[m, hidden], "qkv",
    "norm", "attention", "layer", or "llama" of a `model`: a config.json, a folder with one, or a
    file of llama2.c.

    Sizes are numbers of elements; `ratio` is the share of parameters that factors remove. `kind` of
    a norm is "rms" or "layer". `dtype` is "bf16", "f16" or "f32", `weights` "int8" or "fp8".

    >>> text = generate("attention", m=128, heads=2, head_dim=64, causal=True)
    >>> "func.func @main" in text
    True
    """
    options = {name: value for name, value in locals().items()
               if name not in ("what", "model")}
    place = [] if model is None else [os.fspath(model)]
    return run_tool("trn-gen", [what, *place, *flags(options)])


class Compression(NamedTuple):
    """What a compression did. `report` is what the folder has as `trn_compress.json` (of a dry
    run: nothing), `ranks` are those of the weights by name, `text` is what the tool prints."""
    report: dict[str, Any]
    ranks: dict[str, int]
    text: str


def compress(model: str | os.PathLike, output: str | os.PathLike | None = None, *,
             ratio: float | None = None,
             model_ratio: float | None = None,
             keep_ratio: float | None = None,
             rank: int | None = None,
             ranks: str | os.PathLike | None = None,
             neurons: str | int | None = None,
             heads: int | None = None,
             kv_heads: int | None = None,
             speedup: float | None = None,
             block: int | None = None,
             alpha: float | None = None,
             allocate: str | None = None,
             method: str | None = None,
             metric: str | None = None,
             scores: str | None = None,
             sigma: str | None = None,
             svd: str | None = None,
             shrink: float | None = None,
             stream_error: str | None = None,
             refit: str | None = None,
             recover: str | None = None,
             steps: int | None = None,
             step_size: float | None = None,
             loss: str | None = None,
             lora_from: str | None = None,
             lora_rank: int | None = None,
             save_adapter: str | os.PathLike | None = None,
             adapter: str | os.PathLike | None = None,
             calib: str | os.PathLike | None = None,
             calib_seqs: int | None = None,
             train_seqs: int | None = None,
             max_tokens: int | None = None,
             seed: int | None = None,
             tokenizer: str | os.PathLike | None = None,
             evaluate: str | os.PathLike | None = None,
             evaluate_stories: int | None = None,
             modules: str | None = None,
             ignore: str | None = None,
             layers: str | None = None,
             rows: str | None = None,
             machine: str | os.PathLike | None = None,
             require_faster: bool = False,
             dtype: str | None = None,
             weights: str | None = None,
             export: str | None = None,
             max_shard_size: str | None = None,
             html: str | os.PathLike | None = None,
             dry_run: bool = False,
             force: bool = False,
             resume: bool = False,
             threads: int | None = None) -> Compression:
    """Factors the weights of a language model, as `trn-compress` does: `model` is a file of
    llama2.c or a folder of Hugging Face, `output` the folder to make.

    Ratios are shares of parameters that are removed, `rank` and `block` numbers of columns,
    `rows` those of X at which kernels are modelled, as "1,512". `weights` is "int8" or "fp8".
    docs/Compression.md says what the other options are.
    """
    options = {name: value for name, value in locals().items() if name not in ("model", "output")}
    text = run_tool("trn-compress", [*flags({**options, "o": output}), "--", os.fspath(model)])
    report = {}
    if output is not None and not dry_run:
        report = json.loads(pathlib.Path(output, "trn_compress.json").read_text("utf-8"))
    return Compression(report, {name: int(found) for name, found in _RANK.findall(text)}, text)
