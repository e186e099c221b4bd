r"""The pages of trn-run work in a browser: nothing errors, the timeline shows
every track, zooms, pans and explains itself, comparisons and sweeps are drawn,
with whiskers if latencies have ranges.

RUN: rm -rf %t && mkdir %t && cd %t
RUN: trn-gen xuv --m=512 --k=512 --r=256 --n=1024 > chain.mlir
RUN: sed 's/@main/@"<\/script><b id=\\22bold\\22>\&ü"/' chain.mlir > odd.mlir
RUN: trn-run odd.mlir --compile="effort=10 strategy=sequential" --timing-only --html=run.html --report=sequential.json
RUN: trn-run chain.mlir --compile="effort=10 strategy=recompute" --timing-only --html=recompute.html
RUN: trn-run chain.mlir --compile=effort=10 --timing-only --report=cached.json
RUN: trn-run --compare run.html recompute.html cached.json --html=timelines.html
RUN: trn-run --compare sequential.json cached.json --html=comparison.html
RUN: sed 's/> {$/> attributes {trn.budget = {transpose_flops = 0}} {/' chain.mlir > budget.mlir
RUN: trn-run budget.mlir --compile=effort=10 --sweep "block-m=100,128,256,512; strategy=strip-cache,recompute; rows=512,1024" --html=sweep.html
The products of this one wait for nothing else.
RUN: trn-gen xuv --m=512 --k=512 --r=256 --n=1024 --transposed-input > turned.mlir
RUN: trn-run turned.mlir --compile=effort=10 --timing-only --machine=trn2 --range --html=throttled.html --report=range.json
RUN: cp range.json near.json
RUN: echo '{"latency_ms": 9, "latency_range_ms": [8, 10], "kernels": [], "host_ops": [{"count": 2}, {"count": 1}]}' > far.json
RUN: trn-run --compare range.json near.json far.json cached.json --html=ranges.html
RUN: trn-run chain.mlir --compile=effort=10 --sweep "block-m=100,128,256" --range --html=range-sweep.html
RUN: printf 'r,perplexity\n128,7.25\n256,5.5\n384,6\n512,3.25\n' > quality.csv
RUN: trn-run chain.mlir --compile=effort=10 --sweep "r=128:512:+128" --join=quality.csv --html=joined.html
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

# The colours in the row of the timeline with this label, as #rrggbb.
COLOURS = """
const row = page.view.rows.find((row) =>
  (row.track?.name ?? row.space ?? row.constructor.name) === arguments[0]);
const ratio = devicePixelRatio, { surface, canvas } = page.view;
const left = Math.ceil((surface.gutter + 1) * ratio);
const copy = document.createElement("canvas");
[copy.width, copy.height] = [canvas.width, canvas.height];
const context = copy.getContext("2d", { willReadFrequently: true });
context.drawImage(canvas, 0, 0);
const { data } = context.getImageData(left, row.y * ratio, canvas.width - left, (row.height - 2) * ratio);
const colours = new Set();
for (let i = 0; i < data.length; i += 4)
  if (data[i + 3] === 255) colours.add("#" + [0, 1, 2].map((c) => data[i + c].toString(16).padStart(2, "0")).join(""));
