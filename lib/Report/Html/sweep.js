// The points of a sweep: charts against one key, lines for the others, a table.

const sweptKeys = (points) => [...new Set(points.flatMap(({ point }) => Object.keys(point)))]
  .filter((key) => new Set(points.map(({ point }) => point[key])).size > 1 || points.length === 1);

const isNumeric = (points, key) => points.every(({ point }) => point[key] !== "" && isFinite(point[key]));

// The axis of the charts: numbers by size, by ratio where they span one; other
// values in the order in which they came.
function sweepAxis(points, key) {
  const values = [...new Set(points.map(({ point }) => String(point[key])))];
  if (!isNumeric(points, key))
    return { label: key, at: (point) => values.indexOf(String(point[key])), ticks: values.map((_, i) => i),
      format: (i) => values[i] ?? "" };
  const numbers = values.map(Number).sort((a, b) => a - b);
  const isLog = numbers[0] > 0 && numbers.at(-1) / numbers[0] >= 4;
  return { label: key, isLog, at: (point) => Number(point[key]), ticks: numbers.length <= 12 ? numbers : undefined, format: (x) => digits(x, 6) };
}

// Points with the same values of all other keys make one line.
function sweepSeries(points, keys, axisKey) {
  const series = new Map();
  for (const entry of points) {
    const name = keys.filter((key) => key !== axisKey).map((key) => `${key} ${entry.point[key]}`).join(", ") || "latency";
    if (!series.has(name)) series.set(name, []);
    series.get(name).push(entry);
  }
  return [...series].map(([name, entries], i) => ({ name, entries, colour: colourOfSeries(i) }));
}

function sweepCharts(points, keys) {
  const axisKey = keys.find((key) => isNumeric(points, key)) || keys[0];
  const axis = sweepAxis(points, axisKey);
  const series = sweepSeries(points, keys, axisKey);
  const lines = (key) => series.map(({ name, entries, colour }) => ({ name, colour,
    points: entries.map(({ point, report }) => [axis.at(point), report[key]]).filter(([, y]) => isFinite(y)).sort(([a], [b]) => a - b) }));
  const chart = (title, key, more = []) => lineChart(title, axis,
    { label: "", format: (value) => value ? formatValue(key, value) : "0" }, [...more, ...lines(key)]);
  return element("div", { class: "grid" }, chart("Latency and lower bound", "latency_ms", boundLines(lines("bound_ms"))),
    chart("MFU", "mfu_percent"), chart("HBM traffic", "hbm_bytes"), chart("SBUF peak, of usable", "sbuf_peak_percent"));
}

// One line for all bounds if they are the same, as they are where only the
// schedule varies.
function boundLines(lines) {
  const isSame = lines.every(({ points }) => points.every(([, y]) => y === lines[0].points[0][1]));
  if (isSame) {
    const longest = lines.toSorted((a, b) => b.points.length - a.points.length)[0];
    return [{ ...longest, name: "lower bound", colour: "--muted", isDashed: true }];
  }
  return lines.map((line) => ({ ...line, name: `${line.name}, lower bound`, isDashed: true }));
}

function sweepTable(all, keys) {
  const shown = ["latency_ms", "bound_ms", "mfu_percent", "tensor_engine_active_percent", "hbm_bytes", "sbuf_peak_percent"];
  // Fewer rows are not better: the best is one among points with as many.
  const isBest = ({ point, report }) => report && all.every((other) => !other.report || other.point.rows !== point.rows
    || other.report.latency_ms >= report.latency_ms);
  const columns = [...keys.map((title) => ({ title, numeric: true })), ...shown.map((key) => ({ title: keyLabel(key), numeric: true, help: key })), { title: "blocks" }];
  const rows = all.map((entry) => {
    const { point, report, error, over_budget: excesses } = entry;
    const head = keys.map((key) => String(point[key] ?? ""));
    const blocks = report && (report.kernels || []).map(blocksOf).join("; ");
    const remark = excesses ? { text: `${blocks}; over budget: ${excesses.join(", ")}`, class: "worse whole" } : { text: blocks, class: "whole" };
    const cells = report ? [...shown.map((key) => formatValue(key, report[key])), remark]
      : [...shown.map(() => "–"), { text: error || "failed", class: "worse whole" }];
    return Object.assign([...head, ...cells], { class: isBest(entry) ? "best" : undefined });
  });
  return table("", columns, rows);
}

function sweepSections({ sweep }) {
  const points = sweep.filter(({ report }) => report);
  const keys = sweptKeys(sweep);
  return [points.length ? section("Sweep", sweepCharts(points, keys)) : null,
    section("Points", element("p", { class: "muted" }, "The fastest point for each number of rows stands out."), sweepTable(sweep, keys))].filter(Boolean);
}
