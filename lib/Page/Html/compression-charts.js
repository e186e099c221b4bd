// Charts of a compression: errors and singular values of its weights, and how
// losses fell.

const kindOrder = ["gate", "up", "down", "q", "k", "v", "o"];
const kindColour = (kind) => colourOfSeries(Math.max(0, kindOrder.indexOf(kind)));

// From the first layer to the last one.
const layerColour = (layer, last) =>
  `color-mix(in oklab, var(--orange) ${last ? Math.round(100 * layer / last) : 0}%, var(--blue))`;

function byKind(matrices) {
  const rank = ([kind]) => kindOrder.indexOf(kind) >>> 0;
  return [...groupBy(matrices, kindOf)].sort((a, b) => rank(a) - rank(b));
}

function errorCharts(manifest) {
  const factored = factoredOf(manifest).filter(({ output_error: error }) => Number.isFinite(error));
  if (!factored.length) return null;
  const layers = factored.map(layerOf);
  const x = { label: "layer", format: (layer) => digits(layer),
    ticks: new Set(layers).size <= 16 ? [...new Set(layers)] : undefined };
  const chart = (title, key) => lineChart(title, x, { label: "relative to all of it", format: (value) => digits(value, 3) },
    byKind(factored).map(([kind, entries]) => ({ name: kind, colour: kindColour(kind),
      points: entries.filter((entry) => Number.isFinite(entry[key])).map((entry) => [layerOf(entry), entry[key]]) })));
  const charts = [["Output error", "output_error"], ["Weight error", "weight_error"]]
    .filter(([, key]) => factored.some((entry) => Number.isFinite(entry[key])));
  return element("div", { class: "grid" }, charts.map(([title, key]) => chart(title, key)));
}

// Lines without dots, on a logarithmic scale: `lines`: [{name, colour, points}].
function logChart(title, xLabel, yLabel, lines) {
  const points = lines.flatMap(({ points }) => points);
  if (!points.length) return null;
  const xs = points.map(([x]) => x), ys = points.map(([, y]) => y);
  const number = (value) => value && (value < 0.01 || value >= 1e5) ? value.toExponential(0) : digits(value, 3);
  const chart = frame(`${title}: ${yLabel} against ${xLabel}`,
    { label: xLabel, low: Math.min(...xs), high: Math.max(...xs), format: (value) => digits(value, 6) },
    { label: yLabel, low: Math.min(...ys), high: Math.max(...ys) * 1.15, isLog: true, format: number });
  for (const { name, colour, points } of lines) {
    const path = points.map(([x, y], i) => `${i ? "L" : "M"}${digits(chart.x(x), 5)} ${digits(chart.y(y), 5)}`).join("");
    chart.root.append(svg("path", { d: path, class: "line thin", style: `stroke: ${colour}` }, svg("title", {}, name)));
  }
  return { chart, figure: element("figure", {}, element("h3", {}, title), chart.root) };
}

const layerLegend = (last) => element("ul", { class: "legend" }, (last ? [0, last] : [0]).map((layer) =>
  element("li", {}, element("span", { class: "swatch", style: `background: ${layerColour(layer, last)}` }), `layer ${layer}`)));

// [number, value over the first one] of the singular values: the manifest has them at
// even steps from the first to the last.
function spectrumPoints({ shape, spectrum }) {
  const count = Math.min(...shape), first = spectrum[0], floor = 1e-8;
  return spectrum.map((value, index) =>
    [1 + index * (count - 1) / (spectrum.length - 1 || 1), Math.max(floor, value / first)]);
}

// The value at the cut, between the points around it.
function valueAt(points, x) {
  const after = points.findIndex(([at]) => at >= x);
  if (after <= 0) return points.at(after)[1];
  const [[x0, y0], [x1, y1]] = [points[after - 1], points[after]];
  return y0 * (y1 / y0) ** ((x - x0) / (x1 - x0));
}

function spectrumChart(kind, matrices, last) {
  const lines = matrices.map((matrix) => ({ matrix, name: matrix.name, colour: layerColour(layerOf(matrix), last),
    points: spectrumPoints(matrix) }));
  const { chart, figure } = logChart(kind, "number of the singular value", "over the first one", lines);
  for (const { matrix, colour, points } of lines.filter(({ matrix }) => isFactored(matrix))) {
    const value = valueAt(points, matrix.rank);
    chart.root.append(svg("circle", { cx: chart.x(matrix.rank), cy: chart.y(value), r: 4, class: "cut",
      style: `stroke: ${colour}` }, svg("title", {}, `${matrix.name}, rank ${matrix.rank}: ${digits(value, 3)}`)));
  }
  for (const rank of new Set(matrices.filter(isFactored).map(({ rank }) => rank)))
    chart.root.append(svg("line", { x1: chart.x(rank), x2: chart.x(rank), y1: 14, y2: 306, class: "line dashed",
      style: "stroke: var(--muted)" }), label(chart.x(rank) + 5, 26, `rank ${rank}`));
  return figure;
}

function spectrumCharts(manifest) {
  const known = manifest.matrices.filter(({ spectrum }) => Array.isArray(spectrum) && spectrum[0] > 0);
  if (!known.length) return [];
  const last = Math.max(...known.map(layerOf));
  return [note("Of what the factors approximate; what lies to the right of the cut is lost."), layerLegend(last),
    element("div", { class: "grid" }, byKind(known).map(([kind, entries]) => spectrumChart(kind, entries, last)))];
}

// What fell from step to step: of each layer by itself, and of all of them together.
function lossCurves({ recovery = [], training = {}, options = {} }) {
  const ofLayers = recovery.map(({ layer, errors }) => ({ phase: "one MLP at a time", layer, losses: errors }));
  return [...ofLayers, { phase: `${options.recover}, all layers together`, losses: training.losses }]
    .filter(({ losses }) => Array.isArray(losses) && losses.length);
}

function recoveryCharts(manifest) {
  const curves = lossCurves(manifest);
  if (!curves.length) return [];
  const last = Math.max(...curves.map(({ layer }) => layer ?? 0));
  const charts = [...groupBy(curves, ({ phase }) => phase)].map(([phase, entries]) => logChart(phase, "step", "loss",
    entries.map(({ layer, losses }) => ({ name: layer === undefined ? phase : `layer ${layer}`,
      colour: layerColour(layer ?? 0, last),
      points: losses.map((loss, index) => [index + 1, loss]).filter(([, loss]) => loss > 0) })))?.figure);
  return [curves.some(({ layer }) => layer !== undefined) ? layerLegend(last) : null,
    element("div", { class: "grid" }, charts.filter(Boolean))];
}
