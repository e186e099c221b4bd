// The timeline of a run: rows on one time axis, to zoom and to pan.

const leastSpan = 2000; // picoseconds in view when zoomed in all the way

// `end`: of the axis, which several runs share; their views are compact. `status`
// says what is in view.
class TimelineView {
  constructor(timeline, { end, status, name, isCompact }) {
    this.timeline = timeline;
    this.whole = end;
    this.status = status;
    this.view = { start: 0, end };
    this.linked = [this];
    this.canvas = element("canvas", { tabindex: "0", role: "application", "aria-describedby": "timeline-keys",
      "aria-label": `Timeline of engines, DMA queues and memories${name ? ` of ${name}` : ""}` });
    this.tip = element("div", { class: "tip", hidden: "" });
    this.rows = [new AxisRow(), new KernelsRow(timeline.kernels), new PathRow(timeline.path),
      // Most kernels run on one core.
      ...timeline.tracks.filter(({ name, events }) => !name.endsWith("collectives") || events.start.length)
        .map((track) => new TrackRow(track)), new TransfersRow(timeline),
      ...isCompact ? [] : [new SbufUseRow(timeline), new MapRow(timeline, "sbuf"), new MapRow(timeline, "psum")]];
    this.pending = false;
    this.current = null; // the step of the critical path that is shown
    this.part = null; // else what is shown and framed: {text, location, frames: [{engine, start, end}]}
  }

  // To be called once the nodes are in the document.
  start() {
    this.surface = new Surface(this.canvas, 0, this.timeline.matrices);
    new ResizeObserver(() => this.resize()).observe(this.canvas.parentElement);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.redraw());
    this.resize();
    this.tell();
    listen(this);
  }

  resize() {
    const width = this.canvas.parentElement.clientWidth;
    this.surface.gutter = width < 560 ? 84 : 128;
    let y = 0;
    for (const row of this.rows) {
      row.y = y;
      y += row.height + (row instanceof TrackRow ? 2 : 4);
    }
    this.surface.total = y;
    this.surface.resize(width, y);
    this.draw();
  }

  redraw() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => {
      this.pending = false;
      this.draw();
    });
  }

  draw() {
    this.surface.begin(this.view);
    for (const row of this.rows) row.draw(this.surface);
    for (const frame of this.part?.frames || this.currentFrames()) {
      const row = this.rows.find((row) => frame.engine === undefined ? row instanceof PathRow
        : row.track === this.timeline.tracks[frame.engine]);
      this.surface.mark(row, frame, row instanceof PathRow);
    }
  }

  // The step of the critical path that is shown, if one is. A frame without an
  // engine is of the path.
  currentFrames() {
    const { start, end } = this.timeline.path.events;
    return this.current === null ? [] : [{ start: start[this.current], end: end[this.current] }];
  }

  // Says what is shown.
  tell() {
    const { start, end } = this.view;
    const text = this.part ? this.part.text : this.current !== null ? this.describeStep()
      : end - start >= this.whole ? `All of ${formatTime(this.whole)}.`
        : `${formatTime(end - start)} of ${formatTime(this.whole)}, from ${exactTime(start)}.`;
    // A place in it leads to its line.
    const { location } = this.part || (this.current !== null ? this.timeline.path.op(this.current) : {});
    const at = location ? text.indexOf(location) : -1;
    this.status.replaceChildren(...at < 0 ? [text]
      : [text.slice(0, at), placeNode(location), text.slice(at + location.length)]);
  }

  describeStep() {
    const { path } = this.timeline, { count, start } = path.events;
    return `Step ${this.current + 1} of ${count}: ${describeStep(path, this.current, start[this.current]).join(", ")}`;
  }

  // Whatever explains what was in view goes.
  show(start, end, step = null, part = null) {
    const span = Math.min(Math.max(end - start, leastSpan), this.whole);
    const from = Math.min(Math.max(start, 0), this.whole - span);
    for (const view of this.linked) {
      view.view = { start: from, end: from + span };
      view.current = view === this ? step : null;
      view.part = view === this ? part : null;
      view.leave();
      view.redraw();
    }
    this.tell();
  }

  // Keeps `time` where it is on the screen.
  zoom(factor, time = (this.view.start + this.view.end) / 2) {
    const { start, end } = this.view;
    const span = Math.min(Math.max((end - start) * factor, leastSpan), this.whole);
    const from = time - (time - start) * span / (end - start);
    this.show(from, from + span);
  }

  // By a part of what is in view.
  pan(part) {
    const shift = (this.view.end - this.view.start) * part;
    const span = this.view.end - this.view.start;
    const start = Math.min(Math.max(this.view.start + shift, 0), this.whole - span);
    this.show(start, start + span);
  }

  reset() {
    this.show(0, this.whole);
  }

  // To the next step of the critical path, or the previous one: the first one
  // that begins in view is where it starts. What it is, is said.
  step(count) {
    const { path } = this.timeline;
    const { start, end } = path.events;
    const next = this.current === null ? upperBound(start, this.view.start - 1) : this.current + count;
    const index = Math.min(Math.max(next, 0), path.events.count - 1);
    if (index < 0) return;
    const length = end[index] - start[index];
    this.show(start[index] - 2 * length, start[index] + 3 * length, index);
  }

  // To the longest stretch of a part of the critical path.
  showPart(part) {
    const stretches = stretchesOf(part, this.timeline).filter(([start, end]) => end > start);
    if (stretches.length) {
      const [start, end, step] = stretches.reduce((a, b) => b[1] - b[0] > a[1] - a[0] ? b : a);
      const which = stretches.length > 1 ? `the longest of ${digits(stretches.length, 12)} stretches, ` : "";
      const text = `${sentence(part.name)}: ${which}${exactTime(end - start)} from ${exactTime(start)}.`;
      this.show(start - (end - start), end + (end - start), step, { text, frames: [{ start, end }] });
    }
    this.focus();
  }

  // To stretches of tracks.
  showFrames(frames, text) {
    const start = Math.min(...frames.map(({ start }) => start)), end = Math.max(...frames.map(({ end }) => end));
    const margin = (end - start) / 20;
    this.show(start - margin, end + margin, null, { text, frames });
    this.focus();
  }

  focus() {
    this.canvas.scrollIntoView({ block: "nearest" });
    this.canvas.focus({ preventScroll: true });
  }

  // Says what is at a point, and frames it there.
  pick(x, y) {
    const track = this.rows.find((row) => y >= row.y && y < row.y + row.height)?.track;
    const index = track && x >= this.surface.gutter ? track.find(this.timeAt(x)) : -1;
    if (index < 0) return;
    const { location, name } = track.op(index), { start, end } = track.events;
    this.current = null;
    this.part = { text: `${shortName(name)}, ${location}, ${exactTime(end[index] - start[index])} from ${exactTime(start[index])}.`,
      location, frames: [{ engine: this.timeline.tracks.indexOf(track), start: start[index], end: end[index] }] };
    this.redraw();
    this.tell();
    tellEmbedder(location);
  }

  timeAt(x) {
    const part = (x - this.surface.gutter) / this.surface.columns;
    return this.view.start + part * (this.view.end - this.view.start);
  }

  hover(x, y) {
    const row = this.rows.find((row) => y >= row.y && y < row.y + row.height);
    const lines = row && x >= this.surface.gutter ? describeAt(row, this.timeAt(x), y, this) : null;
    this.tip.hidden = !lines;
    if (!lines) return;
    this.tip.replaceChildren(element("strong", {}, lines[0]),
      ...lines.slice(1).map((line) => element("div", {}, line)));
    const room = this.canvas.parentElement.clientWidth - this.tip.offsetWidth - 4;
    this.tip.style.left = `${Math.max(0, Math.min(x + 14, room))}px`;
    this.tip.style.top = `${y + 18}px`;
  }

  // Whether there was anything to hide.
  leave() {
    const isShown = !this.tip.hidden;
    this.tip.hidden = true;
    return isShown;
  }
}

