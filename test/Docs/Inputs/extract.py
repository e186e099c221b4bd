"""Writes the files that a page shows: blocks that start with ```LANGUAGE PATH.

extract.py PAGE FOLDER
"""

import pathlib
import re
import sys

page, folder = map(pathlib.Path, sys.argv[1:])
for path, text in re.findall(r"^```\w+ (\S+)\n(.*?)^```", page.read_text(encoding="utf-8"),
                             re.M | re.S):
    file = folder / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")
    print(path)
