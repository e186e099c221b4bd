"""What depends on the CPU is C++ for AArch64, too.

REQUIRES: aarch64-headers
RUN: %python %s %trn_src %trn_build/compile_commands.json
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

source, commands = pathlib.Path(sys.argv[1]), json.loads(pathlib.Path(sys.argv[2]).read_text())
# Numbers, vectors and signals, also by our headers of them.
PER_CPU = re.compile(r"ForEachCPU\.h|OneDNN\.h|LargeArray\.h|_Float16|__bf16|__x86_64__|__aarch64__|\basm\b|"
                     r"__builtin_|__attribute__|<\w+intrin\.h>|ucontext|signal\.h|fenv|dnnl")
HEADERS = ["-idirafter", "/usr/include/x86_64-linux-gnu"]  # BLAS, of whatever CPU


def depends_on_cpu(file):
    return PER_CPU.search(file.read_text())


def check(entry):
    words = shlex.split(entry["command"])
    flags = [word for word in words if word.startswith(("-D", "-I", "-std="))]
    for before, word in zip(words, words[1:]):
        if before == "-isystem":
            flags += before, word
    done = subprocess.run(["clang++", "--target=aarch64-linux-gnu", "-fsyntax-only", *flags, *HEADERS,
                           entry["file"]],
                          cwd=entry["directory"], capture_output=True, text=True,
                          env={**os.environ, "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"})
    return done.stderr if done.returncode else ""


chosen = [entry for entry in commands
          if source / "lib" in pathlib.Path(entry["file"]).parents
          and depends_on_cpu(pathlib.Path(entry["file"]))]
with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
    problems = [problem for problem in pool.map(check, chosen) if problem]
assert len(chosen) > 10 and not problems, "\n".join(problems)
print(len(chosen))
