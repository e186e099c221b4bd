// The search of the site, without workers and requests, so that it also works from a file.
"use strict";
(() => {
  const { docs } = searchIndex;
  const byLocation = new Map(docs.map((page) => [page.location, page]));
  const index = lunr(function () {
    this.ref("location");
    this.field("title", { boost: 10 });
    this.field("text");
    for (const page of docs)
      this.add(page);
  });
  const input = document.getElementById("mkdocs-search-query");
  const results = document.getElementById("mkdocs-search-results");

  function element(name, text, children = []) {
    const node = document.createElement(name);
    node.textContent = text;
    node.append(...children);
    return node;
  }

  // As far as a word ends.
  const beginning = (text) => text.length <= 200 ? text : `${text.slice(0, 200).replace(/\s\S*$/, "")} …`;

  function article({ ref }) {
    const { title, text } = byLocation.get(ref), link = element("a", title);
    link.href = ref;
    return element("article", "", [element("h3", "", [link]), element("p", beginning(text))]);
  }

  function search() {
    let found = [];
    try {
      found = input.value.length > 2 ? index.search(input.value) : [];
    } catch (error) {
      if (!(error instanceof lunr.QueryParseError))
        throw error; // an unfinished query finds nothing
    }
    results.replaceChildren(...found.length ? found.map(article) : [element("p", "No results found")]);
  }

  input.value = new URLSearchParams(location.search).get("q") ?? "";
  input.addEventListener("input", search);
  search();
})();
