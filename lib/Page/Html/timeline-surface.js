// What the rows of a timeline draw on, and their colours.

const engineColour = (index) => `--engine-${index}`;

// What the matrices of some timelines are called, with a colour each. Each role
// has hues of its own, and takes them in turn; equal names have equal colours.
function colourMatrices(timelines) {
  const colours = new Map(), next = { argument: 0, product: 0 };
  for (const { name, role } of timelines.flatMap(({ matrices }) => matrices)) {
    const key = `${role} ${name}`;
    if (!colours.has(key)) colours.set(key, { name, role, colour: `--${role}-${next[role]++ % 5}` });
  }
  for (const timeline of timelines)
    timeline.matrices = timeline.matrices.map(({ name, role }) => colours.get(`${role} ${name}`));
  return [...colours.values()].sort((a, b) => a.role.localeCompare(b.role));
}

const waitColours = {
  data: "--wait-data", buffer: "--wait-buffer", bank: "--wait-bank",
  semaphore: "--wait-semaphore", port: "--wait-port", dma: "--wait-dma",
};

const throttleColour = "--throttle";

const waitColour = (name) => waitColours[name] || "--wait-other";

// Round steps of time, about `count` of them in `span`.
function tickStep(span, count) {
  const power = 10 ** Math.floor(Math.log10(span / count));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => span / step <= count);
}

// What the rows draw on: a canvas context with the scale of time.
class Surface {
  constructor(canvas, gutter, matrices) {
    this.canvas = canvas;
    this.gutter = gutter;
    this.matrices = matrices;
    this.context = canvas.getContext("2d");
    this.style = getComputedStyle(document.documentElement);
    this.colours = new Map();
  }

  resize(width, height) {
    const ratio = window.devicePixelRatio || 1;
    this.width = width;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.canvas.style.height = `${height}px`;
    this.context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }

  begin(view) {
    this.view = view;
    this.colours.clear();
    this.known = new Map();
    this.context.clearRect(0, 0, this.width, this.canvas.height);
    this.columns = Math.max(1, Math.floor(this.width - this.gutter));
    this.times = Float64Array.from({ length: this.columns + 1 },
      (_, i) => view.start + (view.end - view.start) * i / this.columns);
  }

  colour(variable) {
    if (!this.colours.has(variable))
      this.colours.set(variable, this.style.getPropertyValue(variable).trim());
    return this.colours.get(variable);
  }

  // What an op that is about no matrix does is grey.
  matrixColour(index) {
    return this.matrices[index]?.colour ?? "--muted";
  }

  x(time) {
    return this.gutter + (time - this.view.start) / (this.view.end - this.view.start) * this.columns;
  }

  rect(variable, x, y, width, height) {
    this.context.fillStyle = this.colour(variable);
    this.context.fillRect(x, y, width, height);
  }

  // A rectangle over [start, end), cut at the edges of the view.
  bar(variable, start, end, y, height, least = 0) {
    const left = Math.max(this.gutter, this.x(start));
    const right = Math.min(this.width, this.x(end));
    if (right > left) this.rect(variable, left, y, Math.max(right - left, least), height);
    return { left, width: right - left };
  }

  text(string, x, y, { variable = "--text", room = Infinity } = {}) {
    const { context } = this;
    context.font = this.font();
    if (room < Infinity && context.measureText(string).width > room) return;
    context.fillStyle = this.colour(variable);
    context.textBaseline = "middle";
    context.fillText(string, x, y);
  }

  label(row, name, detail) {
    const middle = row.y + row.height / 2;
    const isTall = row.height >= 30;
    this.text(this.fitted(name), 0, isTall ? middle - 8 : middle);
    if (isTall && detail) this.text(this.fitted(detail), 0, middle + 8, { variable: "--muted" });
  }

  // As many words of a label as there is room for.
  fitted(string) {
    this.context.font = this.font();
    const words = string.split(" ");
    while (words.length > 1 && this.context.measureText(words.join(" ")).width > this.gutter - 4) words.pop();
    return words.join(" ");
  }

  font() {
    return `12px ${this.style.getPropertyValue("--font")}`;
  }

  // The part of each column that `coverage` covers.
  shares(coverage) {
    if (!this.known.has(coverage)) {
      const before = this.times.map((time) => coverage.before(time));
      this.known.set(coverage, before.subarray(1).map((sum, i) =>
        (sum - before[i]) / (this.times[i + 1] - this.times[i])));
    }
    return this.known.get(coverage);
  }

  // Columns of shares on top of each other, up to the row's top; `bottoms` is
  // raised.
  stack(variable, shares, bottoms, row) {
    this.context.fillStyle = this.colour(variable);
    for (let i = 0; i < shares.length; ++i) {
      const height = Math.min(shares[i] * row.height, bottoms[i] - row.y);
      if (height <= 0.01) continue;
      bottoms[i] -= height;
      this.context.fillRect(this.gutter + i, bottoms[i], 1, height);
    }
  }

  // Stripes from the row's bottom, as high as the shares of the columns near.
  stripes(variable, shares, row) {
    const distance = 3;
    this.context.fillStyle = this.colour(variable);
    for (let i = 0; i < shares.length; i += distance) {
      const height = row.height * Math.max(...shares.subarray(i, i + distance));
      if (height > 0.01) this.context.fillRect(this.gutter + i, row.y + row.height - height, 1, height);
    }
  }

  // A frame around a stretch of a row, whose edges may go on through the rows below.
  mark(row, { start, end }, goesOn) {
    if (end < this.view.start || start > this.view.end) return;
    const left = Math.max(this.gutter, this.x(start)), right = Math.min(this.width, Math.max(this.x(end), left + 2));
    for (const x of [left, right - 1]) this.rect("--mark", x, row.y, 1, goesOn ? this.total - row.y : row.height);
    for (const y of [row.y - 2, row.y + row.height - 2]) this.rect("--mark", left, y, right - left, 2);
  }

  bottoms(row) {
    return new Float64Array(this.columns).fill(row.y + row.height);
  }
}
