"""What becomes of the stories models when trn-compress makes factors of their weights."""

import json
import os
import pathlib
import subprocess
import tempfile
import time

DATA = pathlib.Path(os.environ.get("TRN_DATA_DIR")
                    or pathlib.Path(__file__).resolve().parents[4] / "shared/data")
TOKENIZERS = {"stories15M": "stories15M/tokenizer.bin", "stories260K": "stories260K/tok512.bin"}

WAYS = {"plain": ["--recover=none", "--method=plain"], "asvd": ["--recover=none", "--method=asvd"],
        "whiten": ["--recover=none", "--method=whiten"], "whiten+fisher": ["--recover=none", "--metric=fisher"],
        "closed": ["--recover=closed"], "fisher": ["--metric=fisher"],
        "fisher+refit": ["--metric=fisher", "--refit=attention"], "block": ["--recover=block"],
        "lora": ["--recover=lora"], "distill": ["--recover=distill"]}
# Ways that take a number of neurons.
NEURONS = {"neurons": [], "neurons+refit": ["--refit=attention"], "norm": ["--scores=norm"],
           "neurons+block": ["--recover=block"], "norm+block": ["--scores=norm", "--recover=block"],
           "neurons+distill": ["--recover=distill"]}


def checkpoint(model):
    return DATA / model / f"{model}.bin"


def execute(*command):
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)


def score(folder, model, name="stories15M"):
    """Two perplexities, and the share of right choices, which are ids of stories15M's tokenizer."""
    report, tokenizer = folder / "report.json", f"--tokenizer={DATA / TOKENIZERS[name]}"

    def read(key, *command):
        execute("trn-llm", *command, f"--report={report}")
        return json.loads(report.read_text())[key]

    head, later = (read("perplexity", "perplexity", model, f"--text={DATA / 'text' / text}", tokenizer, *options)
                   for text, options in (("tinystories-valid-head.txt", []),
                                         ("tinystories-train-eval.txt", ["--stories=60"])))
    found = {"head": head, "later": later}
    if name == "stories15M":
        found["choice"] = read("accuracy", "choose", model, DATA / "text/choice.jsonl")
    return found


def measure(way, *ranks, name="stories15M"):
    """The score of a model whose ranks or neurons are those that the options `ranks` ask for, with the manifest of the
    compression and its seconds."""
    with tempfile.TemporaryDirectory() as path:
        folder = pathlib.Path(path)
        start = time.monotonic()
        options = WAYS[way] if way in WAYS else ["--method=neurons", *NEURONS[way]]
        execute("trn-compress", checkpoint(name), "-o", folder / "out", *ranks, *options, "--rows=",
                f"--calib={DATA / 'text/tinystories-train-calib.txt'}", f"--tokenizer={DATA / TOKENIZERS[name]}")
        seconds = time.monotonic() - start
        manifest = json.loads((folder / "out/trn_compress.json").read_text())
        return {**score(folder, folder / "out", name), "seconds": seconds, "manifest": manifest}


def measure_whole(name="stories15M"):
    with tempfile.TemporaryDirectory() as folder:
        return score(pathlib.Path(folder), checkpoint(name), name)
