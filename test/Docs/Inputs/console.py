"""Commands quoted in the documentation print what is quoted.

In a ```console block a line that starts with `$ ` is a command; the lines below
it are its output. A line `...` stands for any lines. With TRN_UPDATE_DOCS=1 in
the environment, outputs without such a line are written again instead. A command that
fails has an `error:` in what is quoted, and no page quotes that a file is not there.

`console.py SOURCE SCRATCH PAGE` runs them in SCRATCH, which for an example is a copy of its
folder, and for other pages looks like the root of the sources, with the folders of TRN_DATA_DIR
for a page that requires them.
"""

import os
import pathlib
import re
import shlex
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


# The Python that has NumPy, whatever else is called so on this computer. Our package is on its path.
PYTHON = f'python3() {{ {shlex.quote(sys.executable)} "$@"; }}\n'


def run(command, folder):
    package = {"PYTHONPATH": str(source / "lib/Bindings/Python"), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(["bash", "-c", PYTHON + command.removeprefix("$ ")], cwd=folder,
                          env={**package, **os.environ}, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True)
    return [line.rstrip() for line in done.stdout.splitlines()], done.returncode


def failure(quoted, status):
    """Why what is quoted of a command shows a mistake of the page; None if it does not."""
    if status and not any("error:" in line.lower() for line in quoted):
        return f"exits with {status}, but quotes no error:"
    if any("No such file" in line or "cannot open" in line for line in quoted):
        return "quotes that a file is not there"
    return None


def check(page, folder, update):
    """The commands of a page that print something else than is quoted."""
    text = page.read_text(encoding="utf-8")
    problems = []

    def rewrite(block):
        out = ""
        for command, expected in examples(block.group()):
            actual, status = run(command, folder)
            if update and "..." not in expected:
                expected = actual
            if not matches(expected, actual):
                problems.append("\n".join([f"{page}:", command, *actual]))
            if reason := failure(expected, status):
                problems.append(f"{page}: {command}: {reason}")
            out += "\n".join([command, *expected]) + "\n"
        return out

    updated = BLOCK.sub(rewrite, text)
    if update and updated != text:
        page.write_text(updated, encoding="utf-8")
    return problems


source, scratch, name = map(pathlib.Path, sys.argv[1:])
page = source / name
shutil.rmtree(scratch, ignore_errors=True)
if source / "docs" / "examples" in page.parents:
    shutil.copytree(page.parent, scratch)
else:
    scratch.mkdir(parents=True)
    for folder in "docs", "test":
        (scratch / folder).symlink_to(source / folder)
    if "<!-- requires: trn-data -->" in page.read_text(encoding="utf-8"):
        for folder in filter(pathlib.Path.is_dir, pathlib.Path(os.environ["TRN_DATA_DIR"]).iterdir()):
            (scratch / folder.name).symlink_to(folder)
sys.exit("\n".join(check(page, scratch, "TRN_UPDATE_DOCS" in os.environ)) or 0)