return [...colours];
"""
COLOUR = "return getComputedStyle(document.documentElement).getPropertyValue(arguments[0]).trim()"


def view(driver):
    """What the timeline shows: (start, end), once it is drawn."""
    wait_for(driver, "!page.view.pending", "the timeline is not drawn")
    return tuple(driver.execute_script("return [page.view.view.start, page.view.view.end]"))


def changed(driver, before):
    """What the timeline shows once that is no longer `before`."""
    wait_for(driver, f"page.view.view.start !== {before[0]!r} || page.view.view.end !== {before[1]!r}",
             "the view stays the same")
    return view(driver)


def canvas_of(driver):
    return driver.find_element(By.TAG_NAME, "canvas")


def point(driver, x, y):
    """An action chain with the pointer at (x, y) of the canvas."""
    canvas = canvas_of(driver)
    size = canvas.size
    return ActionChains(driver, duration=20).move_to_element_with_offset(
        canvas, round(x - size["width"] / 2), round(y - size["height"] / 2))


def row_middle(driver, name):
    return driver.execute_script("""const row = page.view.rows.find((row) => row.track?.name === arguments[0]);
        return row.y + row.height / 2""", name)


def check_text(driver):
    body = driver.find_element(By.TAG_NAME, "body").text
    for expected in ('@</script><b id="bold">&ü on trn1', "× the lower bound of", "SBUF live", "spills: o goes through HBM",
                     "arithmetic intensity, FLOP per HBM byte", "Critical path", "argument: x"):
        assert expected in body, expected
    assert not driver.find_elements(By.ID, "bold"), "a name became an element"


def check_tracks(driver):
    """Every track shows its ops; both kernels are on the one axis."""
    used = {"tensor engine": ("--product-0",), "scalar engine": ("--product-0",),
            "dma loads": ("--argument-1", "--argument-2"), "dma stores": ("--product-0",),
            "TransfersRow": ("--engine-2", "--engine-4"), "SbufUseRow": ("--engine-4",), "sbuf": ("--argument-1",),
            "psum": ("--product-0", "--argument-0"), "KernelsRow": ("--kernel",),
            "PathRow": ("--engine-0", "--engine-5", "--wait-other")}
    for name, variables in used.items():
        for variable in variables:
            colour = driver.execute_script(COLOUR, variable)
            assert colour in driver.execute_script(COLOURS, name), f"{name} does not show {variable}"
    assert len(driver.execute_script(COLOURS, "gpsimd engine")) > 1, "an idle track says nothing"
    kernels = driver.execute_script("return page.view.timeline.kernels")
    assert len(kernels) == 2 and kernels[1]["start"] == kernels[0]["end"], kernels


def check_wheel(driver):
    """The wheel zooms in, and keeps the time at the pointer where it is."""
    canvas_of(driver).send_keys("0")
    before, x = view(driver), 600
    time_at = f"return page.view.timeAt({x})"
    time = driver.execute_script(time_at)
    size = canvas_of(driver).size
    origin = ScrollOrigin.from_element(canvas_of(driver), x - size["width"] // 2, 0)
    ActionChains(driver).scroll_from_origin(origin, 0, -400).perform()
    after = changed(driver, before)
    assert after[1] - after[0] < 0.7 * (before[1] - before[0]), (before, after)
    # The driver rounds the pointer to a pixel.
    pixel = (before[1] - before[0]) / size["width"]
    assert abs(driver.execute_script(time_at) - time) < 2 * pixel, "the time at the pointer moved"
    assert "of" in driver.find_element(By.ID, "timeline-range").text


def check_keys(driver):
    canvas = canvas_of(driver)
    canvas.send_keys("0")
    whole = view(driver)
    canvas.send_keys("+++")
    inside = view(driver)
    assert inside[1] - inside[0] < 0.5 * (whole[1] - whole[0]), (whole, inside)
    canvas.send_keys(Keys.ARROW_RIGHT)
    right = changed(driver, inside)
    assert right[0] > inside[0] and right[1] > inside[1], (inside, right)
    canvas.send_keys("-")
    out = changed(driver, right)
    assert out[1] - out[0] > right[1] - right[0], (right, out)
    canvas.send_keys(Keys.HOME)
    assert changed(driver, out) == whole, "Home does not show everything"


def check_mouse(driver):
    """Dragging pans by what the pointer moves; a double click shows everything."""
    canvas_of(driver).send_keys("0++++")
    before = view(driver)
    point(driver, 700, 60).click_and_hold().move_by_offset(-200, 0).release().perform()
    after = changed(driver, before)
    span = before[1] - before[0]
    columns = driver.execute_script("return page.view.surface.columns")
    assert abs((after[0] - before[0]) - 200 / columns * span) < 0.02 * span, (before, after)
    point(driver, 700, 60).double_click().perform()
    whole = view(driver)
    assert whole == (0, driver.execute_script("return page.view.timeline.end")), whole


def tip_text(driver, start):
    """The text that hovering shows, once it starts like this."""
    tip = "document.querySelector('.tip')"
    wait_for(driver, f"!{tip}.hidden && {tip}.textContent.startsWith({start!r})", f"no tip {start}")
    return driver.find_element(By.CLASS_NAME, "tip").text


HUES = """
const numbers = (variable) => getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
const hue = (colour) => {
  const [r, g, b] = [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
  const high = Math.max(r, g, b), low = Math.min(r, g, b), span = high - low;
  const turn = high === r ? (g - b) / span : high === g ? 2 + (b - r) / span : 4 + (r - g) / span;
  return { hue: (60 * turn + 360) % 360, chroma: span / 255 };
};
return arguments[0].map((variable) => hue(numbers(variable)));
"""


def check_hues(driver):
    """Products, arguments, engines and waits share no hue."""
    def hues(*names):
        return driver.execute_script(HUES, names)
    for product in hues(*(f"--product-{i}" for i in range(5))):
        assert 205 <= product["hue"] <= 330, product
    for argument in hues(*(f"--argument-{i}" for i in range(5))):
        assert 65 <= argument["hue"] <= 195, argument
    for engine in hues(*(f"--engine-{i}" for i in range(6))):
        assert engine["chroma"] < 0.12, engine
    for wait in hues(*(f"--wait-{name}" for name in ("data", "buffer", "bank", "semaphore", "port", "dma"))):
        assert wait["hue"] <= 55 and wait["chroma"] > 0.12, wait


def check_ticks(driver):
    """Times have the unit of the distance between the axis' ticks."""
    ticks = driver.execute_script("""
        return [[1.5e9, 5e8], [1.05e9, 5e6], [1.05002e9, 2e4]].map(([time, step]) => formatTick(time, step));""")
    assert ticks == ["1,500 µs", "1,050 µs", "1,050,020 ns"], ticks
    times = driver.execute_script("return [84_200, 1_052_347_100].map(exactTime)")
    assert times == ["84.2 ns", "1,052.347 µs"], times


def check_path(driver):
    """n and p go through the steps of the critical path, which are said, and are
    those that the report adds up."""
    canvas_of(driver).send_keys("0n")
    status = driver.find_element(By.ID, "timeline-range")
    wait_for(driver, "document.getElementById('timeline-range').textContent.startsWith('Step 1 of ')", "no first step")
    first = status.text
    canvas_of(driver).send_keys("n")
    wait_for(driver, "document.getElementById('timeline-range').textContent.startsWith('Step 2 of ')", "no second step")
    canvas_of(driver).send_keys("p")
    wait_for(driver, f"document.getElementById('timeline-range').textContent === {first!r}", "not back at the first step")
    assert "dma_copy" in first and "odd.mlir:" in first and "duration" in first, first
    busy, told = driver.execute_script("""
        const { events: { start, end, count } } = page.view.timeline.path;
        let busy = 0;
        for (let i = 0; i < count; ++i) busy += (end[i] - start[i]) / 1e9;
        const told = page.reports[0].report.critical_path.filter(({ reason }) => reason === "busy");
        return [busy, told.reduce((sum, { ms }) => sum + ms, 0)];""")
    assert abs(busy / told - 1) < 1e-3, (busy, told)
    canvas_of(driver).send_keys("0")
    assert view(driver)[0] == 0 and status.text.startswith("All of"), status.text


def check_timelines(driver):
    """Runs of pages have timelines on one axis, which move together; reports have none."""
    assert driver.execute_script("return page.views.length") == 2
    ends = driver.execute_script("return page.views.map(({ timeline, whole }) => [timeline.end, whole])")
    assert ends[0][1] == ends[1][1] == max(end for end, _ in ends), ends
    driver.execute_script("page.views[1].show(1e6, 3e6)")
    wait_for(driver, "page.views.every(({ pending }) => !pending)", "the timelines are not drawn")
    shown = driver.execute_script("return page.views.map(({ view }) => [view.start, view.end])")
    assert shown == [[1e6, 3e6], [1e6, 3e6]], shown
    # The same matrix has the same colour everywhere.
    colours = driver.execute_script("return page.views.map(({ timeline }) => timeline.matrices.find(({ name }) => name === 'x')?.colour)")
    assert colours[0] and colours[0] == colours[1], colours
    products = driver.execute_script("""
        return page.views[1].timeline.matrices.filter(({ role }) => role === "product").map(({ colour }) => colour)""")
    assert len(products) == len(set(products)) == 2, products
    heads = [head.text for head in driver.find_elements(By.CSS_SELECTOR, "#timelines h3")]
    assert heads == ["run", "recompute"], heads


def check_hover(driver):
    """The first matmul and the wait before it explain themselves."""
    canvas_of(driver).send_keys("0")
    start, end = driver.execute_script("""
        const track = page.view.timeline.tracks[0];
        for (let i = 0; ; ++i) if (track.op(i).name === "trn.matmul") {
          page.view.show(track.events.start[i] - 2000, track.events.end[i] + 2000);
          return [track.events.start[i], track.events.end[i]];
        }""")
    view(driver)
    x = driver.execute_script("return page.view.surface.x(arguments[0])", (start + end) / 2)
    point(driver, x, row_middle(driver, "tensor engine")).perform()
    tip = tip_text(driver, "trn.")
    for expected in ("trn.matmul", "odd.mlir:", "start", "duration", "ns"):
        assert expected in tip, (expected, tip)

    driver.execute_script("page.view.reset()")
    view(driver)
    x = driver.execute_script("return page.view.surface.x(page.view.timeline.tracks[0].events.start[0] * 0.97)")
    point(driver, x, row_middle(driver, "tensor engine")).perform()
    tip = tip_text(driver, "waiting")
    assert "waiting for data" in tip and "before trn." in tip, tip


def check_throttle(driver):
    """The stretches at half rate have stripes, a name and a cost."""
    throttle = driver.execute_script(COLOUR, "--throttle")
    for name, is_throttled in (("tensor engine", True), ("scalar engine", False)):
        assert (throttle in driver.execute_script(COLOURS, name)) == is_throttled, name
    body = driver.find_element(By.TAG_NAME, "body").text
    assert "stripes: at half rate" in body and "tensor, throttle" in body
    assert driver.execute_script("return pathColour({ engine: 'tensor', reason: 'throttle' })") == "--throttle"
    # The first instruction is at half rate throughout: half of its time is lost.
    canvas_of(driver).send_keys("0")
    length = driver.execute_script("""
        const { start, end } = page.view.timeline.tracks[0].events;
        page.view.show(start[0] - 2000, end[0] + 2000);
        return end[0] - start[0];""")
    view(driver)
    assert throttle in driver.execute_script(COLOURS, "tensor engine"), "no stripes where single events are shown"
    x = driver.execute_script("""const { start, end } = page.view.timeline.tracks[0].events;
        return page.view.surface.x((start[0] + end[0]) / 2)""")
    point(driver, x, row_middle(driver, "tensor engine")).perform()
    tip = tip_text(driver, "trn.")
    lost = driver.execute_script("return exactTime(arguments[0])", length / 2)
    assert f"at half rate: +{lost}" in tip, (lost, tip)


def check_never_throttled(driver):
    assert "half rate" not in driver.find_element(By.TAG_NAME, "body").text
    assert not driver.find_elements(By.CLASS_NAME, "whisker")


def ends(driver, node):
    """Where a node begins and ends on the screen."""
    box = driver.execute_script("const { left, right } = arguments[0].getBoundingClientRect(); return [left, right]", node)
    return tuple(box)


def check_range(driver):
    """The whisker goes from the low to the high end, the bar to the latency."""
    report = driver.execute_script("return page.reports[0].report")
    low, high = report["latency_range_ms"]
    [whisker] = driver.find_elements(By.CLASS_NAME, "whisker")
    left, latency = ends(driver, driver.find_element(By.CSS_SELECTOR, ".path-bar .parts"))
    scale = (latency - left) / report["latency_ms"]
    expected = (left + low * scale, left + high * scale)
    assert all(abs(a - b) < 1.5 for a, b in zip(ends(driver, whisker), expected)), (ends(driver, whisker), expected)
    row = driver.find_element(By.XPATH, "//tr[th='latency range']/td")
    body = driver.find_element(By.TAG_NAME, "body").text
    assert " to " in row.text and row.text in body, row.text
    assert ("Another order of the instructions" in body) == (report["any_order_ms"] < low), report["any_order_ms"]


def check_coalesced(driver):
    """Events that stand for several, as only long runs have them; TrackTest.cpp
    has the encoding. 100 and 0x64: SLEB128 needs a second byte for the sign."""
    event = driver.execute_async_script("""
        const [done] = arguments;
        const bytes = [0xe4, 0x00, 0xc8, 0x01, 0x02, 0x03, 0x96, 0x01];
        decodeEvents({ raw: btoa(String.fromCharCode(...bytes)), count: 1, resolution: 1000 })
          .then(({ start, end, kind, merged, covered }) =>
            done([start[0], end[0], kind[0], merged[0], covered[0]]));""")
    assert event == [100, 300, 2, 3, 150], event


def check_findings(driver):
    """They stand above everything but the verdict, with what comes of them."""
    first = driver.find_elements(By.CSS_SELECTOR, "#findings li")[0]
    finding = driver.execute_script("return page.reports[0].report.findings[0]")
    assert finding["cause"] == "spills" and "spills: o goes through HBM" in first.text, first.text
    assert finding["try"] in first.text and first.text.count("about") == 0, first.text
    sections = [node.get_attribute("id") for node in driver.find_elements(By.TAG_NAME, "section")]
    assert sections[:2] == ["findings", "timeline"], sections
    bar = driver.find_element(By.CSS_SELECTOR, "#findings .share > div")
    share = driver.execute_script("return arguments[0].offsetWidth / arguments[0].parentNode.offsetWidth", bar)
    assert abs(100 * share - finding["percent"]) < 1, (share, finding)


def check_nothing_known(driver):
    """Without advice the section says what the time is."""
    text = driver.execute_script("""
        const part = (engine, reason, percent) => ({ engine, reason, percent, ms: percent / 100 });
        return findingsSection({ latency_ms: 1, findings: [{ cause: "half_the_work", subject: "VectorE", percent: 21.4 }],
          critical_path: [part("kernel", "kernel_overhead", 60), part("load", "dma_latency", 40)] }).textContent""")
    assert "Nothing that is known would make it faster. On the critical path: " \
        "kernel, kernel overhead 60 %; load, dma latency 40 %." in text, text
    assert "Also costs time: half the work of VectorE 21.4 %" in text, text


def check_layers(driver):
    """Kernels that are compiled alike share their lines."""
    lines = driver.execute_script("""
        const kernel = (name, schedule) => ({ name, schedule });
        const kernels = [kernel("a", "x"), kernel("b", "y"), kernel("c", "x"), kernel("d", "x")];
        return schedules({ kernels }).map(({ textContent }) => textContent);""")
    assert lines == ["a and 2 more: x", "b: y"], lines


def check_narrow(driver):
    """On a narrow screen nothing but tables scrolls sideways."""
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                           {"width": 380, "height": 800, "deviceScaleFactor": 2, "mobile": True})
    wait_for(driver, "page.view.surface.width < 400", "the timeline keeps its width")
    width = driver.execute_script("return document.documentElement.scrollWidth")
    assert width <= 380, f"the page is {width} wide"
    assert driver.execute_script("return page.view.canvas.width / page.view.surface.width") == 2
    check_tracks(driver)
    driver.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def check_dark(driver):
    light = driver.execute_script(COLOUR, "--background")
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia",
                           {"features": [{"name": "prefers-color-scheme", "value": "dark"}]})
    wait_for(driver, "matchMedia('(prefers-color-scheme: dark)').matches", "no dark scheme")
    assert driver.execute_script(COLOUR, "--background") != light
    driver.execute_script("page.view.draw()")
    check_tracks(driver)


