// Inside of another page: that one says which place of the source it shows, and hears when this
// one is ready, by no place, and of the places that are picked here.

function listenToEmbedder() {
  if (parent === window) return;
  addEventListener("message", ({ source, data }) => {
    if (source === parent && typeof data?.place === "string") showPlace(data.place);
  });
  document.getElementById("timeline").scrollIntoView();
  tellEmbedder("");
}

// Frames the instructions of `file:line`, and leaves the focus where it is.
function showPlace(place) {
  const named = { lineOf: (location) => (location || "").startsWith(`${place}:`) ? 1 : null };
  const frames = usesByLine(page.view.timeline, named).get(1)?.frames;
  if (!frames) return;
  const start = Math.min(...frames.map((frame) => frame.start)), end = Math.max(...frames.map((frame) => frame.end));
  page.view.show(start - (end - start) / 20, end + (end - start) / 20, null,
    { text: `${place}: ${exactTime(end - start)} from ${exactTime(start)}.`, frames });
}

function tellEmbedder(place) {
  if (parent !== window) parent.postMessage({ place }, "*");
}
