import os

import lit.formats

config.name = "my-kernels"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.test_source_root = os.path.join(os.path.dirname(__file__), "test")
config.test_exec_root = os.path.join(os.path.dirname(__file__), "output")
config.environment["PATH"] = os.environ["PATH"]  # trn-opt, trn-run and FileCheck
