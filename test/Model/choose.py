"""The choice with the least loss wins, of tokens and of texts, the first of equals.

RUN: %python %s %t
"""

import json
import pathlib
import subprocess
import sys

import numpy as np

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402

folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
pieces, scores = llama.pieces_of(300)
llama.write_tokenizer(folder / "tokenizer.bin", pieces, scores)
shape = llama.shape_of(neighbours=True)
weights = llama.tensors_of(shape)
llama.write_llama2c(folder / "model.bin", shape, weights)
rng = np.random.default_rng(7)
lines, right, per_byte = [], 0, 0
for item in range(24):
    if item % 2:
        context = "".join(rng.choice(list("abcdefgh "), 12))
        texts = ["".join(rng.choice(list("abcdefgh "), rng.integers(2, 9))) for _ in range(4)]
        line = {"context": context, "choices": texts}
        head = llama.encode(context, pieces, scores)
        choices = [llama.encode(context + text, pieces, scores)[len(head):] or None for text in texts]
        if None in choices:
            continue
        lengths = [len(text) for text in texts]
    else:
        head = [1] + list(map(int, rng.integers(3, 300, 5)))
        choices = [list(map(int, rng.integers(259, 300, rng.integers(1, 5)))) for _ in range(4)]
        choices[3] = choices[1]  # a tie, which the first one wins
        line = {"context_ids": head, "choices_ids": choices}
        lengths = [sum(len(pieces[token]) for token in choice) for choice in choices]
    nll = [llama.losses(head + choice, shape, weights)[-len(choice):].sum()
           for choice in choices]
    line["answer"] = int(rng.integers(0, 4))
    right += int(np.argmin(nll)) == line["answer"]
    per_byte += int(np.argmin(np.array(nll) / lengths)) == line["answer"]
    lines.append(json.dumps(line))
(folder / "items.jsonl").write_text("\n".join(lines) + "\n")
report = folder / "report.json"
subprocess.run(["trn-llm", "choose", folder / "model.bin", folder / "items.jsonl",
                f"--report={report}"], check=True, stdout=subprocess.DEVNULL)
found = json.loads(report.read_text())
assert found["items"] == len(lines)
assert 0 < right < len(lines)
assert abs(found["accuracy"] - right / len(lines)) < 1e-9, (found, right)
assert abs(found["accuracy_per_byte"] - per_byte / len(lines)) < 1e-9, (found, per_byte)