// The lines of the hover text; the first one is its title.
function describeAt(row, time, y, view) {
  if (row instanceof TrackRow) return describeTrack(row.track, time, view);
  if (row instanceof PathRow) return describeStep(row.path, row.path.find(time), time);
  if (row instanceof MapRow) return describeSlot(row, time, y, view.timeline);
  if (row instanceof KernelsRow) return describeKernel(row, time);
  if (row instanceof TransfersRow) return describeTransfers(row, time, view);
  if (row instanceof SbufUseRow) return describeUse(row, time);
  return null;
}

function describeTrack(track, time, { timeline, surface }) {
  const index = track.find(time);
  if (index < 0) return describeWait(track, time);
  const { start, end, merged, covered } = track.events;
  const op = track.op(index);
  const lines = [op.name, op.location, operandsOf(op), `start ${exactTime(start[index])}`,
    `duration ${exactTime(end[index] - start[index])}`];
  // At full rate half of that time would have done.
  const lost = track.throttled.within(start[index], end[index]) / 2;
  if (lost >= 1) lines.push(`at half rate: +${exactTime(lost)}`);
  if (merged[index] > 1)
    return [`${merged[index].toLocaleString("en")} instructions, mostly ${op.name}`, ...lines.slice(1),
      `busy ${exactTime(covered[index])}`];
  const waited = waitedBefore(track, index);
  if (waited) lines.push(`queue waited ${exactTime(waited.time)} for ${waited.reason}`);
  const perPixel = (surface.view.end - surface.view.start) / surface.columns / (end[index] - start[index]);
  if (perPixel > 2) lines.push("zoom in to see single instructions");
  return lines;
}