def check_comparison(driver):
    heads = [head.text for head in driver.find_elements(By.CSS_SELECTOR, "#side-by-side thead th")]
    assert heads == ["", "sequential", "cached"], heads
    latency = driver.find_element(By.XPATH, "//section[@id='side-by-side']//tr[th='latency']")
    assert "better" in latency.find_elements(By.TAG_NAME, "td")[1].get_attribute("class")
    directions = driver.execute_script(
        "return ['latency_ms', 'mfu_percent', 'bound_ms', 'dma_gb_per_s'].map(direction)")
    assert directions == [-1, 1, 0, 0], directions
    # Two runs and their two bounds, which are the same.
    assert len(driver.find_elements(By.CSS_SELECTOR, ".chart .dot")) == 4
    # A kernel that must not move anything has no place on the axis.
    assert driver.execute_script("""
        const { name, report } = page.reports[0];
        return rooflinePoints({ name, report: { ...report, hbm_lower_bound_bytes: 0 } }, 0)""") is None


def check_compared_ranges(driver):
    """Whiskers have one scale; runs without a range have none. What a latency leaves out
    is said."""
    reports = driver.execute_script("return page.reports.map(({ report }) => report)")
    whiskers = driver.find_elements(By.CSS_SELECTOR, ".runs .whisker")
    assert len(whiskers) == 3, len(whiskers)
    meters = driver.find_elements(By.CSS_SELECTOR, ".runs .meter")
    left, far = ends(driver, meters[2])
    scale = (far - left) / reports[2]["latency_ms"]
    assert abs(ends(driver, whiskers[2])[1] - left - 10 * scale) < 1.5
    section = driver.find_element(By.ID, "latency").text
    assert "The ranges of range and near overlap: the clock does not tell which is faster." in section, section
    assert "The ranges of range and far do not overlap: range is faster." in section, section
    assert "and cached" not in section, section
    assert section.count("latency_ms leaves out") == section.count("latency_ms leaves out 3 host ops") == 1, section
    cells = driver.find_elements(By.XPATH, "//section[@id='side-by-side']//tr[th='latency range']/td")
    assert [" to " in cell.text for cell in cells] == [True, True, True, False], [cell.text for cell in cells]


