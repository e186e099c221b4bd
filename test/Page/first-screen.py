r"""The first screen of a page says where the time goes: the bar is cut into the parts
of the critical path, which add up to the latency and lead to the timeline; tips go
when the view changes; changes are green only where they are good.

RUN: rm -rf %t && mkdir %t && cd %t
RUN: trn-gen xuv --m=512 --k=512 --r=256 --n=1024 > chain.mlir
RUN: trn-run chain.mlir --compile=effort=10 --timing-only --html=traffic.html
RUN: trn-gen mlp --m=1024 --hidden=1024 --intermediate=1024 > mlp.mlir
RUN: trn-run mlp.mlir --compile=effort=10 --timing-only --machine=trn2 --range --html=tensor.html
Two products of the same, one with three times the work.
RUN: trn-gen xw --m=512 --k=512 --n=512 > small.mlir
RUN: trn-run small.mlir --compile=effort=10 --timing-only --report=small.json
RUN: trn-gen xw --m=512 --k=1536 --n=512 > large.mlir
RUN: trn-run large.mlir --compile=effort=10 --timing-only --report=large.json
RUN: trn-run --compare small.json large.json --html=comparison.html
RUN: %python %s %chromium %chromedriver
"""

import pathlib
import sys

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions.wheel_input import ScrollOrigin
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
from browser import browser, check_console, check_contrast, open_page, wait_for


def report_of(driver):
    return driver.execute_script("return page.reports[0].report")


def check_sum(driver):
    """The parts are those of the report, add up to the latency, and fill the bar."""
    report = report_of(driver)
    told = driver.execute_script("return barParts(page.reports[0].report).map(({ ms }) => ms)")
    assert sorted(told) == sorted(part["ms"] for part in report["critical_path"])
    assert abs(sum(told) / report["latency_ms"] - 1) < 1e-9, (sum(told), report["latency_ms"])
    bar = driver.find_element(By.CSS_SELECTOR, ".path-bar .parts")
    spans = bar.find_elements(By.TAG_NAME, "span")
    widths = driver.execute_script("return arguments[0].map((span) => span.getBoundingClientRect().width)", spans)
    assert len(spans) == len(told) and abs(sum(widths) - bar.rect["width"]) < 1, (widths, bar.rect)
    for width, ms in zip(widths, told):
        # The shortest ones have a pixel.
        assert abs(width - bar.rect["width"] * ms / report["latency_ms"]) < 1 + len(told) / 2, (width, ms)


def check_mark(driver):
    """The line of the bound stands at the bound."""
    report = report_of(driver)
    bar, mark = (driver.find_element(By.CSS_SELECTOR, f".path-bar {name}").rect for name in (".parts", ".bound"))
    left = mark["x"] - bar["x"]
    assert abs(left - bar["width"] * report["bound_ms"] / report["latency_ms"]) < 2, (bar, mark)


def check_names(driver):
    """Every part of a percent is named, the work of the bound first."""
    report = report_of(driver)
    names = [item.text for item in driver.find_elements(By.CSS_SELECTOR, ".path-bar + .legend li")]
    engine = {"traffic": ("load", "store"), "tensor_engine": ("tensor",)}[report["bound_by"]]
    assert names[0].split(",")[0] in engine and ", busy" in names[0], names
    large = [part for part in report["critical_path"] if part["percent"] >= 1]
    assert len(large) == sum(not name.startswith("and ") for name in names), (large, names)


def check_reason(driver):
    """Without advice the largest parts are told in words, too."""
    assert not [finding for finding in report_of(driver)["findings"] if "try" in finding]
    text = driver.find_element(By.ID, "findings").text
    [largest, *_] = report_of(driver)["critical_path"]
    told = text.split("On the critical path: ")[1]
    assert largest["reason"].replace("_", " ") in told.split("%")[0], text


