"""Writes man pages of the tools from their --help and the examples of docs/Tools.md.

generate-manuals.py BIN TOOLS.md OUT TOOL...: OUT/TOOL.1 for each tool, which stands in BIN.
Options that all tools with LLVM's options share are LLVM's, and come last.
"""

import pathlib
import re
import subprocess
import sys

OPTION = re.compile(r"( +)(--?[A-Za-z][^ <=\[]*)(\[?=<.*?>\]?| <.*?>|) +- ?(.*)")
VALUE = re.compile(r" +(=\S+)(?: +- +(.*))?")
HEADING = re.compile(r"\S.*:|    (Passes|Pass Pipelines):")
MAX_EXAMPLES = 3  # of a tool, each with at most
MAX_LINES = 12    # lines

bin_folder, tools_page, out = map(pathlib.Path, sys.argv[1:4])
tools = sys.argv[4:]


def output(*command):
    return subprocess.run([bin_folder / command[0], *command[1:]], capture_output=True, text=True,
                          check=True).stdout


class Option:
    def __init__(self, indent, name, argument, text):
        self.indent, self.name, self.argument, self.text = len(indent), name, argument, text.strip()
        self.values = []


class Help:
    """What --help says: an overview, a usage, subcommands, and options under headings."""

    def __init__(self, text):
        head, _, tail = text.partition("OPTIONS:\n")
        overview, _, usage = head.partition("USAGE: ")
        title, _, self.overview = overview.removeprefix("OVERVIEW: ").partition("\n")
        self.overview = re.sub(r"SUBCOMMAND '.*", "", self.overview)
        self.title = title.removeprefix("trn-mlir: ")
        self.usage = usage.split("\n")[0]
        self.subcommands = re.findall(r"^  ([a-z]+) +- (.*)$", usage, re.M)
        self.sections = {}
        section = outer = None
        for line in tail.splitlines():
            if HEADING.fullmatch(line):
                section = self.sections.setdefault(line.strip()[:-1], [])
                outer = outer if line.startswith(" ") else section
            elif found := OPTION.fullmatch(line):
                if len(found[1]) == 2:  # behind the passes, which stand among them
                    section = outer
                section.append(Option(*found.groups()))
            elif section and (found := VALUE.fullmatch(line)):
                section[-1].values.append(found.groups(default=""))
            elif section and line.strip() and line.strip() != "Compiler passes to run":
                section[-1].text += " " + line.strip()

    def options(self):
        return [option for section in self.sections.values() for option in section]


def escape(text):
    text = text.replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", text, flags=re.M)


def preformatted(text):
    return ".PP\n.nf\n" + escape(text) + "\n.fi\n"


def paragraphs(text):
    for paragraph in re.split(r"\n\n+", text.strip("\n")):
        if paragraph.startswith(" "):
            yield preformatted(paragraph)
        elif paragraph:
            yield ".PP\n" + escape(paragraph) + "\n"


def entry(option):
    name = rf"\fB{escape(option.name)}\fR" + re.sub(r"<(.*)>", r"\\fI\1\\fR",
                                                     escape(option.argument))
    text = f".TP\n{name}\n{escape(option.text)}\n"
    for value, meaning in option.values:
        text += f".br\n\\fB{escape(value)}\\fR {escape(meaning)}\n"
    return text


def entries(options):
    """Options, those of a pass below it."""
    text, outer = "", min((option.indent for option in options), default=0)
    for option in options:
        inner = option.indent > outer
        text += (".RS\n" if inner else "") + entry(option) + (".RE\n" if inner else "")
    return text


def with_options(options, chosen):
    """The options that are chosen by their name, and those below them."""
    outer, keep = min((option.indent for option in options), default=0), False
    for option in options:
        if option.indent == outer:
            keep = chosen(option.name)
        if keep:
            yield option


def option_sections(sections, of_llvm):
    of_llvm = of_llvm if "General options" in sections else set()
    own = [option for title, options in sections.items() if title not in ("Passes", "Pass Pipelines")
           for option in options]
    passes = sections.get("Passes", []) + sections.get("Pass Pipelines", [])
    yield "OPTIONS", [option for option in own if option.name not in of_llvm]
    yield "PASSES OF TRN-MLIR", [*with_options(passes, lambda name: name.startswith("--trn-"))]
    yield "PASSES OF MLIR", [*with_options(passes, lambda name: not name.startswith("--trn-"))]
    yield "OPTIONS OF LLVM", [option for option in own if option.name in of_llvm]


def examples(tool):
    """The first short console blocks of the tool's section that call it with inputs."""
    page = tools_page.read_text(encoding="utf-8")
    section = re.search(rf"^## {tool}\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    blocks = re.findall(r"^```console\n(.*?)^```", section.group(1) if section else "", re.M | re.S)
    return [block for block in blocks if f"$ {tool} " in block and "--help" not in block
            and block.count("\n") <= MAX_LINES][:MAX_EXAMPLES]


def page(tool, said, of_llvm):
    version = output(tool, "--version").split(" (")[0]
    text = (f".\\\" Written by generate-manuals.py.\n.TH {tool.upper()} 1 \"\" \"{version}\" \"User Commands\"\n"
            f".SH NAME\n{tool} \\- {escape(said.title)}\n.SH SYNOPSIS\n\\fB{escape(said.usage)}\\fR\n"
            ".SH DESCRIPTION\n" + "".join(paragraphs(said.overview)))
    for title, options in option_sections(said.sections, of_llvm):
        if options:
            text += f".SH {title}\n" + entries(options)
    for name, meaning in said.subcommands:
        options = [option for option in Help(output(tool, name, "--help")).options()
                   if not option.name.startswith("--help")]
        text += f".SH {tool.upper()} {name.upper()}\n{escape(meaning)}.\n" + entries(options)
    if blocks := examples(tool):
        text += ".SH EXAMPLES\n" + "".join(preformatted(block.rstrip()) for block in blocks)
    others = ", ".join(f"\\fB{escape(other)}\\fR(1)" for other in tools if other != tool)
    return text + (".SH EXIT STATUS\n0 if all is well, 74 if the reader of standard output went away, else "
                   f"another number.\n.SH SEE ALSO\n{others}; docs/Tools.md\n")


said = {tool: Help(output(tool, "--help")) for tool in tools}
general = [{option.name for option in help.options()} for help in said.values()
           if "General options" in help.sections]
shared = set.intersection(*general) - {"--help", "--help-list", "--version"} if general else set()
out.mkdir(parents=True, exist_ok=True)
for tool, help in said.items():
    (out / f"{tool}.1").write_text(page(tool, help, shared), encoding="utf-8")
