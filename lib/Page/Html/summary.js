// One report: the verdict and all its numbers.

// The ends of the latency's range, if there is one.
const latencyRange = ({ latency_range_ms: range }) => isRange(range) ? range : null;

const latestEnd = (report) => (latencyRange(report) || [report.latency_ms]).at(-1);

// `width` percent for the latency's latest end: `meter` as long as the latency,
// and a whisker over its range.
function latencyBar(report, width, meter) {
  const range = latencyRange(report), end = latestEnd(report);
  meter.style.width = `${100 * report.latency_ms / end}%`;
  return element("div", { class: "bar", style: `width: ${width}%` }, meter, range && whisker(range, end));
}

function whisker([low, high], end) {
  const text = formatValue("latency_range_ms", [low, high]);
  return element("div", { class: "whisker", title: text, role: "img", "aria-label": `range: ${text}`,
    style: `left: ${100 * low / end}%; width: ${100 * (high - low) / end}%` });
}

function rangeNote(report) {
  const range = latencyRange(report);
  return range && note(`${formatValue("latency_range_ms", range)}: ` + rangeMeaning(report, range[0]));
}

// What the range says, and what another order would save if that is more.
function rangeMeaning({ any_order_ms: anyOrder }, low) {
  const meaning = "by the errors of measured kernels with the same busiest engine, and by the ranges of the constants.";
  return anyOrder < low ? `${meaning} Another order of the instructions could take ${formatValue("any_order_ms",
    anyOrder)} at best.` : meaning;
}

// What the latency does not contain.
function hostOpsNote({ host_ops: ops }) {
  const count = Array.isArray(ops) ? ops.reduce((sum, { count }) => sum + count, 0) : 0;
  return count > 0 ? note(`latency_ms leaves out ${count} host op${count === 1 ? "" : "s"}`) : null;
}

// How far a latency is from its bound: in percent above it or, if far, as a multiple.
function distance({ latency_ms: latency, bound_ms: bound }) {
  const ratio = latency / bound;
  return ratio < 3 ? [formatPercent(100 * (ratio - 1)), "above"] : [digits(ratio, 3), "×"];
}

// `isLinked`: the page has a timeline of the run.
function verdict(report, isLinked = false) {
  const { latency_ms: latency, bound_ms: bound, bound_by: by } = report;
  const bold = (text) => element("b", {}, text);
  if (!(bound > 0))
    return element("div", {}, element("p", { class: "verdict" }, bold(formatValue("latency_ms", latency))),
      hasPath(report) ? pathBar(report, isLinked) : null, rangeNote(report), hostOpsNote(report));
  const [far, relation] = distance(report);
  const setBy = by === "traffic" ? "compulsory HBM traffic sets" : "the tensor engine sets";
  return element("div", {},
    element("p", { class: "verdict" },
      bold(formatValue("latency_ms", latency)), " – ", bold(far),
      ` ${relation} the lower bound of ${formatValue("bound_ms", bound)}, which ${setBy}`),
    hasPath(report) ? pathBar(report, isLinked) : boundBar(report), rangeNote(report), hostOpsNote(report));
}

// Of a report without a critical path.
function boundBar(report) {
  const { latency_ms: latency, bound_ms: bound } = report, percent = 100 * bound / latency;
  return latencyBar(report, 100, element("div", { class: "meter", role: "img",
    "aria-label": `${digits(percent, 3)} % of the latency is the lower bound` },
    element("div", { style: `width: ${percent}%` }, percent > 15 ? `bound ${formatValue("bound_ms", bound)}` : ""),
    element("span", {}, `+ ${formatTime((latency - bound) * 1e9)}`)));
}

// How the kernels were compiled. Layers of a model are compiled alike.
function schedules({ kernels = [] }) {
  const groups = new Map();
  for (const kernel of kernels) {
    const lines = scheduleLines(kernel), key = lines.join("\n");
    if (groups.has(key)) ++groups.get(key).more;
    else groups.set(key, { name: kernel.name, more: 0, lines });
  }
  return [...groups.values()].flatMap(({ name, more, lines }) =>
    lines.map((line) => note(`${name}${more ? ` and ${more} more` : ""}: ${line}`)));
}

function scheduleLines(kernel) {
  return [kernel.blocks && `blocks ${kernel.blocks}`, kernel.schedule].filter(Boolean);
}

// Shares of the latency in which engines are busy, [name, percent, detail], the
// busiest first.
const busyEngines = (report) => [
  ...["tensor", "vector", "scalar", "gpsimd"].map((engine) =>
    [`${engine} engine`, report[`${engine}_engine_active_percent`] || 0, "active"]),
  ["DMA engines", report.dma_active_percent || 0, `active, ${digits(report.dma_gb_per_s, 3)} GB/s`],
].sort(([, a], [, b]) => b - a);

