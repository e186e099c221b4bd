// The points of a sweep: charts against one key, lines for the others, a table.

const sweptKeys = (points) => [...new Set(points.flatMap(({ point }) => Object.keys(point)))]
  .filter((key) => new Set(points.map(({ point }) => point[key])).size > 1 || points.length === 1);

const isNumeric = (points, key) => points.every(({ point }) => point[key] !== "" && isFinite(point[key]));

// Points whose module does not have a key that others vary: what those are compared with.
const isReference = ({ point }, keys) => keys.some((key) => point[key] === undefined);

// `r = 128 on trn2`: some settings of a point.
function spellPoint({ point }, keys) {
  const settings = keys.filter((key) => key !== "machine" && point[key] !== undefined)
    .map((key) => key === "file" ? point[key] : `${key} = ${point[key]}`).join(", ");
  return [settings, point.machine !== undefined && keys.includes("machine") ? `on ${point.machine}` : ""].filter(Boolean).join(" ");
}

// Rows, columns and what is summed over: less of them is less work, not faster.
const sizeKeys = ["rows", "m", "k", "n"];

// The fastest point for each size, and how much faster it is than the reference or
// else than the slowest one of as much work.
function sweepHeadlines(points, keys) {
  const sizes = keys.filter((key) => sizeKeys.includes(key)), varied = keys.filter((key) => !sizes.includes(key));
  if (!varied.length) return [];
  return [...groupBy(points, (entry) => spellPoint(entry, sizes))].map(([size, entries]) => {
    const latency = ({ report }) => report.latency_ms;
    const fastest = entries.reduce((a, b) => latency(b) < latency(a) ? b : a);
    const references = entries.filter((entry) => entry !== fastest && isReference(entry, keys));
    const alike = entries.filter((entry) => entry !== fastest && entry.point.r === fastest.point.r);
    const others = [references, alike, entries].find(({ length }) => length);
    const other = references.length ? others.reduce((a, b) => latency(b) < latency(a) ? b : a) : others.reduce((a, b) => latency(b) > latency(a) ? b : a);
    const differing = varied.filter((key) => other.point[key] !== fastest.point[key]);
    const factor = other === fastest ? "" : `, ${digits(latency(other) / latency(fastest), 3)} × ${spellPoint(other, differing).replace(/^on /, "")}`;
    return element("p", { class: "verdict" }, size ? `${size}, fastest: ` : "Fastest: ", element("b", {}, spellPoint(fastest, varied)), factor);
  });
}

// The axis of the charts: numbers by size, by ratio where they span one; other
// values in the order in which they came.
function sweepAxis(points, key) {
  const values = [...new Set(points.map(({ point }) => String(point[key])))];
  if (!isNumeric(points, key))
    return { label: key, at: (point) => values.indexOf(String(point[key])),
      ticks: values.map((_, index) => index), format: (index) => values[index] ?? "" };
  const numbers = values.map(Number).sort((a, b) => a - b);
  return { label: key, isScale: true, at: (point) => Number(point[key]),
    isLog: numbers[0] > 0 && numbers.at(-1) / numbers[0] >= 4,
    ticks: numbers.length <= 12 ? numbers : undefined, format: (number) => digits(number, 6) };
}

// Points with the same values of all other keys make one line.
function sweepSeries(points, keys, axisKey) {
  const others = keys.filter((key) => key !== axisKey && new Set(points.map(({ point }) => point[key])).size > 1);
  const name = ({ point }) => others.map((key) => `${key} ${point[key]}`).join(", ") || point.file || "latency";
  return [...groupBy(points, name)].map(([name, entries], index) =>
    ({ name, entries, colour: colourOfSeries(index) }));
}

// Points without the axis' key are lines from end to end.
function sweepReferences(references, keys) {
  return references.map((entry, index) => ({ name: spellPoint(entry, keys), entry,
    colour: ["--muted", "--text"][index % 2], isDashed: true }));
}

function sweepCharts(points, keys) {
  const axisKey = keys.find((key) => isNumeric(points.filter(({ point }) => point[key] !== undefined), key)) || keys[0];
  const placed = points.filter(({ point }) => point[axisKey] !== undefined);
  const axis = sweepAxis(placed, axisKey);
  const series = sweepSeries(placed, keys, axisKey);
  const references = sweepReferences(points.filter((entry) => !placed.includes(entry)), keys);
  const ends = [Math.min, Math.max].map((choose) => choose(...placed.map(({ point }) => axis.at(point))));
  const rangeOf = (key, report) => key === "latency_ms" ? latencyRange(report) : null;
  const lines = (key) => series.map(({ name, entries, colour }) => ({ name, colour,
    points: entries.map((entry) => [axis.at(entry.point), entry.report[key], rangeOf(key, entry.report), entry.run])
      .filter(([, value]) => Number.isFinite(value)).sort(([a], [b]) => a - b) }));
  const flat = (key) => references.filter(({ entry }) => Number.isFinite(entry.report[key]))
    .map(({ entry, ...line }) => ({ ...line, points: ends.map((end) => [end, entry.report[key], null]) }));
  const chart = (title, key) => lineChart(title, axis,
    { label: "", isScale: true, format: (value) => value ? formatValue(key, value) : "0" },
    [...lines(key), ...flat(key)], /*hasLegend=*/false);
  const keysShown = ["latency_ms", "bound_ms", "over_bound_percent", "mfu_percent", "hbm_bytes", "sbuf_live_percent"];
  return element("div", {}, series.length + references.length > 1 ? legend([...series, ...references]) : null,
    element("div", { class: "grid" }, joinedNames(points).map((name) => paretoChart(points, name)).filter(Boolean),
      keysShown.map((key) => chart(sentence(keyLabel(key)), key))));
}

