// The page of trn-explore: a source, and what becomes of it. `examples` and `isStatic` come from
// examples.js; a static page has `results` instead of a server.

"use strict";

const byId = (id) => document.getElementById(id);
const source = byId("source"), panel = byId("panel"), marks = byId("marks");
const levels = ["linalg", "tensor", "virtual", "placed", "nki"];
const tabs = [...levels, "findings", "timeline"];
const results = {};
const client = Math.random().toString(36).slice(2), secret = location.hash.slice(1);
const state = { tab: "placed", answer: null, line: 0, number: 0, timers: [], frame: null };

// Text always goes in as text nodes: sources may be anything.
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== false) node.setAttribute(name, value);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

// Asking.

async function ask(full) {
  const number = ++state.number;
  const request = { number, client, full, function: byId("function").value };
  for (const name of ["source", "language", "machine", "options", "inputs"]) request[name] = byId(name).value;
  byId("status").textContent = full ? `${latencyText()} Searching for the best plan …` : "Compiling …";
  panel.classList.toggle("old", !full);
  let answer;
  try {
    const response = await fetch("show", { method: "POST", body: JSON.stringify(request),
      headers: { "Content-Type": "application/json", "X-Trn-Secret": secret } });
    if (!response.ok) throw new Error(await response.text());
    answer = await response.json();
  } catch (problem) {
    answer = { messages: [{ line: 0, kind: "error", text: `the server says: ${problem.message}` }], levels: {} };
  }
  if (number !== state.number || answer.superseded) return;
  take(answer, full);
  if (!full && hasResult(answer)) later(() => ask(true), 400);
}

const hasResult = (answer) => Object.keys(answer.levels).length > 0;

function later(act, milliseconds) {
  state.timers.push(setTimeout(act, milliseconds));
}

function edited(milliseconds) {
  drawNumbers();
  if (isStatic) return;
  state.timers.splice(0).forEach(clearTimeout);
  ++state.number; // what is under way is of another source
  later(() => ask(false), milliseconds);
}

function latencyText() {
  const { latency_ms: latency, report } = state.answer || {};
  if (latency === undefined) return "";
  const time = `${latency < 1 ? `${(1000 * latency).toPrecision(4)} µs` : `${latency.toPrecision(4)} ms`} modelled`;
  if (!report) return `${time}, few plans tried.`;
  const bound = report.bound_by.replaceAll("_", " ");
  return `${time}, ${(report.latency_ms / report.bound_ms).toPrecision(3)} × the lower bound (${bound}).`;
}

function take(answer, full) {
  const isNewer = hasResult(answer);
  drawMessages(answer.messages);
  if (!isNewer) { // what was there stays, grey
    byId("status").textContent = "Not compiled.";
    panel.classList.add("old");
    document.body.dataset.ready = `error ${state.number}`;
    return;
  }
  state.answer = answer;
  byId("status").textContent = latencyText();
  panel.classList.remove("old");
  const names = byId("function");
  names.replaceChildren(...answer.functions.map((name) => element("option", {}, name)));
  names.value = answer.function;
  byId("function-label").hidden = answer.functions.length < 2;
  // A timeline of before is more than an empty frame.
  if (full || state.tab !== "timeline" || !state.frame) drawPanel();
  drawMarks();
  document.body.dataset.ready = `${full ? "full" : "quick"} ${state.number}`;
}

// The left side.

const lineHeight = () => parseFloat(getComputedStyle(source).lineHeight);
const padding = () => parseFloat(getComputedStyle(source).paddingTop);

function drawNumbers() {
  const count = source.value.split("\n").length;
  if (count === state.count) return;
  state.count = count;
  byId("numbers").textContent = Array.from({ length: count }, (_, i) => i + 1).join("\n");
}

function drawMarks(pointed = 0) {
  const made = [];
  const mark = (line, kind) => line && made.push(element("div", { class: kind, "data-line": line }));
  mark(state.line, "current");
  if (pointed !== state.line) mark(pointed, "pointed");
  for (const { line, kind } of state.messages || []) if (kind === "error") mark(line, "error"); // above the others
  // Styles of elements are set by scripts: attributes are for nobody.
  for (const node of made) node.style.top = `${padding() + (node.dataset.line - 1) * lineHeight()}px`;
  marks.replaceChildren(...made);
  for (const row of panel.querySelectorAll("ol > [data-line]")) {
    const line = Number(row.dataset.line);
    row.classList.toggle("current", line === state.line);
    row.classList.toggle("marked", line === pointed && line !== state.line);
  }
  scrolled();
}

