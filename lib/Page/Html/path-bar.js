// The latency as a bar of the parts of its critical path, each of which leads
// to where it shows in the timeline.

// What is at work while the bound is: the bound cannot do without it.
const isWorkOfBound = ({ engine, reason }, { bound_by: by }) => reason === "busy" &&
  (by === "traffic" ? ["load", "store"].includes(engine) : engine === "tensor");

// The parts that a report adds up to the latency: the work of the bound, then
// the others, the longest first.
function barParts(report) {
  const parts = pathParts(report).map((part) =>
    ({ ...part, name: part.engine === "kernel" ? spell(part.reason) : part.name }));
  return [...parts.filter((part) => isWorkOfBound(part, report)),
    ...parts.filter((part) => !isWorkOfBound(part, report))];
}

// A bar as long as the latency, with a line at the bound, and the names of its
// parts, which lead to the timeline if the page has one.
function pathBar(report, isLinked) {
  const parts = barParts(report), percent = 100 * report.bound_ms / latestEnd(report);
  const bar = element("div", { class: "parts", role: "img", "aria-label": "What the latency is made of" },
    parts.map((part) => linkedPart(element("span", { style: `width: ${part.percent}%; background: var(${part.colour})`,
      title: `${part.name}: ${formatMs(part.ms)}, ${formatPercent(part.percent)}` }), part, isLinked)));
  const mark = element("div", { class: percent > 50 ? "bound late" : "bound", style: `left: ${percent}%` },
    element("span", {}, `bound ${formatMs(report.bound_ms)}`));
  return element("div", {}, element("div", { class: "path-bar" }, latencyBar(report, 100, bar),
    report.bound_ms > 0 ? mark : null), pathLegend(parts, isLinked));
}

function linkedPart(node, part, isLinked) {
  if (isLinked) node.addEventListener("click", () => page.view?.showPart(part));
  return node;
}

// Parts under a percent share an entry.
function pathLegend(parts, isLinked) {
  const named = parts.filter(({ percent }) => percent >= 1), rest = parts.filter(({ percent }) => percent < 1);
  const sum = rest.reduce((sum, { percent }) => sum + percent, 0);
  const entry = (part) => {
    const text = [swatch(part.colour), `${part.name} ${formatPercent(part.percent)}`];
    return element("li", {}, isLinked ? linkedPart(element("button", { type: "button", class: "part",
      title: "show the longest stretch of it in the timeline" }, text), part, true) : text);
  };
  return element("ul", { class: "legend" }, named.map(entry),
    rest.length ? element("li", { title: rest.map(({ name }) => name).join("; ") }, `and ${rest.length} more ${formatPercent(sum)}`) : null);
}

// Where a part of the critical path is in a timeline: [start, end, step] in time
// order; the step is null where no execution is shown. The timeline knows the
// executions; between two of them what the part is of belongs to the later one,
// but for a result that is under way.
function stretchesOf({ engine, reason }, timeline) {
  const { kernels, tracks, path } = timeline, { start, end, count } = path.events;
  const steps = Array.from({ length: count }, (_, index) => index);
  const isOfEngine = (index) => path.op(index).engine === engineOrder.indexOf(engine);
  const begins = (time) => kernels.findLast((kernel) => kernel.start <= time);
  const from = (index) => {
    const kernel = begins(start[index]);
    return Math.max(index ? end[index - 1] : 0, kernel.start + kernel.overhead);
  };
  const until = (index) => index + 1 < count ? Math.min(start[index + 1], begins(start[index]).end) : timeline.end;
  if (reason === "kernel_overhead") return kernels.map(({ start, overhead }) => [start, start + overhead, null]);
  if (reason === "not_followed") return count ? [[from(0), start[0], null]] : [];
  const own = steps.filter(isOfEngine);
  if (reason === "busy" || reason === "table_swap") return own.map((index) => [start[index], end[index], index]);
  if (reason === "result_latency") return own.map((index) => [end[index], until(index), null]);
  if (reason !== "throttle") return own.map((index) => [from(index), start[index], null]);
  const { starts, ends } = tracks[0].throttled;
  return starts.map((time, index) => [time, ends[index], null]);
}
