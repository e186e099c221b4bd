r"""The page of trn-compress works in a browser: it says first what was won and lost, then
shows errors, singular values, what stayed dense, times and options.

RUN: %python %s %chromium %chromedriver %t
"""

import json
import pathlib
import subprocess
import sys

from selenium.webdriver.common.by import By

sys.path += [str(pathlib.Path(__file__).parent / "Inputs"), str(pathlib.Path(__file__).parent.parent / "Model/Inputs")]
import llama  # noqa: E402
from browser import browser, check_console, check_contrast, open_page, wait_for  # noqa: E402

folder = pathlib.Path(sys.argv[3])
name = '</script><b id="bold">&ü'


def make_pages():
    """A page of a compression, and one of a plan, which has neither errors nor perplexities."""
    llama.write_stories(folder)
    shape = llama.shape_of()
    llama.write_folder(folder / "model", shape, llama.tensors_of(shape))
    (folder / "other").write_text("abc defg ah")
    command = ["trn-compress", folder / "model", "--rank=6", "--rows=1,64", "--layers=0"]
    subprocess.run([*command, "-o", folder / "out", f"--calib={folder / 'text'}", f"--evaluate={folder / 'other'}",
                    f"--tokenizer={folder / 'tokenizer.bin'}", f"--html={folder / 'page.html'}"],
                   check=True, capture_output=True)
    subprocess.run([*command, "--dry-run", f"--html={folder / 'plan.html'}"], check=True, capture_output=True)
    subprocess.run(["trn-compress", folder / "model", "--rows=1", "--method=neurons", "--neurons=17", "-o", folder / "thin",
                    f"--calib={folder / 'text'}", f"--tokenizer={folder / 'tokenizer.bin'}",
                    f"--html={folder / 'thin.html'}"], check=True, capture_output=True)
    return json.loads((folder / "out/trn_compress.json").read_text())


def text_of(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector).text


def change_data(driver, script):
    """Shows the page again with other data."""
    driver.execute_script(f"const {{ compression }} = page; {script}; showPage();")
    check_console(driver)


def check_first_screen(driver, manifest):
    """What was won, what it cost, and that times are modelled, above the fold."""
    verdict = driver.find_element(By.CLASS_NAME, "verdict")
    [evaluation] = manifest["evaluation"]
    factor = evaluation["perplexity"] / evaluation["perplexity_dense"]
    for expected in ("of the parameters removed", "; modelled", "at 1 row and", "at 64 rows",
                     f"{factor:.3g} × the perplexity"):
        assert expected in verdict.text, (expected, verdict.text)
    assert "modelled on trn1 in bf16" in text_of(driver, "header")
    rows = [row.text for row in driver.find_elements(By.CSS_SELECTOR, "main > .scroll:first-of-type tbody tr")]
    starts = ["parameters of the model", "parameters of the weights asked for", "modelled time of the factored weights, 1 row",
              "modelled time of the factored weights, 64 rows", "perplexity, other"]
    assert [row[:len(start)] for row, start in zip(rows, starts)] == starts, rows
    last = driver.find_elements(By.CSS_SELECTOR, ".change")[-1]
    assert last.location["y"] < driver.execute_script("return innerHeight"), "the first screen does not tell"


def check_sections(driver):
    titles = [title.text for title in driver.find_elements(By.TAG_NAME, "h2")]
    assert titles == ["Errors", "Singular values", "Modelled time", "Weights", "How it was made"], titles
    assert len(driver.find_elements(By.CSS_SELECTOR, "#errors .chart")) == 2
    assert len(driver.find_elements(By.CSS_SELECTOR, "#errors .dot")) == 2 * 3
    assert len(driver.find_elements(By.CSS_SELECTOR, "#singular-values .chart")) == 3
    cuts = driver.find_elements(By.CSS_SELECTOR, "#singular-values .cut title")
    assert ["rank 6" in cut.get_attribute("textContent") for cut in cuts] == [True] * 3
    assert len(driver.find_elements(By.CSS_SELECTOR, "#weights tbody tr")) == 3
    body = text_of(driver, "body")
    for expected in ("not asked", "gate, up, down of layer 1", "options.shrink", "calibration.tokens"):
        assert expected in body, expected


def check_other_data(driver):
    """Weights that are slower with factors, and curves of a recovery; names are texts."""
    change_data(driver, f"""for (const [index, {{ modelled_ms: times }}] of compression.matrices.filter(isFactored).entries())
          for (const time of times) time.factored = time.dense * (index ? 0.5 : 2);
        page.title = {json.dumps(name)};
        compression.recovery = [0, 1].map((layer) => ({{ layer, errors: [3, 2, 1] }}));
        compression.training = {{ losses: [5, 4] }};""")
    assert text_of(driver, "h1") == name and not driver.find_elements(By.ID, "bold"), "a name became an element"
    assert "gate of layer 0: modelled slower than the whole weight at every number of rows" in text_of(driver, ".note")
    assert "slower" in text_of(driver, "#modelled-time .worse")
    assert len(driver.find_elements(By.CSS_SELECTOR, "#recovery .chart")) == 2
    assert len(driver.find_elements(By.CSS_SELECTOR, "#recovery .line")) == 3


def check_looks(driver):
    """Legible in both schemes, and on a narrow screen only tables scroll sideways."""
    check_contrast(driver)
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    wait_for(driver, "matchMedia('(prefers-color-scheme: dark)').matches", "no dark scheme")
    check_contrast(driver)
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": 380, "height": 800, "deviceScaleFactor": 2, "mobile": True})
    wait_for(driver, "innerWidth < 400", "the screen stays wide")
    width = driver.execute_script("return document.documentElement.scrollWidth")
    assert width <= 380, f"the page is {width} wide"


manifest = make_pages()
with browser(*sys.argv[1:3]) as driver:
    open_page(driver, folder / "page.html")
    check_first_screen(driver, manifest)
    check_sections(driver)
    check_other_data(driver)
    check_looks(driver)
    check_console(driver)
    open_page(driver, folder / "plan.html")
    assert "a cost that was not measured" in text_of(driver, ".verdict")
    assert not driver.find_elements(By.ID, "errors")
    open_page(driver, folder / "thin.html")
    assert "(the thin weights alone)" in text_of(driver, ".verdict")
    assert len(driver.find_elements(By.CSS_SELECTOR, "#errors .chart")) == 1
    assert len(driver.find_elements(By.CSS_SELECTOR, "#errors .dot")) == 2
    rows = [row.text for row in driver.find_elements(By.CSS_SELECTOR, "#weights tbody tr")]
    assert len(rows) == 6 and all("17 neurons" in row and "57.5 %" in row for row in rows), rows
    check_console(driver)
