"""Runs `trn-run --timing-only`: reports of modules, one on each core."""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

PROCESSES = os.cpu_count()


def execute(command, source=None):
    done = subprocess.run(command, input=source, capture_output=True, text=True)
    if done.returncode:
        sys.exit("failed: %s\n%s" % (" ".join(command), done.stderr[:2000]))
    return done.stdout


def report(source, *flags):
    """What `trn-run` reports for the module `source`, with further flags."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "report.json")
        execute(["trn-run", "-", "--timing-only", "--report=" + path, *flags], source)
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def reports(sources):
    """What `trn-run` reports for two modules or more, by one process and without findings."""
    with tempfile.TemporaryDirectory() as folder:
        names = [os.path.join(folder, "%d.mlir" % i) for i in range(len(sources))]
        for name, source in zip(names, sources):
            with open(name, "w", encoding="utf-8") as file:
                file.write(source)
        path = os.path.join(folder, "report.json")
        execute(["trn-run", *names, "--sweep=", "--report=" + path])
        with open(path, encoding="utf-8") as file:
            points = json.load(file)["sweep"]
    for point in points:
        if "report" not in point:
            sys.exit("failed: " + point["error"])
    return [point["report"] for point in points]


ENGINES = {"tensor": "tensor_engine_active_percent", "vector": "vector_engine_active_percent",
           "scalar": "scalar_engine_active_percent", "gpsimd": "gpsimd_engine_active_percent",
           "dma": "dma_active_percent"}


def busiest(result):
    """The engine that is occupied for longest, and for how many ms."""
    engine = max(ENGINES, key=lambda engine: result[ENGINES[engine]])
    return engine, result[ENGINES[engine]] / 100 * result["latency_ms"]


def each(function, jobs, quiet=False, processes=PROCESSES):
    """[function(job) for job in jobs], with the progress on a terminal unless `quiet`."""
    results = [None] * len(jobs)
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:
        futures = {pool.submit(function, job): i for i, job in enumerate(jobs)}
        try:
            for done, future in enumerate(concurrent.futures.as_completed(futures), 1):
                results[futures[future]] = future.result()
                if sys.stderr.isatty() and not quiet:
                    sys.stderr.write("\r%d of %d" % (done, len(jobs)) + ("\n" if done == len(jobs) else ""))
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    return results


def table(head, rows):
    """Aligned columns, the first one to the left."""
    rows = [head, *rows]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    for row in rows:
        print("  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:]))]).rstrip())
