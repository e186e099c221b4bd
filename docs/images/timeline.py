"""Draws timeline.png: the timeline of the page of a fused chain, modelled on trn2.

    PATH=$PWD/build/bin:$PATH /usr/bin/python3 docs/images/timeline.py docs/images/timeline.png

Chromium and Selenium draw it, as in the tests of the page.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parents[2] / "test/Page/Inputs"))
from browser import browser, open_page, wait_for

# The verdict and the timeline stay, without what only a pointer needs.
SHORTEN = """
const timeline = page.view.canvas.closest("section");
for (const part of document.querySelectorAll("main > *"))
  if (part !== timeline && !part.querySelector(".verdict")) part.remove();
for (const part of timeline.querySelectorAll("h2, button, details, p, .controls")) part.remove();
document.documentElement.style.overflow = "hidden";
window.scrollTo(0, 0);
return timeline.getBoundingClientRect().bottom + window.outerHeight - window.innerHeight;
"""


def main(picture):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        subprocess.run(["trn-gen", "xuv", "--m=1024", "--k=2048", "--r=512", "--n=4096",
                        "-o", folder / "chain.mlir"], check=True)
        subprocess.run(["trn-run", folder / "chain.mlir", "--compile=strategy=strip-cache",
                        "--machine=trn2", "--timing-only", f"--html={folder / 'page.html'}"],
                       check=True, stdout=subprocess.DEVNULL)
        with browser(shutil.which("chromium"), shutil.which("chromedriver")) as driver:
            driver.set_window_size(960, 1400)
            open_page(driver, folder / "page.html")
            bottom = driver.execute_script(SHORTEN)
            wait_for(driver, "!page.view.pending", "the timeline is not drawn")
            driver.set_window_size(960, int(bottom) + 16)
            wait_for(driver, "!page.view.pending", "the timeline is not drawn")
            driver.save_screenshot(picture)


main(sys.argv[1])
