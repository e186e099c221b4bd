// Charts as SVG: the roofline, and lines for sweeps.

const seriesColours = ["--blue", "--orange", "--green", "--purple", "--teal", "--pink", "--violet", "--brown"];

const colourOfSeries = (index) => seriesColours[index % seriesColours.length];

// Maps [low, high] to [from, to], evenly or by ratio.
function makeScale(low, high, from, to, isLog) {
  const map = isLog ? Math.log : (value) => value;
  const span = map(high) - map(low) || 1;
  return Object.assign((value) => from + (map(value) - map(low)) / span * (to - from), { low, high, isLog });
}

function logTicks(low, high) {
  const ticks = [];
  const factors = high / low > 50 ? [1] : high / low > 10 ? [1, 3] : [1, 2, 5];
  for (let power = Math.floor(Math.log10(low)); 10 ** power <= high; ++power)
    for (const factor of factors) {
      const tick = factor * 10 ** power;
      if (tick >= low * 0.999 && tick <= high * 1.001) ticks.push(tick);
    }
  return ticks;
}

function linearTicks(low, high) {
  const step = tickStep(high - low || 1, 6);
  const ticks = [];
  for (let tick = Math.ceil(low / step) * step; tick <= high + step * 1e-9; tick += step) ticks.push(tick);
  return ticks;
}

const ticksOf = (scale) => scale.isLog ? logTicks(scale.low, scale.high) : linearTicks(scale.low, scale.high);

const label = (x, y, text, anchor = "start", kind = "tick") =>
  svg("text", { x, y, class: kind, "text-anchor": anchor }, text);

// What an axis shows, and whether evenly or by ratio.
const axisLabel = ({ label, isScale, isLog }) =>
  [label, isLog ? "log" : isScale ? "linear" : ""].filter(Boolean).join(", ");

// A frame of 640 x 360 with axes; `x` and `y`: {low, high, isScale, isLog, label, ticks, format},
// where the places of names are no scale.
function frame(description, x, y) {
  const left = 72, right = 624, top = 14, bottom = 306;
  const root = svg("svg", { viewBox: "0 0 640 360", role: "img", "aria-label": description, class: "chart" },
    svg("title", {}, description));
  const xScale = makeScale(x.low, x.high, left, right, x.isLog);
  const yScale = makeScale(y.low, y.high, bottom, top, y.isLog);
  for (const tick of x.ticks || ticksOf(xScale)) root.append(
    svg("line", { x1: xScale(tick), x2: xScale(tick), y1: top, y2: bottom, class: "grid" }),
    label(xScale(tick), bottom + 18, x.format(tick), "middle"));
  for (const tick of ticksOf(yScale)) root.append(
    svg("line", { x1: left, x2: right, y1: yScale(tick), y2: yScale(tick), class: "grid" }),
    label(left - 8, yScale(tick) + 4, y.format(tick), "end"));
  root.append(label((left + right) / 2, bottom + 42, axisLabel(x), "middle", "axis"),
    svg("g", { transform: `translate(15 ${(top + bottom) / 2}) rotate(-90)` },
      label(0, 0, axisLabel(y), "middle", "axis")));
  return { root, x: xScale, y: yScale };
}

function dot(chart, x, y, { colour, title, isHollow, run }) {
  const [inside, outline] = isHollow ? ["--background", colour] : [colour, "--background"];
  const style = `fill: var(${inside}); stroke: var(${outline})`;
  const node = svg("circle", { cx: chart.x(x), cy: chart.y(y), r: 6, style, class: "dot", "data-run": run },
    svg("title", {}, title));
  if (run !== undefined) node.addEventListener("click", () => openRun(run));
  return node;
}

function line(chart, points, { colour, isDashed }) {
  const path = points.map(([x, y], i) => `${i ? "L" : "M"}${chart.x(x)} ${chart.y(y)}`).join("");
  return svg("path", { d: path, class: isDashed ? "line dashed" : "line", style: `stroke: var(${colour})` });
}

// The points of a report in a roofline: as it is, and as the bound would be.
function rooflinePoints({ name, report }) {
  const { flops, latency_ms: latency, bound_ms: bound, arithmetic_intensity: intensity,
    hbm_lower_bound_bytes: compulsory } = report;
  if (!(flops > 0 && latency > 0 && intensity > 0 && compulsory > 0)) return null;
  return { name, colour: "--engine-2", intensity, rate: flops / latency / 1e9,
    bestIntensity: flops / compulsory, bestRate: flops / bound / 1e9,
    tensor: report.tensor_roof_tflops, dma: report.dma_roof_gb_per_s,
    peak: report.mfu_percent > 0 ? flops / latency / 1e7 / report.mfu_percent : report.tensor_roof_tflops };
}