const sentence = (text) => text[0].toUpperCase() + text.slice(1);

// Names of the numbers that come from elsewhere.
const joinedNames = (points) => [...new Set(points.flatMap(({ joined }) => Object.keys(joined || {})))];

const isMoreBetter = (name) => /accuracy|score|correct/i.test(name);

// Which of [latency, number] no other one beats in both, by latency.
function paretoFront(pairs, name) {
  const sign = isMoreBetter(name) ? -1 : 1;
  const sorted = [...pairs].sort((a, b) => a[0] - b[0] || sign * (a[1] - b[1]));
  let best = Infinity;
  return sorted.filter(([, number]) => {
    if (sign * number >= best) return false;
    best = sign * number;
    return true;
  });
}

// A number from elsewhere against the latency: a dot for each point.
function paretoChart(points, name) {
  const found = points.filter(({ joined }) => Number.isFinite(joined?.[name]));
  if (!found.length) return null;
  const pairs = found.map(({ report, joined, run }) => [report.latency_ms, joined[name], null, run]);
  const latencies = pairs.map(([latency]) => latency);
  const isLog = Math.max(...latencies) / Math.min(...latencies) >= 4;
  const title = `${sentence(name)} and latency`;
  const figure = lineChart(title, { label: "latency", isScale: true, isLog, format: formatMs },
    { label: "", isScale: true, format: (value) => digits(value) },
    [{ name, colour: "--muted", isDashed: true, points: paretoFront(pairs, name) },
      ...found.map(({ point }, index) =>
        ({ name: Object.entries(point).map(([key, value]) => `${key} ${value}`).join(", "), colour: "--blue", points: [pairs[index]] }))],
    /*hasLegend=*/false);
  figure.append(element("figcaption", {}, `Dashed: points that none beats in both; ${isMoreBetter(name) ? "more" : "less"} ${name} is better.`));
  return figure;
}

// The page of a point's run, folded until somebody asks for it.
function runOf({ report, run, point }) {
  const name = Object.entries(point).map(([key, value]) => `${key} ${value}`).join(", ");
  const node = element("details", { id: `run-${run}` }, element("summary", {}, name));
  node.addEventListener("toggle", () => {
    if (node.open && node.childElementCount === 1)
      node.append(...[verdict(report), findingsSection(report), tiles(report), ...schedules(report),
        criticalPath(report), engineWaits(report)].filter(Boolean));
  });
  return node;
}

function openRun(run) {
  const node = document.getElementById(`run-${run}`);
  node.open = true;
  node.scrollIntoView({ block: "start" });
}

function runLink({ report, run }) {
  const link = element("a", { href: `#run-${run}` }, formatMs(report.latency_ms));
  link.addEventListener("click", () => openRun(run));
  return link;
}

// How the kernels of a point were tiled, or what is wrong with it.
function pointRemark({ report, error, over_budget: excesses }) {
  if (!report) return { text: error || "failed", class: "worse whole" };
  const blocks = (report.kernels || []).map((kernel) => kernel.blocks).filter(Boolean).join("; ");
  if (!excesses) return { text: blocks, class: "whole" };
  return { text: `${blocks}; over budget: ${excesses.join(", ")}`, class: "worse whole" };
}

function sweepTable(points, keys) {
  const hasRange = points.some(({ report }) => report && latencyRange(report));
  const shown = ["latency_ms", ...hasRange ? ["latency_range_ms"] : [],
    "bound_ms", "mfu_percent", "tensor_engine_active_percent", "hbm_bytes", "sbuf_live_percent"];
  const names = joinedNames(points);
  const rows = points.map((entry) => {
    const numbers = shown.map((key) => !entry.report ? "–" : { value: [entry.report[key]].flat()[0],
      text: key === "latency_ms" ? runLink(entry) : formatValue(key, entry.report[key]) });
    const others = names.map((name) => entry.joined?.[name] === undefined ? "–"
      : { text: digits(entry.joined[name]), value: entry.joined[name] });
    const row = [...keys.map((key) => String(entry.point[key] ?? "–")), ...numbers, ...others, pointRemark(entry)];
    return Object.assign(row, { class: entry.best ? "best" : undefined });
  });
  return sortable(table("", [...columns(...keys.map((key) => `#${key}`)), ...keyColumns(shown),
    ...columns(...names.map((name) => `#${name}`), "blocks")], rows));
}

function sweepSections({ sweep }) {
  const points = sweep.map((entry, run) => ({ ...entry, run }));
  const timed = points.filter(({ report }) => report);
  const keys = sweptKeys(points);
  return [timed.length ? section("Sweep", sweepHeadlines(timed, keys), sweepCharts(timed, keys)) : null,
    section("Points", note("The fastest point for each number of rows stands out. A latency leads to its run, a head sorts."),
      sweepTable(points, keys)),
    timed.length ? section("Runs", ...timed.map(runOf)) : null].filter(Boolean);
}
