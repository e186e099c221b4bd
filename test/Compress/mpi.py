"""Processes that share the work make the same bytes as one.

REQUIRES: mpi
RUN: %python %s %t
"""

import pathlib
import resource
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent.parent / "Model/Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
llama.write_stories(folder)
shape = llama.shape_of(layers=3)
llama.write_folder(folder / "model", shape, llama.tensors_of(shape))


def limit_cpu():
    resource.setrlimit(resource.RLIMIT_CPU, (120, 120))


def compress(out, *options, processes=0, status=0, message=""):
    command = ["trn-compress", folder / "model", "-o", folder / out, "--rows=",
               f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}", *options]
    if processes:
        command = ["mpirun", "-n", str(processes), *command, "--mpi"]
    # A process that waits for another one in vain does so busily.
    result = subprocess.run(command, capture_output=True, text=True, preexec_fn=limit_cpu)
    assert (result.returncode == 0) == (status == 0) and message in result.stderr, result
    return result.stdout


def contents(name):
    return {file.name: file.read_bytes() for file in (folder / name).iterdir()}


FACTORS, NEURONS = ["--rank=6"], ["--method=neurons", "--neurons=17"]
for number, (what, recovery, *options) in enumerate((
        ("mlp", "none", *FACTORS), ("all", "closed", "--modules=mlp,attention", *FACTORS),
        ("down", "closed", "--modules=down_proj", *FACTORS), ("mlp", "block", *FACTORS),
        ("neurons", "none", *NEURONS), ("neurons", "closed", *NEURONS), ("neurons", "block", *NEURONS))):
    options.append(f"--recover={recovery}")
    one = compress(f"one-{recovery}-{what}", *options)
    processes = 3 - number % 2  # of both, factors and neurons
    name = f"{processes}-{recovery}-{what}"
    assert compress(name, *options, processes=processes) == one
    assert contents(name) == contents(f"one-{recovery}-{what}"), name

# What one of them refuses ends all.
compress("3-none-mlp", *FACTORS, processes=2, status=1, message="is there already")
