"""Processes that share a folder of plans find whole files in it, and leave nothing else.

RUN: %python %s %t
"""

import pathlib
import shutil
import subprocess
import sys

folder = pathlib.Path(sys.argv[1])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
SIZES = ["--m=256 --k=512 --n=512", "--m=384 --k=256 --n=640"]


def start(size, options):
    source = subprocess.run(["trn-gen", "xw", *size.split()], check=True, capture_output=True).stdout
    process = subprocess.Popen(["trn-opt", f"--trn-compile=effort=30 {options}"], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return process, source


def finish(process, source):
    out, err = process.communicate(source)
    assert process.returncode == 0 and not err, err
    return out


alone = [finish(*start(size, "")) for size in SIZES]
for _ in range(3):
    shutil.rmtree(folder / "plans", ignore_errors=True)
    several = [start(SIZES[i % 2], f"plan-cache={folder / 'plans'}") for i in range(8)]
    for i, one in enumerate(several):
        assert finish(*one) == alone[i % 2], i
    files = list((folder / "plans").iterdir())
    assert len(files) == 2 and all(file.suffix == ".plan" for file in files), files
