// What the page shows, from the data that it carries.

const page = JSON.parse(document.getElementById("data").textContent);

function pageHeader() {
  const machines = [...new Set(page.reports.map(({ report }) => report.modelled_on).filter(Boolean))];
  const note = `Modelled${machines.length ? ` on ${machines.join(", ")}` : ""}: simulated, not measured on hardware.`;
  return element("header", {}, element("h1", {}, page.title), element("p", { class: "muted" }, note));
}

function timelineSection(view, timeline) {
  const names = (map) => [...new Set(timeline.tracks.flatMap((track) =>
    [...track[map]].filter(([, { starts }]) => starts.length).map(([name]) => name)))];
  const button = (text, label, act) => {
    const node = element("button", { type: "button", "aria-label": label, title: label }, text);
    node.addEventListener("click", act);
    return node;
  };
  const coarse = timeline.tracks.filter(({ events }) => events.resolution);
  return section("Timeline",
    element("div", { class: "controls" },
      button("+", "zoom in", () => view.zoom(1 / 2)), button("−", "zoom out", () => view.zoom(2)),
      button("←", "earlier", () => view.pan(-0.5)), button("→", "later", () => view.pan(0.5)),
      button("whole run", "show the whole run", () => view.reset()), view.status),
    element("div", { class: "timeline" }, view.canvas, view.tip),
    element("p", { class: "muted", id: "timeline-keys" },
      "Wheel zooms at the pointer, dragging pans, a double click shows everything; with the focus here + - and arrow keys do the same. " +
      "A column of an engine is its whole time: solid where it works, pale where it waits, empty where it has nothing left to do."),
    coarse.length ? element("p", { class: "note" }, `The run is long: on ${coarse.map(({ name }) => name).join(", ")} neighbouring ` +
      `instructions within ${formatTime(Math.max(...coarse.map(({ events }) => events.resolution)))} are shown as one.`) : null,
    element("div", { class: "legends" },
      legend(names("busy").map((name) => ({ name, colour: opColour(name) }))),
      legend(names("waits").map((name) => ({ name: name === "kernel start" ? name : `waits: ${name}`, colour: waitColour(name) }))),
      legend([...view.contents].map(([name, colour]) => ({ name: `buffer: ${name}`, colour })))),
    engineStalls(view, timeline));
}

// Why the busiest engine stood still, summed over the places where it did.
function engineStalls(view, timeline) {
  const [busiest] = timeline.tracks.slice(0, 4).sort((a, b) => b.busyWithin(0, timeline.end) - a.busyWithin(0, timeline.end));
  const stalls = new Map();
  for (const [reason, { starts, ends }] of busiest.waits)
    if (reason !== "kernel start")
      starts.forEach((start, i) => addStall(stalls, busiest, { reason, start, length: ends[i] - start }));
  if (!stalls.size) return null;
  const rows = [...stalls.values()].sort((a, b) => b.total - a.total).slice(0, 12);
  return element("details", { open: "" }, element("summary", {}, `Where the ${busiest.name} waits`),
    table("", [{ title: "before" }, { title: "operands" }, { title: "location" }, { title: "for" }, { title: "in all", numeric: true },
      { title: "of the run", numeric: true }, { title: "times", numeric: true }, { title: "longest", numeric: true }, { title: "" }],
      rows.map((stall) => stallRow(stall, view, timeline))));
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

function stallRow({ reason, op, total, times, longest, start }, view, timeline) {
  const show = element("button", { type: "button", title: "zoom to the longest one" }, "show");
  show.addEventListener("click", () => {
    view.show(start - longest, start + 2 * longest);
    view.canvas.scrollIntoView({ block: "nearest" });
  });
  return [shortName(op.name), operandsOf(op), element("code", {}, op.location), reason, formatTime(total),
    formatPercent(100 * total / timeline.end), digits(times, 12), formatTime(longest), show];
}

function singleRun(entry) {
  return [...schedules(entry.report), verdict(entry.report), tiles(entry.report), ...reportSections(entry)];
}

async function addTimeline(entry, before) {
  const timeline = await decodeTimeline(entry.timeline);
  if (!timeline.end) return;
  const view = new TimelineView(timeline);
  before.before(timelineSection(view, timeline));
  view.start();
  page.view = view;
}

async function showPage() {
  const root = document.getElementById("page");
  const isSingle = page.reports.length === 1 && !page.sweep;
  root.replaceChildren(pageHeader(),
    ...(page.sweep ? sweepSections(page.sweep) : []),
    ...(isSingle ? singleRun(page.reports[0]) : page.reports.length ? comparison(page.reports) : []));
  const withTimeline = page.reports.find(({ timeline }) => timeline);
  if (withTimeline) await addTimeline(withTimeline, root.querySelector("section"));
  document.body.dataset.ready = "yes";
}

showPage().catch((problem) => {
  console.error(problem);
  document.getElementById("page").prepend(element("p", { class: "note" }, `This page could not be drawn: ${problem.message}`));
});
