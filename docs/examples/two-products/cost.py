"""cost.py SECONDS MB COMMAND...: runs a command, and says whether it took at most so much CPU time and memory."""

import resource
import subprocess
import sys

seconds, megabytes, *command = sys.argv[1:]
subprocess.run(command, check=True)
used = resource.getrusage(resource.RUSAGE_CHILDREN)
for what, found, most in (("CPU seconds", used.ru_utime + used.ru_stime, float(seconds)),
                          ("MB", used.ru_maxrss / 1e3, float(megabytes))):
    print(f"at most {most:g} {what}" if found <= most else f"{found:.1f} {what}, more than {most:g}")
