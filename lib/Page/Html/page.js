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
  if (page.model) return [...modelSections(page.model), ...runsShown()];
  return runsShown();
}

function runsShown() {
  if (page.reports.length !== 1) return comparison(page.reports);
  const [entry] = page.reports;
  return [verdict(entry.report, Boolean(entry.timeline)), findingsSection(entry.report), tiles(entry.report), ...schedules(entry.report),
    ...reportSections(entry)].filter(Boolean);
}

async function addTimelines(entries, before) {
  const runs = [];
  for (const { name, timeline } of entries) runs.push({ name, timeline: await decodeTimeline(timeline) });
  const timed = runs.filter(({ timeline }) => timeline.end);
  if (!timed.length) return;
  page.matrices = colourMatrices(timed.map(({ timeline }) => timeline));
  page.views = timelineViews(timed);
  [page.view] = page.views;
  before.before(timelineSection(timed, page.views), ...page.text ? [section("Module", page.text.node)] : []);
  for (const view of page.views) view.start();
  if (runs.length === 1) listenToEmbedder();
}

// Before the numbers; of several runs, after their latencies.
function timelinePlace(root) {
  const [first, second] = root.querySelectorAll("section:not(#findings, #times-of-the-model)");
  return page.reports.length > 1 ? second : first;
}

async function showPage() {
  const root = document.getElementById("page");
  if (page.module && page.reports.length === 1) page.text = new ModuleText(page.module);
  root.replaceChildren(pageHeader(), ...reportsShown());
  const withTimeline = page.reports.filter(({ timeline }) => timeline);
  if (withTimeline.length) await addTimelines(withTimeline, timelinePlace(root));
  document.body.dataset.ready = "yes";
}

showPage().catch((problem) => {
  console.error(problem);
  const message = `This page could not be drawn: ${problem.message}`;
  document.getElementById("page").prepend(element("p", { class: "note" }, message));
});
