"""The runs on trn1 that docs/Paper.md is made of: a name, a function that runs it."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

import replays
from timing import execute, report
from trn_writer import module, spell

HERE = pathlib.Path(__file__).resolve().parent
MACHINE = "trn1"
ROWS = [1024, 2048, 4096, 8192, 16384, 32768]
REPLAYED = ROWS[:3]  # of the vendor's loops
TABLE1, TABLE2, TABLE3 = (2048, 2048, 2048, 8192), (8192, 4096, 16384), (4096, 7168, 4096, 18432)
STRIPS = [128, 256, 512, 1024, 2048, 4096]
BLOCK = 1024  # of k, r and n in the paper's loops

CONFIGS = json.loads((HERE / "configs.json").read_text())
RATIOS = [0.05, 0.1, 0.2]
MAPPED = {"Qwen3-1.7B": (2048, 6144), "Llama-3.2-1B": (2048, 8192), "Llama-3.1-8B": (4096, 14336),
          "DeepSeek-V3": (7168, 18432)}
MAP_ROWS = [16, 128, 512, 2048, 8192]
MAP_RANKS = [0.25, 0.5, 0.75, 1]  # of the break-even rank
SPEED_ROWS = 512

KEYS = ["latency_ms", "flops", "executed_flops", "hbm_bytes", "spill_bytes", "sbuf_live_bytes", "sbuf_live_percent",
        "tensor_engine_active_percent", "mfu_percent", "transpose_flops", "dma_active_percent", "bound_ms"]


def pick(result):
    overhead = sum(part["ms"] for part in result["critical_path"] if part["reason"] == "kernel_overhead")
    return {**{key: round(result[key], 6) for key in KEYS if key in result}, "overhead_ms": round(overhead, 6),
            "kernels": sum(kernel["calls"] for kernel in result["kernels"])}


def product(m, k, n):
    return execute(["trn-gen", "xw", f"--m={m}", f"--k={k}", f"--n={n}", "--dtype=bf16"])


def chain(m, k, r, n, *options):
    return execute(["trn-gen", "xuv", f"--m={m}", f"--k={k}", f"--r={r}", f"--n={n}", "--dtype=bf16", *options])


def compiled(source, options=""):
    return pick(report(source, f"--compile={options}", f"--machine={MACHINE}"))


def replayed(kernels):
    return pick(report(module(spell(MACHINE), *kernels)))


def paper_schedule(strip):
    """The paper's loops as a schedule, one buffer each; sums across blocks in SBUF in bf16."""
    return (f"nests = [yt (m = {strip}, k = {BLOCK}, r = {BLOCK}), o (m = {strip}, n = {BLOCK}, r = {BLOCK})], "
            "homes = [x at k, u at r, yt at m sums at m in sbuf bf16, v at r, o at n sums at n in sbuf bf16]>")


def as_paper(strip, change=lambda schedule: schedule):
    """Table 3's chain by the paper's loops; X comes transposed, as the formulas have no transposition."""
    planned = execute(["trn-opt", "-", f"--trn-set-machine=machine={MACHINE}", "--trn-outline-kernels",
                       "--trn-plan-kernels=transpose=implicit effort=1"], chain(*TABLE3, "--transposed-input"))
    schedule = change(paper_schedule(strip))
    return compiled(re.sub(r"nests = .*\]>", schedule, planned))


def refusal(source, options):
    """Why a plan is refused, without where."""
    done = subprocess.run(["trn-run", "-", "--timing-only", f"--compile={options}", f"--machine={MACHINE}"],
                          input=source, capture_output=True, text=True)
    return {"error": re.search(r"error: (.*)", done.stderr).group(1)}