def check_links(driver):
    """Each name leads to a stretch of the timeline that is of its part and marked."""
    every = driver.execute_script("return barParts(page.reports[0].report)")
    parts = [part for part in every if part["percent"] >= 1]
    buttons = driver.find_elements(By.CSS_SELECTOR, ".path-bar + .legend button")
    assert len(buttons) == len(parts), (buttons, parts)
    for button, part in zip(buttons, parts):
        button.send_keys(Keys.ENTER)
        wait_for(driver, f"page.view.part?.text.toLowerCase().startsWith({part['name'].lower() + ':'!r})", f"no {part}")
        stretch, view = driver.execute_script("return [{ ...page.view.part, ...page.view.part.frames[0] }, page.view.view]")
        assert view["start"] <= stretch["start"] < stretch["end"] <= view["end"] + 1, (stretch, view)
        assert driver.find_element(By.ID, "timeline-range").text == stretch["text"]
        assert driver.switch_to.active_element.tag_name == "canvas"
    # Where a part is, all of it: the executions of an engine add up to its time.
    for part in parts:
        found = driver.execute_script("""
            return stretchesOf(arguments[0], page.view.timeline).reduce((sum, [start, end]) => sum + end - start, 0) / 1e9""", part)
        if part["reason"] in ("busy", "kernel_overhead"):
            # What is throttled is busy, too, but longer.
            throttled = sum(other["ms"] for other in every if other["reason"] == "throttle"
                            and (other["engine"], part["reason"]) == (part["engine"], "busy"))
            assert part["ms"] * (1 - 1e-6) < found < (part["ms"] + throttled) * (1 + 1e-6), (part, found)
        elif part["reason"] != "throttle":
            assert found >= part["ms"] * 0.999, (part, found)


MARKED = """
const { surface, canvas, rows } = page.view, ratio = devicePixelRatio;
const row = rows.find((row) => row instanceof PathRow), colour = surface.colour("--mark");
const copy = document.createElement("canvas");
[copy.width, copy.height] = [canvas.width, canvas.height];
const context = copy.getContext("2d", { willReadFrequently: true });
context.drawImage(canvas, 0, 0);
const { data } = context.getImageData(0, (row.y - 2) * ratio, canvas.width, 1);
let first = null, last = null;
for (let x = 0; x < canvas.width; ++x)
  if ("#" + [0, 1, 2].map((c) => data[4 * x + c].toString(16).padStart(2, "0")).join("") === colour) {
    first ??= x / ratio;
    last = x / ratio;
  }
return [first, last];
"""


def check_current(driver):
    """The step that n shows is framed in the critical path; nothing is in the whole run."""
    canvas = driver.find_element(By.TAG_NAME, "canvas")
    canvas.send_keys("0")
    wait_for(driver, "!page.view.pending", "the timeline is not drawn")
    assert driver.execute_script(MARKED) == [None, None]
    canvas.send_keys("nn")
    wait_for(driver, "!page.view.pending && page.view.current === 1", "no second step")
    left, right = driver.execute_script(MARKED)
    start, end = driver.execute_script("""
        const { start, end } = page.view.timeline.path.events;
        return [page.view.surface.x(start[1]), page.view.surface.x(end[1])]""")
    assert abs(left - start) <= 2 and abs(right - end) <= 3, ((left, right), (start, end))
    canvas.send_keys("0")


def hover(driver):
    """Shows a tip at the kernel's name."""
    canvas = driver.find_element(By.TAG_NAME, "canvas")
    driver.execute_script("arguments[0].scrollIntoView()", canvas)
    ActionChains(driver, duration=0).move_to_element_with_offset(canvas, 0, 0).perform()
    x, y = driver.execute_script("""
        const row = page.view.rows.find((row) => row instanceof KernelsRow), { width, height } = page.view.canvas.getBoundingClientRect();
        return [Math.round(page.view.surface.gutter + 200 - width / 2), Math.round(row.y + 8 - height / 2)]""")
    ActionChains(driver, duration=0).move_to_element_with_offset(canvas, x, y).perform()
    wait_for(driver, "!document.querySelector('.tip').hidden", "no tip")
    return canvas, (x, y)