function scrolled() {
  for (const id of ["numbers", "marks"]) byId(id).style.transform = `translateY(${-source.scrollTop}px)`;
}

function drawMessages(messages) {
  state.messages = messages;
  byId("messages").replaceChildren(...messages.map(({ line, column, kind, text }) =>
    element("li", { class: kind }, line ? placeNode(line, `line ${line}${column ? `:${column}` : ""}`) : null,
      ` ${kind}: ${text}`)));
  drawMarks();
}

function placeNode(line, text) {
  const node = element("button", { type: "button", class: "place" }, text);
  node.addEventListener("click", () => { choose(line); showSource(line, true); });
  return node;
}

// Scrolls the source to a line, and puts the cursor there.
function showSource(line, focuses) {
  const before = source.value.split("\n").slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
  source.setSelectionRange(before, before);
  const top = (line - 1) * lineHeight();
  if (top < source.scrollTop || top > source.scrollTop + source.clientHeight - 2 * lineHeight())
    source.scrollTop = top - source.clientHeight / 3;
  if (focuses) source.focus();
}

// Both sides.

// A line of the source becomes the current one; 0: none does.
function choose(line) {
  state.line = line;
  drawMarks();
  tellTimeline();
}

function chooseByCursor() {
  const line = source.value.slice(0, source.selectionStart).split("\n").length;
  if (document.activeElement !== source || line === state.line) return;
  choose(line);
  panel.querySelector("ol > .current")?.scrollIntoView({ block: "nearest" });
}

const rowAt = (node) => node instanceof Element ? node.closest("#panel > ol > [data-line]") : null;

panel.addEventListener("mouseover", ({ target }) => drawMarks(Number(rowAt(target)?.dataset.line || 0)));
panel.addEventListener("mouseleave", () => drawMarks());
panel.addEventListener("click", ({ target }) => {
  const row = rowAt(target);
  if (row && !getSelection().toString()) enter(row);
});

function enter(row, focuses = false) {
  state.row = row;
  choose(Number(row.dataset.line));
  showSource(state.line, focuses);
}

panel.addEventListener("keydown", (event) => {
  const rows = [...panel.querySelectorAll("ol > [data-line]")], at = rows.indexOf(state.row);
  const steps = { ArrowDown: 1, ArrowUp: -1 };
  if (event.target !== panel || !rows.length || !(event.key in steps || event.key === "Enter")) return;
  event.preventDefault();
  if (event.key === "Enter") return showSource(state.line, true);
  const row = rows[Math.min(Math.max(at + steps[event.key], 0), rows.length - 1)];
  enter(row);
  row.scrollIntoView({ block: "nearest" });
});

// The right side.

function drawTabs() {
  byId("tabs").replaceChildren(...tabs.map((name) => {
    const node = element("button", { type: "button", role: "tab", id: `tab-${name}`, "aria-controls": "panel",
      "aria-selected": String(name === state.tab), tabindex: name === state.tab ? "0" : "-1" }, name === "nki" ? "NKI" : name);
    node.hidden = name === "linalg" && !state.answer?.levels.linalg;
    node.addEventListener("click", () => selectTab(name));
    return node;
  }));
  panel.setAttribute("aria-labelledby", `tab-${state.tab}`);
}

function selectTab(name) {
  state.tab = name;
  panel.scrollTop = 0;
  drawPanel();
}

byId("tabs").addEventListener("keydown", ({ key }) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
  if (!step) return;
  const shown = tabs.filter((name) => !byId(`tab-${name}`).hidden);
  selectTab(shown[(shown.indexOf(state.tab) + step + shown.length) % shown.length]);
  byId(`tab-${state.tab}`).focus();
});

function drawPanel() {
  const { answer } = state;
  if (state.tab === "linalg" && !answer?.levels.linalg) state.tab = "tensor";
  drawTabs();
  state.frame = state.row = null;
  const top = panel.scrollTop;
  panel.replaceChildren(...!answer ? [] : levels.includes(state.tab) ? [levelNode(answer.levels[state.tab])]
    : state.tab === "findings" ? [findingsNode(answer)] : [timelineNode(answer)]);
  panel.scrollTop = top;
  drawMarks();
}

function levelNode({ text, lines }) {
  return element("ol", {}, text.replace(/\n$/, "").split("\n").map((line, index) =>
    element("li", { "data-line": lines[index] || undefined }, line)));
}

const waiting = () => element("p", {}, "A second later, with the best plan.");

