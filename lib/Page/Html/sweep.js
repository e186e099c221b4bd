// The points of a sweep: charts against one key, lines for the others, a table.

const sweptKeys = (points) => [...new Set(points.flatMap(({ point }) => Object.keys(point)))]
  .filter((key) => new Set(points.map(({ point }) => point[key])).size > 1 || points.length === 1);

const isNumeric = (points, key) => points.every(({ point }) => point[key] !== "" && isFinite(point[key]));

// The axis of the charts: numbers by size, by ratio where they span one; other
// values in the order in which they came.
function sweepAxis(points, key) {
  const values = [...new Set(points.map(({ point }) => String(point[key])))];
  if (!isNumeric(points, key))
    return { label: key, at: (point) => values.indexOf(String(point[key])),
      ticks: values.map((_, index) => index), format: (index) => values[index] ?? "" };
  const numbers = values.map(Number).sort((a, b) => a - b);
  return { label: key, at: (point) => Number(point[key]),
    isLog: numbers[0] > 0 && numbers.at(-1) / numbers[0] >= 4,
    ticks: numbers.length <= 12 ? numbers : undefined, format: (number) => digits(number, 6) };
}

// Points with the same values of all other keys make one line.
function sweepSeries(points, keys, axisKey) {
  const others = keys.filter((key) => key !== axisKey);
  const name = ({ point }) => others.map((key) => `${key} ${point[key]}`).join(", ") || "latency";
  return [...groupBy(points, name)].map(([name, entries], index) =>
    ({ name, entries, colour: colourOfSeries(index) }));
}

function sweepCharts(points, keys) {
  const axisKey = keys.find((key) => isNumeric(points, key)) || keys[0];
  const axis = sweepAxis(points, axisKey);
  const series = sweepSeries(points, keys, axisKey);
  const rangeOf = (key, report) => key === "latency_ms" ? latencyRange(report) : null;
  const lines = (key) => series.map(({ name, entries, colour }) => ({ name, colour,
    points: entries.map(({ point, report }) => [axis.at(point), report[key], rangeOf(key, report)])
      .filter(([, value]) => Number.isFinite(value)).sort(([a], [b]) => a - b) }));
  const chart = (title, key, more = []) => lineChart(title, axis,
    { label: "", format: (value) => value ? formatValue(key, value) : "0" }, [...more, ...lines(key)]);
  return element("div", { class: "grid" },
    chart("Latency and lower bound", "latency_ms", boundLines(lines("bound_ms"))),
    chart("MFU", "mfu_percent"), chart("HBM traffic", "hbm_bytes"),
    chart("SBUF live at once, of usable", "sbuf_live_percent"));
}

// One line for all bounds if they are the same, as they are where only the
// schedule varies.
function boundLines(lines) {
  const values = new Set(lines.flatMap(({ points }) => points.map(([, value]) => value)));
  if (values.size !== 1) return lines.map((line) => ({ ...line, name: `${line.name}, lower bound`, isDashed: true }));
  const [longest] = [...lines].sort((a, b) => b.points.length - a.points.length);
  return [{ ...longest, name: "lower bound", colour: "--muted", isDashed: true }];
}

// How the kernels of a point were tiled, or what is wrong with it.
function pointRemark({ report, error, over_budget: excesses }) {
  if (!report) return { text: error || "failed", class: "worse whole" };
  const blocks = (report.kernels || []).map(blocksOf).join("; ");
  if (!excesses) return { text: blocks, class: "whole" };
  return { text: `${blocks}; over budget: ${excesses.join(", ")}`, class: "worse whole" };
}

function sweepTable(points, keys) {
  const hasRange = points.some(({ report }) => report && latencyRange(report));
  const shown = ["latency_ms", ...hasRange ? ["latency_range_ms"] : [],
    "bound_ms", "mfu_percent", "tensor_engine_active_percent", "hbm_bytes", "sbuf_live_percent"];
  const rows = points.map((entry) => {
    const numbers = shown.map((key) => entry.report ? formatValue(key, entry.report[key]) : "–");
    const row = [...keys.map((key) => String(entry.point[key] ?? "")), ...numbers, pointRemark(entry)];
    return Object.assign(row, { class: entry.best ? "best" : undefined });
  });
  return table("", [...columns(...keys.map((key) => `#${key}`)), ...keyColumns(shown), ...columns("blocks")], rows);
}

function sweepSections({ sweep }) {
  const timed = sweep.filter(({ report }) => report);
  const keys = sweptKeys(sweep);
  return [timed.length ? section("Sweep", sweepCharts(timed, keys)) : null,
    section("Points", note("The fastest point for each number of rows stands out."), sweepTable(sweep, keys))].filter(Boolean);
}
