"""Each diagnostic of the C++ side that a kernel in NKI can bring about is known by its rule.

RUN: %trn_python %s %trn_src
"""

import pathlib
import re
import subprocess
import sys

from trn_mlir.nki._rules import PHRASES, rule_of

ROOT = pathlib.Path(sys.argv[1])
SOURCES = ["lib/Dialect/Trn/IR", "lib/Dialect/Trn/Transforms", "lib/Program", "lib/Decode",
           "lib/Interpreter", "lib/Analysis", "lib/Runtime", "include/trn/Dialect/Trn/IR"]
TESTS = ["Dialect/Trn/buffers", "Dialect/Trn/counting", "Dialect/Trn/dma", "Dialect/Trn/elementwise",
         "Dialect/Trn/partitions", "Dialect/Trn/reduce", "Dialect/Trn/scalars",
         "Dialect/Trn/tensor-engine",
         "Dialect/Trn/Transforms/verify-level", "Dialect/Trn/Transforms/verify-level-placed",
         "Decode/decode"]
# What the reader never writes.
UNREACHABLE = re.compile(r"(kernel|host|free|attr_\w+)_c\d+|virtual_c[134-9]|placed_c1|collective_[cm]\d+")
ELSEWHERE = {"expected ", "invalid value for property", "changes the memory",
             "may overflow its integer type", "attribute 'buffers'"}


def literals():
    """The text of each source with its literals joined as the compiler joins them."""
    for folder in SOURCES:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".cpp", ".td"):
                yield re.sub(r'"\s*\n\s*"', "", path.read_text(encoding="utf-8"))


def phrases_stand_beside_their_rule():
    """In a file that names the rule; those of helpers stand in one that names no op's rules."""
    texts = list(literals())
    for phrase in PHRASES:
        holding = [text for text in texts if phrase.text in text]
        assert holding, f"{phrase} is said nowhere"
        labels = [phrase.rule.format(op=op) for op in phrase.ops.split() or ["{op}"]]
        for label in labels:
            assert "{op}" in label or any(re.search(rf"\b{label}\b", text) for text in texts), \
                f"no {label}"
        is_helper = any("InFlightDiagnostic &trn::noteOperand" in text for text in holding)
        assert is_helper or any(label in text for label in labels for text in holding), \
            f"{phrase} does not stand with its rule"


def label_at(lines, number):
    """The rule that the function around a line breaks."""
    for line in reversed(lines[:number]):
        if found := re.search(r"@([a-z0-9_]+_[cm]\d+)__", line):
            return found[1]
        if line.startswith("// -----"):
            break
    return None


def negative_tests_are_understood():
    count = 0
    for name in TESTS:
        path = ROOT / "test" / f"{name}-invalid.mlir"
        text = path.read_text(encoding="utf-8")
        options = re.search(r"trn-opt %s (.*) --verify-diagnostics", text)[1].split()
        said = subprocess.run(["trn-opt", path, *options, "-o", "/dev/null"], text=True,
                              capture_output=True).stderr
        for line, message in re.findall(r"^[^\n:]*:(\d+):\d+: error: (.*)", said, re.M):
            label = label_at(text.splitlines(), int(line))
            if not label or UNREACHABLE.fullmatch(label) or any(one in message for one in ELSEWHERE):
                continue
            assert rule_of(message) == label, f"{path.name}:{line}: {message}: {rule_of(message)}"
            count += 1
    assert count > 100, count


phrases_stand_beside_their_rule()
negative_tests_are_understood()
