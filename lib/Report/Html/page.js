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
    longestWaits(view, timeline));
}

// Where the busiest engine stood still longest, with a way to look at it.
function longestWaits(view, timeline) {
  const [busiest] = timeline.tracks.slice(0, 4).sort((a, b) => b.busyWithin(0, timeline.end) - a.busyWithin(0, timeline.end));
  const waits = [...busiest.waits].filter(([reason]) => reason !== "kernel start").flatMap(([reason, { starts, ends }]) =>
    starts.map((start, i) => ({ reason, start, length: ends[i] - start })));
  if (!waits.length) return null;
  waits.sort((a, b) => b.length - a.length);
  const row = ({ reason, start, length }) => {
    const next = upperBound(busiest.events.start, start + length * 0.999);
    const op = next < busiest.events.count ? busiest.op(next) : null;
    const go = element("button", { type: "button" }, exactTime(start));
    go.addEventListener("click", () => {
      view.show(start - length, start + 2 * length);
      view.canvas.scrollIntoView({ block: "nearest" });
    });
    return [go, exactTime(length), reason, op ? shortName(op.name) : "", element("code", {}, op ? op.location : "")];
  };
  return element("details", {}, element("summary", {}, `Longest waits of the ${busiest.name}`),
    table("", [{ title: "from" }, { title: "for", numeric: true }, { title: "reason" }, { title: "before" }, { title: "location" }],
      waits.slice(0, 12).map(row)));
}

function singleRun(entry) {
  return [verdict(entry.report), tiles(entry.report), ...reportSections(entry)];
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
