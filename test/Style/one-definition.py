"""No two files define a type of one name in one namespace, which the linker would not notice.

RUN: %python %s %trn_src
"""

import pathlib
import re
import sys

# What LLVM's format puts at the start of a line: scopes, ends of scopes, types.
LINE = re.compile(r"^(?:namespace (?P<open>[\w:]* ?)\{(?P<closed>.*\})?"
                  r"|(?P<close>\} // (?:end )?(?:anonymous )?namespace)"
                  r"|(?:class|struct|union|enum(?: class)?) (?P<type>[\w:]+)[^;]*$)")


def types(text):
    """Each type that `text` defines outside of anonymous namespaces."""
    scopes = []
    for line in text.splitlines():
        found = LINE.match(line)
        if not found:
            continue
        if found["open"] is not None and not found["closed"]:
            scopes.append(found["open"].strip())
        elif found["close"] and scopes:
            scopes.pop()
        elif found["type"] and "" not in scopes:
            yield "::".join([*scopes, found["type"]])


root = pathlib.Path(sys.argv[1])
first, found = {}, []
for folder in ("include", "lib"):
    for path in sorted((root / folder).rglob("*")):
        if path.suffix not in (".cpp", ".h"):
            continue
        where = path.relative_to(root)
        for name in types(path.read_text(encoding="utf-8")):
            if first.setdefault(name, where) != where:
                found.append(f"{where}: defines {name}, which {first[name]} defines too")
if len(first) < 100:
    found.append(f"only {len(first)} types found; can this test still read the code?")
sys.exit("\n".join(found) or 0)
