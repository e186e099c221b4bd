// Timelines with their buttons, their legends, and, of a single run, why its
// busiest engine waits.

// `runs`: [{name, timeline}], on one axis, aligned at their starts.
function timelineViews(runs) {
  const end = Math.max(...runs.map(({ timeline }) => timeline.end)), isCompact = runs.length > 1;
  const status = element("p", { class: "muted", "aria-live": "polite", id: "timeline-range" });
  const views = runs.map(({ name, timeline }) =>
    new TimelineView(timeline, { end, status, isCompact, name: isCompact ? name : null }));
  for (const view of views) view.linked = views;
  return views;
}

function timelineSection(runs, views) {
  const tracks = runs.flatMap(({ timeline }) => timeline.tracks);
  const waits = [...new Set(tracks.flatMap((track) =>
    [...track.waits].filter(([, { starts }]) => starts.length).map(([name]) => name)))];
  const isThrottled = tracks.some(({ throttled }) => throttled.starts.length);
  const waitName = (name) => name === "kernel start" ? name : `waits: ${name}`;
  const isSingle = runs.length === 1;
  return section(isSingle ? "Timeline" : "Timelines", timelineControls(views[0]),
    ...runs.flatMap(({ name }, index) => [isSingle ? null : element("h3", {}, name),
      element("div", { class: "timeline" }, views[index].canvas, views[index].tip)]),
    element("p", { class: "muted", id: "timeline-keys" },
      "Wheel zooms at the pointer, dragging pans, a double click shows everything; " +
      "with the focus here + - and arrow keys do the same. A column of an engine is its whole time: " +
      "solid where it works, pale where it waits, empty where it has nothing left to do, and underlined " +
      "where it is on the critical path, which n and p go through step by step."),
    coalescedNote(tracks),
    legend(page.matrices.map(({ name, role, colour }) => ({ name: `${role}: ${name}`, colour }))),
    legend([...waits.map((name) => ({ name: waitName(name), colour: waitColour(name) })),
      ...isThrottled ? [{ name: "stripes: at half rate", colour: throttleColour }] : []]),
    isSingle ? engineStalls(views[0]) : null);
}

function timelineControls(view) {
  const button = (text, title, act) => {
    const node = element("button", { type: "button", "aria-label": title, title }, text);
    node.addEventListener("click", act);
    return node;
  };
  return element("div", { class: "controls" },
    button("+", "zoom in", () => view.zoom(1 / 2)), button("−", "zoom out", () => view.zoom(2)),
    button("←", "earlier", () => view.pan(-0.5)), button("→", "later", () => view.pan(0.5)),
    button("whole run", "show the whole run", () => view.reset()), view.status);
}

function coalescedNote(tracks) {
  const coarse = tracks.filter(({ events }) => events.resolution);
  if (!coarse.length) return null;
  const width = Math.max(...coarse.map(({ events }) => events.resolution));
  return element("p", { class: "note" },
    `The run is long: on ${[...new Set(coarse.map(({ name }) => name))].join(", ")} neighbouring instructions ` +
    `within ${formatTime(width)} are shown as one.`);
}

// Why the busiest engine stood still, summed over the places where it did.
function engineStalls(view) {
  const { tracks, end } = view.timeline;
  const busy = (track) => track.busyWithin(0, end);
  const [busiest] = tracks.slice(0, 4).sort((a, b) => busy(b) - busy(a));
  const stalls = new Map();
  for (const [reason, { starts, ends }] of busiest.waits)
    if (reason !== "kernel start")
      starts.forEach((start, i) => addStall(stalls, busiest, { reason, start, length: ends[i] - start }));
  if (!stalls.size) return null;
  const rows = [...stalls.values()].sort((a, b) => b.total - a.total).slice(0, 12);
  return element("details", { open: "" }, element("summary", {}, `Where the ${busiest.name} waits`),
    table("", columns("before", "operands", "location", "for", "#in all", "#of the run", "#times", "#longest", ""),
      rows.map((stall) => stallRow(stall, view))));
}

function addStall(stalls, track, { reason, start, length }) {
  const next = Math.min(upperBound(track.events.start, start + length * 0.999), track.events.count - 1);
  const op = track.op(next);
  const key = [reason, op.name, op.location, op.reads].join("\n");
  const stall = stalls.get(key) || { reason, op, total: 0, times: 0, longest: 0 };
  stall.total += length;
  ++stall.times;
  if (length > stall.longest) Object.assign(stall, { longest: length, start });
  stalls.set(key, stall);
}

function stallRow({ reason, op, total, times, longest, start }, view) {
  const show = element("button", { type: "button", title: "zoom to the longest one" }, "show");
  show.addEventListener("click", () => {
    view.show(start - longest, start + 2 * longest);
    view.canvas.scrollIntoView({ block: "nearest" });
  });
  return [shortName(op.name), operandsOf(op), placeNode(op.location), reason, formatTime(total),
    formatPercent(100 * total / view.timeline.end), digits(times, 12), formatTime(longest), show];
}
