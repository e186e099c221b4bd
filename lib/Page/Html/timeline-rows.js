// The rows of a timeline; each draws the stretch of time in view. One pixel
// column of an engine shows the whole of its time: solid for what it did, pale
// for what it waited for, nothing where it had nothing left to do.

class AxisRow {
  height = 24;

  draw(surface) {
    const { view } = surface;
    const step = tickStep(view.end - view.start, Math.max(2, surface.columns / 110));
    for (let time = Math.ceil(view.start / step) * step; time <= view.end; time += step) {
      const x = surface.x(time);
      surface.rect("--line", x, this.y + 16, 1, surface.total - this.y - 16);
      surface.text(formatTick(time, step), x + 3, this.y + 9, { variable: "--muted", room: surface.width - x - 3 });
    }
  }
}

// Times on the axis all have the unit of the distance between them.
function formatTick(time, step) {
  const [size, name] = timeUnits.find(([size]) => step >= size) || timeUnits.at(-1);
  return `${Number((time / size).toPrecision(12)).toLocaleString("en", { maximumFractionDigits: 3 })} ${name}`;
}

class KernelsRow {
  height = 22;

  constructor(kernels) {
    this.kernels = kernels;
  }

  draw(surface) {
    surface.label(this, "kernels");
    for (const kernel of this.kernels) {
      if (kernel.end < surface.view.start || kernel.start > surface.view.end) continue;
      const { left, width } = surface.bar("--kernel", kernel.start, kernel.end, this.y, this.height - 2);
      surface.rect("--background", left, this.y, 1, this.height - 2);
      surface.text(`${kernel.name}  ${formatTime(kernel.end - kernel.start)}`, left + 6,
        this.y + this.height / 2 - 1, { room: width - 8 });
    }
  }
}

// An engine. The line below is where it is on the critical path.
class TrackRow {
  constructor(track) {
    this.track = track;
    this.isIdle = track.events.count === 0;
    this.height = this.isIdle ? 20 : 36;
  }

  draw(surface) {
    const { start, end } = surface.view;
    const active = this.track.busyWithin(start, end) / (end - start);
    surface.label(this, this.track.name, `${digits(100 * active, 3)} % in view`);
    surface.rect("--lane", surface.gutter, this.y, surface.columns, this.height - 2);
    if (this.isIdle)
      surface.text("not used", surface.gutter + 6, this.y + this.height / 2 - 1, { variable: "--muted" });
    else if (isDense(this.track, surface))
      this.drawShares(surface);
    else
      this.drawEvents(surface);
    this.drawPath(surface);
  }

  drawPath(surface) {
    const { onPath } = this.track, height = 3, y = this.y + this.height - 2 - height;
    const shares = surface.shares(onPath);
    for (let i = 0; i < shares.length; ++i)
      if (shares[i] > 0) surface.rect("--text", surface.gutter + i, y, 1, height);
  }

  drawShares(surface) {
    const area = { y: this.y, height: this.height - 2 };
    const bottoms = surface.bottoms(area);
    for (const [matrix, coverage] of this.track.busy)
      surface.stack(surface.matrixColour(matrix), surface.shares(coverage), bottoms, area);
    for (const [name, coverage] of this.track.waits)
      surface.stack(waitColour(name), surface.shares(coverage), bottoms, area);
    this.drawThrottled(surface);
  }

  // Over what is drawn already.
  drawThrottled(surface) {
    const { throttled } = this.track;
    if (throttled.starts.length)
      surface.stripes(throttleColour, surface.shares(throttled), { y: this.y, height: this.height - 2 });
  }

