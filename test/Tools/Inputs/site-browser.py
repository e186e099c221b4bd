"""The site in a browser, from files: search by keys alone, blocks of code, a narrow window, the dark."""

import pathlib
import sys

from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

sys.path.append(str(pathlib.Path(__file__).parents[2] / "Page" / "Inputs"))
from browser import browser, check_console, check_contrast, wait_for


def show(driver, page):
    driver.get((site / page).resolve().as_uri())


def check_search(driver):
    """From the first page to the section on budgets, without a mouse."""
    show(driver, "index.html")
    for _ in range(3):
        if driver.switch_to.active_element.get_attribute("name") == "q":
            break
        driver.switch_to.active_element.send_keys(Keys.TAB)
    driver.switch_to.active_element.send_keys("budget", Keys.ENTER)
    wait_for(driver, "document.querySelector('#mkdocs-search-results h3')", "nothing is found")
    first = driver.find_element(By.CSS_SELECTOR, "#mkdocs-search-results article")
    assert first.text.startswith("Budgets\n") and first.text.endswith(" …"), first.text
    first.find_element(By.TAG_NAME, "a").send_keys(Keys.ENTER)
    wait_for(driver, "location.href.endsWith('docs/Tools.html#budgets')", "the first result leads elsewhere")


def check_pages(driver):
    """No block of code is text, with titles of its own, and no page is wider than a phone."""
    for page in sorted(site.rglob("*.html")):
        if "explore" in page.parts or "examples" in page.parts and page.name != "README.html":
            continue
        show(driver, page.relative_to(site))
        text, titles, width = driver.execute_script("""
            const text = [...document.querySelectorAll("[role=main] :is(p, li, td)")].map((node) => node.textContent);
            return [text.join("\\n"), document.querySelectorAll("[role=main] h1").length,
                    document.documentElement.scrollWidth];""")
        assert "```" not in text, page
        assert titles <= 1, page
        assert width <= 390, page


site = pathlib.Path(sys.argv[3])
with browser(*sys.argv[1:3]) as driver:
    check_search(driver)
    for page in "index.html", "docs/Tools.html", "docs/Embedding.html", "docs/generated/TrnDialect.html":
        for scheme in "light", "dark":
            driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                                   {"features": [{"name": "prefers-color-scheme", "value": scheme}]})
            show(driver, page)
            brightness = driver.execute_script("""
                const node = document.querySelector(".wy-nav-content");
                return Number(getComputedStyle(node).backgroundColor.match(/\\d+/)[0]);""")
            assert (brightness < 128) == (scheme == "dark"), (page, scheme, brightness)
            check_contrast(driver, "[role=main]")
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": 390, "height": 800, "deviceScaleFactor": 1, "mobile": True})
    check_pages(driver)
    check_console(driver)
