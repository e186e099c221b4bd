// Mouse, touch and keyboard of a timeline.

const keySteps = {
  "+": (view) => view.zoom(1 / 1.5), "=": (view) => view.zoom(1 / 1.5),
  "-": (view) => view.zoom(1.5), "_": (view) => view.zoom(1.5),
  "ArrowUp": (view) => view.zoom(1 / 1.5), "ArrowDown": (view) => view.zoom(1.5),
  "ArrowLeft": (view) => view.pan(-0.2), "ArrowRight": (view) => view.pan(0.2),
  "PageUp": (view) => view.pan(-0.9), "PageDown": (view) => view.pan(0.9),
  "n": (view) => view.step(1), "p": (view) => view.step(-1),
  "Home": (view) => view.reset(), "0": (view) => view.reset(),
  "Escape": (view) => view.leave() || view.reset(),
};

function listen(view) {
  const { canvas } = view;
  canvas.addEventListener("wheel", (event) => onWheel(view, event), { passive: false });
  canvas.addEventListener("dblclick", () => view.reset());
  canvas.addEventListener("keydown", (event) => {
    const step = !event.ctrlKey && !event.metaKey && !event.altKey && keySteps[event.key];
    if (!step) return;
    event.preventDefault();
    step(view);
  });
  // Also where the pointer explains something and the focus is elsewhere.
  document.addEventListener("keydown", () => view.leave());
  listenToDrag(view);
}

function onWheel(view, event) {
  event.preventDefault();
  const isSideways = event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY);
  if (isSideways) view.pan((event.deltaX || event.deltaY) / view.surface.columns);
  else view.zoom(Math.exp(event.deltaY * (event.deltaMode ? 0.05 : 0.0015)), view.timeAt(event.offsetX));
}

function listenToDrag(view) {
  const { canvas } = view;
  let grabbed = null;
  canvas.addEventListener("pointerdown", (event) => {
    grabbed = { x: event.offsetX, ...view.view };
    canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!grabbed) return view.hover(event.offsetX, event.offsetY);
    const shift = (grabbed.x - event.offsetX) / view.surface.columns * (grabbed.end - grabbed.start);
    view.show(grabbed.start + shift, grabbed.end + shift);
  });
  const release = () => { grabbed = null; };
  canvas.addEventListener("pointerup", (event) => {
    // A tap also asks what a mouse asks by hovering.
    if (grabbed && Math.abs(grabbed.x - event.offsetX) < 4) {
      view.pick(event.offsetX, event.offsetY);
      view.hover(event.offsetX, event.offsetY);
    }
    release();
  });
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => view.leave());
}
