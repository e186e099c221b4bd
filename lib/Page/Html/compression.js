// What factoring the weights of a model won and lost, from its manifest
// (trn_compress.json).

const layerOf = ({ name }) => Number((/layers\.(\d+)\./.exec(name) || [])[1] ?? 0);
const kindOf = ({ name }) => name.split(".").at(-1).replace(/_proj$/, "");
const isFactored = ({ kept_dense: reason }) => reason === undefined;
const sizeOf = ({ shape: [out, into] }) => out * into;

// [out, in] of what is left: an MLP may have lost neurons.
function shapeLeft(matrix) {
  const { shape: [out, into], neurons } = matrix;
  if (!neurons || !isFactored(matrix)) return [out, into];
  return kindOf(matrix) === "down" ? [out, neurons] : [neurons, into];
}

function sizeLeft(matrix) {
  const [out, into] = shapeLeft(matrix);
  return isFactored(matrix) && matrix.rank ? matrix.rank * (out + into) : out * into;
}

// What those are called that changed.
const changedName = (manifest) =>
  factoredOf(manifest).some(({ neurons }) => neurons) ? "thin weights" : "factored weights";

// What became of it, as `rank 128` has it without the word.
const changeText = ({ rank, neurons }) =>
  [rank && String(rank), neurons && `${neurons} neurons`].filter(Boolean).join(", ");
const sumOf = (entries, value) => entries.reduce((sum, entry) => sum + value(entry), 0);
const countOf = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const parameterUnits = [[1e9, "B"], [1e6, "M"], [1e3, "k"], [1, ""]];
const formatParameters = (count) => scaled(count, parameterUnits).trim();

// Factored first, and those that were asked for.
const factoredOf = ({ matrices }) => matrices.filter(isFactored);
const askedOf = ({ matrices }) => matrices.filter(({ kept_dense: reason }) => reason !== "not asked");

// Times of a weight by the rows of X: [{rows, dense, factored}].
const timesOf = ({ modelled_ms: times }) => Array.isArray(times) ? times : [];
const isSlower = ({ dense, factored }) => factored > dense;

// The sums over all factored weights, by rows.
function totalTimes(manifest) {
  const times = factoredOf(manifest).flatMap(timesOf);
  return [...groupBy(times, ({ rows }) => rows)].map(([rows, entries]) =>
    ({ rows, dense: sumOf(entries, ({ dense }) => dense), factored: sumOf(entries, ({ factored }) => factored) }));
}

const modelledNote = ({ modelled }) => modelled &&
  note(`Times are modelled on ${modelled.machine} in ${modelled.type}: the compiled kernels of X·W and of what W became, `
    + "simulated, not measured on hardware.");

const rowsText = (rows) => countOf(rows, "row");

// `value` against `first`, of which less is better.
function lossCell(value, first, text = formatChange(value, first)) {
  return { text, class: value < first ? "better" : value > first ? "worse" : "same" };
}

// Before and after on one scale.
function changeBar(before, after, name) {
  const most = Math.max(before, after);
  const bar = (value, colour) => element("div", { style: `width: ${100 * value / most}%; background: var(${colour})` });
  return element("div", { class: "change", role: "img", "aria-label": name },
    bar(before, "--kernel"), bar(after, after > before ? "--bad" : "--good"));
}

function summaryRows(manifest) {
  const { model, evaluation = [] } = manifest;
  const asked = askedOf(manifest);
  const row = (name, format, before, after) =>
    [name, format(before), format(after), lossCell(after, before), changeBar(before, after, name)];
  return [
    row("parameters of the model", formatParameters, model.params_before, model.params_after),
    row("parameters of the weights asked for", formatParameters, sumOf(asked, sizeOf), sumOf(asked, sizeLeft)),
    ...totalTimes(manifest).map(({ rows, dense, factored }) =>
      row(`modelled time of the ${changedName(manifest)}, ${rowsText(rows)}`, formatMs, dense, factored)),
    ...evaluation.map(({ file, perplexity_dense: before, perplexity: after }) =>
      row(`perplexity, ${file.split("/").at(-1)}`, (value) => digits(value), before, after)),
  ];
}

// The first sentence: what was won, and what it cost.
function compressionVerdict(manifest) {
  const { model, evaluation = [] } = manifest;
  const bold = (text) => element("b", {}, text);
  const times = totalTimes(manifest).map(({ rows, dense, factored }, index) => [index ? " and " : "; modelled ",
    bold(factored > dense ? `${digits(factored / dense, 3)} × slower` : `${digits(dense / factored, 3)} × faster`),
    ` at ${rowsText(rows)}`]);
  const losses = evaluation.slice(0, 1).map(({ perplexity_dense: before, perplexity: after }) =>
    [" – for ", bold(`${digits(after / before, 3)} × the perplexity`), ` (${digits(before)} to ${digits(after)})`]);
  return element("p", { class: "verdict" }, bold(formatPercent(100 * model.ratio)), " of the parameters removed",
    ...times.flat(), times.length ? ` (the ${changedName(manifest)} alone)` : "",
    ...losses.length ? losses.flat() : [" – at a cost that was not measured: see ", element("code", {}, "--evaluate")]);
}

