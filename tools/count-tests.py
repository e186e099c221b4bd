"""Prints the totals of lit result files, and their sum as the last line.

Usage: count-tests.py results.json...
Fails unless each of our suites ran in each of them and no test failed.
"""

import collections
import json
import sys

SUITES = {"trn": "lit", "trn-unit": "GoogleTest"}
PASSED = {"PASS", "XFAIL", "FLAKYPASS"}
NOT_RUN = {"UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def count(path):
    """By suite, how many tests have which code."""
    codes = {name: collections.Counter() for name in SUITES.values()}
    try:
        with open(path, encoding="utf-8") as file:
            for test in json.load(file)["tests"]:
                codes[SUITES[test["name"].split(" :: ")[0]]][test["code"]] += 1
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"count-tests.py: there are no complete results: {error!r}")
    return codes


def main(paths):
    total_passed = total_failed = 0
    for name, counts in (suite for path in paths for suite in count(path).items()):
        passed = sum(counts[code] for code in PASSED)
        not_run = sum(counts[code] for code in NOT_RUN)
        failed = counts.total() - passed - not_run
        if passed + failed == 0:
            sys.exit(f"count-tests.py: no {name} test ran")
        print(f"{name}: {passed} passed, {failed} failed, {not_run} not run")
        total_passed += passed
        total_failed += failed
    print(f"{total_passed} passed, {total_failed} failed")
    return 1 if total_failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
