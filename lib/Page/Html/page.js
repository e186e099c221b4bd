// What the page shows, from the data that it carries.

const page = JSON.parse(document.getElementById("data").textContent);

function pageHeader() {
  if (page.compression)
    return element("header", {}, element("h1", {}, page.title), modelledNote(page.compression));
  const machines = [...new Set(page.reports.map(({ report }) => report.modelled_on).filter(Boolean))];
  const on = machines.length ? ` on ${machines.join(", ")}` : "";
  return element("header", {}, element("h1", {}, page.title),
    note(`Modelled${on}: simulated, not measured on hardware.`));
}

function reportsShown() {
  if (page.compression) return compressionSections(page.compression);
  if (page.sweep) return sweepSections(page.sweep);
  if (page.reports.length !== 1) return comparison(page.reports);
  const [entry] = page.reports;
  return [verdict(entry.report), findingsSection(entry.report), tiles(entry.report), ...schedules(entry.report),
    ...reportSections(entry)].filter(Boolean);
}

async function addTimeline(entry, before) {
  const timeline = await decodeTimeline(entry.timeline);
  if (!timeline.end) return;
  page.view = new TimelineView(timeline);
  before.before(timelineSection(page.view));
  page.view.start();
}

async function showPage() {
  const root = document.getElementById("page");
  root.replaceChildren(pageHeader(), ...reportsShown());
  const withTimeline = page.reports.find(({ timeline }) => timeline);
  if (withTimeline) await addTimeline(withTimeline, root.querySelector("section:not(#findings)"));
  document.body.dataset.ready = "yes";
}

showPage().catch((problem) => {
  console.error(problem);
  const message = `This page could not be drawn: ${problem.message}`;
  document.getElementById("page").prepend(element("p", { class: "note" }, message));
});