def check_range_sweep(driver):
    """The latencies of two sizes have whiskers, the other charts none."""
    charts = driver.find_elements(By.CLASS_NAME, "chart")
    assert [len(chart.find_elements(By.CLASS_NAME, "whisker")) for chart in charts] == [2, 0, 0, 0, 0, 0]
    heads = [head.text for head in driver.find_elements(By.CSS_SELECTOR, "#points thead th")]
    assert heads[:4] == ["block-m", "latency", "latency range", "lower bound"], heads
    title = charts[0].find_element(By.CSS_SELECTOR, ".dot title").get_attribute("textContent")
    assert " to " in title, title


def check_sweep(driver):
    # Six charts of three sizes, two strategies and two numbers of rows; the size 100 is
    # refused. X is transposed on chip, which the budget does not allow.
    assert len(driver.find_elements(By.CSS_SELECTOR, ".chart")) == 6
    assert len(driver.find_elements(By.CSS_SELECTOR, ".chart .dot")) == 6 * 3 * 2 * 2
    rows = driver.find_elements(By.CSS_SELECTOR, "#points tbody tr")
    assert len(rows) == 16, len(rows)
    assert "must be a multiple of 128" in rows[0].text, rows[0].text
    assert len(driver.find_elements(By.CSS_SELECTOR, "tr.best")) == 2
    assert sum("over budget: transpose_flops of @main" in row.text for row in rows) == 12