def check_tips(driver):
    """Escape, keys, buttons and the wheel take the tip away; Escape changes nothing else."""
    def is_gone(why):
        wait_for(driver, "document.querySelector('.tip').hidden", f"the tip stays after {why}")

    driver.find_element(By.TAG_NAME, "canvas").send_keys("0++")
    view = "return [page.view.view.start, page.view.view.end]"
    canvas, _ = hover(driver)
    before = driver.execute_script(view)
    canvas.send_keys(Keys.ESCAPE)
    is_gone("Escape")
    assert driver.execute_script(view) == before, "Escape does more than to take the tip away"
    canvas.send_keys(Keys.ESCAPE)
    assert driver.execute_script(view)[0] == 0, "a second Escape does not show the whole run"
    for key in ("+", "-", Keys.ARROW_RIGHT, "n", "0", "x"):
        canvas, _ = hover(driver)
        canvas.send_keys(key)
        is_gone(key)
    # With the focus elsewhere, too.
    hover(driver)
    driver.execute_script("document.activeElement.blur()")
    ActionChains(driver).send_keys(Keys.ESCAPE).perform()
    is_gone("Escape elsewhere")
    hover(driver)
    driver.execute_script("document.querySelector('.controls button').click()")
    is_gone("a button")
    canvas, (x, y) = hover(driver)
    ActionChains(driver, duration=0).scroll_from_origin(ScrollOrigin.from_element(canvas, x, y), 0, -200).perform()
    is_gone("the wheel")


def check_tiles(driver):
    """One tile has the busiest engine, whichever that is, another what elementwise work needs."""
    def tiles(changes):
        return driver.execute_script("""
            const nodes = [...tiles({ ...page.reports[0].report, ...arguments[0] }).children];
            return Object.fromEntries(nodes.map(({ children }) => [children[0].textContent, [children[1].textContent, children[2].textContent]]))""", changes)
    report = report_of(driver)
    assert tiles({"vector_engine_active_percent": 97})["busiest engine"] == ["97 %", "vector engine active"]
    assert tiles({"dma_active_percent": 98})["busiest engine"][1].startswith("DMA engines active, ")
    busiest = max("vector", "scalar", "gpsimd", key=lambda engine: report[f"{engine}_engine_active_percent"])
    least = report[f"{busiest}_engine_active_percent"] / 100 * report["latency_ms"]
    shown = tiles({})["elementwise bound"]
    assert shown == [driver.execute_script("return formatMs(arguments[0])", least), f"{busiest} engine, as compiled"], shown
    other = tiles({})["tensor bound" if report["bound_by"] == "traffic" else "traffic bound"]
    assert other, "the other bound is missing"


def check_judgement(driver):
    """A tensor engine that is busy for longer is no gain if it does more."""
    small, large = driver.execute_script("return page.reports.map(({ report }) => report)")
    assert large["executed_flops"] == 3 * small["executed_flops"]
    assert large["tensor_engine_active_percent"] > small["tensor_engine_active_percent"]
    row = driver.find_element(By.XPATH, "//section[@id='side-by-side']//tr[th='tensor engine active']")
    cell = row.find_elements(By.TAG_NAME, "td")[1]
    assert "better" not in cell.get_attribute("class"), cell.text
    same = driver.execute_script("""
        const [first] = page.reports.map(({ report }) => report), key = "tensor_engine_active_percent";
        return changeCell(key, { ...first, [key]: 1.2 * first[key] }, first).class""")
    assert same == "better", same


with browser(*sys.argv[1:3]) as driver:
    open_page(driver, pathlib.Path("traffic.html"))
    for check in (check_sum, check_mark, check_names, check_reason, check_links, check_current, check_tips,
                  check_tiles, check_contrast, check_console):
        check(driver)
    open_page(driver, pathlib.Path("tensor.html"))
    for check in (check_sum, check_mark, check_names, check_links, check_tiles, check_contrast, check_console):
        check(driver)
    open_page(driver, pathlib.Path("comparison.html"))
    check_judgement(driver)
