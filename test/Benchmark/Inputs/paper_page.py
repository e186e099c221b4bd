"""The page docs/Paper.md and its pictures from stored runs: tables here, the text in paper.md."""

import json
import math
import pathlib
import string
import textwrap

import paper_cores
import paper_pictures
from paper_compression import ATTENTION, RATIOS as REMOVED, rank_of
from paper_formulas import intensity, sbuf
from paper_runs import CONFIGS, MAPPED, MAP_RANKS, MAP_ROWS, RATIOS, REPLAYED, ROWS, STRIPS, map_rank

HERE = pathlib.Path(__file__).resolve().parent
PAPER = json.loads((HERE / "paper.json").read_text(encoding="utf-8"))
SBUF = 24 * 2 ** 20  # as the paper counts it


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def mean(numbers):
    numbers = list(numbers)
    return sum(numbers) / len(numbers)


def percent(share, digits=1):
    return f"{100 * share:.{digits}f} %"


def launched_apart(run):
    """ms if the kernels of a run, which is one launch, are launched one by one: with the fixed time of each."""
    return run["latency_ms"] + run["overhead_ms"] * (run["kernels"] - 1)


class Page:
    def __init__(self, runs, compressions):
        self.runs, self.compressions = runs, compressions

    # Tables 1 to 3, and figures of kernels

    def table1(self):
        rows = []
        for name, ours, replay in (("sequential", "table1 sequential", "table1 replay sequential"),
                                   ("naive", "table1 naive", None), ("fused", "table1 fused", None)):
            paper = PAPER["table1"].get(name)

            def row(what, key, scale, digits, theirs):
                cells = [f"{self.runs[run][key] / scale:.{digits}f}" if run else "-" for run in (ours, replay)]
                return [f"{name}: {what}", f"{paper[theirs]:.2f}" if paper else "-", *cells]

            rows += [row("ms", "latency_ms", 1, 2, "ms"), row("GFLOP that are executed", "executed_flops", 1e9, 2, "gflop"),
                     row("MB to and from HBM", "hbm_bytes", 1e6, 1, "mb")]
        return table(["", "paper", "plan", "replay"], rows)

    def rows_of(self, kernel, replay=False):
        """Runs of Table 2 by rows. A replay whose sums of all rows must fit SBUF has at most 4096: above, it
        counts as often as that goes into the rows."""
        kind = "replay " if replay else ""
        for m in ROWS:
            if replay and kernel != "fused" and m > REPLAYED[-1]:
                run = self.runs[f"table2 replay {kernel} {REPLAYED[-1]}"]
                times = m // REPLAYED[-1]
                yield {key: value * times if key.endswith(("_ms", "flops", "_bytes")) else value
                       for key, value in run.items()}
            else:
                yield self.runs[f"table2 {kind}{kernel} {m}"]

    def mean_of(self, kernel, key, replay=False):
        return mean(run[key] for run in self.rows_of(kernel, replay))

    def table2(self):
        rows = []
        for kernel, name in (("xw", "X·W"), ("xuv", "X·U·V in sequence"), ("fused", "X·U·V fused")):
            paper = PAPER["table2"][kernel]
            for what, theirs, key, scale, digits in (
                    ("ms", "ms", "latency_ms", 1, 2), ("GB", "gb", "hbm_bytes", 1e9, 2),
                    ("tensor engine active, %", "active", "tensor_engine_active_percent", 1, 1),
                    ("MFU, %", "mfu", "mfu_percent", 1, 1), ("TFLOP", "tflop", "flops", 1e12, 2),
                    ("GFLOP of transpositions", "transpose", "transpose_flops", 1e9, 1)):
                ours = [f"{self.mean_of(kernel, key, replay) / scale:.{digits}f}" for replay in (False, True)]
                rows.append([f"{name}: {what}", f"{paper[theirs]:.2f}", *ours])
        return table(["mean over 1K to 32K rows", "paper", "plan", "replay"], rows)

    def speedups(self):
        def ratio(slow, fast, key, replay):
            return self.mean_of(slow, key, replay) / self.mean_of(fast, key, replay)

        def last(kernel, key, replay):
            return list(self.rows_of(kernel, replay))[-1][key]

        rows = []
        for what, theirs, slow, fast, key in (
                ("fused over X·W, time", "fused over XW", "xw", "fused", "latency_ms"),
                ("in sequence over X·W, time", "XUV over XW", "xw", "xuv", "latency_ms"),
                ("fused over in sequence, time", "fused over XUV", "xuv", "fused", "latency_ms"),
                ("fused over in sequence, traffic", "traffic", "xuv", "fused", "hbm_bytes"),
                ("fused over in sequence, transpositions", "transposes", "xuv", "fused", "transpose_flops")):
            rows.append([what, f"{PAPER['speedups'][theirs]:.2f}",
                         *(f"{ratio(slow, fast, key, replay):.2f}" for replay in (False, True))])
        for what, theirs, key in (("32K rows: fused over X·W, time", "faster", "latency_ms"),
                                  ("32K rows: fused over X·W, traffic", "less", "hbm_bytes")):
            rows.append([what, f"{PAPER['figure5'][theirs]:.2f}",
                         *(f"{last('xw', key, replay) / last('fused', key, replay):.2f}" for replay in (False, True))])
        return table(["times better", "paper", "plan", "replay"], rows)

    def table3(self):
        rows = []
        for strip in STRIPS:
            paper, ours, replay = PAPER["table3"][str(strip)], self.runs[f"table3 {strip}"], \
                self.runs.get(f"table3 replay {strip}")
            fits = "error" not in ours
            rows.append([strip, f"{paper['ms']:.2f}", f"{ours['latency_ms']:.2f}" if fits else "does not fit",
                         f"{replay['latency_ms']:.2f}" if replay else "-", f"{paper['intensity']:.2f}",
                         f"{ours['flops'] / ours['hbm_bytes']:.2f}" if fits else "-",
                         f"{replay['flops'] / replay['hbm_bytes']:.2f}" if replay else "-",
                         f"{paper['sbuf']:.2f}", f"{ours['sbuf_live_percent']:.2f}" if fits else "-",
                         f"{replay['sbuf_live_percent']:.2f}" if replay else "-", f"{paper['spill']:.1f}",
                         "0" if fits else "-"])
        return table(["block-m", "ms: paper", "plan", "replay", "FLOP/B: paper", "plan", "replay", "SBUF %: paper",
                      "plan", "replay", "spilled MB: paper", "plan"], rows)

    def equations(self):
        rows = []
        for strip in STRIPS:
            loops, plan = self.runs.get(f"loops {strip}"), self.runs[f"table3 {strip}"]
            found = f"{loops['flops'] / loops['hbm_bytes']:.2f}" if loops else "-"
            live = f"{loops['sbuf_live_bytes'] / 2 ** 20:.2f}" if loops else "-"
            own = f"{plan['sbuf_live_bytes'] / 2 ** 20:.2f}" if "error" not in plan else "does not fit"
            rows.append([strip, f"{intensity(strip):.2f}", found, f"{PAPER['table3'][str(strip)]['intensity']:.2f}",
                         f"{sbuf(strip) / 2 ** 20:.2f}", live, own,
                         f"{PAPER['table3'][str(strip)]['sbuf'] / 100 * SBUF / 2 ** 20:.2f}"])
        return table(["block-m", "Eq. 10, FLOP/B", "the loops", "paper", "Eq. 11, MiB", "the loops", "our plan", "paper"],
                     rows)

    # Shares and ranks

    def shares(self):
        rows = []
        for model in CONFIGS:
            parts = self.runs[f"parameters {model}"]
            paper = PAPER["figure1"].get(model)
            share = parts.get("mlp", parts.get("experts")) / parts["all"]
            rows.append([model, f"{parts['all'] / 1e9:.3f}", percent(share, 2), f"{paper} %" if paper else "-",
                         *(percent(parts[part] / parts["all"], 2) if part in parts else "-"
                           for part in ("attention", "embedding", "head", "router", "norms"))])
        return table(["model", "10⁹ parameters", "MLPs or experts", "paper", "attention", "embedding", "head", "router",
                      "norms"], rows)

    def ranks(self):
        rows = []
        for model in CONFIGS:
            found = self.runs.get(f"ranks {model}")
            if found:
                config, parts = CONFIGS[model], self.runs[f"parameters {model}"]
                k, n = config["hidden_size"], config["intermediate_size"]
                rows.append([model, f"{k} x {n}", (k * n - 1) // (k + n), *found["matrix"],
                             percent(parts["mlp"] / parts["all"]), *found["model"]])
        return table(["model", "weight", "largest useful rank", *(f"{ratio} of a weight" for ratio in RATIOS),
                      "MLPs", *(f"{ratio} of the model" for ratio in RATIOS)], rows)

    # Where fusion pays

    def gains(self):
        """(over in sequence, the same in one launch, over dense) by model, rows and rank."""
        gains = {}
        for model in MAPPED:
            for m in MAP_ROWS:
                dense = self.runs[f"map {model} {m} dense"]
                for part in MAP_RANKS:
                    r = map_rank(model, part)
                    fused, apart = (self.runs[f"map {model} {m} {r} {name}"] for name in ("fused", "sequential"))
                    gains[model, m, part] = (launched_apart(apart) / fused["latency_ms"],
                                             apart["latency_ms"] / fused["latency_ms"],
                                             dense["latency_ms"] / fused["latency_ms"])
        return gains

    def map(self):
        gains = self.gains()

        def span(m, which):
            found = [gain[which] for key, gain in gains.items() if key[1] == m]
            return f"{min(found):.2f} to {max(found):.2f}"

        return table(["rows", "over in sequence, two launches", "over in sequence, one launch", "over dense"],
                     [[m, *(span(m, which) for which in range(3))] for m in MAP_ROWS])

    # Compressions

    def compressed(self, name):
        return self.compressions.get(name)

    def speed(self, model, ratio):
        return self.runs[f"speed {model} None"]["latency_ms"] / self.runs[f"speed {model} {ratio}"]["latency_ms"]

    def figure6(self):
        whole = self.compressions["stories15M-whole"]
        ways = ("whiten", "closed", "block", "lora")
        rows = [["0", "-", *[f"{whole['later']:.2f}, {percent(whole['choice'])}"] * 4, "1.00", "1.00"]]
        for ratio in REMOVED:
            found = [self.compressed(f"stories15M-{way}-{ratio}") for way in ways]
            rows.append([ratio, rank_of(ratio),
                         *(f"{row['later']:.2f}, {percent(row['choice'])}" if row else "-" for row in found),
                         *(f"{self.speed(model, ratio):.2f}" for model in ("stories15M", "Llama-3.2-1B"))])
        return table(["removed", "rank", "no recovery", "closed", "block", "LoRA", "speed-up of its MLP",
                      "of Llama-3.2-1B's"], rows)

    def figure6_small(self):
        rows = []
        for ratio in REMOVED:
            found = [self.compressed(f"stories260K-{way}-{ratio}") for way in ("whiten", "closed", "block")]
            if any(found):
                rows.append([ratio, rank_of(ratio, "stories260K"),
                             *(f"{row['later']:.2f}" if row else "-" for row in found)])
        return table(["removed", "rank", "no recovery", "closed", "block"], rows)

    def attention(self):
        names = {"mlp": "MLPs", "attention": "attention", "both": "both"}
        rows = []
        for part in ATTENTION:
            found = [self.compressed(f"stories15M-{way}-0.2" if part == "mlp" else f"stories15M-{part}-{way}")
                     for way in ("whiten", "closed", "lora")]
            rows.append([names[part], percent(found[0]["removed"]) if found[0] else "-",
                         *(f"{row['later']:.2f}, {percent(row['choice'])}" if row else "-" for row in found)])
        return table(["factored", "of the model removed", "no recovery", "closed", "LoRA"], rows)

    def cost(self, name):
        """What the logarithm of the perplexity grows by for each percent of the model that is removed."""
        row = self.compressions[name]
        return math.log(row["later"] / self.compressions["stories15M-whole"]["later"]) / (100 * row["removed"])

    def relative(self):
        """Perplexities over those of the whole model."""
        whole = self.compressions["stories15M-whole"]["later"]
        rows = [[model, *(f"{theirs[i + 1] / theirs[0]:.2f}" for i in range(3))]
                for model, theirs in PAPER["table4"].items()]
        for way in ("whiten", "closed", "lora"):
            found = [self.compressed(f"stories15M-{way}-{ratio}") for ratio in RATIOS]
            rows.append([f"stories15M, {paper_pictures.WAYS[way]}",
                         *(f"{row['later'] / whole:.2f}" if row else "-" for row in found)])
        return table(["perplexity over the whole model's", *map(str, RATIOS)], rows)

    # Numbers in the text

    def numbers(self):
        t1, gains = PAPER["table1"], self.gains()
        naive, replay, fused = (self.runs[f"table1 {name}"] for name in ("naive", "replay sequential", "fused"))
        first, second = 2 * 2048 ** 3, 2 * 2048 * 2048 * 8192
        blocks = 8192 // 512
        demo = {name: self.runs[f"demo {name}"] for name in ("xw", "xuv", "fused")}
        figure2 = {name: self.runs[f"figure2 replay {name}"] for name in ("xw", "xuv")}

        on_cores = paper_cores.figure8()
        vendors = {cores: " to ".join("%.0f" % (100 * (times - 1)) for times in both) + " %"
                   for cores, both in paper_cores.baseline_range().items()}

        def dma(run):
            return run["dma_active_percent"] * run["latency_ms"]

        def gain(slow, fast):
            return percent(slow / fast - 1)

        large = [gain[1] for key, gain in gains.items() if key[1] >= 2048]
        few = [gain for key, gain in gains.items() if key[1] < 2048]
        narrow, small = self.runs["table3 128"], self.runs["speed stories15M None"]
        paper_narrow = PAPER["table3"]["128"]
        return {
            "vendor_one": vendors[1], "vendor_two": vendors[2],
            "figure8_dense": f"{on_cores[0]:.0f}", "figure8_factored": f"{on_cores[1]:.0f}",
            "paper_sequential": f"{t1['sequential']['ms']:.2f}", "replay_sequential": f"{replay['latency_ms']:.2f}",
            "paper_naive": f"{t1['naive']['ms']:.2f}", "naive": f"{naive['latency_ms']:.2f}",
            "naive_gflop": f"{t1['naive']['gflop']:.2f}",
            "recomputed_gflop": f"{(blocks * first + second) / 1e9:.2f}", "blocks": blocks,
            "naive_mb": f"{t1['naive']['mb']:.0f}", "ours_naive_mb": f"{naive['hbm_bytes'] / 1e6:.0f}",
            "naive_bytes_ms": f"{t1['naive']['mb'] / 272:.1f}",
            "naive_flops_ms": f"{t1['naive']['gflop'] / 91.75:.1f}",
            "naive_left_ms": f"{t1['naive']['ms'] - t1['naive']['mb'] / 272 - t1['naive']['gflop'] / 91.75:.1f}",
            "mean_gain": gain(self.mean_of("xuv", "latency_ms"), self.mean_of("fused", "latency_ms")),
            "demo_gain": gain(demo["xuv"]["latency_ms"], demo["fused"]["latency_ms"]),
            "table1_gain": gain(self.runs["table1 sequential"]["latency_ms"], fused["latency_ms"]),
            "demo_over_dense": f"{demo['xw']['latency_ms'] / demo['fused']['latency_ms']:.2f}",
            "paper_fused": PAPER["table2"]["fused"]["ms"],
            "plan_fused": f"{self.mean_of('fused', 'latency_ms'):.2f}",
            "replay_fused": f"{self.mean_of('fused', 'latency_ms', True):.2f}",
            "paper_xw": PAPER["table2"]["xw"]["ms"], "replay_xw": f"{self.mean_of('xw', 'latency_ms', True):.2f}",
            "paper_xuv": PAPER["table2"]["xuv"]["ms"], "replay_xuv": f"{self.mean_of('xuv', 'latency_ms', True):.2f}",
            "replay_xw_gb": f"{self.mean_of('xw', 'hbm_bytes', True) / 1e9:.2f}",
            "paper_xw_gb": PAPER["table2"]["xw"]["gb"],
            "replay_xuv_gb": f"{self.mean_of('xuv', 'hbm_bytes', True) / 1e9:.2f}",
            "paper_xuv_gb": PAPER["table2"]["xuv"]["gb"],
            "replay_gain": f"{self.mean_of('xuv', 'latency_ms', True) / self.mean_of('fused', 'latency_ms', True):.2f}",
            "refusal": self.runs["table3 4096"]["error"],
            "dma_times": f"{dma(figure2['xuv']) / dma(figure2['xw']):.2f}",
            "paper_dma_times": f"{1 + PAPER['figure2']['dma'] / 100:.2f}",
            "bytes_times": f"{figure2['xuv']['hbm_bytes'] / figure2['xw']['hbm_bytes']:.2f}",
            "plan_dma_times": f"{dma(demo['xuv']) / dma(demo['xw']):.2f}",
            "plan_bytes_times": f"{demo['xuv']['hbm_bytes'] / demo['xw']['hbm_bytes']:.2f}",
            "large_least": f"{min(large):.2f}", "large_most": f"{max(large):.2f}",
            "few_least": f"{min(gain[1] for gain in few):.2f}", "few_most": f"{max(gain[1] for gain in few):.2f}",
            "few_two": f"{max(gain[0] for gain in few):.2f}",
            "paper_rate": f"{narrow['flops'] / paper_narrow['intensity'] / paper_narrow['ms'] / 1e6:.0f}",
            "plan_rate": f"{narrow['hbm_bytes'] / narrow['latency_ms'] / 1e6:.0f}",
            "launch": f"{small['overhead_ms']:.3f}", "small_mlp": f"{small['latency_ms']:.3f}",
            "bytes_xw": f"{PAPER['table2']['xw']['gb'] * 1e9 / self.mean_of('xw', 'hbm_bytes', True):.1f}",
            "bytes_xuv": f"{PAPER['table2']['xuv']['gb'] * 1e9 / self.mean_of('xuv', 'hbm_bytes', True):.1f}",
            **{f"last_{kernel}{name}": f"{list(self.rows_of(kernel, replay))[-1]['latency_ms']:.2f}"
               for kernel in ("xw", "fused") for name, replay in (("", False), ("_replay", True))},
            **{f"last_{kernel}_paper": f"{PAPER['figure5'][kernel]:.2f}" for kernel in ("xw", "fused")},
            **{f"cost_{part}{name}": f"{self.cost(row):.2f}" for part, name, row in (
                ("mlp", "", "stories15M-whiten-0.2"), ("mlp", "_closed", "stories15M-closed-0.2"),
                ("attention", "", "stories15M-attention-whiten"),
                ("attention", "_closed", "stories15M-attention-closed"))},
            "at45": f"{PAPER['figure6']['0.45']['perplexity']}", "at50": f"{PAPER['figure6']['0.5']['perplexity']}",
        }

    @staticmethod
    def table4():
        return table(*paper_cores.speedups(PAPER["table4_speedups"]))

    @staticmethod
    def requests():
        return table(*paper_cores.requests(PAPER["requests"]))

    def fill(self, text):
        tables = {name: getattr(self, name)() for name in (
            "table1", "table2", "speedups", "table3", "equations", "shares", "ranks", "map", "figure6", "figure6_small",
            "attention", "relative", "table4", "requests")}
        sentence = self.sentence().replace("docs/Paper.md#", "#")
        return string.Template(text).substitute(tables | self.numbers() | {"sentence": sentence.rstrip()})

    def sentence(self):
        """Of README, which the page has, too."""
        text = string.Template(
            "Fusing pays with few rows. These factors are modelled on trn1 for four models. Up to 512 rows a fused chain "
            "is $few_least to $few_most times as fast as its products in one launch, and up to $few_two times as fast as "
            "in two. With 2048 rows and more it is $large_least to $large_most times as fast, as the tensor engine limits "
            "either way ([map](docs/Paper.md#where-fusion-pays)).").substitute(self.numbers())
        return textwrap.fill(text, 90, break_long_words=False, break_on_hyphens=False) + "\n"

    def curves(self):
        """By way: (ratio, perplexity, share of right choices)."""
        return {way: [(ratio, row["later"], row["choice"]) for ratio in REMOVED
                      if (row := self.compressed(f"stories15M-{way}-{ratio}"))]
                for way in ("whiten", "closed", "block", "lora")}


def make(runs, compressions):
    """Contents by path below docs, and a paragraph of README."""
    page = Page(runs, compressions)
    return {"Paper.md": page.fill((HERE / "paper.md").read_text(encoding="utf-8")),
            "images/paper-fusion.svg": paper_pictures.fusion(page.gains()),
            "images/paper-compression.svg": paper_pictures.compression(page.curves())}, page.sentence()
