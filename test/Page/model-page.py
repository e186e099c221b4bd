r"""The page of trn-llm time works in a browser: it says first how long a prompt and a token take, then shows what
of the model takes how much of it, dense beside factored, and the kernels of the last token.

RUN: %python %s %chromium %chromedriver %t
"""

import json
import pathlib
import shutil
import subprocess
import sys

from selenium.webdriver.common.by import By

sys.path.append(str(pathlib.Path(__file__).parent / "Inputs"))
from browser import browser, check_console, check_contrast, open_page  # noqa: E402

folder = pathlib.Path(sys.argv[3])
shutil.rmtree(folder, ignore_errors=True)
folder.mkdir(parents=True)
(folder / "config.json").write_text(json.dumps({
    "model_type": "llama", "hidden_size": 8, "intermediate_size": 12, "num_hidden_layers": 1, "num_attention_heads": 2,
    "vocab_size": 20, "max_position_embeddings": 64}))
COMMAND = ["trn-llm", "time", folder, "--prompt-tokens=5", "--new-tokens=3", f"--plan-cache={folder / 'cache'}",
           "--effort=1"]
for name, more in ("one", []), ("two", ["--ratio=0,0.1"]):
    subprocess.run([*COMMAND, *more, f"--html={folder / name}.html"], check=True, capture_output=True)


def text_of(driver, selector):
    return driver.find_element(By.CSS_SELECTOR, selector).text


def titles(driver):
    return [title.text for title in driver.find_elements(By.TAG_NAME, "h2")]


with browser(*sys.argv[1:3]) as driver:
    open_page(driver, folder / "one.html")
    assert " to the first token of 5 + 3, then " in text_of(driver, ".verdict"), text_of(driver, ".verdict")
    assert titles(driver)[:3] == ["Times of the model", "The kernels of the last token", "Timeline"], titles(driver)
    rows = [row.text.split("\n")[0] for row in driver.find_elements(By.CSS_SELECTOR, "#times-of-the-model tbody th")]
    parts = ["latency", "bound", "mlp", "projections", "attention", "lm head", "norms rope", "overhead"]
    # Kernels of a prompt have norms and embeddings in them.
    prefill = [part for part in parts if part != "norms rope"]
    assert rows == prefill + 2 * parts, rows
    captions = [caption.text for caption in driver.find_elements(By.CSS_SELECTOR, "#times-of-the-model caption")]
    assert captions == ["The prompt", "The first token", "The last token"], captions
    check_console(driver)

    # What changes is coloured; what does not is not.
    open_page(driver, folder / "two.html")
    driver.execute_script("""const [, other] = page.model.variants; other.name = "<b id='bold'>&ü"; other.speedup = 2;
        other.prefill.split_ms.mlp /= 2; other.prefill.split_ms.attention *= 2; showPage();""")
    assert "; 2 × as fast at <b id='bold'>&ü" in text_of(driver, ".verdict") and not driver.find_elements(By.ID, "bold")
    assert "−50 %" in text_of(driver, "#times-of-the-model .better")
    assert "+100 %" in text_of(driver, "#times-of-the-model .worse")
    assert len(driver.find_elements(By.CSS_SELECTOR, "#times-of-the-model .better, #times-of-the-model .worse")) == 2
    assert len(driver.find_elements(By.CSS_SELECTOR, "#times-of-the-model .parts")) == 2 * 3
    assert "Side by side" in titles(driver)
    check_contrast(driver)
    check_console(driver)
