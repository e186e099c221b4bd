// What costs time, the worst first, and what to do about it.

const findingName = ({ cause, subject }) =>
  cause.replaceAll("_", " ") + (subject ? ` of ${subject}` : "");

// Numbers that were simulated with the advice followed say so; others are what
// is left if the cost were gone.
function findingAdvice(finding) {
  const time = formatValue("modelled_ms", finding.modelled_ms);
  return element("p", {}, "Try: ", finding.try, " – ", element("b", {}, finding.tried ? time : `about ${time}`));
}

function findingItem(finding) {
  const { percent, evidence, kernel, location, schedule } = finding;
  const place = [kernel, location].filter(Boolean).join(", ");
  return element("li", {},
    element("p", {}, element("b", {}, `${formatPercent(percent)} ${findingName(finding)}: `), evidence,
      place && element("span", { class: "muted" }, ` (${place})`)),
    element("div", { class: "share", "aria-hidden": "true" }, element("div", { style: `width: ${Math.min(percent, 100)}%` })),
    findingAdvice(finding),
    schedule ? element("details", {}, element("summary", {}, "the plan"), element("code", {}, schedule)) : null);
}

// What the time is where nothing is known against it: the longest parts come first.
function nothingKnown(report) {
  const parts = Array.isArray(report.critical_path) ? pathParts(report).slice(0, 4) : [];
  const list = parts.map(({ name, percent }) => `${name} ${formatPercent(percent)}`).join("; ");
  return note("Nothing that is known would make it faster." + (list && ` On the critical path: ${list}.`));
}

function findingsSection(report) {
  const { findings } = report;
  if (!Array.isArray(findings)) return null;
  const known = findings.filter((finding) => finding.try), rest = findings.filter((finding) => !finding.try);
  const others = rest.map((finding) => `${findingName(finding)} ${formatPercent(finding.percent)}`).join(", ");
  return section("Findings",
    known.length ? element("ol", { class: "findings" }, known.map(findingItem)) : nothingKnown(report),
    others ? note(`Also costs time: ${others}.`) : null);
}
