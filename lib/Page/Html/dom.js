// Making elements. Text always goes in as text nodes: names may be anything.

const svgNamespace = document.getElementById("svg").namespaceURI;

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined) node.setAttribute(name, value);
  node.append(...children.flat().filter((child) => child !== null));
  return node;
}

function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(svgNamespace, tag), attributes, children);
}

// A remark in small print.
const note = (...children) => element("p", { class: "muted" }, ...children);

// A section of the page with a heading that links can point at.
function section(title, ...children) {
  const id = title.toLowerCase().replace(/[^a-z]+/g, "-");
  return element("section", { id, "aria-labelledby": `${id}-title` },
    element("h2", { id: `${id}-title` }, title), ...children);
}

// Columns of a table by their titles; `#` before one says that it has numbers.
const columns = (...titles) => titles.map((title) =>
  ({ title: title.replace(/^#/, ""), numeric: title.startsWith("#") }));

// Columns of numbers for keys of a report.
const keyColumns = (keys) => keys.map((key) => ({ title: keyLabel(key), numeric: true, help: key }));

// `columns`: {title, numeric, help}; `rows`: arrays of cells, each a text, a
// node, or {text, title, class, value}, whose value is what it is sorted by.
function table(caption, columns, rows) {
  const heads = columns.map((column) => element("th",
    { scope: "col", class: column.numeric ? "number" : undefined, title: column.help },
    column.title));
  const body = rows.map((row) => element("tr", { class: row.class },
    row.map((cell, index) => tableCell(cell, columns[index], index === 0))));
  return element("div", { class: "scroll" }, element("table", {},
    caption ? element("caption", {}, caption) : null,
    element("thead", {}, element("tr", {}, heads)), element("tbody", {}, body)));
}

function tableCell(cell, column, isHead) {
  const isPlain = typeof cell === "string" || cell instanceof Node;
  const { text, title, class: extra, value } = isPlain ? { text: cell } : cell;
  const classes = [column.numeric ? "number" : "", extra || ""].join(" ").trim();
  return element(isHead ? "th" : "td",
    { scope: isHead ? "row" : undefined, class: classes || undefined, title, "data-value": value }, text);
}

// Lets the heads of a table sort its rows, and back.
function sortable(node) {
  const heads = [...node.querySelectorAll("thead th")];
  heads.forEach((head, index) => {
    if (!head.textContent) return;
    const button = element("button", { type: "button", class: "sort" }, head.textContent);
    button.addEventListener("click", () => sortRows(node, heads, index));
    head.replaceChildren(button);
  });
  return node;
}

function sortRows(node, heads, index) {
  const isAscending = heads[index].getAttribute("aria-sort") !== "ascending";
  for (const head of heads) head.removeAttribute("aria-sort");
  heads[index].setAttribute("aria-sort", isAscending ? "ascending" : "descending");
  const body = node.querySelector("tbody");
  const key = (row) => row.cells[index].dataset.value ?? row.cells[index].textContent;
  const compare = (a, b) => isFinite(a) && isFinite(b) && a !== "" && b !== "" ? a - b : String(a).localeCompare(b);
  const sorted = [...body.rows].sort((a, b) => compare(key(a), key(b)));
  body.append(...isAscending ? sorted : sorted.reverse());
}

const swatch = (colour) =>
  element("span", { class: "swatch", style: `background: var(${colour})` });

// Names of colours with a swatch each.
function legend(entries) {
  return element("ul", { class: "legend" }, entries.map(({ name, colour, title }) =>
    element("li", { title }, swatch(colour), name)));
}

// A bar of parts: [{name, percent, colour, text}].
function partsBar(parts, label) {
  const shown = parts.filter(({ percent }) => percent > 0);
  return element("div", { class: "parts", role: "img", "aria-label": label },
    shown.map(({ name, percent, colour, text }) => element("span",
      { style: `width: ${percent}%; background: var(${colour})`,
        title: `${name}: ${text || formatPercent(percent)}` })));
}
