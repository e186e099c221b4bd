// Reading a recorded timeline (lib/Page/RecordedTimeline.cpp writes it):
//   end, kernels [{name, start, end, overhead, schedule}], matrices [{name, role}],
//   ops [{name, location, reads, writes, engine, matrix}], path [as a track: executions on the critical path],
//   reasons [name], tracks [{name, count, resolution, zlib | raw, throttled: as a track,
//   its stretches at half rate; absent if there are none}],
//   buffers [{op, space, holds, matrix, type, slots, bytes, start, size}],
//   lifetimes [as a track, one for each slot of each buffer], loads and stores
//   [{count, width, zlib | raw}], dma_gb_per_s, partitions,
//   sbuf_partition_bytes, psum_banks.
// All times are picoseconds.

async function unpack({ zlib, raw }) {
  const bytes = Uint8Array.from(atob(zlib || raw), (char) => char.charCodeAt(0));
  if (!zlib) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// Numbers in base 128, lowest digits first.
class Reader {
  constructor(bytes) {
    this.bytes = bytes;
    this.position = 0;
  }

  digits() {
    let value = 0, scale = 1, byte;
    do {
      byte = this.bytes[this.position++];
      value += (byte & 127) * scale;
      scale *= 128;
    } while (byte & 128);
    return {value, scale, isNegative: (byte & 64) !== 0};
  }

  unsigned() {
    return this.digits().value;
  }

  signed() {
    const {value, scale, isNegative} = this.digits();
    return isNegative ? value - scale : value;
  }
}

// How many of the ascending `values` are at most `value`.
function upperBound(values, value) {
  let low = 0, high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The values by what `key` makes of them.
function groupBy(values, key) {
  const groups = new Map();
  for (const value of values) {
    const name = key(value);
    if (!groups.has(name)) groups.set(name, []);
    groups.get(name).push(value);
  }
  return groups;
}

// Disjoint stretches of time in ascending order, and how much of the time
// before a point they cover.
class Coverage {
  constructor() {
    this.starts = [];
    this.ends = [];
    this.covered = [0];
  }

  add(start, end, covered = end - start) {
    if (end <= start) return;
    this.starts.push(start);
    this.ends.push(end);
    this.covered.push(this.covered.at(-1) + covered);
  }

  before(time) {
    const index = upperBound(this.starts, time) - 1;
    if (index < 0) return 0;
    const length = this.ends[index] - this.starts[index];
    const part = Math.min(1, (time - this.starts[index]) / length);
    return this.covered[index] + part * (this.covered[index + 1] - this.covered[index]);
  }

  within(start, end) {
    return this.before(end) - this.before(start);
  }
}

async function decodeEvents(packed) {
  const reader = new Reader(await unpack(packed));
  const count = packed.count;
  const events = { count, resolution: packed.resolution,
    start: new Float64Array(count), end: new Float64Array(count),
    kind: new Int32Array(count), merged: new Int32Array(count).fill(1),
    covered: new Float64Array(count) };
  let latest = 0;
  for (let i = 0; i < count; ++i) {
    events.start[i] = latest + reader.signed();
    events.end[i] = events.start[i] + reader.unsigned();
    events.kind[i] = reader.unsigned();
    events.covered[i] = events.end[i] - Math.max(events.start[i], latest);
    if (packed.resolution) {
      events.merged[i] = reader.unsigned();
      events.covered[i] = reader.unsigned();
    }
    latest = Math.max(latest, events.end[i]);
  }
  return events;
}

// When one of the events was going on.
function coverageOf({ count, start, end, covered }) {
  const coverage = new Coverage();
  for (let i = 0; i < count; ++i) coverage.add(start[i], end[i], covered[i]);
  return coverage;
}

// An engine: its events, by matrix and by wait reason where its time goes, when
// it ran at half rate, and when it was on the critical path.
class Track {
  constructor(name, events, { throttled, onPath }, timeline) {
    this.name = name;
    this.throttled = throttled;
    this.onPath = onPath;
    this.events = events;
    this.timeline = timeline;
    this.busy = new Map();
    this.waits = new Map();
    this.addEvents();
  }

  op(index) {
    return this.timeline.ops[Math.floor(this.events.kind[index] / this.timeline.reasons.length)];
  }

  reason(index) {
    return this.timeline.reasons[this.events.kind[index] % this.timeline.reasons.length];
  }

  addEvents() {
    const { count, start, end, covered } = this.events;
    const coverage = (map, name) => {
      if (!map.has(name)) map.set(name, new Coverage());
      return map.get(name);
    };
    let latest = 0, kernel = -1;
    for (let i = 0; i < count; ++i) {
      while (kernel + 1 < this.timeline.kernels.length &&
             this.timeline.kernels[kernel + 1].start <= start[i])
        latest = Math.max(latest, this.enterKernel(++kernel, coverage));
      coverage(this.waits, this.reason(i)).add(latest, start[i]);
      coverage(this.busy, this.op(i).matrix)
        .add(Math.max(start[i], latest), end[i], Math.max(0, covered[i]));
      latest = Math.max(latest, end[i]);
    }
  }

  // The time from which the queue could work.
  enterKernel(index, coverage) {
    const { start, overhead } = this.timeline.kernels[index];
    coverage(this.waits, "kernel start").add(start, start + overhead);
    return start + overhead;
  }

  busyWithin(start, end) {
    let sum = 0;
    for (const coverage of this.busy.values()) sum += coverage.within(start, end);
    return sum;
  }

  // The event at `time`, or -1; in an overlap the later one.
  find(time) {
    const { start, end } = this.events;
    const last = upperBound(start, time) - 1;
    for (let i = last; i >= 0 && i > last - 8; --i)
      if (time < end[i]) return i;
    return -1;
  }
}

function shortName(name) {
  return name.replace(/^trn\./, "");
}

const spellOp = ({ name, matrix }, { matrices }) =>
  matrix === undefined ? shortName(name) : `${shortName(name)} ${matrices[matrix].name}`;

// The executions on the critical path, and by engine when they were.
class Path {
  constructor(events, timeline) {
    this.events = events;
    this.timeline = timeline;
    this.byEngine = new Map();
    for (let i = 0; i < events.count; ++i) {
      const { engine } = this.op(i);
      if (!this.byEngine.has(engine)) this.byEngine.set(engine, new Coverage());
      this.byEngine.get(engine).add(events.start[i], events.end[i], events.covered[i]);
    }
  }

  op(index) {
    return this.timeline.ops[this.events.kind[index]];
  }

  // Who works at `time`, and else who does next.
  find(time) {
    return upperBound(this.events.end, time);
  }
}

// A slot of an on-chip buffer and when it was in use.
async function decodeSlots(timeline) {
  const slots = [];
  for (const buffer of timeline.buffers)
    for (let slot = 0; slot < buffer.slots; ++slot) {
      const events = await decodeEvents(timeline.lifetimes[slots.length]);
      const use = coverageOf(events);
      slots.push({ buffer, slot, events, use, start: buffer.start + slot * buffer.size });
    }
  return slots;
}

// Bytes in bins, and their sums from the start.
async function decodeRate(packed) {
  const reader = new Reader(await unpack(packed));
  const sums = new Float64Array(packed.count + 1);
  for (let i = 0; i < packed.count; ++i) sums[i + 1] = sums[i] + reader.unsigned();
  const before = (time) => {
    const bin = Math.min(Math.max(time / packed.width, 0), packed.count);
    const whole = Math.floor(bin);
    const inside = whole < packed.count ? (bin - whole) * (sums[whole + 1] - sums[whole]) : 0;
    return sums[whole] + inside;
  };
  return { width: packed.width, before };
}

async function decodeTimeline(timeline) {
  const path = new Path(await decodeEvents(timeline.path), timeline);
  const tracks = [];
  for (const [engine, packed] of timeline.tracks.entries())
    tracks.push(new Track(packed.name, await decodeEvents(packed),
      { throttled: packed.throttled ? coverageOf(await decodeEvents(packed.throttled)) : new Coverage(),
        onPath: path.byEngine.get(engine) || new Coverage() }, timeline));
  return { ...timeline, path, tracks, slots: await decodeSlots(timeline),
    loads: await decodeRate(timeline.loads), stores: await decodeRate(timeline.stores) };
}
