"""The table of characters is what its script makes of the version of Unicode that it names.

RUN: %python %s %trn_src
"""

import pathlib
import subprocess
import sys
import unicodedata

folder = pathlib.Path(sys.argv[1]) / "lib/Tokenize"
table = (folder / "UnicodeData.def").read_text()
if f"// Unicode {unicodedata.unidata_version}, " in table:
    made = subprocess.run([sys.executable, folder / "make-unicode-data.py"], check=True, capture_output=True, text=True)
    assert made.stdout == table, "run lib/Tokenize/make-unicode-data.py > lib/Tokenize/UnicodeData.def"
