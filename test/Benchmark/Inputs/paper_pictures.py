"""The pictures of docs/Paper.md, as SVG."""

import math

from paper_runs import MAPPED, MAP_RANKS, MAP_ROWS, map_rank

STYLE = """
  text { font: 13px system-ui, sans-serif; fill: #1b1f24; text-anchor: middle; }
  .small { font-size: 12px; fill: #5c6570; } .left { text-anchor: start; } .right { text-anchor: end; }
  .title { font-size: 15px; font-weight: 600; text-anchor: start; }
  .page { fill: #ffffff; } .grid { stroke: #d9dee3; } .cell { stroke: #ffffff; }
  .g0 { fill: #f3d9cf; } .g1 { fill: #eef1f4; } .g2 { fill: #d5e8dc; } .g3 { fill: #a5d3b8; } .g4 { fill: #6cb98e; }
  .whiten { stroke: #8a939d; } .closed { stroke: #2f6fb5; } .block { stroke: #2e8b57; } .lora { stroke: #c0632b; }
  .curve { fill: none; stroke-width: 2; } .dot { stroke-width: 2; fill: #ffffff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6e9ed; } .small { fill: #9aa4af; } .page { fill: #15181c; } .grid { stroke: #38414b; }
    .cell { stroke: #15181c; } .dot { fill: #15181c; }
    .g0 { fill: #5a3327; } .g1 { fill: #262c33; } .g2 { fill: #23402f; } .g3 { fill: #2c5a43; } .g4 { fill: #35805a; }
  }
"""
CLASSES = [(0.995, "g0", "slower"), (1.02, "g1", "up to 2 %"), (1.1, "g2", "up to 10 %"), (1.3, "g3", "up to 30 %"),
           (math.inf, "g4", "more")]
WAYS = {"whiten": "no recovery", "closed": "closed", "block": "block", "lora": "LoRA"}


def text(x, y, words, kind=""):
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{words}</text>'


def picture(width, height, title, parts):
    return "\n".join([
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img"><title>{title}</title>',
        f"<style>{STYLE}</style>", f'<rect width="{width}" height="{height}" class="page"/>', *parts, "</svg>\n"])


def kind_of(gain):
    return next(kind for limit, kind, _ in CLASSES if gain < limit)


def panel(model, left, top, gains):
    """Rows of X downwards, ranks to the right."""
    width, height = 86, 44
    k, n = MAPPED[model]
    parts = [text(left, top - 28, f"{model}: K = {k}, N = {n}", "title")]
    for i, part in enumerate(MAP_RANKS):
        parts.append(text(left + (i + 0.5) * width, top - 8, f"r = {map_rank(model, part)}", "small"))
    for j, m in enumerate(MAP_ROWS):
        parts.append(text(left - 8, top + (j + 0.5) * height + 4, m, "small right"))
        for i, part in enumerate(MAP_RANKS):
            _, fused, dense = gains[model, m, part]
            x, y = left + i * width, top + j * height
            parts += [f'<rect x="{x}" y="{y}" width="{width}" height="{height}" class="cell {kind_of(fused)}"/>',
                      text(x + width / 2, y + 19, f"{fused:.2f}"),
                      text(x + width / 2, y + 36, f"{dense:.2f}", "small")]
    return parts


def fusion(gains):
    parts = []
    for i, model in enumerate(MAPPED):
        parts += panel(model, 70 + i % 2 * 430, 70 + i // 2 * 300, gains)
    for i, (_, kind, words) in enumerate(CLASSES):
        x = 70 + i * 150
        parts += [f'<rect x="{x}" y="630" width="26" height="18" class="{kind}"/>', text(x + 34, 644, words, "left small")]
    parts.append(text(70, 680, "Rows: tokens. Large: fused over in sequence, both in one launch, which the colour shows. "
                               "Small: fused over dense.", "left small"))
    return picture(860, 700, "How much faster a fused chain is than its products in sequence, and than the dense product",
                   parts)


def axes(left, top, width, height, title, ticks, spell):
    """Ticks of y as (share of the height, value)."""
    parts = [text(left, top - 14, title, "title")]
    for share, value in ticks:
        y = top + height * (1 - share)
        parts += [f'<path d="M{left} {y:.1f}H{left + width}" class="grid"/>', text(left - 8, y + 4, spell(value), "small right")]
    for tenth in range(6):
        parts.append(text(left + width * tenth / 5, top + height + 18, f"0.{tenth}", "small"))
    return parts


def curve(points, way):
    path = " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return [f'<path d="M{path}" class="curve {way}"/>',
            *(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" class="dot {way}"/>' for x, y in points)]


def compression(curves):
    left, top, width, height = 70, 50, 330, 250
    low, high = 2.5, max(row[1] for rows in curves.values() for row in rows) * 1.1
    worst = math.floor(10 * min(row[2] for rows in curves.values() for row in rows)) / 10

    def of_perplexity(value):
        return math.log(value / low) / math.log(high / low)

    def of_choice(value):
        return (value - worst) / (1 - worst)

    ticks = [value for value in (3, 5, 10, 20, 50, 100, 200) if value < high]
    steps = round(10 * (1 - worst))
    parts = axes(left, top, width, height, "Perplexity, train-eval", [(of_perplexity(v), v) for v in ticks], str)
    parts += axes(left + 420, top, width, height, "Right one of four endings",
                  [(i / steps, worst + i / 10) for i in range(steps + 1)], lambda v: f"{100 * v:.0f} %")
    for way, rows in curves.items():
        for shift, index, share in ((0, 1, of_perplexity), (420, 2, of_choice)):
            parts += curve([(left + shift + width * row[0] / 0.5, top + height * (1 - share(row[index])))
                            for row in rows], way)
    for i, (way, words) in enumerate(WAYS.items()):
        x = left + i * 150
        parts += [f'<path d="M{x} 345h26" class="curve {way}"/>', text(x + 34, 349, words, "left small")]
    parts.append(text(left, 375, "Share of the parameters of the MLPs of stories15M that is removed; perplexity on a scale of "
                                 "logarithms.", "left small"))
    return picture(860, 390, "What is lost when more of stories15M is removed", parts)
