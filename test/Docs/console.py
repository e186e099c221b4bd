"""Commands quoted in the documentation print what is quoted.

In a ```console block a line that starts with `$ ` is a command; the lines below
it are its output. A line `...` stands for any lines. With TRN_UPDATE_DOCS=1 in
the environment, outputs without such a line are written again instead.

RUN: %python %s %trn_src %t.tmp

`console.py SOURCE SCRATCH PAGE` checks an example in a copy of its folder.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

BLOCK = re.compile(r"(?<=^```console\n).*?(?=^```)", re.M | re.S)


def examples(block):
    """(command as quoted, output lines) of each command in a console block."""
    lines = block.splitlines()
    position = 0
    while position < len(lines):
        end = position + 1
        while lines[end - 1].endswith("\\"):
            end += 1
        command = "\n".join(lines[position:end])
        position = end
        while position < len(lines) and not lines[position].startswith("$ "):
            position += 1
        yield command, [line.rstrip() for line in lines[end:position]]


def matches(expected, actual):
    """Whether `actual` is `expected`, whose `...` lines stand for any lines."""
    head, *parts = split(expected)
    if not parts:
        return actual == head
    *middle, tail = parts
    position, end = len(head), len(actual) - len(tail)
    if actual[:position] != head or actual[max(end, 0):] != tail:
        return False
    for part in middle:
        while position <= end and actual[position:position + len(part)] != part:
            position += 1
        position += len(part)
    return position <= end


def split(lines):
    """`lines` cut at each line `...`."""
    parts = [[]]
    for line in lines:
        if line == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def run(command, folder):
    done = subprocess.run(["bash", "-c", command.removeprefix("$ ")], cwd=folder,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return [line.rstrip() for line in done.stdout.splitlines()]


def check(page, folder, update):
    """The commands of a page that print something else than is quoted."""
    text = page.read_text(encoding="utf-8")
    problems = []

    def rewrite(block):
        out = ""
        for command, expected in examples(block.group()):
            actual = run(command, folder)
            if update and "..." not in expected:
                expected = actual
            if not matches(expected, actual):
                problems.append("\n".join([f"{page}:", command, *actual]))
            out += "\n".join([command, *expected]) + "\n"
        return out

    updated = BLOCK.sub(rewrite, text)
    if update and updated != text:
        page.write_text(updated, encoding="utf-8")
    return problems


source, scratch, *given = map(pathlib.Path, sys.argv[1:])
examples_folder = source / "docs" / "examples"
if given:
    pages = [source / page for page in given]
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(pages[0].parent, scratch)
else:
    pages = [source / "README.md", *(page for page in sorted((source / "docs").rglob("*.md"))
                                     if examples_folder not in page.parents)]
    scratch.mkdir(exist_ok=True)
    for folder in "docs", "test":  # commands are quoted as in the root of the sources
        if not (scratch / folder).exists():
            (scratch / folder).symlink_to(source / folder)
found = [problem for page in pages
         for problem in check(page, scratch, "TRN_UPDATE_DOCS" in os.environ)]
sys.exit("\n".join(found) or 0)
