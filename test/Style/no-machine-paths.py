"""No file knows where somebody keeps this checkout.

RUN: %python %s %trn_src
"""

import pathlib
import re
import subprocess
import sys

HOMES = ("home", "root", "work", "Users", "mnt")
PATH = re.compile(r"(?<![\w.$}%])/(?:" + "|".join(HOMES) + r")/\w")

root = pathlib.Path(sys.argv[1])
listed = subprocess.run(["git", "-C", root, "ls-files", "-z"], capture_output=True)
names = [name for name in listed.stdout.decode().split("\0") if name]
if not names:  # a source archive without its history
    names = [str(p.relative_to(root)) for folder in ("include", "lib", "tools", "test", "docs")
             for p in (root / folder).rglob("*") if p.is_file()]
found = []
for name in names:
    try:
        text = (root / name).read_text(encoding="utf-8")
    except (UnicodeDecodeError, FileNotFoundError):
        continue
    found += [f"{name}:{number}: {line.strip()}"
              for number, line in enumerate(text.splitlines(), 1) if PATH.search(line)]
sys.exit("\n".join(found) or 0)
