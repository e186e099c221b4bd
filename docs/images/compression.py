"""Draws compression.svg: a weight and its factors, and the two streams of a fit.

    python3 docs/images/compression.py > docs/images/compression.svg
"""

STYLE = """
  text { font: 14px system-ui, sans-serif; fill: #1b1f24; text-anchor: middle; }
  .small { font-size: 12px; fill: #5c6570; }
  .left { text-anchor: start; }
  .title { font-size: 15px; font-weight: 600; text-anchor: start; }
  .whole { fill: #d9e0e8; } .factor { fill: #b9dcc8; } .data { fill: #f1f3f5; }
  rect { stroke: #5c6570; }
  .line { stroke: #2f3740; stroke-width: 1.5; fill: none; marker-end: url(#head); }
  .fit { stroke: #2f6fb5; stroke-width: 2; fill: none; stroke-dasharray: 5 4; marker-end: url(#fit-head); }
  .fit-text { fill: #2f6fb5; font-size: 13px; }
  .page { fill: #ffffff; stroke: none; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9ed; } .small { fill: #9aa4af; } .page { fill: #15181c; } rect { stroke: #9aa4af; }
    .whole { fill: #38414b; } .factor { fill: #2c5a43; } .data { fill: #20252b; }
    .line { stroke: #c9d1d9; } .fit { stroke: #6ea8e6; } .fit-text { fill: #6ea8e6; }
  }
"""

parts = []


def text(x, y, words, kind=""):
    parts.append(f'<text x="{x}" y="{y}" class="{kind}">{words}</text>')


def box(x, y, width, height, kind, words="", under=""):
    parts.append(f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="2" class="{kind}"/>')
    text(x + width / 2, y + height / 2 + 5, words)
    if under:
        text(x + width / 2, y + height + 16, under, "small")


def arrow(*points, kind="line"):
    parts.append(f'<path d="M{" L".join(f"{x} {y}" for x, y in points)}" class="{kind}"/>')


def one_weight():
    text(20, 28, "One weight becomes two factors", "title")
    box(20, 52, 90, 120, "data", "X", "tokens × in")
    text(128, 117, "·")
    box(145, 52, 150, 90, "whole", "Wᵀ", "in × out")
    text(315, 117, "=")
    box(335, 52, 150, 120, "data", "Y", "tokens × out")
    box(20, 216, 90, 120, "data", "X")
    text(128, 281, "·")
    box(145, 216, 34, 90, "factor", "U", "in × r")
    text(195, 281, "·")
    box(212, 216, 150, 34, "factor", "V", "r × out")
    text(380, 281, "≈")
    box(397, 216, 88, 120, "data", "Y")
    text(20, 376, "Of W S = Q Σ Zᵀ, where S Sᵀ is the mean of x xᵀ, the first r of Q stay:", "small left")
    text(20, 395, "(U V)ᵀ = Q_r Q_rᵀ W loses least of Y, with r (in + out) numbers, not in · out.", "small left")


def stream(y, name, kind, words):
    text(530, y + 5, name)
    arrow((550, y), (588, y))
    box(590, y - 24, 86, 48, kind, words[0])
    arrow((678, y), (716, y))
    box(718, y - 24, 86, 48, kind, words[1])
    arrow((806, y), (834, y))
    parts.append(f'<circle cx="846" cy="{y}" r="11" class="data" stroke="#5c6570"/>')
    text(846, y + 5, "+")
    arrow((858, y), (906, y))
    arrow((564, y), (564, y + (-44 if kind == "whole" else 44)),
          (846, y + (-44 if kind == "whole" else 44)), (846, y + (-13 if kind == "whole" else 13)))


def two_streams():
    text(520, 28, "A fit makes up for what came before", "title")
    stream(104, "x", "whole", ("gate, up", "down"))
    stream(310, "x′", "factor", ("gate, up", "down"))
    text(930, 109, "x")
    text(930, 315, "x′")
    arrow((633, 130), (633, 284), kind="fit")
    text(574, 203, "from h′", "fit-text")
    text(574, 221, "to W h", "fit-text")
    arrow((761, 130), (761, 284), kind="fit")
    text(776, 203, "from z′ to y + (x − x′):", "fit-text left")
    text(776, 221, "then x′ + y′ is close to x + y", "fit-text left")
    text(520, 376, "Both streams go through the model layer by layer, one layer in memory at a time. What the", "small left")
    text(520, 395, "factors before have lost is in x′; factors of what adds to the stream are fitted to mend it.", "small left")


one_weight()
two_streams()
marker = ('<marker id="{0}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
          '<path d="M0 0L8 4L0 8z" style="fill: {1}"/></marker>')
print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1080 412" role="img">'
      "<title>A weight and its factors; the streams of the whole and of the factored model</title>")
print(f"<style>{STYLE}</style>")
print("<defs>" + marker.format("head", "#5c6570") + marker.format("fit-head", "#2f6fb5") + "</defs>")
print('<rect width="1080" height="412" class="page"/>')
print("\n".join(parts))
print("</svg>")
