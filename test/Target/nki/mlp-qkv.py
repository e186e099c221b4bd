"""Exported MLPs and projections of queries, keys and values compute what trn-run does.

RUN: %trn_python %s %t
"""

from Inputs.exports import check, finish, generate

for version in "0.6", "beta1":
    for dtype in "bf16", "f32":
        what = f"{version} {dtype}"
        check(f"mlp {what}", generate("mlp", m=64, hidden=256, intermediate=512, dtype=dtype),
              version)
        check(f"mlp odd {what}", generate("mlp", m=37, hidden=96, intermediate=200, dtype=dtype),
              version)
        check(f"mlp factored {what}",
              generate("mlp", m=130, hidden=128, intermediate=256, rank=64, dtype=dtype),
              version)
        check(f"qkv {what}", generate("qkv", m=128, hidden=256, heads=4, dtype=dtype), version)
        check(f"qkv odd {what}",
              generate("qkv", m=37, hidden=96, heads=4, kv_heads=2, head_dim=20, dtype=dtype),
              version)
        check(f"qkv factored {what}",
              generate("qkv", m=70, hidden=128, heads=2, rank=32, dtype=dtype,
                       transposed_input=True, transposed_output=True), version)
finish(24)
