"""trn-explore in a browser: the first page, an edit, an error with its line, lines that are marked
on both sides, the timeline, a kernel in NKI, keys, a narrow window, and the dark; and as a folder.

RUN: %trn_python -m trn_mlir.explore --static %t softmax
RUN: %trn_python %s %chromium %chromedriver %t
"""

import pathlib
import subprocess
import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

sys.path.append(str(pathlib.Path(__file__).parents[3] / "Page" / "Inputs"))
from browser import browser, check_console, check_contrast, wait_for

READY = "(document.body.dataset.ready || '')"


def wait_until(driver, kind):
    """Until the newest request has an answer of this kind: quick, full or error. The full one,
    which takes longer, is not waited for where the quick one will do."""
    ready = f"{READY} === `{kind} ${{state.number}}`"
    wait_for(driver, f"{ready} && (state.timers.splice(0).forEach(clearTimeout), true)"
             if kind == "quick" else ready, f"no {kind} answer")


def text_of(driver, selector):
    return driver.execute_script("return document.querySelector(arguments[0]).textContent", selector)


def select_tab(driver, name):
    driver.find_element(By.ID, f"tab-{name}").click()


def choose(driver, field, value):
    driver.execute_script("""const node = document.getElementById(arguments[0]);
        node.value = arguments[1];
        for (const kind of ["input", "change"]) node.dispatchEvent(new Event(kind, { bubbles: true }));""",
                          field, value)


def edit(driver, old, new):
    """As one who types: replaces the first `old` in the source."""
    driver.execute_script("""const at = source.value.indexOf(arguments[0]);
        source.focus();
        source.setSelectionRange(at, at + arguments[0].length);""", old)
    driver.find_element(By.ID, "source").send_keys(new)


def check_first_page(driver):
    wait_until(driver, "full")
    assert "trn.matmul" in text_of(driver, "#panel") and "modelled" in text_of(driver, "#status")
    for name, expected in (("tensor", "trn.schedule"), ("virtual", "trn.alloc"), ("nki", "@nki.jit"),
                           ("findings", "Planned main_kernel: the best of the plans")):
        select_tab(driver, name)
        assert expected in text_of(driver, "#panel"), name
    assert not driver.find_element(By.ID, "tab-linalg").is_displayed()
    select_tab(driver, "placed")


def check_marks(driver):
    """The cursor marks lines of the result; a line of the result marks and shows its source."""
    line = driver.execute_script("""const line = source.value.split("\\n").findIndex((text) => text.includes("linalg.matmul"));
        source.focus(); showSource(line + 1, true); return line + 1;""")
    wait_for(driver, f"state.line === {line}", "the cursor marks nothing")
    current = driver.find_elements(By.CSS_SELECTOR, "#panel .current")
    assert any("trn.matmul" in row.text for row in current), [row.text for row in current]
    assert len(driver.find_elements(By.CSS_SELECTOR, "#marks .current")) == 1
    other = driver.find_element(By.CSS_SELECTOR, f"#panel li[data-line]:not([data-line='{line}'])")
    driver.execute_script("arguments[0].click()", other)
    wanted = int(other.get_attribute("data-line"))
    assert driver.execute_script("return state.line") == wanted
    assert "current" in other.get_attribute("class")
    at = driver.execute_script("return source.value.slice(0, source.selectionStart).split('\\n').length")
    assert at == wanted, (at, wanted)


def check_keys(driver):
    """Arrows in the result go from line to line, Enter to the source; arrows choose tabs."""
    panel = driver.find_element(By.ID, "panel")
    panel.send_keys(Keys.ARROW_DOWN)
    before = driver.execute_script("return state.row.textContent")
    panel.send_keys(Keys.ARROW_DOWN)
    assert driver.execute_script("return state.row.textContent") != before
    panel.send_keys(Keys.ENTER)
    assert driver.execute_script("return document.activeElement.id") == "source"
    driver.find_element(By.ID, "tab-placed").send_keys(Keys.ARROW_RIGHT)
    assert driver.execute_script("return [state.tab, document.activeElement.id]") == ["nki", "tab-nki"]


