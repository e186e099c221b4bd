"""Fails if a page of the site loads a script that is not there."""

import pathlib
import re
import sys

missing = [f"{page}: {script}" for page in pathlib.Path(sys.argv[1]).rglob("*.html")
           for script in re.findall(r'<script src="([^"]*)"', page.read_text(encoding="utf-8"))
           if not (page.parent / script).exists()]
sys.exit("\n".join(missing) or 0)