function findingsNode({ report, remarks }) {
  if (!report) return element("div", {}, waiting());
  const findings = report.findings || [];
  return element("div", {}, element("h2", {}, "What costs time"),
    findings.length ? element("ol", {}, findings.map(findingNode)) : element("p", {}, "Nothing that is known would make it faster."),
    element("h2", {}, "What the compiler did"), element("ul", {}, remarks.map(({ line, text }) =>
      element("li", {}, line ? placeNode(line, `line ${line}`) : null, ` ${remarkText(text)}`))));
}

// Without the name of the pass: [Passed] Planned | Category:trn-plan-kernels | Function=f | Remark="...", plans=10
function remarkText(text) {
  const [, kind, name, subject, rest] = /^\[(\w+)\] (\w+) \| Category:[^|]*?(?: \| Function=(\S+))? \| (.*)$/s.exec(text) || [];
  if (!name) return text;
  return `${kind === "Missed" ? "missed: " : ""}${name}${subject ? ` ${subject}` : ""}: ${rest.replace(/^Remark="([^"]*)"/, "$1")}`;
}

function findingNode(finding) {
  const [, line] = /^(?:module|kernel\.py):(\d+):/.exec(finding.location || "") || [];
  const name = finding.cause.replaceAll("_", " ") + (finding.subject ? ` of ${finding.subject}` : "");
  return element("li", {}, element("b", {}, `${finding.percent.toFixed(1)} % ${name}: `), finding.evidence,
    line ? [" (", placeNode(Number(line), `line ${line}`), ")"] : null,
    finding.try ? element("div", {}, `Try: ${finding.try} – ${finding.tried ? "" : "about "}${(1000 * finding.modelled_ms).toPrecision(4)} µs`) : null);
}

function timelineNode({ timeline }) {
  if (!timeline) return element("div", {}, waiting());
  state.frame = element("iframe", { src: timeline, title: "timeline", sandbox: "allow-scripts" });
  return state.frame;
}

// The timeline is a page of its own, which knows places of the source. It says when it is ready,
// and which places are picked in it.
function tellTimeline() {
  if (!state.frame || !state.line) return;
  const file = byId("language").value === "mlir" ? "module" : "kernel.py";
  state.frame.contentWindow.postMessage({ place: `${file}:${state.line}` }, "*");
}

addEventListener("message", ({ source: from, data }) => {
  if (!state.frame || from !== state.frame.contentWindow || typeof data?.place !== "string") return;
  const [, line] = /^(?:module|kernel\.py):(\d+)/.exec(data.place) || [];
  if (!data.place) return tellTimeline();
  if (!line) return;
  state.line = Number(line); // the timeline shows it already
  drawMarks();
  showSource(state.line, false);
});

// Examples.

async function fetchExample(name) {
  if (!isStatic) return { example: await (await fetch(`examples/${name}.json`)).json() };
  if (!results[name]) await new Promise((resolve, reject) => {
    const script = element("script", { src: `results/${name}.js` });
    Object.assign(script, { onload: resolve, onerror: () => reject(new Error(`no results of ${name}`)) });
    document.head.append(script);
  });
  return results[name];
}

async function showExample(name) {
  const { example, answer } = await fetchExample(name);
  for (const field of ["source", "language", "machine", "options", "inputs"]) byId(field).value = example[field];
  source.scrollTop = source.scrollLeft = state.line = 0;
  source.setSelectionRange(0, 0);
  byId("function").replaceChildren();
  languageChanged();
  edited(0);
  if (answer) take(answer, true);
}

function languageChanged() {
  byId("inputs-label").hidden = byId("language").value === "mlir";
}

function start() {
  byId("example").append(...examples.map(({ name, title }) => element("option", { value: name }, title)));
  byId("example").addEventListener("change", ({ target }) => showExample(target.value));
  source.addEventListener("input", () => edited(150));
  source.addEventListener("scroll", scrolled);
  document.addEventListener("selectionchange", chooseByCursor);
  byId("language").addEventListener("change", languageChanged);
  for (const id of ["language", "machine", "options", "inputs", "function"])
    byId(id).addEventListener("input", () => edited(150));
  addEventListener("keydown", (event) => event.key === "Enter" && event.ctrlKey && edited(0));
  if (isStatic) {
    source.readOnly = true;
    for (const id of ["language", "machine", "options", "inputs", "function"]) byId(id).disabled = true;
  }
  drawTabs();
  showExample(examples[0].name).catch((problem) =>
    drawMessages([{ line: 0, kind: "error", text: problem.message }]));
}

start();
