"""What a command writes to a terminal."""

import os
import pty
import subprocess


def run(command, stdout=None):
    """What it shows on the terminal that is its standard error and, unless that is given, its standard
    output; and that, if it is a pipe."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(command, stdout=theirs if stdout is None else stdout, stderr=theirs)
    os.close(theirs)
    shown = b""
    try:  # piece by piece, and then an error
        while piece := os.read(ours, 1 << 16):
            shown += piece
    except OSError:
        pass
    os.close(ours)
    output, _ = process.communicate()
    assert process.returncode == 0, (command, shown)
    return shown.decode(errors="replace"), output