def check_joined(driver):
    """Numbers from elsewhere stand against the latency; one of these points is beaten in both."""
    chart = driver.find_element(By.CSS_SELECTOR, "figure:has(figcaption)")
    assert chart.find_element(By.TAG_NAME, "h3").text == "Perplexity and latency"
    assert "less perplexity is better" in chart.text, chart.text
    assert len(chart.find_elements(By.CSS_SELECTOR, ".dot")) == 4
    front = driver.execute_script("""
        return [paretoFront([[1, 7], [2, 5], [3, 6], [4, 3]], "perplexity"), paretoFront([[1, 7], [2, 5], [3, 8]], "accuracy")]""")
    assert front == [[[1, 7], [2, 5], [4, 3]], [[1, 7], [3, 8]]], front
    heads = [head.text for head in driver.find_elements(By.CSS_SELECTOR, "#points thead th")]
    assert heads[-2:] == ["perplexity", "blocks"], heads


def check_sorting(driver):
    """A head sorts up, then down; its latency leads to a run."""
    def latencies():
        return driver.execute_script("""
            return [...document.querySelectorAll("#points tbody tr")]
              .map(({ cells }) => Number(cells[3].dataset.value)).filter(Number.isFinite)""")
    head = driver.find_elements(By.CSS_SELECTOR, "#points thead button")[3]
    head.send_keys(Keys.ENTER)
    assert latencies() == sorted(latencies()) and len(latencies()) == 12, latencies()
    head.send_keys(Keys.ENTER)
    assert latencies() == sorted(latencies(), reverse=True), latencies()
    link = driver.find_element(By.CSS_SELECTOR, "#points tbody a")
    text = link.text
    link.send_keys(Keys.ENTER)
    wait_for(driver, "document.querySelector('#runs details[open] .verdict')", "no run opens")
    assert text in driver.find_element(By.CSS_SELECTOR, "#runs details[open] .verdict").text
    # Latencies that span a factor of four have an axis by ratio.
    ticks = driver.execute_script("""
        const chart = lineChart("t", { label: "x", format: String }, { label: "", format: String },
          [{ name: "a", colour: "--blue", points: [[1, 1, null], [2, 100, null]] }]);
        return [...chart.querySelectorAll(".tick[text-anchor=end]")].map(({ textContent }) => textContent)""")
    assert ticks == ["1", "10", "100"], ticks


with browser(*sys.argv[1:3]) as driver:
    open_page(driver, pathlib.Path("run.html"))
    for check in (check_text, check_contrast, check_tracks, check_hues, check_ticks, check_wheel, check_keys,
                  check_mouse, check_path, check_hover, check_never_throttled, check_coalesced, check_findings,
                  check_nothing_known, check_layers, check_narrow, check_dark, check_hues, check_contrast, check_console):
        check(driver)
    open_page(driver, pathlib.Path("throttled.html"))
    for check in (check_range, check_throttle, check_console):
        check(driver)
    open_page(driver, pathlib.Path("comparison.html"))
    check_comparison(driver)
    open_page(driver, pathlib.Path("timelines.html"))
    for check in (check_timelines, check_contrast, check_console):
        check(driver)
    open_page(driver, pathlib.Path("ranges.html"))
    check_compared_ranges(driver)
    open_page(driver, pathlib.Path("sweep.html"))
    for check in (check_sweep, check_sorting, check_contrast, check_console):
        check(driver)
    open_page(driver, pathlib.Path("joined.html"))
    for check in (check_joined, check_contrast, check_console):
        check(driver)
    open_page(driver, pathlib.Path("range-sweep.html"))
    check_range_sweep(driver)
