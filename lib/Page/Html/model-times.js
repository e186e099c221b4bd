// How long a language model takes, from what `trn-llm time` reports.

const modelParts = ["mlp", "projections", "attention", "lm_head", "norms_rope", "overhead", "collectives", "unknown"];
const modelSteps = [["prefill", "The prompt"], ["first_token", "The first token"], ["last_token", "The last token"]];
const partColour = (part) => colourOfSeries(modelParts.indexOf(part));

// The first sentence: the waiting, the rate, and what factors win.
function modelVerdict({ prompt_tokens: prompt, new_tokens: more, variants }) {
  const bold = (text) => element("b", {}, text), [first, ...others] = variants;
  const wins = others.filter(({ speedup }) => speedup > 0).map(({ name, speedup }, index) =>
    [index ? ", " : "; ", bold(`${digits(speedup, 3)} ×`), ` as fast at ${name}`]);
  return element("p", { class: "verdict" }, bold(formatMs(first.ttft_ms)), ` to the first token of ${prompt} + ${more}, then `,
    bold(formatMs(first.ms_per_token)), " for each: ", bold(formatMs(first.e2e_ms)), " in all", ...wins.flat());
}

// One bar for each variant, on one scale.
function splitBars(variants, step, title) {
  const longest = Math.max(...variants.map((variant) => variant[step].latency_ms));
  const partsOf = ({ split_ms: split }) => modelParts.filter((part) => split[part] > 0).map((part) =>
    ({ name: spell(part), percent: 100 * split[part] / longest, colour: partColour(part), text: formatMs(split[part]) }));
  return [element("h3", {}, title), element("div", { class: "runs" }, variants.map((variant) =>
    element("div", {}, element("span", { class: "run-name" }, variant.name),
      partsBar(partsOf(variant[step]), `${title}, ${variant.name}`),
      element("span", { style: "min-width: 5rem" }, formatMs(variant[step].latency_ms)))))];
}

// Milliseconds, and how they differ from those of the first variant.
function timeCell(value, first) {
  if (value === undefined) return "";
  if (!first || Math.abs(value / first - 1) < 0.0005) return formatMs(value);
  return lossCell(value, first, `${formatMs(value)} ${formatChange(value, first)}`);
}

// The parts of a step, and what factors change.
function splitTable(variants, step, title) {
  const [first, ...others] = variants.map((variant) => variant[step]);
  const row = (name, value) => [name, timeCell(value(first)), ...others.map((other) => timeCell(value(other), value(first)))];
  const parts = modelParts.filter((part) => [first, ...others].some(({ split_ms: split }) => split[part] > 0));
  return table(title, columns("", ...variants.map(({ name }) => `#${name}`)), [
    row("latency", ({ latency_ms: latency }) => latency), row("bound", ({ bound_ms: bound }) => bound),
    ...parts.map((part) => row(spell(part), ({ split_ms: split }) => split[part]))]);
}

// What the kernels below are of.
function modelSections(model) {
  const { variants } = model;
  return [modelVerdict(model),
    section("Times of the model",
      note("A kernel that reads weights of several parts is split in proportion to their bytes."),
      ...modelSteps.flatMap(([step, title]) => splitBars(variants, step, title)),
      legend(modelParts.filter((part) => variants.some((variant) =>
        modelSteps.some(([step]) => variant[step].split_ms[part] > 0))).map((part) => ({ name: spell(part), colour: partColour(part) }))),
      element("div", { class: variants.length < 3 ? "groups" : undefined }, modelSteps.map(([step, title]) => splitTable(variants, step, title)))),
    element("h2", {}, "The kernels of the last token")];
}
