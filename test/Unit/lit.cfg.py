import os

import lit.formats

config.name = "trn-unit"
config.suffixes = []
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.test_source_root = os.path.join(config.trn_binary_dir, "test", "Unit")
config.test_exec_root = config.test_source_root
# See the other configuration. What a guarded crash was about to free is left.
config.environment["ASAN_OPTIONS"] = os.environ.get(
    "ASAN_OPTIONS", "allow_user_poisoning=0:detect_leaks=0")
# See the other configuration.
isa = lit_config.params.get("isa")
if isa:
    config.environment["ONEDNN_MAX_CPU_ISA"] = isa
