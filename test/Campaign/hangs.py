"""What counts as a hang: too much CPU time, or none; not waiting for others that use the cores."""

import subprocess
import sys

from tools import finish


def end_of(code, **limits):
    process = subprocess.Popen([sys.executable, "-c", code], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE)
    done = finish(process, text=b"given", **limits)
    process.communicate()
    return done and done[0]


BUSY = "while True: pass"
STOPPED = "import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"
SLEEPS = "import sys, time; time.sleep(2.5); print(sys.stdin.read(), end='')"
assert end_of(BUSY, seconds=1) is None
assert end_of(STOPPED, seconds=60, idle_seconds=3) is None
# More wall time than the limit of CPU time.
assert end_of(SLEEPS, seconds=1) == b"given"
