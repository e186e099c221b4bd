"""A class stays small: at most so many member functions, and no more lines of code than a file has.

So no class is cut over files to fit: one that would need it has several jobs, each of which is a
class, or functions.

RUN: %python %s %trn_src
"""

import pathlib
import re
import sys

FUNCTIONS, LINES = 30, 450

NOISE = re.compile(r'//[^\n]*|/\*(?s:.*?)\*/|R"(\w*)\((?s:.*?)\)\1"|"(?:\\.|[^"\\\n])*"|'
                   r"(?<!\w)'(?:\\.|[^'\\\n])+'")
TYPE = re.compile(r"(?<!enum )\b(?:class|struct) ((?:\w+::)*\w+)(?:<[^;{}]*>)?(?: final)?"
                  r"(?:\s*:(?!:)[^;{}]*)?\s*\{")
# LLVM's format has what stands outside of types at the start of a line.
MEMBER = re.compile(r"^(?![\s#}]|using |static )(?:[^\n(=]*[\s*&])?((?:\w+::)*\w+)::"
                    r"(?:~?\w+|operator[^\n]{1,20}?)\((?:[^;{]*(?:;|\{\})$|(?s:.*?)^\})", re.M)
NO_FUNCTION = re.compile(r"(?:using|friend|enum|class|struct|union|static_assert)\b")
ACCESS = re.compile(r"\b(?:public|protected|private):")
TEMPLATE = re.compile(r"<[^<>;]*>")


class Class:
    def __init__(self):
        self.functions, self.lines = 0, 0


def inside(text, start):
    """What stands between the brace in front of `start` and the one that closes it."""
    depth, end = 1, start
    while depth:
        depth += {"{": 1, "}": -1}.get(text[end], 0)
        end += 1
    return text[start:end - 1]


def is_function(member):
    member = ACCESS.sub("", member).replace("->", "").strip()
    if NO_FUNCTION.match(member):
        return False
    while TEMPLATE.search(member):
        member = TEMPLATE.sub("", member)
    return "operator" in member or "(" in re.split("[={]", member)[0]


def count_functions(body):
    """The member functions that a class body declares, without those of types in it."""
    outer, depth = "", 0
    for char in body:
        depth -= char == "}"
        outer += char if not depth else ""
        depth += char == "{"
    # A function that is defined there ends with its brace.
    return sum(map(is_function, re.split(r"(?<=[)\w}] \{\})(?!;)|;", outer)))


def count_lines(text):
    return sum(bool(line.strip()) for line in text.splitlines())


def read(root):
    """The classes, by the library whose header has them, or the file, and by name."""
    classes, texts = {}, {}
    for folder in ("include", "lib", "tools"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".cpp", ".h"):
                texts[path.relative_to(root)] = NOISE.sub('""', path.read_text(encoding="utf-8"))
    libraries = {path: str(path.parent).replace("include/trn", "lib") for path in texts}
    for path, text in texts.items():
        for found in TYPE.finditer(text):
            where = libraries[path] if path.suffix == ".h" else str(path)
            own = classes.setdefault((where, found[1].split("::")[-1]), Class())
            body = inside(text, found.end())
            own.functions += count_functions(body)
            own.lines += count_lines(body) + 2
    for path, text in texts.items():
        for found in MEMBER.finditer(text):
            name = found[1].split("::")[-1]
            own = classes.get((str(path), name)) or classes.get((libraries[path], name))
            if own:
                own.lines += count_lines(found[0])
    return classes


if __name__ == "__main__":
    classes = read(pathlib.Path(sys.argv[1]))
    found = []
    for (where, name), own in sorted(classes.items()):
        for kind, count, most in (("member functions", own.functions, FUNCTIONS),
                                  ("lines", own.lines, LINES)):
            if count > most:
                found.append(f"{where}: {name} has {count} {kind}, but at most {most} are allowed")
    if len(classes) < 500 or sum(own.lines for own in classes.values()) < 20000:
        found.append("few classes found; can this test still read the code?")
    sys.exit("\n".join(found) or 0)
