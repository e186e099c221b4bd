"""Models that others trained, and what trn-llm reports of them."""

import json
import os
import pathlib
import subprocess

DATA = pathlib.Path(os.environ["TRN_DATA_DIR"])
LARGE, SMALL = DATA / "stories15M/stories15M.bin", DATA / "stories260K/stories260K.bin"
TEXT = DATA / "text/tinystories-valid-head.txt"


def run(folder, command, model, *options):
    """The report."""
    report = folder / "report.json"
    subprocess.run(["trn-llm", command, model, f"--report={report}", *options], check=True,
                   stdout=subprocess.DEVNULL)
    return json.loads(report.read_text())
