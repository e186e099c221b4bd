"""How far the recorder reaches: a row for each corpus, of all functions marked as kernels."""

import ast
import collections
import glob
import os
import re

# The commits that the cases were written for.
COMMITS = {"nki-samples": "6905a68a", "kda-for-trainium": "90770f2a", "autocomp": "dd26a565",
           "nki-library": "d2ad3a57"}
_MARKS = {"jit", "baremetal", "benchmark", "profile", "trace"}
_MARKED = re.compile(r"^@nki\.(?:%s)\b.*?^def (\w+)" % "|".join(sorted(_MARKS)), re.M | re.S)

# What a refusal says, or a place, and the reason that it is counted under. The first counts.
_REASONS = (
    (r"float8", "float8"),
    (r"offset that is read from a tile", "offsets read from tiles (indirect DMA)"),
    (r"register_|dynamic_range|while_loop", "registers and dynamic loops"),
    (r"nisa\.(\w+) of NKI", "nisa.{0}"),
    (r"nl\.(\w+) of NKI", "nl.{0}"),
    (r"LNC-2|only work on TRN2|bwmm_shard_on_block\.py:\d+: error: index", "two cores"),
    (r"identity matrix", "is_transpose by no identity"),
    (r"^more than \d+ s", "too slow"),
    (r"the bits of|what may not be an integer", "integers"),
    (r"\[(nki_r\d+)\]", "{0}"),
    (r"takes \d+ .*bytes|of \d+ bytes|live together", "capacity"),
    (r"bank holds one open group", "two groups in one bank of PSUM"),
    (r"", "rules of the dialect"),
)
_UNTRIED = (
    (r"mx", "microscaled types (MX)"),
    (r"collectives/", "several devices"),
    (r"core/mlp/mlp\.py", "its file does not parse"),
    (r"", "no inputs made"),
)


def _is_marked(function):
    for mark in function.decorator_list:
        mark = mark.func if isinstance(mark, ast.Call) else mark
        name = mark.attr if isinstance(mark, ast.Attribute) else getattr(mark, "id", "")
        if name in _MARKS:
            return True
    return False


def marked(root):
    """File and name of every function that is marked as a kernel."""
    found = set()
    for path in glob.glob(os.path.join(root, "**", "*.py"), recursive=True):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        place = os.path.relpath(path, root)
        try:
            names = [node.name for node in ast.walk(ast.parse(text))
                     if isinstance(node, ast.FunctionDef) and _is_marked(node)]
        except SyntaxError:
            names = _MARKED.findall(text)
        found.update((place, name) for name in names)
    return found


def _reason(text, reasons):
    for pattern, reason in reasons:
        match = re.search(pattern, text)
        if match:
            return reason.format(*match.groups())
    return ""


def row(name, root, results):
    """Of `results`, what was printed for each case by file and function."""
    functions = marked(root) | set(results)
    loaded = right = 0
    refused = collections.Counter()
    for place in sorted(functions):
        found = results.get(place)
        if found is None:
            refused[_reason("%s:%s" % place, _UNTRIED)] += 1
            continue
        bad = [one for one in found if one.startswith("refused: ")]
        if len(bad) == len(found):
            refused[_reason(bad[0][len("refused: "):], _REASONS)] += 1
            continue
        loaded += 1
        right += not bad and all(one.startswith(("right", "bf16")) for one in found)
    reasons = ", ".join("%s %d" % one for one in refused.most_common())
    return "| %s | %s | %d | %d | %d | %d | %s |" % (
        name, COMMITS[name], len({place for place, _name in functions}), len(functions), loaded,
        right, reasons)


def table(rows):
    return "\n".join(["| corpus | commit | files | functions | loaded | right values | refused |",
                      "|---|---|---|---|---|---|---|", *rows])
