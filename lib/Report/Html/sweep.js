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
  return [...series].map(([name, entries], i) => ({ name, entries, colour: seriesColours[i % seriesColours.length] }));
}

function sweepCharts(points, keys) {
  const axisKey = keys.find((key) => isNumeric(points, key)) || keys[0];
  const axis = sweepAxis(points, axisKey);
  const series = sweepSeries(points, keys, axisKey);
  const lines = (key) => series.map(({ name, entries, colour }) => ({ name, colour,
    points: entries.map(({ point, report }) => [axis.at(point), report[key]]).filter(([, y]) => isFinite(y)).sort(([a], [b]) => a - b) }));
  const bounds = lines("bound_ms").map((line) => ({ ...line, name: `${line.name === "latency" ? "" : line.name + ", "}lower bound`, isDashed: true }));
  const chart = (title, key, more = []) => lineChart(title, axis, { label: "", format: (value) => formatValue(key, value) }, [...lines(key), ...more]);
  return element("div", { class: "grid" }, chart("Latency and lower bound", "latency_ms", bounds),
    chart("MFU", "mfu_percent"), chart("HBM traffic", "hbm_bytes"), chart("SBUF peak", "sbuf_peak_bytes"));
}

function sweepTable(all, keys) {
  const shown = ["latency_ms", "bound_ms", "mfu_percent", "tensor_engine_active_percent", "hbm_bytes", "arithmetic_intensity", "sbuf_peak_bytes"];
  const best = Math.min(...all.filter(({ report }) => report).map(({ report }) => report.latency_ms));
  const columns = [...keys.map((title) => ({ title, numeric: true })), ...shown.map((key) => ({ title: keyLabel(key), numeric: true, help: key }))];
  const rows = all.map(({ point, report, error }) => {
    const head = keys.map((key) => String(point[key] ?? ""));
    const cells = report ? shown.map((key) => formatValue(key, report[key])) : [{ text: error || "failed", class: "worse" }, ...shown.slice(1).map(() => "")];
    return Object.assign([...head, ...cells], { class: report && report.latency_ms === best ? "best" : undefined });
  });
  return table("", columns, rows);
}

function sweepSections({ sweep }) {
  const points = sweep.filter(({ report }) => report);
  const keys = sweptKeys(sweep);
  return [points.length ? section("Sweep", sweepCharts(points, keys)) : null,
    section("Points", element("p", { class: "muted" }, "The fastest point stands out."), sweepTable(sweep, keys))].filter(Boolean);
}
