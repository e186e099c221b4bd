r"""The text of the module is in the page, packed, and is unpacked when somebody looks:
lines lead to their instructions, and places lead to their lines.

RUN: rm -rf %t && mkdir %t && cd %t
RUN: trn-gen xuv --m=512 --k=512 --r=256 --n=1024 > "a <b> b.mlir"
RUN: trn-run "a <b> b.mlir" --compile=effort=10 --timing-only --html=text.html
RUN: trn-opt "a <b> b.mlir" --emit-bytecode -o chain.mlirbc
RUN: trn-run chain.mlirbc --compile=effort=10 --timing-only --html=bytecode.html
RUN: %python %s %chromium %chromedriver
"""

import pathlib
import sys

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
from browser import browser, check_console, check_contrast, open_page, wait_for

NAME = "a <b> b.mlir"
TEXT = pathlib.Path(NAME).read_text()


def line_of(op):
    """The line of the second matmul or of the function."""
    lines = [number for number, line in enumerate(TEXT.splitlines(), 1) if op in line]
    return lines[-1]


def check_packed(driver):
    """No line of the module stands in the page before somebody looks."""
    assert "linalg.matmul" not in pathlib.Path("text.html").read_text()
    assert not driver.find_elements(By.CSS_SELECTOR, ".module tr")
    driver.find_element(By.CSS_SELECTOR, "#module summary").send_keys(Keys.ENTER)
    wait_for(driver, "document.querySelector('.module tbody tr')", "no text")
    shown = driver.execute_script(
        "return [...document.querySelectorAll('.module tbody code')].map(({ textContent }) => textContent)")
    assert shown == TEXT.splitlines(), shown[:3]


def check_line(driver):
    """A line shows its instructions, on their tracks."""
    line = line_of("linalg.matmul")
    driver.find_element(By.CSS_SELECTOR, f"#line-{line} button").send_keys(Keys.ENTER)
    wait_for(driver, "page.view.part", "nothing is shown")
    expected = driver.execute_script("""
        const { tracks } = page.view.timeline, { events } = tracks[0], starts = [], ends = [];
        for (let i = 0; i < events.count; ++i)
          if (tracks[0].op(i).location.includes(`b.mlir:${arguments[0]}:`)) {
            starts.push(events.start[i]);
            ends.push(events.end[i]);
          }
        return { engine: 0, start: Math.min(...starts), end: Math.max(...ends), count: starts.length }""", line)
    count = expected.pop("count")
    assert driver.execute_script("return page.view.part.frames") == [expected]
    status = driver.find_element(By.ID, "timeline-range").text
    assert status.startswith(f"{NAME}:{line}: {count} instructions, "), status
    critical = driver.execute_script("""
        return page.reports[0].report.kernels[0].top_ops.find(({ op, location }) => op === "matmul" && location.includes(`:${arguments[0]}:`))""", line)
    cell = driver.find_elements(By.CSS_SELECTOR, f"#line-{line} td")[0].text
    latency = driver.execute_script("return page.reports[0].report.latency_ms")
    assert abs(float(cell.split()[0]) - 100 * critical["critical_ms"] / latency) < 2.5, (cell, critical)
    unused = driver.find_element(By.CSS_SELECTOR, "#line-1")
    assert not unused.find_elements(By.TAG_NAME, "button"), "a line without instructions leads somewhere"


def check_place(driver):
    """A step, an instruction that is clicked, and tables lead to the line."""
    def follow(button):
        where = button.text
        driver.execute_script("arguments[0].click()", button)
        line = int(where.split(":")[-2])
        wait_for(driver, f"document.querySelector('.module .best')?.id === 'line-{line}'", f"{where} is not shown")
    canvas = driver.find_element(By.TAG_NAME, "canvas")
    canvas.send_keys("0n")
    follow(driver.find_element(By.CSS_SELECTOR, "#timeline-range button"))
    for button in driver.find_elements(By.CSS_SELECTOR, "#ops-and-buffers td button")[:3]:
        follow(button)
    driver.execute_script("page.view.reset(); arguments[0].scrollIntoView()", canvas)
    wait_for(driver, "!page.view.pending", "the timeline is not drawn")
    x, y, location = driver.execute_script("""
        const track = page.view.timeline.tracks.find(({ name }) => name === "dma loads"), { start, end } = track.events,
              { width, height } = page.view.canvas.getBoundingClientRect();
        const row = page.view.rows.find((row) => row.track === track);
        return [page.view.surface.x((start[0] + end[0]) / 2) - width / 2, row.y + 10 - height / 2, track.op(0).location]""")
    ActionChains(driver, duration=0).move_to_element_with_offset(canvas, round(x), round(y)).click().perform()
    button = wait_for(driver, "document.querySelector('#timeline-range button')", "a click says nothing")
    assert button.text == location, (button.text, location)
    follow(button)


def check_no_text(driver):
    """Bytecode is no text: places stay places."""
    assert not driver.find_elements(By.ID, "module")
    assert not driver.find_elements(By.CSS_SELECTOR, "td button.part")


with browser(*sys.argv[1:3]) as driver:
    open_page(driver, pathlib.Path("text.html"))
    for check in (check_packed, check_line, check_place, check_contrast, check_console):
        check(driver)
    open_page(driver, pathlib.Path("bytecode.html"))
    check_no_text(driver)
