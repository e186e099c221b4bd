"""Sentences of pages and of header comments are short: at most 16 words in the middle, never above 30.

RUN: %python %s %trn_src

Code blocks, tables, headings and generated pages are left out. Code in a line and the text of
a link count as they are read: code is one word, an address none. `sentences.py SOURCE --table`
prints the numbers of every file, `sentences.py SOURCE --long` its long sentences.
"""

import pathlib
import re
import statistics
import sys

MEDIAN, LONGEST = 16, 30

NO_PROSE = re.compile(r"^ *(```|~~~).*?^ *\1[^\n]*$|<!--.*?-->", re.M | re.S)
NEW_PARAGRAPH = re.compile(r"\n(?=\s*(?:[-*+]|\d+\.|>)\s)|\n\s*\n|\n(?=[#|])|(?<=\|)\n")
IMAGE = re.compile(r"!\[[^]]*\]\([^)]*\)")
LINK = re.compile(r"\[([^]]*)\](?:\([^)]*\)|\[[^]]*\])")
CODE = re.compile(r"(`+).+?\1", re.S)
ABBREVIATION = re.compile(r"\b(e\.g|i\.e|et al|vs|cf|Fig|Sec)\.(?=\s)")
END = re.compile(r"(?<=[.!?])[\"')*_]*\s+")
WORD = re.compile(r"\w")


COMMENT = re.compile(r"(.*?)(?://[/!]?<? ?(.*))?$")


def comments(header):
    """The comments below the licence as paragraphs: blocks, and ends of lines by themselves."""
    lines = []
    for line in header.read_text(encoding="utf-8").splitlines()[7:]:
        code, comment = COMMENT.match(line).groups(default="")
        if line.startswith(("//===", "} // namespace", "#")):
            lines.append("")
        else:
            lines += ["", comment, ""] if code.strip() else [comment]
    return "\n".join(lines)


def sentences(page):
    text = comments(page) if page.suffix == ".h" else page.read_text(encoding="utf-8")
    text = NO_PROSE.sub("\n\n", text)
    for paragraph in NEW_PARAGRAPH.split(text):
        if paragraph.lstrip().startswith(("#", "|")):
            continue
        paragraph = LINK.sub(r"\1", IMAGE.sub("", CODE.sub("code", paragraph)))
        paragraph = re.sub(r"^\s*(?:[-*+]|\d+\.|>)\s", "", paragraph)
        for sentence in END.split(ABBREVIATION.sub(r"\1", paragraph)):
            words = [word for word in sentence.split() if WORD.search(word)]
            if words:
                yield words


def pages(root):
    yield root / "README.md"
    yield root / "CONTRIBUTING.md"
    yield from (page for page in sorted((root / "docs").rglob("*.md"))
                if page.parent.name != "generated")
    yield from sorted((root / "include").rglob("*.h"))


root = pathlib.Path(sys.argv[1])
wanted = sys.argv[2] if len(sys.argv) > 2 else ""
found = []
if wanted == "--table":
    print("| page | sentences | median | longest | above 30 |\n|---|---|---|---|---|")
for page in pages(root):
    name = page.relative_to(root)
    all_words = list(sentences(page))
    lengths = [len(words) for words in all_words]
    if not lengths:
        continue
    median = statistics.median(lengths)
    long = [words for words in all_words if len(words) > LONGEST]
    if wanted == "--table":
        print(f"| {name} | {len(lengths)} | {median:g} | {max(lengths)} | {len(long)} |")
    if median > MEDIAN:
        found.append(f"{name}: the median sentence has {median:g} words, "
                     f"but at most {MEDIAN} are allowed")
    for words in long:
        start = " ".join(words if wanted == "--long" else words[:8])
        found.append(f"{name}: a sentence has {len(words)} words, but at most {LONGEST} are "
                     f"allowed: {start} ...")
if wanted != "--table":
    sys.exit("\n".join(found) or 0)