function roofline(entries) {
  const points = entries.map(rooflinePoints).filter(Boolean);
  if (!points.length) return null;
  const { tensor, dma, peak } = points[0];
  if (!(tensor > 0 && dma > 0)) return null;
  const ridge = tensor * 1000 / dma;
  const xs = points.flatMap((point) => [point.intensity, point.bestIntensity]);
  const ys = points.flatMap((point) => [point.rate, point.bestRate]);
  const low = Math.min(ridge / 8, ...xs.map((x) => x / 2)), high = Math.max(ridge * 8, ...xs.map((x) => x * 2));
  const axis = (label, low, high) => ({ label, low, high, isLog: true, format: (value) => digits(value) });
  const chart = frame("Roofline: rate of the tensor engine against arithmetic intensity",
    axis("arithmetic intensity, FLOP per HBM byte", low, high),
    axis("TFLOP/s", Math.min(tensor / 20, ...ys.map((y) => y / 2)), peak * 1.5));
  drawRoofs(chart, { tensor, dma, peak, ridge, low, high });
  const isOnly = points.length === 1;
  for (const [index, point] of points.entries())
    drawPoint(chart, point, isOnly ? `${digits(point.rate, 3)} TFLOP/s` : String(index + 1));
  const ofFirst = isOnly ? "" : ", those of the first run";
  const names = points.map(({ name }, index) => `${index + 1} ${name}`).join(", ");
  return element("figure", {}, chart.root, isOnly ? null : element("p", {}, names),
    element("figcaption", {}, "Filled: the run. Hollow: the lower bound, with compulsory traffic only. " +
      `Roofs are sustained rates${ofFirst}; they meet at ${digits(ridge, 3)} FLOP/B.`));
}

function drawRoofs(chart, { tensor, dma, peak, ridge, low, high }) {
  const slopeStart = Math.max(low, chart.y.low * 1000 / dma);
  const slopeMiddle = Math.sqrt(slopeStart * ridge);
  const left = chart.x(ridge) - 24;
  chart.root.append(
    line(chart, [[slopeStart, slopeStart * dma / 1000], [ridge, tensor], [high, tensor]], { colour: "--strong" }),
    label(left, chart.y(tensor) + 9, `tensor engine ${digits(tensor)} TFLOP/s`, "end"),
    label(chart.x(slopeMiddle) + 8, chart.y(slopeMiddle * dma / 1000) + 16, `DMA ${digits(dma)} GB/s`));
  if (peak > tensor * 1.005) chart.root.append(
    line(chart, [[ridge, peak], [high, peak]], { colour: "--muted", isDashed: true }),
    label(left, chart.y(peak) + 2, `nominal peak ${digits(peak)} TFLOP/s`, "end"));
}

function drawPoint(chart, { name, colour, intensity, rate, bestIntensity, bestRate }, text) {
  const spell = (intensity, rate) => `${digits(intensity)} FLOP/B, ${digits(rate)} TFLOP/s`;
  chart.root.append(
    line(chart, [[intensity, rate], [bestIntensity, bestRate]], { colour, isDashed: true }),
    dot(chart, bestIntensity, bestRate,
      { colour, isHollow: true, title: `${name}, lower bound: ${spell(bestIntensity, bestRate)}` }),
    dot(chart, intensity, rate, { colour, title: `${name}: ${spell(intensity, rate)}` }),
    label(chart.x(intensity), chart.y(rate) + 22, text, "middle", "tick bold"));
}

function chartWhisker(chart, x, [low, high], { colour }) {
  const d = `M${chart.x(x) - 4} ${chart.y(low)}h8m-4 0V${chart.y(high)}m-4 0h8`;
  return svg("path", { d, class: "line whisker", style: `stroke: var(${colour})` });
}

// `series`: [{name, colour, isDashed, points: [[x, y, range, run]]}], where the range is
// null if there is none, and a dot leads to its run; `x`: {label, isScale, isLog, ticks, format}.
// Values that span a factor of four get an axis by ratio.
function lineChart(title, x, y, series, hasLegend = series.length > 1) {
  const xs = series.flatMap(({ points }) => points.map(([x]) => x));
  const ys = series.flatMap(({ points }) => points.flatMap(([, y, range]) => range || [y]));
  if (!xs.length) return null;
  const pad = x.isLog ? 1.08 : 1;
  const [least, most] = [Math.min(...ys), Math.max(...ys)], isLog = least > 0 && most / least >= 4;
  const chart = frame(`${title} against ${x.label}`,
    { ...x, low: Math.min(...xs) / pad, high: Math.max(...xs) * pad },
    isLog ? { ...y, isLog, low: least / 1.15, high: most * 1.15 } : { ...y, low: 0, high: most * 1.08 || 1 });
  for (const { name, points, colour, isDashed } of series) {
    chart.root.append(line(chart, points, { colour, isDashed }));
    if (!isDashed) for (const [at, value, range, run] of points) {
      if (range) chart.root.append(chartWhisker(chart, at, range, { colour }));
      const within = range ? `, ${range.map(y.format).join(" to ")}` : "";
      chart.root.append(dot(chart, at, value, { colour, run, title: `${name}, ${x.format(at)}: ${y.format(value)}${within}` }));
    }
  }
  return element("figure", {}, element("h3", {}, title), chart.root,
    hasLegend ? legend(series) : null);
}