  drawEvents(surface) {
    const { track } = this, height = this.height - 2;
    for (const [name, coverage] of track.waits)
      forEachWithin(coverage, surface.view, (start, end) =>
        this.drawWait(surface, name, start, end, height));
    const { start, end, merged } = track.events;
    const first = Math.max(0, upperBound(start, surface.view.start) - 8);
    const last = upperBound(start, surface.view.end);
    let latest = first ? end[first - 1] : 0;
    const labels = [];
    for (let i = first; i < last; ++i) {
      const op = track.op(i), name = spellOp(op, track.timeline);
      const { left, width } = surface.bar(surface.matrixColour(op.matrix), Math.max(start[i], latest), end[i], this.y, height, 0.5);
      if (width > 3) surface.rect("--lane", left, this.y, 1, height);
      if (width > 24) labels.push({ text: merged[i] > 1 ? `${merged[i]} × ${name}` : name, left, width });
      latest = Math.max(latest, end[i]);
    }
    this.drawThrottled(surface);
    for (const { text, left, width } of labels)
      surface.text(text, left + 5, this.y + height / 2, { variable: "--on-colour", room: width - 8 });
  }

  drawWait(surface, name, start, end, height) {
    const { left, width } = surface.bar(waitColour(name), start, end, this.y, height);
    if (width > 24) surface.text(name, left + 5, this.y + height / 2, { room: width - 8 });
  }
}

function isDense({ events: { start } }, { view, columns }) {
  return upperBound(start, view.end) - upperBound(start, view.start) > columns / 3;
}

// Which engine the run waits for, step by step: the latency is the sum of these
// steps and of what is between them.
class PathRow {
  height = 26;

  constructor(path) {
    this.path = path;
  }

  draw(surface) {
    const area = { y: this.y, height: this.height - 2 };
    surface.label(this, "critical path");
    surface.rect("--lane", surface.gutter, area.y, surface.columns, area.height);
    surface.bar("--wait-other", 0, this.path.timeline.end, area.y, area.height);
    if (isDense(this.path, surface)) {
      const bottoms = surface.bottoms(area);
      for (const [engine, coverage] of this.path.byEngine)
        surface.stack(engineColour(engine), surface.shares(coverage), bottoms, area);
    } else {
      this.drawSteps(surface, area);
    }
  }

  drawSteps(surface, { y, height }) {
    const { events: { start, end } } = this.path;
    const last = upperBound(start, surface.view.end);
    for (let i = Math.max(0, upperBound(start, surface.view.start) - 1); i < last; ++i) {
      const op = this.path.op(i);
      const { left, width } = surface.bar(engineColour(op.engine), start[i], end[i], y, height, 0.5);
      if (width > 24)
        surface.text(spellOp(op, this.path.timeline), left + 5, y + height / 2, { variable: "--on-colour", room: width - 8 });
    }
  }
}

function forEachWithin(coverage, { start, end }, visit) {
  const last = upperBound(coverage.starts, end);
  for (let i = Math.max(0, upperBound(coverage.starts, start) - 1); i < last; ++i)
    if (coverage.ends[i] > start) visit(coverage.starts[i], coverage.ends[i]);
}

class TransfersRow {
  height = 56;

  constructor({ loads, stores, dma_gb_per_s: roof }) {
    this.loads = loads;
    this.stores = stores;
    this.roof = roof;
  }

  rate({ before }, start, end) {
    return (before(end) - before(start)) / ((end - start) / 1000);
  }

  draw(surface) {
    const { start, end } = surface.view;
    const area = { y: this.y + 4, height: this.height - 8 };
    const most = this.roof * 1.1;
    const mean = this.rate(this.loads, start, end) + this.rate(this.stores, start, end);
    surface.label(this, "DMA GB/s", `${digits(mean, 3)} of ${digits(this.roof, 3)}`);
    surface.rect("--lane", surface.gutter, area.y, surface.columns, area.height);
    const bottoms = surface.bottoms(area);
    for (const [rates, colour] of [[this.loads, engineColour(4)], [this.stores, engineColour(2)]])
      surface.stack(colour, this.shares(surface, rates, most), bottoms, area);
    const roofY = area.y + area.height * (1 - this.roof / most);
    surface.rect("--strong", surface.gutter, roofY, surface.columns, 1);
  }

  shares(surface, rates, most) {
    const { times, columns } = surface;
    return Float64Array.from({ length: columns }, (_, i) =>
      Math.min(1, this.rate(rates, times[i], times[i + 1]) / most));
  }
}