def check_timeline(driver):
    """The page of the run, framed: it shows what is chosen here."""
    select_tab(driver, "timeline")
    frame = driver.find_element(By.CSS_SELECTOR, "#panel iframe")
    driver.switch_to.frame(frame)
    wait_for(driver, "document.body.dataset.ready", "the timeline is not drawn")
    driver.switch_to.default_content()
    line = driver.execute_script("""const line = source.value.split("\\n").findIndex((text) => text.includes("linalg.matmul")) + 1;
        choose(line); return line""")
    driver.switch_to.frame(frame)
    wait_for(driver, f"document.getElementById('timeline-range').textContent.startsWith('module:{line}:')",
             "the timeline does not show the line")
    driver.execute_script("tellEmbedder('module:3:19')")
    driver.switch_to.default_content()
    wait_for(driver, "state.line === 3", "what is picked in the timeline is not shown")
    select_tab(driver, "placed")


def check_edit(driver):
    latency = driver.execute_script("return state.answer.latency_ms")
    edit(driver, "%u: tensor<1024x256xbf16>", "%u: tensor<1024x256xf16>")
    wait_until(driver, "error")
    [message] = driver.find_elements(By.CSS_SELECTOR, "#messages .error .place")
    assert driver.find_element(By.ID, "panel").get_attribute("class") == "old"
    driver.execute_script("choose(0)")
    message.click()
    line = driver.execute_script("return state.line")
    assert "linalg.matmul" in driver.execute_script(f"return source.value.split('\\n')[{line} - 1]")
    assert driver.find_elements(By.CSS_SELECTOR, f"#marks .error[data-line='{line}']")
    edit(driver, "%u: tensor<1024x256xf16>", "%u: tensor<1024x256xbf16>")
    wait_until(driver, "quick")
    choose(driver, "machine", "trn2")
    wait_until(driver, "quick")
    assert driver.execute_script("return state.answer.latency_ms") != latency
    assert not driver.find_elements(By.CSS_SELECTOR, "#messages li")
    choose(driver, "options", "plan-cache=/tmp")
    wait_until(driver, "error")
    assert "plan-cache is no option here" in text_of(driver, "#messages")


def check_python(driver):
    """A kernel in NKI, its error, and Python that does not end well."""
    choose(driver, "example", "softmax")
    wait_until(driver, "quick")
    row = driver.find_element(By.XPATH, "//ol/li[contains(text(), 'trn.reciprocal')]")
    line = int(row.get_attribute("data-line"))
    assert "nisa.reciprocal" in driver.execute_script(f"return source.value.split('\\n')[{line} - 1]")
    edit(driver, "nisa.reciprocal", "nisa.reciprocals")
    wait_until(driver, "error")
    assert f"line {line} error" in text_of(driver, "#messages"), text_of(driver, "#messages")
    driver.execute_script("source.value = 'import os\\n1 / 0\\n'; edited(0)")
    wait_until(driver, "error")
    assert "line 2 error: ZeroDivisionError" in text_of(driver, "#messages"), text_of(driver, "#messages")
    driver.execute_script("source.value = 'import os\\nos.abort()\\n'; edited(0)")
    wait_until(driver, "error")
    assert "ended by SIGABRT" in text_of(driver, "#messages")
    choose(driver, "example", "python")
    wait_until(driver, "quick")
    select_tab(driver, "linalg")
    assert "linalg.matmul" in text_of(driver, "#panel")


def check_static(driver, folder):
    """The same page without a server, from a folder."""
    driver.get((folder / "index.html").resolve().as_uri())
    wait_until(driver, "full")
    assert "trn.reciprocal" in text_of(driver, "#panel")
    assert driver.execute_script("return source.readOnly && source.value.includes('nisa.reciprocal')")
    select_tab(driver, "timeline")
    driver.switch_to.frame(driver.find_element(By.CSS_SELECTOR, "#panel iframe"))
    wait_for(driver, "document.body.dataset.ready", "the timeline is not drawn")
    driver.switch_to.default_content()


def check_sizes(driver):
    for width, scheme in ((390, "dark"), (1200, "light")):
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                               {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                               {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
        assert driver.execute_script("return document.documentElement.scrollWidth <= innerWidth"), width
        for tab in ("placed", "findings"):
            select_tab(driver, tab)
            check_contrast(driver)


with subprocess.Popen([sys.executable, "-m", "trn_mlir.explore", "--port=0"], stdout=subprocess.PIPE,
                      text=True) as server, browser(*sys.argv[1:3]) as driver:
    try:
        driver.get(server.stdout.readline().split()[-1])
        check_first_page(driver)
        check_marks(driver)
        check_keys(driver)
        check_timeline(driver)
        check_edit(driver)
        check_python(driver)
        check_sizes(driver)
        check_static(driver, pathlib.Path(sys.argv[3]))
        check_console(driver)
    finally:
        server.terminate()
