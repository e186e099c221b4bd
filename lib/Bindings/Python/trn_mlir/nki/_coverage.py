# Part of the trn-mlir project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which words of NKI a set of files uses, and which of them are read here."""

from __future__ import annotations

import ast
import collections
from collections.abc import Iterable
from typing import NamedTuple

from ._call import HANDLERS, operations, words
from ._modules import BETA, CURRENT


class Use(NamedTuple):
    word: str
    version: str
    count: int
    is_read: bool


def coverage(paths: Iterable[str]) -> list[Use]:
    """The words that the files name, the most frequent first. Nothing is executed."""
    counts: collections.Counter = collections.Counter()
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as file:
            try:
                tree = ast.parse(file.read())
            except SyntaxError:
                continue
        counts.update(_used(tree))
    return [Use(("nisa." if module == "isa" else "nl.") + name, version, count,
                _is_read(module, name, version))
            for (version, module, name), count in
            sorted(counts.items(), key=lambda item: (-item[1], item[0]))]


def _used(tree: ast.AST) -> Iterable[tuple[str, str, str]]:
    """(version, module, name) of each word, by what the file imports under which name."""
    aliases: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                aliases[one.asname or one.name.split(".")[0]] = \
                    one.name if one.asname else one.name.split(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.module:
            for one in node.names:
                aliases[one.asname or one.name] = node.module + "." + one.name
    for node in ast.walk(tree):
        path = _path(node, aliases)
        if path is None:
            continue
        version, rest = (BETA, path[len("neuronxcc.nki."):]) if path.startswith("neuronxcc.nki.") \
            else (CURRENT, path[len("nki."):]) if path.startswith("nki.") else ("", "")
        module, _, name = rest.partition(".")
        if version and module in ("isa", "language") and "." not in name and \
                name in _operations(version, module):
            yield version, module, name


def _path(node: ast.AST, aliases: dict[str, str]) -> str | None:
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name) or node.id not in aliases or not parts and \
            "." not in aliases[node.id]:
        return None
    return ".".join([aliases[node.id], *reversed(parts)])


def _operations(version: str, module: str) -> set[str]:
    return {entry["name"] for entry in operations(version) if entry["module"] == module}


def _is_read(module: str, name: str, version: str) -> bool:
    """Operations have a handler; what is only named, such as nl.exp of an activation, is in the
    table of functions with what computes it."""
    word = ("nisa." if module == "isa" else "nl.") + name
    return (module, name) in HANDLERS or bool(words(version)["functions"].get(word))
