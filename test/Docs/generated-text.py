"""Models write the texts that pages quote of them.

REQUIRES: trn-data
RUN: %python %s %trn_src %t
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

QUOTED = re.compile(r"^```sh\n(trn-llm generate [^\n]*)\n```\n+```text\n(.*?)^```", re.M | re.S)

source, folder = map(pathlib.Path, sys.argv[1:])
data = pathlib.Path(os.environ["TRN_DATA_DIR"])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
for name in "stories15M.bin", "tokenizer.bin":
    (folder / name).symlink_to(data / "stories15M" / name)
seen = 0
for page in sorted((source / "docs").rglob("*.md")):
    for command, text in QUOTED.findall(page.read_text(encoding="utf-8")):
        seen += 1
        written = subprocess.run(command, shell=True, cwd=folder, check=True, capture_output=True, text=True).stdout
        assert written == text, f"{page}: {command}: {written}"
assert seen, "no page quotes a text"