// Bytes in use, as one curve.
class SbufUseRow {
  height = 48;

  constructor(timeline) {
    this.slots = timeline.slots.filter(({ buffer }) => buffer.space === "sbuf");
    this.capacity = timeline.sbuf_partition_bytes;
    this.partitions = timeline.partitions;
  }

  draw(surface) {
    const area = { y: this.y + 4, height: this.height - 8 };
    const shares = new Float64Array(surface.columns);
    for (const { use, buffer } of this.slots)
      surface.shares(use).forEach((share, i) => { shares[i] += share * buffer.bytes / this.capacity; });
    const mean = shares.reduce((sum, share) => sum + share, 0) / shares.length;
    const whole = this.capacity * this.partitions;
    surface.label(this, "SBUF in use", `${digits(mean * whole / 2 ** 20, 3)} of ${formatChipBytes(whole)}`);
    surface.rect("--lane", surface.gutter, area.y, surface.columns, area.height);
    surface.stack("--engine-4", shares, surface.bottoms(area), area);
    surface.rect("--strong", surface.gutter, area.y, surface.columns, 1);
  }
}

// Where each buffer lies, and when it is in use.
class MapRow {
  constructor(timeline, space) {
    this.space = space;
    this.slots = timeline.slots.filter(({ buffer }) => buffer.space === space);
    this.capacity = space === "sbuf" ? timeline.sbuf_partition_bytes : timeline.psum_banks;
    this.height = space === "sbuf" ? 132 : 76;
    this.lanes = [...groupBy(this.slots, ({ buffer, start }) => [start, buffer.bytes, buffer.holds].join()).values()];
  }

  // The rectangle of a slot: its addresses from the top.
  span({ buffer, start }) {
    const scale = (this.height - 6) / this.capacity;
    const height = buffer.size * scale;
    return { y: this.y + start * scale, height: Math.max(1, height - (height > 4 ? 1 : 0)) };
  }

  draw(surface) {
    const isSbuf = this.space === "sbuf";
    surface.label(this, isSbuf ? "SBUF map" : "PSUM banks",
      isSbuf ? `0 – ${formatChipBytes(this.capacity)}` : `0 – ${this.capacity - 1}`);
    surface.rect("--lane", surface.gutter, this.y, surface.columns, this.height - 6);
    for (const slots of this.lanes) {
      const visible = slots.reduce((sum, { events: { start } }) =>
        sum + upperBound(start, surface.view.end) - upperBound(start, surface.view.start), 0);
      if (visible > surface.columns / 3) this.drawShares(surface, slots);
      else for (const slot of slots) this.drawUses(surface, slot);
    }
  }

  // Slots of the same addresses and contents: the denser, the more in use.
  drawShares(surface, slots) {
    const { y, height } = this.span(slots[0]);
    const { context, gutter, columns } = surface;
    const shares = slots.map(({ use }) => surface.shares(use));
    context.fillStyle = surface.colour(surface.matrixColour(slots[0].buffer.matrix));
    for (let i = 0; i < columns; ++i) {
      const share = shares.reduce((sum, each) => sum + each[i], 0);
      context.globalAlpha = Math.min(1, share);
      if (share > 0) context.fillRect(gutter + i, y, 1, height);
    }
    context.globalAlpha = 1;
  }

  drawUses(surface, slot) {
    const { y, height } = this.span(slot);
    forEachWithin(slot.use, surface.view, (begin, end) => {
      const { left, width } = surface.bar(surface.matrixColour(slot.buffer.matrix), begin, end, y, height, 0.5);
      if (width > 3) surface.rect("--lane", left, y, 1, height);
      if (height > 12 && width > 24)
        surface.text(slotName(slot), left + 5, y + height / 2, { variable: "--on-colour", room: width - 8 });
    });
  }
}

function slotName({ buffer, slot }) {
  return buffer.slots > 1 ? `${buffer.holds} [${slot}]` : buffer.holds;
}
