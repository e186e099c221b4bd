"""Prints the totals of lit result files, and their sum as the last line.

Usage: count-tests.py results-NAME.json...
Fails unless every file is there, holds tests, and none of them failed.
"""

import collections
import json
import os
import sys

PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
NOT_RUN = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def count(path):
    """(passed, failed, not run) of one result file."""
    with open(path, encoding="utf-8") as file:
        codes = collections.Counter(test["code"] for test in json.load(file)["tests"])
    passed = sum(codes[code] for code in PASSED)
    not_run = sum(codes[code] for code in NOT_RUN)
    return passed, codes.total() - passed - not_run, not_run


def main(paths):
    total_passed = total_failed = 0
    for path in paths:
        name = os.path.basename(path).removeprefix("results-").removesuffix(".json")
        try:
            passed, failed, not_run = count(path)
        except (OSError, ValueError, KeyError) as error:
            sys.exit(f"count-tests.py: {name} has no results: {error}")
        if passed + failed == 0:
            sys.exit(f"count-tests.py: {name} ran no test")
        print(f"{name}: {passed} passed, {failed} failed, {not_run} not run")
        total_passed += passed
        total_failed += failed
    print(f"{total_passed} passed, {total_failed} failed")
    return 1 if total_failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
