"""Times the calibration kernels and compares them with what was measured on hardware.

    table.py            prints the table of docs/CostModel.md
    table.py --check F  fails unless the table in F is the one that would be printed, to 1 %, and no
                        error is larger than the limits below
"""

import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
# Milliseconds; AOP and KO are f32, ACO is bf16.
MEASURED = {
    "nki_matmul": 35.200, "nki_transpose_matmul": 9.610,
    "autocomp_2": 11.80, "autocomp_3": 8.07, "autocomp_4": 7.62, "autocomp_5": 6.96,
    "tutorial_tiled": 39.89, "tutorial_hoisted": 28.20, "tutorial_blocked": 28.41,
    "tutorial_fully_blocked": 28.30,
}
# Per cent.
LARGEST_ERROR, LARGEST_MEAN = 15.0, 7.0
ROW = "| %s | %.2f | %.2f | %+.1f %% |"


def time(kernel):
    program = subprocess.run([sys.executable, os.path.join(HERE, "kernels.py"), kernel],
                             check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "report.json")
        subprocess.run(["trn-run", "-", "--timing-only", "--report=" + report], input=program,
                       check=True, stdout=subprocess.DEVNULL)
        with open(report) as file:
            return json.load(file)["latency_ms"]


def main():
    modelled = {kernel: time(kernel) for kernel in MEASURED}
    errors = {kernel: 100 * (modelled[kernel] / MEASURED[kernel] - 1) for kernel in MEASURED}
    if len(sys.argv) == 1:
        for kernel in MEASURED:
            print(ROW % (kernel, MEASURED[kernel], modelled[kernel], errors[kernel]))
        return
    with open(sys.argv[2]) as file:
        rows = dict(re.findall(r"^\| (\w+) \| [0-9.]+ \| ([0-9.]+) \|", file.read(), re.MULTILINE))
    wrong = []
    for kernel in MEASURED:
        if kernel not in rows or abs(float(rows[kernel]) / modelled[kernel] - 1) > 0.01:
            wrong.append("%s is %s in the table, but takes %.2f ms" % (kernel, rows.get(kernel), modelled[kernel]))
        if abs(errors[kernel]) > LARGEST_ERROR:
            wrong.append("%s is off by %+.1f %%" % (kernel, errors[kernel]))
    mean = sum(map(abs, errors.values())) / len(errors)
    if mean > LARGEST_MEAN:
        wrong.append("the mean error is %.1f %%" % mean)
    if wrong:
        sys.exit("\n".join(wrong))
    print("%d kernels agree, mean error %.1f %%" % (len(errors), mean))


if __name__ == "__main__":
    main()