// A step of the critical path, or, before it, what is between two of them.
function describeStep(path, index, time) {
  const { start, end, count } = path.events;
  if (index >= count) return ["the last result is under way"];
  const op = path.op(index), engine = path.timeline.tracks[op.engine].name;
  const work = [spellOp(op, path.timeline), op.location, `start ${exactTime(start[index])}`,
    `duration ${exactTime(end[index] - start[index])}`];
  if (time >= start[index]) return [`${engine}: ${work[0]}`, ...work.slice(1)];
  const before = index ? end[index - 1] : 0;
  return ["results, semaphores and DMA latency", `start ${exactTime(before)}`,
    `duration ${exactTime(start[index] - before)}`, `before ${work[0]} on the ${engine}`];
}

function operandsOf({ reads, writes }) {
  return [reads && `reads ${reads}`, writes && `writes ${writes}`].filter(Boolean).join("; ");
}

function waitedBefore(track, index) {
  const start = track.events.start[index];
  for (const [reason, coverage] of track.waits) {
    const at = upperBound(coverage.ends, start) - 1;
    if (reason !== "kernel start" && at >= 0 && coverage.ends[at] === start)
      return { reason, time: start - coverage.starts[at] };
  }
  return null;
}

function describeWait(track, time) {
  for (const [reason, coverage] of track.waits) {
    const at = upperBound(coverage.starts, time) - 1;
    if (at < 0 || time >= coverage.ends[at]) continue;
    const next = upperBound(track.events.start, time);
    const op = next < track.events.count ? track.op(next) : null;
    const start = coverage.starts[at], length = coverage.ends[at] - start;
    const title = reason === "kernel start" ? "start of the kernel" : `waiting for ${reason}`;
    return [title, `start ${exactTime(start)}`, `duration ${exactTime(length)}`,
      ...(op ? [`before ${op.name}`, op.location, operandsOf(op)] : [])];
  }
  return null;
}

function describeSlot(row, time, y, { ops }) {
  const slot = row.slots.find((slot) => {
    const span = row.span(slot);
    return y >= span.y && y <= span.y + span.height && describeUseOf(slot, time);
  });
  if (!slot) return row.space === "psum" ? [`${banksAt(row, time)} banks in use`] : null;
  const { buffer } = slot;
  const [start, end] = describeUseOf(slot, time);
  return [slotName(slot), ops[buffer.op].location,
    row.space === "sbuf" ? `bytes ${slot.start} to ${slot.start + buffer.bytes} of each partition` : `bank ${banksOf(slot).join(", ")}`,
    `${buffer.type}, ${formatChipBytes(buffer.bytes)} a partition`,
    `in use from ${exactTime(start)} for ${exactTime(end - start)}`,
    ...(row.space === "psum" ? [`${banksAt(row, time)} banks in use`] : [])];
}

function describeUseOf({ use }, time) {
  const at = upperBound(use.starts, time) - 1;
  return at >= 0 && time < use.ends[at] ? [use.starts[at], use.ends[at]] : null;
}

function banksAt(row, time) {
  return new Set(row.slots.filter((slot) => describeUseOf(slot, time)).flatMap(banksOf)).size;
}

function banksOf({ buffer, start }) {
  return Array.from({ length: buffer.size }, (_, number) => start + number);
}

function describeKernel(row, time) {
  const kernel = row.kernels.find(({ start, end }) => time >= start && time < end);
  if (!kernel) return null;
  return [kernel.name, `start ${exactTime(kernel.start)}`,
    `duration ${exactTime(kernel.end - kernel.start)}`,
    ...Object.entries(kernel.schedule).filter(([key]) => key !== "schedule").map(([key, value]) => `${key} ${value}`)];
}

function describeTransfers(row, time, { surface, view }) {
  const half = Math.max((view.end - view.start) / surface.columns, row.loads.width) / 2;
  const rate = (rates) => digits(row.rate(rates, time - half, time + half), 3);
  return ["DMA throughput", `loads ${rate(row.loads)} GB/s`, `stores ${rate(row.stores)} GB/s`,
    `at ${exactTime(time)}`];
}

function describeUse(row, time) {
  const bytes = row.slots.filter((slot) => describeUseOf(slot, time))
    .reduce((sum, { buffer }) => sum + buffer.bytes, 0) * row.partitions;
  return ["SBUF in use", `${formatChipBytes(bytes)}, ${formatPercent(100 * bytes / (row.capacity * row.partitions))} of usable`,
    `at ${exactTime(time)}`];
}

// To the nanosecond, whatever the size; short ones to a tenth of it.
function exactTime(time) {
  const [size, name, decimals] = time < 1e6 ? [1e3, "ns", 1] : [1e6, "µs", 3];
  return `${(time / size).toLocaleString("en", { maximumFractionDigits: decimals })} ${name}`;
}
