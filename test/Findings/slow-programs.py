r"""Seven slow programs: the first finding names the true cause, and following it
makes the program faster by what it says, within a tenth.

RUN: rm -rf %t && mkdir %t && cd %t
RUN: %python %s %S/Inputs recomputation spills
RUN: %python %s %S/Inputs transposes
RUN: %python %s %S/Inputs short_rows few_slots
RUN: %python %s %S/Inputs idle_dma_engines port_conflicts
"""

import json
import pathlib
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def generate(name, *arguments):
    path = pathlib.Path(name)
    path.write_text(output("trn-gen", *arguments))
    return path


def run(path, *arguments):
    """The report of a run: latency in ms, and findings."""
    output("trn-run", str(path), "--timing-only", "--report=report.json", *arguments)
    return json.loads(pathlib.Path("report.json").read_text())


def planned(path):
    """The module with the plan of the compiler on its kernel."""
    result = path.with_suffix(".planned.mlir")
    result.write_text(output("trn-opt", str(path), "--trn-outline-kernels", "--trn-plan-kernels"))
    return result


def edit(path, pattern, replacement):
    text = path.read_text()
    changed = re.sub(pattern, replacement, text)
    assert changed != text, f"{pattern} is not in {path}"
    path.write_text(changed)
    return path


def with_options(path, options):
    """A program that is slow because of `options`, and what the finding has: its effort stays."""
    def follow(finding):
        assert finding["compile"] == "effort=100", finding
        return run(path, f"--compile={finding['compile']}")
    return run(path, f"--compile=effort=100 {options}"), follow


def with_plan(path):
    """The same for a plan that is slow."""
    def follow(finding):
        return run(edit(path, r"nests = .*\]>", finding["schedule"] + ">"), "--compile")
    return run(path, "--compile"), follow


def recomputation(_):
    return with_options(generate("recomputing.mlir", "xuv", "-m=512", "-k=2048", "-r=512", "-n=4096"),
                        "strategy=recompute")


def short_rows(_):
    return with_options(generate("short.mlir", "xw", "-m=128", "-k=2048", "-n=8192"), "blocks=n=128 keep=w=n")


def few_slots(_):
    plan = planned(generate("slots.mlir", "xuv", "-m=1024", "-k=1024", "-r=512", "-n=2048"))
    return with_plan(edit(plan, r"nests = .*\]>",
                          "nests = [xt (m = 512, k = 256), yt (m = 512, r = 256), o (m = 512, n = 512)], "
                          "homes = [x at k slots 2, xt at m slots 2 ahead 1, u at r slots 2, yt at m, v at n, "
                          "o at n slots 2]>"))


def idle_dma_engines(_):
    plan = planned(generate("engines.mlir", "xuv", "-m=16", "-k=8192", "-r=1024", "-n=2048"))
    return with_plan(edit(plan, r"( slots 2)? packed", ""))


def spills(_):
    plan = planned(generate("spills.mlir", "xuv", "-m=1024", "-k=512", "-r=2048", "-n=512"))
    return with_plan(edit(plan, r"nests = .*\]>",
                          "nests = [xt (m = 512, k = 512), yt (m = 512, r = 1024), o (m = 512, n = 512)], "
                          "homes = [x at k slots 2, xt at m, u at kernel, yt at r slots 2 for yt, yt at m for o, "
                          "v at kernel, o at n slots 2]>"))


def transposes(_):
    sizes = ("xuv", "-m=2048", "-k=4096", "-r=256", "-n=4096")

    def follow(finding):
        assert "tensor<4096x2048xbf16>" in finding["try"], finding
        return run(generate("turned.mlir", *sizes, "--transposed-input"), "--compile")
    return run(generate("turning.mlir", *sizes), "--compile"), follow


def port_conflicts(inputs):
    path = pathlib.Path("ports.mlir")
    path.write_text((inputs / "ports.mlir").read_text())

    def follow(finding):
        assert finding["try"] == "run on ScalarE what GpSimd does in SBUF", finding
        return run(edit(path, r"trn\.tensor_copy (%\w+) into (%\w+) : (.*) to (.*) on gpsimd",
                        r"trn.activation copy(\1 : \3) into \2 : \4"))
    return run(path), follow


inputs = pathlib.Path(sys.argv[1])
for cause in sys.argv[2:]:
    slow, follow = globals()[cause](inputs)
    finding = slow["findings"][0]
    assert finding["cause"] == cause, f"{cause}: {slow['findings']}"
    assert finding["tried"], finding
    latency, said = slow["latency_ms"], finding["modelled_ms"]
    assert abs(finding["percent"] - 100 * (latency - said) / latency) < 1e-6, finding
    # It is worth it, and it is true.
    assert said < 0.97 * latency, finding
    followed = follow(finding)["latency_ms"]
    assert abs((latency - followed) - (latency - said)) <= 0.1 * (latency - said), \
        f"{cause}: {latency} ms, {said} were said and {followed} came out"
    print(f"{cause}: {latency:.4f} ms, said {said:.4f}, came out {followed:.4f}")
