"""docs/Rules.md lists every rule; each is described once, enforced and tested.

RUN: %python %s %trn_src

With TRN_UPDATE_DOCS=1 the table is written again instead.
"""

import os
import pathlib
import re
import sys

LABEL = r"[a-z]+[0-9]*(?:_[a-z]+[0-9]*)*_[cmr]\d+"
DESCRIBED = ["include/trn/Dialect/Trn/**/*.td", "include/trn/Analysis/*.h",
             "include/trn/Planning/*.h", "include/trn/Program/*.h",
             "include/trn/Decode/*.h", "include/trn/Interpreter/*.h", "include/trn/Runtime/*.h",
             "include/trn/Target/NKI/*.h", "lib/Bindings/Python/trn_mlir/nki/_errors.py"]
# Whose code holds a rule, by where the label stands above a check or in a fault.
ENFORCERS = [("include/trn/Dialect/Trn/IR/TrnConstraints.td", ["type"]),
             ("lib/Dialect/Trn/IR/", ["op verifier"]),
             ("lib/Planning/", ["op verifier"]),
             ("lib/Dialect/Trn/Transforms/Verify", ["verify-level"]),
             ("lib/Dialect/Trn/Transforms/PlaceBuffers", ["placement"]),
             ("lib/Decode/IndexAnalysis", ["verify-level", "decode"]),
             ("lib/Program/PsumGroups", ["verify-level", "interpreter"]),
             ("lib/Program/Check", ["verify-level"]),
             ("lib/Decode/", ["decode"]),
             ("lib/Interpreter/", ["interpreter"]),
             ("lib/Runtime/", ["runtime"]),
             ("lib/Run/", ["trn-run"]),
             ("lib/Target/NKI/", ["trn-translate"]),
             ("lib/Bindings/Python/trn_mlir/nki/", ["reader"])]
# The reader's table of what others say holds no rule.
NOT_HELD = "_rules.py"
ORDER = ["type", "op verifier", "placement", "verify-level", "decode", "interpreter", "runtime",
         "trn-run", "trn-translate", "reader"]
# The first stage at which a family of rules is held; others are held of any IR.
STAGES = {"kernel": "tensor", "host": "tensor", "tensor": "tensor", "virtual": "virtual",
          "placed": "placed", "access": "placed", "group": "placed", "view": "placed",
          "address": "placed", "free": "placed", "memory": "run", "program": "run",
          "call": "run", "indirect": "run", "integer": "run", "nki": "placed"}
BEGIN, END = "<!-- rules: generated -->\n", "<!-- end of rules -->\n"


def family(label):
    return label.rsplit("_", 1)[0]


def descriptions(root):
    """Label -> sentence, in the order of the files."""
    found, problems = {}, []
    for glob in DESCRIBED:
        for path in sorted(root.glob(glob)):
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".h":
                text = re.sub(r"^(?!\s*//).*$", "", text, flags=re.M)
            lines = [re.sub(r"^\s*///? ?", "", line) for line in text.splitlines()]
            for number, line in enumerate(lines):
                item = re.match(rf"( *)- ((?:`{LABEL}`(?:, )?)+): (.*)", line)
                if not item:
                    continue
                text = [item[3]]
                for more in lines[number + 1:]:
                    if not re.match(item[1] + r"  +\S", more) or "`_c" in more:
                        break
                    text.append(more.strip())
                for label in re.findall(LABEL, item[2]):
                    if label in found:
                        problems.append(f"{label} is described twice")
                    found[label] = " ".join(text)
    return found, problems


def enforcers(root):
    """Label -> who holds it."""
    found = {}
    for path in sorted(root.glob("lib/**/*")) + sorted(root.glob("include/**/TrnConstraints.td")):
        name = path.relative_to(root).as_posix()
        who = next((who for prefix, who in ENFORCERS if name.startswith(prefix)), None)
        if not who or path.suffix not in (".cpp", ".h", ".td", ".py") or path.name == NOT_HELD:
            continue
        for line in path.read_text(encoding="utf-8").splitlines():
            comment = re.match(r"\s*//.*", line)
            places = comment[0] if comment else " ".join(re.findall(r'"(\w+)"', line))
            for label in re.findall(rf"\b{LABEL}\b", places):
                found.setdefault(label, set()).update(who)
    return found


def tests(root):
    """Label -> a negative test of it."""
    found = {}
    for path in [*sorted(root.glob("test/**/*.mlir")), *sorted(root.glob("test/Unit/**/*.cpp")),
                 *sorted(root.glob("test/Bindings/Python/nki/**/*.py"))]:
        text = path.read_text(encoding="utf-8")
        for label in re.findall(rf"(?:@|TEST(?:_F)?\(\w+, |^def )({LABEL})__", text, re.M):
            found.setdefault(label, path.relative_to(root / "test").as_posix())
    return found


def stage(label):
    if "_m" in label[len(family(label)):]:
        return "virtual"
    if "_r" in label[len(family(label)):]:
        return "Python"
    return STAGES.get(family(label), "any")


def table(described, held, tested):
    rows = ["| rule | what holds | enforced by | from stage | refused in |\n", "|---|---|---|---|---|\n"]
    for label, sentence in described.items():
        who = ", ".join(name for name in ORDER if name in held.get(label, ()))
        test = tested.get(label)
        rows.append(f"| `{label}` | {sentence.replace('|', chr(92) + '|')} | {who} | {stage(label)} "
                    f"| [{pathlib.PurePath(test).name}](../test/{test}) |\n" if test else
                    f"| `{label}` | {sentence} | {who} | {stage(label)} | |\n")
    return "".join(rows)


def main():
    root = pathlib.Path(sys.argv[1])
    described, problems = descriptions(root)
    held, tested = enforcers(root), tests(root)
    for label in sorted({*described, *held, *tested}):
        for kind, found in (("described", described), ("enforced", held), ("tested", tested)):
            if label not in found:
                problems.append(f"{label} is not {kind}")
    page = root / "docs" / "Rules.md"
    text = page.read_text(encoding="utf-8")
    head, rest = text.split(BEGIN)
    tail = rest.split(END)[1]
    current = head + BEGIN + table(described, held, tested) + END + tail
    if os.environ.get("TRN_UPDATE_DOCS"):
        page.write_text(current, encoding="utf-8")
    elif text != current:
        problems.append("docs/Rules.md is out of date; run this with TRN_UPDATE_DOCS=1")
    sys.exit("\n".join(problems) or 0)


main()
