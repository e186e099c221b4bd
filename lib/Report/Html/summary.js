// One report: the verdict, its tables, and where the time goes.

const overBound = ({ latency_ms: latency, bound_ms: bound }) => 100 * (latency / bound - 1);

function verdict(report) {
  const { latency_ms: latency, bound_ms: bound, bound_by: by } = report;
  if (!(bound > 0)) return element("p", { class: "verdict" }, element("b", {}, formatValue("latency_ms", latency)));
  const setBy = by === "traffic" ? "compulsory HBM traffic sets" : "the tensor engine sets";
  return element("div", {},
    element("p", { class: "verdict" }, element("b", {}, formatValue("latency_ms", latency)), " – ",
      element("b", {}, formatPercent(overBound(report))), ` above the lower bound of ${formatValue("bound_ms", bound)}, which ${setBy}`),
    element("div", { class: "meter", role: "img", "aria-label": `${digits(100 * bound / latency, 3)} % of the latency is the lower bound` },
      element("div", { style: `width: ${100 * bound / latency}%` }, `bound ${formatValue("bound_ms", bound)}`),
      element("span", {}, `+ ${formatTime((latency - bound) * 1e9)}`)));
}

// How the kernels were compiled, a line each.
function schedules({ kernels }) {
  return (kernels || []).filter(({ strategy }) => strategy).map((kernel) => element("p", { class: "muted" },
    `${kernel.name}: ${kernel.strategy}, ${kernel.transpose} transposition, ` +
    `${kernel.input_layout} input, ${kernel.output_layout} output; blocks ${blocksOf(kernel)}`));
}

function blocksOf(kernel) {
  return ["m", "k", "r", "n"].filter((name) => kernel[`block_${name}`])
    .map((name) => `${name} ${kernel[`block_${name}`]}`).join(", ");
}

// The numbers to see first.
function tiles(report) {
  const traffic = report.hbm_bytes / report.hbm_lower_bound_bytes;
  const entries = [
    ["MFU", formatPercent(report.mfu_percent), "of the nominal peak"],
    ["tensor engine", formatPercent(report.tensor_engine_active_percent), "active"],
    ["DMA engines", formatPercent(report.dma_active_percent), `active, ${digits(report.dma_gb_per_s, 3)} GB/s`],
    ["HBM traffic", formatBytes(report.hbm_bytes), traffic > 0 && isFinite(traffic) ? `${digits(traffic, 3)} × compulsory` : ""],
    ["intensity", digits(report.arithmetic_intensity, 3), "FLOP per HBM byte"],
    ["SBUF peak", formatChipBytes(report.sbuf_peak_bytes), `${formatPercent(report.sbuf_peak_percent)} of usable`],
  ];
  return element("dl", { class: "tiles" }, entries.map(([name, value, detail]) =>
    element("div", {}, element("dt", {}, name), element("dd", {}, value), element("dd", { class: "muted" }, detail))));
}

// All scalar keys, grouped.
function numbersTable(report) {
  const cell = (key) => ({ text: formatValue(key, report[key]), title: `${key} = ${report[key]}` });
  return element("div", { class: "groups" }, groupedKeys([report]).map(([group, keys]) =>
    table(group, [{ title: "" }, { title: "", numeric: true }],
      keys.map((key) => [{ text: keyLabel(key), title: key }, cell(key)]))), instructionCounts(report) || "", hostTable(report) || "");
}

// The only numbers that differ between two runs of the same.
function hostTable({ host }) {
  if (!host || !Object.keys(host).length) return null;
  return table("On this host", [{ title: "" }, { title: "", numeric: true }],
    Object.entries(host).map(([key, value]) => [{ text: keyLabel(key).replace(/ (per )?s$/, ""), title: key }, formatValue(key, value)]));
}

// A bar of parts: [{name, percent, colour, text}].
function partsBar(parts, label) {
  return element("div", { class: "parts", role: "img", "aria-label": label },
    parts.filter(({ percent }) => percent > 0).map(({ name, percent, colour, text }) =>
      element("span", { style: `width: ${percent}%; background: var(${colour})`, title: `${name}: ${text || formatPercent(percent)}` })));
}

const partName = ({ engine, reason }) => [engine, reason].filter(Boolean).join(", ").replaceAll("_", " ");

function partColour({ engine, reason }) {
  if (reason === "busy")
    return { tensor: "--blue", vector: "--purple", scalar: "--green", gpsimd: "--pink", load: "--teal", store: "--brown" }[engine] || "--brown";
  return waitColour(reason === "dma_latency" ? "dma" : reason === "result_latency" ? "data" : reason);
}

function criticalPath({ critical_path: path, latency_ms: latency }) {
  if (!Array.isArray(path) || !path.length) return null;
  const parts = path.map((part) => ({ ...part, name: partName(part), colour: partColour(part),
    percent: part.percent ?? 100 * part.ms / latency })).filter(({ percent }) => percent >= 0.005);
  return element("div", {}, element("h3", {}, "Critical path"),
    element("p", { class: "muted" }, "What the latency is made of, followed back from the last instruction."),
    partsBar(parts, "Critical path"),
    table("", [{ title: "" }, { title: "time", numeric: true }, { title: "of latency", numeric: true }],
      parts.map((part) => [element("span", {}, element("span", { class: "swatch", style: `background: var(${part.colour})` }), part.name),
        formatTime(part.ms * 1e9), formatPercent(part.percent)])));
}

const engineOrder = ["tensor", "vector", "scalar", "gpsimd", "load", "store"];

