"""Exported products and chains of two compute what trn-run does.

RUN: %trn_python %s %t
"""

from Inputs.exports import check, finish, generate

for version in "0.6", "beta1":
    for dtype in "bf16", "f32":
        what = f"{version} {dtype}"
        check(f"xw {what}", generate("xw", m=128, k=256, n=512, dtype=dtype), version)
        check(f"xw odd {what}", generate("xw", m=70, k=200, n=90, dtype=dtype), version)
        check(f"xuv {what}", generate("xuv", m=256, k=256, r=128, n=512, dtype=dtype), version)
        check(f"xuv odd {what}", generate("xuv", m=300, k=200, r=72, n=600, dtype=dtype), version)
        check(f"xuv turned {what}",
              generate("xuv", m=140, k=260, r=64, n=130, dtype=dtype, transposed_input=True,
                       transposed_output=True), version)
        check(f"xuv recompute {what}", generate("xuv", m=256, k=256, r=128, n=640, dtype=dtype),
              version, "strategy=recompute block-n=256 effort=2")
    check(f"xw f16 {version}", generate("xw", m=33, k=129, n=65, dtype="f16"), version)
    check(f"xuv apart {version}", generate("xuv", m=256, k=128, r=128, n=256), version,
          "strategy=sequential effort=2")
finish(28)
