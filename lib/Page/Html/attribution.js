// What a report says about where time and traffic go.

const engineOrder = ["tensor", "vector", "scalar", "gpsimd", "collective", "load", "store"];
const busyColour = (engine) => engineColour(Math.max(0, engineOrder.indexOf(engine)));
const spell = (name) => (name || "").replaceAll("_", " ");
const formatMs = (ms) => formatValue("latency_ms", ms);

function pathColour({ engine, reason }) {
  if (reason === "busy") return busyColour(engine);
  if (reason === "throttle") return throttleColour;
  return waitColour({ dma_latency: "dma", result_latency: "data" }[reason] || reason);
}

const hasPath = ({ critical_path: path }) => Array.isArray(path) && path.length > 0;

const pathParts = ({ critical_path: path, latency_ms: latency }) => path.map((part) => ({ ...part,
  name: spell(`${part.engine}, ${part.reason}`), colour: pathColour(part),
  percent: part.percent ?? 100 * part.ms / latency }));

function criticalPath(report) {
  if (!hasPath(report)) return null;
  const parts = pathParts(report).filter(({ percent }) => percent >= 0.005);
  return element("div", {}, element("h3", {}, "Critical path"),
    note("What the latency is made of, followed back from the last instruction."),
    partsBar(parts, "Critical path"),
    table("", columns("", "#time", "#of latency"), parts.map(({ name, colour, ms, percent }) =>
      [element("span", {}, swatch(colour), name), formatMs(ms), formatPercent(percent)])));
}

// By engine: busy, and standing still by reason.
function engineWaits(report) {
  const waits = report.engine_waits;
  if (!waits || !Object.keys(waits).length) return null;
  const names = [...new Set(Object.values(waits).flatMap(Object.keys))];
  const rows = engineOrder.filter((engine) => waits[engine]).map((engine) => {
    const busy = report[`${engine}_engine_active_percent`];
    const time = (name) => waits[engine][name] ? formatMs(waits[engine][name]) : "";
    return [engine, engineBar(engine, busy, waits[engine], report.latency_ms), formatPercent(busy), ...names.map(time)];
  });
  return element("div", {}, element("h3", {}, "Engines and queues"),
    note("Share of the latency: busy, and standing still before an instruction by reason. The rest had nothing left to do."),
    table("", columns("", "", "#busy", ...names.map((name) => `#${name}`)), rows),
    legend(names.map((name) => ({ name, colour: waitColour(name) }))));
}

function engineBar(engine, busy, waits, latency) {
  const parts = Object.entries(waits).map(([name, ms]) =>
    ({ name, percent: 100 * ms / latency, colour: waitColour(name), text: formatMs(ms) }));
  return partsBar([{ name: "busy", percent: busy || 0, colour: busyColour(engine) }, ...parts],
    `${engine}: where its time goes`);
}

function topOps({ top_ops: ops }) {
  if (!Array.isArray(ops) || !ops.length) return null;
  const waits = (op) => op.waited_ms > 0 ? spell(op.wait_reason) : "";
  return table("Ops by their time on the critical path",
    columns("op", "buffer", "location", "#executions", "#critical", "#busy", "#waited", "mostly for"),
    ops.map((op) => [op.op, op.buffer || "", placeNode(op.location), digits(op.executions, 12),
      formatMs(op.critical_ms), formatMs(op.busy_ms), formatMs(op.waited_ms), waits(op)]));
}

function buffersTable({ buffers }) {
  if (!Array.isArray(buffers) || !buffers.length) return null;
  const moved = (buffer) => buffer.read_bytes + buffer.write_bytes;
  const most = Math.max(...buffers.map(moved));
  const times = (buffer) => buffer.compulsory_bytes > 0
    ? `${digits(moved(buffer) / buffer.compulsory_bytes, 3)} ×` : "–";
  return table("HBM traffic by buffer",
    columns("buffer", "#read", "#written", "#compulsory", "#moved / compulsory", ""),
    buffers.map((buffer) => [String(buffer.buffer), formatBytes(buffer.read_bytes), formatBytes(buffer.write_bytes),
      formatBytes(buffer.compulsory_bytes), times(buffer), trafficBar(buffer, moved(buffer), most)]));
}

// Traffic that had to be and traffic beyond, against the busiest buffer's.
function trafficBar({ buffer, compulsory_bytes: compulsory }, moved, most) {
  const part = (name, bytes, colour) =>
    ({ name, percent: 100 * bytes / most, colour, text: formatBytes(bytes) });
  return partsBar([part("compulsory", Math.min(compulsory, moved), "--engine-2"),
    part("more than that", Math.max(0, moved - compulsory), "--wait-buffer")],
  `${buffer}: compulsory part of its traffic`);
}

// The tables of each kernel.
function kernelDetails({ kernels = [] }) {
  return kernels.map((kernel) => {
    const tables = [topOps(kernel), buffersTable(kernel)].filter(Boolean);
    if (!tables.length) return null;
    return element("div", {}, kernels.length > 1 ? element("h3", {}, kernel.name) : null, tables);
  });
}
