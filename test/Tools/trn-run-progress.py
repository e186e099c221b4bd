r"""On a terminal a run says how far it is, and leaves nothing of that behind; in a pipe it is quiet.

RUN: trn-gen xw --m=512 --k=1024 --n=1024 > product.mlir
RUN: %python %s
"""

import os
import pty
import subprocess

COMMAND = ["trn-run", "product.mlir", "--compile", "--threads=1"]


def on_terminal(command):
    """What a command writes to a terminal that is its standard error."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs)
    os.close(theirs)
    text = b""
    try:
        while part := os.read(ours, 4096):
            text += part
    except OSError:  # the other end is closed
        pass
    assert process.wait() == 0
    return text.decode()


text = on_terminal(COMMAND)
assert "[>" in text and " 0/" in text.replace("]", "] "), text
assert text.endswith("\r\x1b[K"), text
assert not on_terminal(COMMAND + ["--timing-only"])
assert not subprocess.run(COMMAND, check=True, capture_output=True).stderr