// Factors that save parameters and no time.
function slowerNote(manifest) {
  const slower = factoredOf(manifest).filter((matrix) => timesOf(matrix).length && timesOf(matrix).every(isSlower));
  return slower.length ? element("p", { class: "note" }, `${spellMatrices(slower)}: modelled slower than the whole weight `
    + "at every number of rows; ", element("code", {}, "--require-faster"), " keeps such weights dense.") : null;
}

// Numbers as `0–3, 7`.
function spellRuns(numbers) {
  const runs = [];
  for (const number of [...new Set(numbers)].sort((a, b) => a - b))
    if (runs.length && runs.at(-1)[1] === number - 1) runs.at(-1)[1] = number;
    else runs.push([number, number]);
  return runs.map(([first, last]) => first === last ? `${first}` : `${first}–${last}`).join(", ");
}

// Which weights these are: kinds, and their layers.
function spellMatrices(matrices) {
  const byLayers = groupBy([...groupBy(matrices, kindOf)],
    ([, entries]) => spellRuns(entries.map(layerOf)));
  return [...byLayers].map(([layers, kinds]) => `${kinds.map(([kind]) => kind).join(", ")} of layer${/\D/.test(layers) ? "s" : ""} ${layers}`).join("; ");
}

function keptDense({ matrices }) {
  const kept = [...groupBy(matrices.filter((matrix) => !isFactored(matrix)), ({ kept_dense: reason }) => reason)];
  if (!kept.length) return note("No weight that was asked for stayed dense.");
  return table("", columns("stayed dense", "#weights", "which"),
    kept.map(([reason, entries]) => [{ text: reason, class: reason === "not asked" ? "same" : "" },
      digits(entries.length), spellMatrices(entries)]));
}

// One row for all weights of the same sizes: they have the same kernels.
function timeTable(manifest) {
  const timed = manifest.matrices.filter((matrix) => timesOf(matrix).some(({ factored }) => factored > 0));
  const rows = [...new Set(timed.flatMap((matrix) => timesOf(matrix).map(({ rows }) => rows)))];
  const groups = groupBy(timed, ({ shape, rank, neurons, kept_dense: reason }) => `${shape}/${rank}/${neurons}/${reason}`);
  const cells = (matrix) => rows.flatMap((count) => {
    const time = timesOf(matrix).find((time) => time.rows === count && time.factored > 0);
    if (!time) return ["–", "–", "–"];
    return [formatMs(time.dense), formatMs(time.factored),
      lossCell(time.factored, time.dense, formatChange(time.factored, time.dense) + (isSlower(time) ? ", slower" : ""))];
  });
  if (!timed.length) return null;
  const heads = rows.flatMap((count) => [`#dense, ${rowsText(count)}`, "#factored", "#"]);
  return table("", columns("weights", "#in × out", "#rank", "#removed", ...heads), [...groups.values()].map((entries) => {
    const [first] = entries;
    return [spellMatrices(entries), `${first.shape[1]} × ${first.shape[0]}`,
      isFactored(first) ? changeText(first) : "dense", formatPercent(100 * (1 - sizeLeft(first) / sizeOf(first))), ...cells(first)];
  }));
}

const errorText = (value) => value === undefined ? "–" : digits(value, 3);

// Every weight by itself, with whatever was found about it.
function matrixTable({ matrices }) {
  const shown = matrices.filter(({ kept_dense: reason }) => reason !== "not asked");
  const figures = [["weight_error", "weight error"], ["output_error", "output error"], ["sigma", "last σ / first σ"],
    ["condition", "condition of inputs"], ["jitter", "jitter"]].filter(([key]) => shown.some((matrix) => matrix[key] !== undefined));
  return table("", columns("weight", "#in", "#out", "#rank", "#removed", ...figures.map(([, title]) => `#${title}`)),
    shown.map((matrix) => [matrix.name, String(matrix.shape[1]), String(matrix.shape[0]),
      isFactored(matrix) ? changeText(matrix) : { text: "dense", title: matrix.kept_dense },
      formatPercent(100 * (1 - sizeLeft(matrix) / sizeOf(matrix))), ...figures.map(([key]) => errorText(matrix[key]))]));
}

// [path, text] of all that is in a value.
function flatten(value, path = "") {
  if (Array.isArray(value) && value.every((entry) => typeof entry !== "object")) return [[path, value.join(", ")]];
  if (typeof value !== "object" || value === null) return [[path, String(value)]];
  return Object.entries(value).flatMap(([key, entry]) => flatten(entry, path ? `${path}.${key}` : key));
}

function optionsTable(manifest) {
  const { matrices, recovery, training, evaluation, model, neurons, ...rest } = manifest;
  return table("", columns("", ""), flatten(rest).map(([key, text]) =>
    [element("code", {}, key), { text, class: "long" }]));
}

function compressionSections(manifest) {
  const withDefaults = { matrices: [], ...manifest };
  return [compressionVerdict(withDefaults),
    table("", columns("", "#before", "#after", "#change", ""), summaryRows(withDefaults)),
    slowerNote(withDefaults),
    keptDense(withDefaults),
    optionalSection("Errors", errorCharts(withDefaults)),
    optionalSection("Singular values", ...spectrumCharts(withDefaults)),
    optionalSection("Recovery", ...recoveryCharts(withDefaults)),
    optionalSection("Modelled time", timeTable(withDefaults)),
    section("Weights", matrixTable(withDefaults)),
    section("How it was made", optionsTable(withDefaults))].filter(Boolean);
}