// Bounds besides the one of the verdict: that of the model's FLOPs or of the
// compulsory traffic, and, of the program as it is compiled, what the busiest of
// the engines that work element by element needs.
function otherBounds(report) {
  const { bound_by: by, flops, tensor_roof_tflops: tensor, hbm_lower_bound_bytes: bytes, dma_roof_gb_per_s: dma } = report;
  const [busiest, percent] = busyEngines(report).find(([name]) => /vector|scalar|gpsimd/.test(name));
  const entries = [
    ["tensor bound", by === "traffic" ? flops / tensor / 1e9 : 0, "FLOPs of the model"],
    ["traffic bound", by === "traffic" ? 0 : bytes / dma / 1e6, "compulsory HBM traffic"],
    ["elementwise bound", percent / 100 * report.latency_ms, `${busiest}, as compiled`]];
  return entries.filter(([, ms]) => ms > 0).map(([name, ms, detail]) => [name, formatMs(ms), detail]);
}

// The numbers to see first.
function tiles(report) {
  const traffic = report.hbm_bytes / report.hbm_lower_bound_bytes;
  const [[busiest, active, detail], ...others] = busyEngines(report);
  const [next, percentOfNext, detailOfNext] = others.find(([name]) => /tensor|DMA/.test(name));
  const entries = [
    ["MFU", formatPercent(report.mfu_percent), "of the nominal peak"],
    ["busiest engine", formatPercent(active), `${busiest} ${detail}`],
    [next, formatPercent(percentOfNext), detailOfNext],
    ...otherBounds(report),
    ["HBM traffic", formatBytes(report.hbm_bytes), `${digits(traffic, 3)} × compulsory`],
    ["intensity", digits(report.arithmetic_intensity, 3), "FLOP per HBM byte"],
    ["SBUF live", formatChipBytes(report.sbuf_live_bytes ?? report.sbuf_peak_bytes),
      `${formatPercent(report.sbuf_live_percent)} of usable; addresses up to ${formatPercent(report.sbuf_peak_percent)}`],
  ];
  return element("dl", { class: "tiles" }, entries.map(([name, value, detail]) => element("div", {},
    element("dt", {}, name), element("dd", {}, value), element("dd", { class: "muted" }, detail))));
}

const keyCell = (key) => ({ text: keyLabel(key), title: key });

// All numbers, in groups.
function numbersTables(report) {
  const value = (key) => ({ text: formatValue(key, report[key]), title: `${key} = ${report[key]}` });
  const groups = groupedKeys([report]).map(([group, keys]) =>
    table(group, columns("", "#"), keys.map((key) => [keyCell(key), value(key)])));
  return element("div", { class: "groups" }, groups, instructionCounts(report), hostTable(report));
}

function instructionCounts({ instruction_counts: counts }) {
  if (!counts) return null;
  const sorted = Object.entries(counts).sort(([, a], [, b]) => b - a);
  return table("Executed instructions", columns("", "#"),
    sorted.map(([op, count]) => [op, digits(count, 12)]));
}

// The only numbers that differ between two runs of the same.
function hostTable({ host }) {
  if (!host || !Object.keys(host).length) return null;
  const name = (key) => ({ text: keyLabel(key).replace(/ (per )?s$/, ""), title: key });
  return table("On this host", columns("", "#"),
    Object.entries(host).map(([key, value]) => [name(key), formatValue(key, value)]));
}

// The plan itself is too long for a cell.
const scheduleKeys = (kernel) => Object.keys(kernel).filter((key) => !["name", "calls", "schedule"].includes(key) &&
  !page.keys.some(({ name }) => name === key) && typeof kernel[key] !== "object");

// Each kernel's first numbers and how it was compiled: a column each.
function kernelsTable({ kernels }) {
  if (!Array.isArray(kernels) || !kernels.length) return null;
  const first = ["calls", "latency_ms", "bound_ms", "mfu_percent", "tensor_engine_active_percent", "hbm_bytes"];
  const keys = [...first, ...new Set(kernels.flatMap(scheduleKeys))];
  return table("", columns("", ...kernels.map(({ name }) => `#${name}`)), keys.map((key) =>
    [keyCell(key), ...kernels.map((kernel) => formatValue(key, kernel[key]))]));
}

// A heading, then what is there of it; nothing if nothing is.
function optionalSection(title, ...children) {
  const present = children.filter(Boolean);
  return present.length ? section(title, ...present) : null;
}

const withTitle = (title, node) => node && element("div", {}, element("h3", {}, title), node);

function reportSections(entry) {
  const { report } = entry;
  const side = [criticalPath(report), withTitle("Roofline", roofline([entry]))].filter(Boolean);
  return [
    optionalSection("Where the time goes", element("div", { class: "grid" }, side), engineWaits(report)),
    optionalSection("Ops and buffers", ...kernelDetails(report)),
    section("All numbers", numbersTables(report)),
    optionalSection("Kernels", kernelsTable(report))].filter(Boolean);
}
