"""Makes a site of mkdocs work from files: `finish.py SITE`.

Scripts that the distribution's theme lacks are left out, or replaced by its own version. The
search gets its index as a script.
"""

import pathlib
import re
import sys

site = pathlib.Path(sys.argv[1])
SCRIPT = re.compile(r'[ \t]*<script src="([^"]*)"[^>]*></script>\n?')
CONDITIONAL = re.compile(r"[ \t]*<!--\[if lt IE 9\]>.*?<!\[endif\]-->[ \t]*\n?", re.S)
SEARCH = "".join(f'<script src="search/{name}.js" defer></script>\n' for name in ("lunr", "index", "search"))
[jquery] = site.glob("js/jquery-*.min.js")


def script(match, page):
    """What becomes of a script of a page."""
    source = match[1]
    if source.endswith("search/main.js"):
        return SEARCH if page.name == "search.html" else ""
    if (page.parent / source).exists():
        return match[0]
    return match[0].replace(source.rpartition("/")[2], jquery.name) if "jquery" in source else ""


(site / "404.html").unlink()  # of a server
for page in site.rglob("*.html"):
    text = CONDITIONAL.sub("", page.read_text(encoding="utf-8"))
    page.write_text(SCRIPT.sub(lambda match: script(match, page), text), encoding="utf-8")
data = (site / "search/search_index.json").read_text(encoding="utf-8")
(site / "search/index.js").write_text(f"const searchIndex = {data};\n", encoding="utf-8")
for unused in "main.js", "worker.js", "search_index.json":
    (site / "search" / unused).unlink()
