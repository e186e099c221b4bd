"""Models that others trained write what others published of them.

REQUIRES: trn-data
RUN: %python %s %t
"""

import json
import os
import pathlib
import subprocess
import sys

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
import llama  # noqa: E402
import module  # noqa: E402

data = pathlib.Path(os.environ["TRN_DATA_DIR"])
folder = pathlib.Path(sys.argv[1])
folder.mkdir(parents=True, exist_ok=True)
LARGE, SMALL = data / "stories15M/stories15M.bin", data / "stories260K/stories260K.bin"


def generate(model, *options):
    return subprocess.run(["trn-llm", "generate", model, *options], check=True, capture_output=True,
                          text=True).stdout


# What llama2.c prints at temperature 0, by its own README and tests, and by those of its ports.
BEGIN = "Once upon a time"
SMALL_TEXT = BEGIN + """, there was a little girl named Lily. She loved to play outside in the park. \
One day, she saw a big, red ball. She wanted to play with it, but it was too high.
Lily's mom said, "Lily, let's go to the park." Lily was sad and didn't know what to do. She said, \
"I want to play with your ball, but I can't find it."
Lily was sad and didn't know what to do. She said, "I'm sorry, Lily. I didn't know what to do."
Lily didn't want to help her mom, so she"""
LARGE_TEXT = BEGIN + """, there was a little girl named Lily. She loved to play outside in the sunshine. \
One day, she saw a big, red ball in the sky. It was the sun! She thought it was so pretty.
Lily wanted to play with the ball, but it was too high up in the sky. She tried to jump and reach it, \
but she couldn't. Then, she had an idea. She would use a stick to knock the ball down.
Lily found a stick and tried to hit the ball. But the stick was too short. She tried again and again, \
but she couldn't reach it. She felt sad.
Suddenly, a kind man came by and saw Lily. He asked her what was wrong. Lily told him about the ball. \
The man smiled and said, "I have a useful idea!" He took out a long stick and used it to knock the ball \
down. Lily was so happy! She thanked the man and they played together in the sunshine."""
assert generate(SMALL, "-n", "200") == SMALL_TEXT + "\n"
# Above 256 tokens each text goes on until its own end.
REST = """ said, "I'm sorry, mom. I didn't know what to do." Her mom said, "Don't worry, Lily. We can help you.\n"""
assert generate(SMALL) == SMALL_TEXT + REST
for options in [], [f"--prompt={BEGIN}"], ["-n", "999"]:
    assert generate(LARGE, *options) == LARGE_TEXT + "\n", options

# Each piece is there when it is drawn; when nobody reads any more, nothing more is.
report = folder / "report.json"
with subprocess.Popen(["trn-llm", "generate", LARGE, f"--report={report}"], stdout=subprocess.PIPE) as running:
    assert os.read(running.stdout.fileno(), 99).startswith(b"Once")
    running.stdout.close()
assert running.returncode == 74, running.returncode  # EX_IOERR
found = json.loads(report.read_text())
assert found["ended_by"] == "output" and len(found["tokens"]) < 200, found

# A compressed model, whose weights and factors have 16 bits, as NumPy runs it.
small = folder / "small"
subprocess.run(["trn-compress", SMALL, "-o", small, "--rank=32", "--rows=", "--recover=none", "--dtype=bf16",
                "--force", f"--calib={data / 'text/tinystories-train-calib.txt'}", "--calib-seqs=16"],
               check=True, capture_output=True)
generate(small, f"--prompt={BEGIN}, a fox", "-n", "60", f"--report={report}")
found = json.loads(report.read_text())
tokens = found["prompt_tokens"] + found["tokens"]
shape = module.read_shape(small)
assert len(shape["ranks"]) == 15, shape
logits = llama.Model(shape, llama.read_safetensors(small / "model.safetensors")).logits(tokens)
best = logits.argmax(-1)[len(found["prompt_tokens"]) - 1:]
assert list(best[:len(found["tokens"])]) == found["tokens"], (best, found)