// By engine: busy, and standing still by reason.
function engineWaits(report) {
  const waits = report.engine_waits;
  if (!waits || !Object.keys(waits).length) return null;
  const rows = engineOrder.filter((engine) => waits[engine]).map((engine) => engineRow(engine, waits[engine], report));
  const names = [...new Set(Object.values(waits).flatMap(Object.keys))];
  return element("div", {}, element("h3", {}, "Engines and queues"),
    element("p", { class: "muted" }, "Share of the latency: busy, and standing still before an instruction by reason. The rest had nothing left to do."),
    table("", [{ title: "" }, { title: "" }, { title: "busy", numeric: true }, ...names.map((title) => ({ title, numeric: true }))],
      rows.map(({ engine, busy, bar, reasons }) => [engine, bar, busy === undefined ? "–" : formatPercent(busy),
        ...names.map((name) => reasons[name] ? formatTime(reasons[name] * 1e9) : "")])),
    legend(names.map((name) => ({ name, colour: waitColour(name) }))));
}

function engineRow(engine, reasons, report) {
  const busy = report[`${engine}_engine_active_percent`];
  const parts = [{ name: "busy", percent: busy || 0, colour: partColour({ engine, reason: "busy" }) },
    ...Object.entries(reasons).map(([name, ms]) => ({ name, percent: 100 * ms / report.latency_ms, colour: waitColour(name), text: formatTime(ms * 1e9) }))];
  return { engine, busy, reasons, bar: partsBar(parts, `${engine}: where its time goes`) };
}

function topOps({ top_ops: ops }) {
  if (!Array.isArray(ops) || !ops.length) return null;
  return table("Ops by their time on the critical path",
    [{ title: "op" }, { title: "buffer" }, { title: "location" }, { title: "executions", numeric: true }, { title: "critical", numeric: true },
      { title: "busy", numeric: true }, { title: "waited", numeric: true }, { title: "mostly for" }],
    ops.map((op) => [op.op, op.buffer || "", element("code", {}, op.location || ""), digits(op.executions, 12), formatValue("_ms", op.critical_ms),
      formatValue("_ms", op.busy_ms), formatValue("_ms", op.waited_ms), op.waited_ms > 0 ? (op.wait_reason || "").replaceAll("_", " ") : ""]));
}

function buffersTable({ buffers }) {
  if (!Array.isArray(buffers) || !buffers.length) return null;
  const moved = (buffer) => buffer.read_bytes + buffer.write_bytes;
  const most = Math.max(...buffers.map(moved));
  const times = (buffer) => buffer.compulsory_bytes > 0 ? `${digits(moved(buffer) / buffer.compulsory_bytes, 3)} ×` : "–";
  const bar = (buffer) => partsBar([{ name: "compulsory", percent: 100 * Math.min(buffer.compulsory_bytes, moved(buffer)) / most, colour: "--blue", text: formatBytes(buffer.compulsory_bytes) },
    { name: "more than that", percent: 100 * Math.max(0, moved(buffer) - buffer.compulsory_bytes) / most, colour: "--wait-buffer", text: formatBytes(moved(buffer) - buffer.compulsory_bytes) }],
    `${buffer.buffer}: compulsory part of its traffic`);
  return table("HBM traffic by buffer",
    [{ title: "buffer" }, { title: "read", numeric: true }, { title: "written", numeric: true },
      { title: "compulsory", numeric: true }, { title: "moved / compulsory", numeric: true }, { title: "" }],
    buffers.map((buffer) => [String(buffer.buffer), formatBytes(buffer.read_bytes), formatBytes(buffer.write_bytes),
      formatBytes(buffer.compulsory_bytes), times(buffer), bar(buffer)]));
}

const scheduleKeys = (kernel) => Object.keys(kernel).filter((key) => key !== "name" && key !== "calls" &&
  !page.keys.some(({ name }) => name === key) && typeof kernel[key] !== "object");

// How each kernel was compiled, with its first numbers: a column each.
function kernelsTable({ kernels }) {
  if (!Array.isArray(kernels) || !kernels.length) return null;
  const first = ["calls", "latency_ms", "bound_ms", "mfu_percent", "tensor_engine_active_percent", "hbm_bytes"];
  const keys = [...first, ...new Set(kernels.flatMap(scheduleKeys))];
  return table("", [{ title: "" }, ...kernels.map(({ name }) => ({ title: name, numeric: true }))],
    keys.map((key) => [{ text: keyLabel(key), title: key }, ...kernels.map((kernel) => formatValue(key, kernel[key]))]));
}

function instructionCounts({ instruction_counts: counts }) {
  if (!counts) return null;
  return table("Executed instructions", [{ title: "" }, { title: "", numeric: true }],
    Object.entries(counts).sort(([, a], [, b]) => b - a).map(([op, count]) => [op, digits(count, 12)]));
}

// A heading, then what is there of it; nothing if nothing is.
function optionalSection(title, ...children) {
  const present = children.filter(Boolean);
  return present.length ? section(title, ...present) : null;
}

function kernelDetails(report) {
  return (report.kernels || []).map((kernel) => {
    const tables = [topOps(kernel), buffersTable(kernel)].filter(Boolean);
    if (!tables.length) return null;
    return element("div", {}, report.kernels.length > 1 ? element("h3", {}, kernel.name) : "", ...tables);
  });
}

function reportSections(entry) {
  const { report } = entry;
  const roof = roofline([entry]);
  return [optionalSection("Where the time goes", element("div", { class: "grid" }, ...[criticalPath(report),
      roof && element("div", {}, element("h3", {}, "Roofline"), roof)].filter(Boolean)), engineWaits(report)),
    optionalSection("Ops and buffers", ...kernelDetails(report)),
    section("All numbers", numbersTable(report)),
    optionalSection("Kernels", kernelsTable(report))].filter(Boolean);
}
