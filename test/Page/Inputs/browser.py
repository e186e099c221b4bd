"""Opens pages in headless Chromium."""

import contextlib
import signal
import time

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

TIMEOUT_S = 600  # for a browser that hangs; one on a busy machine is slow


@contextlib.contextmanager
def browser(chromium, chromedriver):
    """A browser that ends with the block, and with the time that a test may take."""
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    # No sandbox: tests may run as root.
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
                 "--window-size=1200,1000"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    signal.signal(signal.SIGALRM, lambda *_: (_ for _ in ()).throw(TimeoutError("the browser hangs")))
    signal.alarm(TIMEOUT_S)
    driver = webdriver.Chrome(service=Service(chromedriver), options=options)
    try:
        yield driver
    finally:
        driver.quit()


def wait_for(driver, script, why):
    """Waits until `script` returns something true, and returns that."""
    for _ in range(2400):
        result = driver.execute_script("return " + script)
        if result:
            return result
        time.sleep(0.05)
    raise AssertionError(why)


def open_page(driver, path):
    """Shows a file; nothing may be written to the console."""
    driver.get(path.resolve().as_uri())
    wait_for(driver, "document.body.dataset.ready", f"{path} is never drawn")
    check_console(driver)


def check_console(driver):
    messages = [entry["message"] for entry in driver.get_log("browser")]
    assert not messages, messages


# Each text with less contrast to what is behind it than 4.5.
FAINT = """
const numbers = (colour) => colour.match(/[\\d.]+/g).map(Number);
const channel = (c) => c / 255 <= 0.03928 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4;
const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
function behind(node) {
  for (; node; node = node.parentElement) {
    const colour = numbers(getComputedStyle(node).backgroundColor);
    if (colour[3] !== 0) return colour;
  }
  return numbers(getComputedStyle(document.documentElement).getPropertyValue("background-color"));
}
const faint = [];
for (const node of document.querySelectorAll(arguments[0] + " *")) {
  const text = [...node.childNodes].filter(({ nodeType }) => nodeType === 3).map(({ data }) => data.trim()).join("");
  if (!text || node.localName === "title") continue;
  const style = getComputedStyle(node), svg = "http://www.w3.org/2000/svg";
  const [one, other] = [numbers(node.namespaceURI === svg ? style.fill : style.color), behind(node)].map(luminance);
  const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  if (contrast < 4.5) faint.push(`${text}: ${contrast.toFixed(2)}`);
}
return faint;
"""


def check_contrast(driver, within="main"):
    faint = driver.execute_script(FAINT, within)
    assert not faint, faint