def count_parameters(model):
    with tempfile.TemporaryDirectory() as folder:
        path, out = os.path.join(folder, "config.json"), os.path.join(folder, "report.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(CONFIGS[model], file)
        execute(["trn-llm", "parameters", path, "--report=" + out])
        with open(out, encoding="utf-8") as file:
            return json.load(file)


def rank(model, ratio):
    """What the tools make of Eq. 5 for a weight of the MLP."""
    config = CONFIGS[model]
    text = execute(["trn-gen", "mlp", "--m=128", f"--hidden={config['hidden_size']}",
                    f"--intermediate={config['intermediate_size']}", f"--ratio={ratio:.9f}"])
    return int(re.search(r"%gate_u: tensor<\d+x(\d+)x", text).group(1))


def ranks(model):
    """By matrix (Eq. 5 alone), and by a share of the model (with Eq. 4)."""
    parts = count_parameters(model)
    share = parts["mlp"] / parts["all"]
    return {"matrix": [rank(model, ratio) for ratio in RATIOS],
            "model": [rank(model, ratio / share) for ratio in RATIOS]}


def map_rank(model, part):
    k, n = MAPPED[model]
    return max(128, round(part * k * n / (k + n) / 128) * 128)


def mlp(hidden, intermediate, rank=None):
    factors = ["--rank=%d" % rank] if rank else ["--dense"]
    return execute(["trn-gen", "mlp", f"--m={SPEED_ROWS}", f"--hidden={hidden}", f"--intermediate={intermediate}",
                    *factors])


def maps():
    for model, (k, n) in MAPPED.items():
        for m in MAP_ROWS:
            yield f"map {model} {m} dense", lambda m=m, k=k, n=n: compiled(product(m, k, n))
            for part in MAP_RANKS:
                r = map_rank(model, part)
                for name, strategy in (("sequential", "sequential"), ("fused", "strip-cache")):
                    yield (f"map {model} {m} {r} {name}", lambda m=m, k=k, r=r, n=n, strategy=strategy:
                           compiled(chain(m, k, r, n), "strategy=" + strategy))


def speeds():
    from paper_compression import RATIOS as COMPRESSED, SIZES, rank_of
    for ratio in [None, *COMPRESSED]:
        r = ratio and rank_of(ratio)
        yield f"speed stories15M {ratio}", lambda r=r: compiled(mlp(*SIZES["stories15M"], r))
        k, n = MAPPED["Llama-3.2-1B"]
        r = ratio and max(128, round((1 - ratio) * k * n / (k + n) / 128) * 128)
        yield f"speed Llama-3.2-1B {ratio}", lambda r=r, k=k, n=n: compiled(mlp(k, n, r))


def small():
    """What a test runs again: bytes that follow from formulas, parameters, and two times."""
    for strip in STRIPS[:4]:
        yield f"loops {strip}", lambda strip=strip: as_paper(strip)
    for model in CONFIGS:
        yield f"parameters {model}", lambda model=model: count_parameters(model)
    yield "table1 replay sequential", lambda: replayed(replays.sequential(*TABLE1))
    yield "table2 replay fused 1024", lambda: replayed(replays.fused(1024))


def runs_of_table2():
    k, r, n = TABLE2
    for m in ROWS:
        yield f"table2 xw {m}", lambda m=m: compiled(product(m, k, n))
        yield f"table2 xuv {m}", lambda m=m: compiled(chain(m, k, r, n), "strategy=sequential")
        yield f"table2 fused {m}", lambda m=m: compiled(chain(m, k, r, n),
                                                        "strategy=strip-cache output-layout=transposed")
        if m > 1024:
            yield f"table2 replay fused {m}", lambda m=m: replayed(replays.fused(m))
    for m in REPLAYED:
        yield f"table2 replay xw {m}", lambda m=m: replayed(replays.plain(m))
        yield f"table2 replay xuv {m}", lambda m=m: replayed(replays.sequential(m))


def runs_of_table3():
    m, k, r, n = TABLE3
    for strip in STRIPS[:5]:
        yield f"table3 {strip}", lambda strip=strip: compiled(chain(*TABLE3), f"strategy=strip-cache block-m={strip}")
    yield "table3 4096", lambda: refusal(chain(*TABLE3), "strategy=strip-cache block-m=4096")
    yield "demo xw", lambda: compiled(product(m, k, n))
    yield "demo xuv", lambda: compiled(chain(*TABLE3), "strategy=sequential")
    yield "demo fused", lambda: compiled(chain(*TABLE3), "strategy=strip-cache")
    for strip in STRIPS[:4]:
        yield f"table3 replay {strip}", lambda strip=strip: replayed(replays.fused(m, k, r, n, rows=strip))
    yield "figure2 replay xw", lambda: replayed(replays.plain(m, k, n))
    yield "figure2 replay xuv", lambda: replayed(replays.sequential(m, k, r, n))


def all_runs():
    yield from small()
    for model in CONFIGS:
        if "num_local_experts" not in CONFIGS[model]:
            yield f"ranks {model}", lambda model=model: ranks(model)
    blocks = "block-m=512 block-k=512 block-r=512 block-n=512"
    yield "table1 sequential", lambda: compiled(chain(*TABLE1), "strategy=sequential")
    yield "table1 naive", lambda: compiled(chain(*TABLE1), "strategy=recompute " + blocks)
    yield "table1 fused", lambda: compiled(chain(*TABLE1), "strategy=strip-cache")
    yield from runs_of_table2()
    yield from runs_of_table3()
    yield from speeds()
    yield from maps()
