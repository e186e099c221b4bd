"""Makes a failing module smaller: by lines, and by trn-reduce where the module parses."""

import shlex


def without_lines(text, still, limit=150):
    """Leaves out lines, halves first, as long as `still` holds."""
    parts = text.split(b"\n")
    size = max(1, len(parts) // 2)
    while size and limit > 0:
        first = 0
        while first < len(parts) and limit > 0:
            limit -= 1
            fewer = parts[:first] + parts[first + size:]
            if still(b"\n".join(fewer)):
                parts = fewer
            else:
                first += size
        size //= 2
    return b"\n".join(parts)


def by_reduction(text, name, command, still, tools, directory):
    """What trn-reduce leaves of a module that makes `command` crash; `name` is the module's
    name in the command. Nothing changes where it cannot."""
    for old in directory.iterdir():
        if old.name == name or old.suffix == ".sh":
            old.unlink()
    words = shlex.join([tools.path(command[0]), *command[1:]])
    script = directory / "crashes.sh"
    # 1 says that the module is interesting; an exit of 0 or 1 is none of a crash.
    script.write_text(f'#!/bin/sh\ncd {shlex.quote(str(directory))}\ncp "$1" {name}\n'
                      f"timeout 20 {words} > /dev/null 2>&1\n"
                      "status=$?\n[ $status -gt 1 ] && [ $status -ne 124 ] && exit 1\nexit 0\n")
    script.chmod(0o755)
    (directory / "whole.mlir").write_bytes(text)
    done = tools.run("trn-reduce", "whole.mlir",
                     f"--reduction-tree=traversal-mode=0 test={script}", cwd=directory,
                     text=b"")
    reduced = done.out
    if done.status == 0 and reduced and len(reduced) < len(text) and still(reduced):
        return reduced
    return text
