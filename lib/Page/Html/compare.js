// Several reports side by side.

function latencyBars(entries) {
  const longest = Math.max(...entries.map(({ report }) => latestEnd(report)));
  return element("div", { class: "runs" }, entries.map(({ name, report }) => {
    const { latency_ms: latency, bound_ms: bound } = report;
    const part = bound > 0 ? Math.min(100, 100 * bound / latency) : 0;
    const over = bound > 0 ? `, ${distance(report).join(" ")} its bound` : "";
    return element("div", {}, element("span", { class: "run-name" }, name),
      latencyBar(report, Math.max(8, 50 * latestEnd(report) / longest), element("div", { class: "meter" },
        element("div", { style: `width: ${part}%` }))),
      element("span", {}, formatValue("latency_ms", latency) + over), hostOpsNote(report));
  }));
}

// What the ranges of the latencies say about the first run and each other one.
function rangeVerdicts([first, ...others]) {
  const range = latencyRange(first.report);
  const compared = others.filter(({ report }) => range && latencyRange(report));
  return compared.map(({ name, report }) => {
    const [low, high] = latencyRange(report);
    const faster = range[1] < low ? first.name : high < range[0] ? name : null;
    return note(`The ranges of ${first.name} and ${name} ` +
      (faster ? `do not overlap: ${faster} is faster.` : "overlap: the clock does not tell which is faster."));
  });
}

// The critical path of each run, all bars of the same length.
function pathBars(entries) {
  const paths = entries.filter(({ report }) => Array.isArray(report.critical_path));
  if (!paths.length) return null;
  const parts = paths.flatMap(({ report }) => pathParts(report)).filter(({ percent }) => percent >= 0.5);
  return element("div", { class: "runs" }, element("h3", {}, "Critical path"),
    paths.map(({ name, report }) => element("div", {}, element("span", { class: "run-name" }, name),
      partsBar(pathParts(report), `Critical path of ${name}`))),
    legend([...new Map(parts.map((part) => [part.name, part])).values()]));
}

// An engine that is busy for longer makes a run better only if it does the same work.
const isJudged = (key, report, first) => key !== "tensor_engine_active_percent" ||
  Math.abs(report.executed_flops / first.executed_flops - 1) < 0.0005;

// The value of a run, and how it differs from the first one's.
function changeCell(key, report, firstReport) {
  const value = report[key], first = firstReport[key];
  const isNumber = typeof value === "number" && typeof first === "number";
  const isSame = isNumber && first ? Math.abs(value / first - 1) < 0.0005 : value === first;
  const isComparable = isNumber && first !== 0 && !isSame;
  const better = isComparable && isJudged(key, report, firstReport) ? Math.sign(value / first - 1) * direction(key) : 0;
  const judgement = better > 0 ? "better" : better < 0 ? "worse" : isSame ? "same" : "";
  return { class: judgement, title: `${key} = ${value}`,
    text: element("span", { "aria-label": better ? `${formatValue(key, value)}, ${judgement}` : undefined },
      formatValue(key, value), element("small", {}, isComparable ? formatChange(value, first) : "")) };
}

function comparisonTable(entries) {
  const [first, ...others] = entries.map(({ report }) => report);
  const row = (key) => [keyCell(key), { text: formatValue(key, first[key]), title: `${key} = ${first[key]}` },
    ...others.map((report) => changeCell(key, report, first))];
  const rows = groupedKeys([first, ...others]).flatMap(([group, keys]) =>
    [Object.assign([group, ...entries.map(() => "")], { class: "group" }), ...keys.map(row)]);
  return table("", columns("", ...entries.map(({ name }) => `#${name}`)), rows);
}

function scheduleTable(entries) {
  const kernels = entries.flatMap(({ name, report }) =>
    (report.kernels || []).map((kernel) => ({ run: name, kernel })));
  const keys = [...new Set(kernels.flatMap(({ kernel }) => scheduleKeys(kernel)))];
  if (!keys.length) return null;
  return table("How the kernels were compiled", [...columns("run", "kernel"), ...keyColumns(keys)],
    kernels.map(({ run, kernel }) => [run, kernel.name, ...keys.map((key) => formatValue(key, kernel[key]))]));
}

function runDetails({ name, report }) {
  const parts = [...schedules(report), criticalPath(report), engineWaits(report), ...kernelDetails(report), instructionCounts(report)];
  return element("details", {}, element("summary", {}, name), ...parts.filter(Boolean));
}

function comparison(entries) {
  const side = [pathBars(entries), withTitle("Roofline", roofline(entries))].filter(Boolean);
  return [section("Latency", latencyBars(entries), rangeVerdicts(entries), element("div", { class: "grid" }, side)),
    section("Side by side",
      note("Changes are against the first run; green is better, red is worse, pale is the same."),
      comparisonTable(entries)),
    optionalSection("Kernels", scheduleTable(entries)),
    section("Each run", ...entries.map(runDetails))].filter(Boolean);
}
