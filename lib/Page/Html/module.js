// The module that ran, as text: its lines lead to their instructions in the
// timeline, and the places that the page names lead to their lines.

const mostLines = 20000, longestLine = 500;

class ModuleText {
  // `packed`: {name, zlib | raw}.
  constructor(packed) {
    this.packed = packed;
    this.body = element("div", { class: "scroll" });
    this.node = element("details", {}, element("summary", {}, packed.name), this.body);
    this.node.addEventListener("toggle", () => this.node.open && this.render());
  }

  // The line that `file:line:column` names, or null if that is elsewhere.
  lineOf(location) {
    const [, file, line] = /^(.*):(\d+):\d+$/.exec(location || "") || [];
    return file === this.packed.name ? Number(line) : null;
  }

  // Once: reading and drawing wait until somebody looks.
  render() {
    this.rendered ??= this.draw();
    return this.rendered;
  }

  async draw() {
    const lines = new TextDecoder().decode(await unpack(this.packed)).replace(/\n$/, "").split("\n");
    const uses = usesByLine(page.view.timeline, this);
    const rows = lines.slice(0, mostLines).map((text, index) => this.row(text, index + 1, uses.get(index + 1)));
    this.body.replaceChildren(element("table", { class: "module" }, element("thead", {}, element("tr", {},
      ["line", "critical path", ""].map((title) => element("th", { scope: "col" }, title)))), element("tbody", {}, rows)));
    if (lines.length > mostLines) this.body.append(note(`${digits(lines.length - mostLines, 12)} more lines are not shown.`));
  }

  row(text, line, use) {
    const shown = text.length > longestLine ? `${text.slice(0, longestLine)} …` : text;
    return element("tr", { id: `line-${line}` },
      element("th", { scope: "row", class: use ? "number" : "number muted" }, use ? this.button(line, use) : String(line)),
      element("td", { class: "number muted" }, use?.critical ? formatPercent(100 * use.critical / page.view.timeline.end) : ""),
      element("td", {}, element("code", {}, shown)));
  }

  button(line, use) {
    const node = element("button", { type: "button", class: "part", title: "show its instructions in the timeline" }, String(line));
    node.addEventListener("click", () => page.view.showFrames(use.frames,
      `${this.packed.name}:${line}: ${digits(use.count, 12)} instruction${use.count === 1 ? "" : "s"}, ` +
      `${formatTime(use.busy)} of engines, ${formatTime(use.critical)} of the critical path.`));
    return node;
  }

  async show(line) {
    this.node.open = true;
    await this.render();
    for (const row of this.node.querySelectorAll(".best")) row.classList.remove("best");
    const row = document.getElementById(`line-${line}`);
    if (!row) return;
    row.classList.add("best");
    row.scrollIntoView({ block: "center" });
    row.querySelector("button")?.focus({ preventScroll: true });
  }
}

// By line of the module: {count, busy, critical, frames: [{engine, start, end}]}.
function usesByLine({ tracks, path, ops, reasons }, module) {
  const lines = ops.map(({ location }) => module.lineOf(location)), uses = new Map();
  for (const [engine, { events }] of tracks.entries())
    for (let i = 0; i < events.count; ++i) {
      const line = lines[Math.floor(events.kind[i] / reasons.length)];
      if (line === null) continue;
      if (!uses.has(line)) uses.set(line, { count: 0, busy: 0, critical: 0, frames: [] });
      const use = uses.get(line);
      use.count += events.merged[i];
      use.busy += events.covered[i];
      const frame = use.frames.find((frame) => frame.engine === engine);
      if (frame) frame.end = Math.max(frame.end, events.end[i]);
      else use.frames.push({ engine, start: events.start[i], end: events.end[i] });
    }
  for (let i = 0; i < path.events.count; ++i) {
    const use = uses.get(lines[path.events.kind[i]]);
    if (use) use.critical += path.events.covered[i];
  }
  return uses;
}

// A place in the source, which leads to its line if the page has it.
function placeNode(location) {
  const line = page.text?.lineOf(location) ?? null;
  if (line === null) return element("code", {}, location || "");
  const node = element("button", { type: "button", class: "part", title: "show this line of the module" }, element("code", {}, location));
  node.addEventListener("click", () => page.text.show(line));
  return node;
}
