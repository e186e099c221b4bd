"""Every option that --help of a tool shows stands in its man page and is completed by the shell.

RUN: %python %s %trn_src %trn_build
"""

import pathlib
import re
import subprocess
import sys

source, build = map(pathlib.Path, sys.argv[1:])
OPTION = re.compile(r"^ +(--?[A-Za-z][^ <=[]*).* - ", re.M)
COMMAND = re.compile(r"(?<=SUBCOMMANDS:\n\n)(?:  .*\n)+")


def output(*command, input=None):
    return subprocess.run(command, capture_output=True, text=True, check=True, input=input).stdout


def plain(page):
    """The text of a man page."""
    return re.sub(r"\\f[BIR]|\\&", "", page).replace(r"\-", "-")


def completions(line, said):
    """What bash offers for the last word of a line, if --help says that."""
    script = (f'{line.split()[0]}() {{ cat; }}; source "{source}/tools/completions/trn-mlir.bash"; COMP_LINE=$1; COMP_POINT=${{#1}}; '
              'COMP_WORDS=($1); [[ $1 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); '
              '_trn_mlir "${COMP_WORDS[0]}"; printf "%s\\n" "${COMPREPLY[@]}"')
    return output("bash", "-c", script, "bash", line, input=said).split()


found = []
tools = sorted(path.stem for path in (build / "man").glob("*.1"))
help_of = {tool: output(tool, "--help") for tool in tools}
for tool in tools:
    page = plain((build / "man" / f"{tool}.1").read_text(encoding="utf-8"))
    commands = re.findall(r"^  (\w+)", (COMMAND.search(help_of[tool]) or [""])[0], re.M)
    said = {tool: help_of[tool], **{f"{tool} {name}": output(tool, name, "--help") for name in commands}}
    for words, text in said.items():
        options = set(OPTION.findall(text))
        assert "--help" in options
        completed = {option.removesuffix("=") for option in completions(f"{words} -", text)}
        found += [f"{tool}.1 lacks {option}" for option in options
                  if not re.search(rf"^{re.escape(option)}(?![\w-])", page, re.M)]
        found += [f"{words}: {option} is not completed" for option in options - completed]
    if commands and (offered := completions(f"{tool} ", said[tool])) != commands:
        found.append(f"{tool}: {offered} are completed, not {commands}")
for line, expected in {"trn-gen xw --dtype=": ["bf16", "f16", "f32"], "trn-gen xw --dtype=b": ["bf16"],
                       "trn-run --html=pa": [], "trn-run model": []}.items():
    if (offered := completions(line, help_of[line.split()[0]])) != expected:
        found.append(f"{line}: {offered} are completed, not {expected}")
run_page = plain((build / "man/trn-run.1").read_text(encoding="utf-8"))
for section in "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLES", "SEE ALSO":
    if f".SH {section}\n" not in run_page:
        found.append(f"trn-run.1 has no {section}")
if "trn-run chain.mlir --compile --verify" not in run_page:
    found.append("trn-run.1 lacks the examples of docs/Tools.md")
if list(map(str, tools)) != sorted(path.parent.name for path in source.glob("tools/*/CMakeLists.txt")
                                   if path.parent.name != "trn-plugin"):
    found.append(f"cmake/TrnInstall.cmake has man pages of {tools} only")
sys.exit("\n".join(found) or 0)
