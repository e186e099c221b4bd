// Several reports side by side.

function latencyBars(entries) {
  const longest = Math.max(...entries.map(({ report }) => report.latency_ms));
  return element("div", { class: "runs" }, entries.map(({ name, report }, i) => element("div", {},
    element("span", { class: "run-name" }, name),
    element("div", { class: "meter", style: `width: ${Math.max(8, 60 * report.latency_ms / longest)}%` },
      element("div", { style: `width: ${Math.min(100, 100 * report.bound_ms / report.latency_ms) || 0}%; background: var(${colourOfSeries(i)})` })),
    element("span", {}, formatValue("latency_ms", report.latency_ms) + (report.bound_ms > 0 ? `, ${formatPercent(overBound(report))} above its bound` : "")))));
}

// The value of another run beside the first one's.
function ratioCell(key, value, first) {
  const title = `${key} = ${value}`;
  if (typeof value !== "number" || typeof first !== "number")
    return { text: element("span", {}, formatValue(key, value), element("small", {})), title, class: value === first ? "same" : "" };
  const change = first ? value / first : 1;
  const isSame = Math.abs(change - 1) < 0.0005;
  const better = isSame || !first ? 0 : Math.sign(change - 1) * direction(key);
  const ratio = element("small", {}, first && !isSame ? formatChange(value, first) : "");
  return { text: element("span", { "aria-label": better ? `${formatValue(key, value)}, ${better > 0 ? "better" : "worse"}` : undefined }, formatValue(key, value), ratio),
    title, class: isSame || value === first ? "same" : better > 0 ? "better" : better < 0 ? "worse" : "" };
}

function comparisonTable(entries) {
  const reports = entries.map(({ report }) => report);
  const columns = [{ title: "" }, ...entries.map(({ name }) => ({ title: name, numeric: true }))];
  const rows = groupedKeys(reports).flatMap(([group, keys]) => [
    Object.assign([group, ...entries.map(() => "")], { class: "group" }),
    ...keys.map((key) => [{ text: keyLabel(key), title: key },
      { text: formatValue(key, reports[0][key]), title: `${key} = ${reports[0][key]}` },
      ...reports.slice(1).map((report) => ratioCell(key, report[key], reports[0][key]))])]);
  return table("", columns, rows);
}

// The critical path of each run, each as long as its own latency.
function pathBars(entries) {
  const paths = entries.filter(({ report }) => Array.isArray(report.critical_path));
  if (!paths.length) return null;
  const parts = ({ report }) => report.critical_path.map((part) => ({ ...part, name: partName(part), colour: partColour(part) }));
  const shown = new Map(paths.flatMap(parts).filter(({ percent }) => percent >= 0.5).map(({ name, colour }) => [name, colour]));
  return element("div", { class: "runs" }, element("h3", {}, "Critical path"),
    paths.map((entry) => element("div", {}, element("span", { class: "run-name" }, entry.name),
      partsBar(parts(entry), `Critical path of ${entry.name}`))),
    legend([...shown].map(([name, colour]) => ({ name, colour }))));
}

// How the kernels of the runs were compiled, where they differ or not.
function scheduleTable(entries) {
  const kernels = entries.flatMap(({ name, report }) =>
    (report.kernels || []).map((kernel) => ({ run: name, kernel })));
  const keys = [...new Set(kernels.flatMap(({ kernel }) => scheduleKeys(kernel)))];
  if (!keys.length) return null;
  return table("How the kernels were compiled",
    [{ title: "run" }, { title: "kernel" }, ...keys.map((key) => ({ title: keyLabel(key), numeric: true, help: key }))],
    kernels.map(({ run, kernel }) => [run, kernel.name, ...keys.map((key) => formatValue(key, kernel[key]))]));
}

function comparison(entries) {
  const roof = roofline(entries);
  return [section("Latency", latencyBars(entries), element("div", { class: "grid" },
      ...[pathBars(entries), roof && element("div", {}, element("h3", {}, "Roofline"), roof)].filter(Boolean))),
    section("Side by side", element("p", { class: "muted" }, "Changes are against the first run; green is better, red is worse, pale is the same."),
      comparisonTable(entries)),
    optionalSection("Kernels", scheduleTable(entries)),
    section("Each run", ...entries.map((entry) => element("details", {}, element("summary", {}, entry.name),
      ...[criticalPath(entry.report), engineWaits(entry.report), ...kernelDetails(entry.report), instructionCounts(entry.report)].filter(Boolean))))];
}
