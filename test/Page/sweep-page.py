r"""The page of a sweep says what is fastest, and what its axes are; points without the
key that others vary are lines to compare with.

RUN: rm -rf %t && mkdir %t && cd %t
RUN: trn-gen xuv --m=256 --k=1536 --r=128 --n=2560 -o chain.mlir
RUN: trn-gen xw --m=256 --k=1536 --n=2560 -o dense.mlir
RUN: trn-run chain.mlir --compile=effort=10 --sweep="r=128,256; machine=trn1,trn2" --html=machines.html
RUN: trn-run chain.mlir dense.mlir --compile=effort=10 --sweep="r=128:512:*2" --html=reference.html
RUN: trn-run chain.mlir --compile=effort=10 --sweep="rows=128,256; block-m=128,256" --html=rows.html
RUN: %python %s %chromium %chromedriver
"""

import pathlib
import sys

from selenium.webdriver.common.by import By

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
from browser import browser, check_console, check_contrast, open_page


def points_of(driver):
    sweep = driver.execute_script("return page.sweep.sweep")
    return [(entry["point"], entry["report"]["latency_ms"]) for entry in sweep if "report" in entry]


def headlines(driver):
    return [node.text for node in driver.find_elements(By.CSS_SELECTOR, "#sweep > .verdict")]


def labels(driver, chart):
    return [node.get_attribute("textContent") for node in chart.find_elements(By.CLASS_NAME, "axis")]


def check_machines(driver):
    points = points_of(driver)
    fastest, latency = min(points, key=lambda point: point[1])
    [(other, slower)] = [point for point in points if point[0]["r"] == fastest["r"] and point[0] != fastest]
    [headline] = headlines(driver)
    start, factor, _, machine = headline.rsplit(" ", 3)
    assert start == f"Fastest: r = {fastest['r']} on {fastest['machine']},", headline
    assert machine == other["machine"] and abs(float(factor) - slower / latency) < 0.006, headline


def check_reference(driver):
    (dense, slow), *ranks = points_of(driver)
    assert dense == {"file": "dense.mlir"}, dense
    fastest, latency = min(ranks, key=lambda point: point[1])
    [headline] = headlines(driver)
    assert headline.startswith(f"Fastest: chain.mlir, r = {fastest['r']}, "), headline
    assert headline.endswith(" × dense.mlir") and abs(float(headline.split()[-3]) - slow / latency) < 0.006, headline
    chart = driver.find_element(By.CLASS_NAME, "chart")
    assert len(chart.find_elements(By.CSS_SELECTOR, ".dot")) == 3
    assert len(chart.find_elements(By.CSS_SELECTOR, ".line.dashed")) == 1
    names = [item.text for item in driver.find_elements(By.CSS_SELECTOR, "#sweep > div > .legend li")]
    assert names == ["chain.mlir", "dense.mlir"], names
    assert labels(driver, chart) == ["r, log", "linear"], labels(driver, chart)
    cells = driver.find_elements(By.CSS_SELECTOR, "#points tbody tr:first-child > *")
    assert [cell.text for cell in cells[:2]] == ["dense.mlir", "–"]


def check_rows(driver):
    """Less rows are less work: each number of them has its fastest point."""
    assert [headline.split(",")[0] for headline in headlines(driver)] == ["rows = 128", "rows = 256"]
    scales = driver.execute_script("""
        const labelsOf = (low, high) => [...lineChart("t", { label: "x", isScale: true, format: String }, { label: "", isScale: true, format: String },
          [{ name: "a", colour: "--blue", points: [[1, low, null], [2, high, null]] }]).querySelectorAll(".axis")].map(({ textContent }) => textContent);
        return [labelsOf(1, 3), labelsOf(1, 5), axisLabel({ label: "strategy" })]""")
    assert scales == [["x, linear", "linear"], ["x, linear", "log"], "strategy"], scales


with browser(*sys.argv[1:3]) as driver:
    for name, check in (("machines", check_machines), ("reference", check_reference), ("rows", check_rows)):
        open_page(driver, pathlib.Path(f"{name}.html"))
        check(driver)
        check_contrast(driver)
        check_console(driver)
