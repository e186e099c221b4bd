// Numbers with units, and what the keys of a report mean.

// Four digits, without a tail of zeros that say nothing.
function digits(value, count = 4) {
  if (value === 0) return "0";
  if (!Number.isFinite(value)) return "–";
  if (Math.abs(value) >= 1e15 || Math.abs(value) < 1e-6) return value.toExponential(2);
  const decimals = Math.max(0, count - 1 - Math.floor(Math.log10(Math.abs(value))));
  return value.toLocaleString("en", { maximumFractionDigits: Math.min(decimals, 12) });
}

// The largest of [size, name] that leaves at least 1.
function scaled(value, units) {
  if (!Number.isFinite(value)) return "–";
  const [size, name] = units.find(([size]) => Math.abs(value) >= size) || units.at(-1);
  return `${digits(value / size)} ${name}`;
}

const timeUnits = [[1e12, "s"], [1e9, "ms"], [1e6, "µs"], [1e3, "ns"], [1, "ps"]];
const byteUnits = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "B"]];
const chipByteUnits = [[2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]];
const flopUnits = [[1e15, "PFLOP"], [1e12, "TFLOP"], [1e9, "GFLOP"], [1e6, "MFLOP"], [1, "FLOP"]];

const formatTime = (picoseconds) => scaled(picoseconds, timeUnits);
const formatBytes = (bytes) => scaled(bytes, byteUnits);
const formatChipBytes = (bytes) => scaled(bytes, chipByteUnits);
const formatPercent = (percent) => Number.isFinite(percent) ? `${digits(percent, 3)} %` : "–";

// By the end of a key: how its value is written.
const formats = [
  [/_ms$/, (value) => formatTime(value * 1e9)],
  [/_us$/, (value) => formatTime(value * 1e6)],
  [/_s$/, (value) => (value < 1 ? formatTime(value * 1e12) : `${digits(value)} s`)],
  [/^sbuf_.*bytes$/, formatChipBytes],
  [/bytes$/, formatBytes],
  [/percent$/, formatPercent],
  [/tflops$/, (value) => `${digits(value)} TFLOP/s`],
  [/flops$/, (value) => scaled(value, flopUnits)],
  [/intensity$/, (value) => `${digits(value)} FLOP/B`],
];
// These end like others and are something else.
const specialFormats = {
  dma_gb_per_s: (value) => `${digits(value)} GB/s`,
  dma_roof_gb_per_s: (value) => `${digits(value)} GB/s`,
  simulated_instructions_per_s: (value) => `${digits(value / 1e6)} million/s`,
};

// How `value` differs from `first`: small changes in percent, others as a factor.
function formatChange(value, first) {
  const ratio = value / first;
  if (ratio > 2 || ratio < 0.5) return `× ${digits(ratio, 3)}`;
  const percent = 100 * (ratio - 1);
  return `${percent < 0 ? "−" : "+"}${digits(Math.abs(percent), Math.abs(percent) < 1 ? 1 : 2)} %`;
}

// The two ends of a range.
const isRange = (value) => Array.isArray(value) && value.length === 2 && value.every(Number.isFinite);

function formatValue(key, value) {
  if (value === undefined || value === null) return "–";
  if (isRange(value)) return value.map((end) => formatValue(key, end)).join(" to ");
  if (typeof value !== "number") return typeof value === "string" ? value.replaceAll("_", " ") : JSON.stringify(value);
  const format = specialFormats[key] || (formats.find(([ending]) => ending.test(key)) || [])[1];
  return format ? format(value) : digits(value, 12);
}

// The groups of a report, in reading order. A key that is in none goes last.
const keyGroups = {
  "Time": ["latency_ms", "latency_range_ms", "any_order_ms", "bound_ms", "bound_by", "over_bound_percent"],
  "Use of the machine": ["mfu_percent", "tensor_engine_active_percent", "tensor_throttled_percent",
    "vector_engine_active_percent", "scalar_engine_active_percent",
    "gpsimd_engine_active_percent", "dma_active_percent", "dma_gb_per_s"],
  "HBM traffic": ["hbm_read_bytes", "hbm_write_bytes", "hbm_bytes", "hbm_lower_bound_bytes",
    "spill_save_bytes", "spill_reload_bytes", "arithmetic_intensity"],
  "Work": ["flops", "executed_flops", "transpose_flops", "instructions"],
  "Memory on chip": ["sbuf_live_bytes", "sbuf_live_percent", "sbuf_peak_bytes", "sbuf_peak_percent", "psum_peak_banks"],
  "Roofs of the machine": ["tensor_roof_tflops", "dma_roof_gb_per_s"],
};

const keyLabels = {
  bound_ms: "lower bound", bound_by: "bound set by", over_bound_percent: "above the bound",
  mfu_percent: "MFU (of the nominal peak)", dma_active_percent: "DMA engines active",
  dma_gb_per_s: "HBM throughput", hbm_read_bytes: "read", hbm_write_bytes: "written",
  hbm_bytes: "HBM traffic in all", hbm_lower_bound_bytes: "compulsory",
  spill_save_bytes: "spills, saved", spill_reload_bytes: "spills, reloaded",
  flops: "FLOPs of the model", executed_flops: "FLOPs executed",
  transpose_flops: "FLOPs of transposes", sbuf_live_bytes: "SBUF live at once",
  sbuf_live_percent: "SBUF live at once, of usable", sbuf_peak_bytes: "SBUF highest address",
  sbuf_peak_percent: "SBUF highest address, of usable", psum_peak_banks: "PSUM banks, peak",
  tensor_roof_tflops: "tensor engine, effective", dma_roof_gb_per_s: "DMA, sustained",
};

function keyLabel(key) {
  return keyLabels[key] || key.replace(/_(ms|bytes|percent)$/, "").replaceAll("_", " ");
}

// [group, keys] for the keys that one of `reports` has a number, text or range for.
function groupedKeys(reports) {
  const present = new Set();
  for (const report of reports)
    for (const [key, value] of Object.entries(report))
      if (typeof value === "number" || typeof value === "string" || isRange(value)) present.add(key);
  present.delete("modelled_on");
  const groups = Object.entries(keyGroups).map(([name, keys]) =>
    [name, keys.filter((key) => present.delete(key))]);
  const ordered = page.keys.map((key) => key.name);
  const rest = [...present].sort((a, b) => ordered.indexOf(a) - ordered.indexOf(b));
  return [...groups, ["Other", rest]].filter(([, keys]) => keys.length > 0);
}

// +1: more is better, -1: less is better, 0: neither.
function direction(key) {
  const better = (page.keys.find(({ name }) => name === key) || {}).better;
  return better === "more" ? 1 : better === "less" ? -1 : 0;
}
