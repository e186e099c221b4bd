"""What the mutators start from: small inputs of every kind, made by the tools themselves."""

import io
import json
import re
import struct

import numpy as np

DUMP = re.compile(r"// -----// IR Dump After (\w+)[^\n]*\n")
CHAIN = ["xuv", "--m=30", "--k=20", "--r=10", "--n=140"]
STRIPS = ["xuv", "--m=300", "--k=20", "--r=140", "--n=30", "--transposed-input"]

HAND = {"elementwise": """\
func.func @main(%x: tensor<20x30xf32>, %w: tensor<30x40xf32>, %b: tensor<40xf32>) -> tensor<20x40xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<20x40xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<20x40xf32>) -> tensor<20x40xf32>
  %y = linalg.matmul ins(%x, %w : tensor<20x30xf32>, tensor<30x40xf32>) outs(%f : tensor<20x40xf32>) -> tensor<20x40xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%y, %b : tensor<20x40xf32>, tensor<40xf32>) outs(%e : tensor<20x40xf32>) {
  ^bb0(%a: f32, %c: f32, %o: f32):
    %s = arith.addf %a, %c : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<20x40xf32>
  return %r : tensor<20x40xf32>
}
""", "calls": """\
func.func private @layer(%x: tensor<16x16xbf16>, %w: tensor<16x16xbf16>) -> tensor<16x16xbf16> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x16xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<16x16xf32>) -> tensor<16x16xf32>
  %y = linalg.matmul ins(%x, %w : tensor<16x16xbf16>, tensor<16x16xbf16>) outs(%f : tensor<16x16xf32>) -> tensor<16x16xf32>
  %h = tensor.empty() : tensor<16x16xbf16>
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>],
      iterator_types = ["parallel", "parallel"]} ins(%y : tensor<16x16xf32>) outs(%h : tensor<16x16xbf16>) {
  ^bb0(%a: f32, %o: bf16):
    %n = arith.truncf %a : f32 to bf16
    linalg.yield %n : bf16
  } -> tensor<16x16xbf16>
  return %t : tensor<16x16xbf16>
}
func.func @main(%x: tensor<16x16xbf16>, %w: tensor<16x16xbf16> {trn.param = "w"}) -> (tensor<16x16xbf16>, tensor<16x16xbf16>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %y = scf.for %i = %c0 to %c3 step %c1 iter_args(%z = %x) -> tensor<16x16xbf16> {
    %n = func.call @layer(%z, %w) : (tensor<16x16xbf16>, tensor<16x16xbf16>) -> tensor<16x16xbf16>
    scf.yield %n : tensor<16x16xbf16>
  }
  %e = tensor.empty() : tensor<16x16xbf16>
  %t = linalg.transpose ins(%y : tensor<16x16xbf16>) outs(%e : tensor<16x16xbf16>) permutation = [1, 0]
  return %y, %t : tensor<16x16xbf16>, tensor<16x16xbf16>
}
""", "budget": """\
func.func @main(%x: tensor<20x30xf32>, %w: tensor<30x40xf32>, %o: tensor<20x40xf32>) -> tensor<20x40xf32> attributes {trn.budget = {latency_ms = 1.0, transpose_flops = 1000000}} {
  %y = linalg.matmul ins(%x, %w : tensor<20x30xf32>, tensor<30x40xf32>) outs(%o : tensor<20x40xf32>) -> tensor<20x40xf32>
  return %y : tensor<20x40xf32>
}
"""}


def npy(array):
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def safetensors(header, data):
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


class Corpus:
    """`modules`: stage -> texts; `placed` and `bytecode` alike; `reports` are JSON."""

    def __init__(self, tools):
        self.tools = tools
        self.source = [self.must("trn-gen", *CHAIN), self.must("trn-gen", *STRIPS),
                       self.must("trn-gen", "xw", "--m=20", "--k=130", "--n=40", "--dtype=f32"),
                       *(text.encode() for text in HAND.values())]
        self.stages = []
        self.placed = []
        for text in self.source:
            self.placed.append(self.must("trn-opt", "--trn-compile=effort=1", text=text))
            self.stages += self.dumps(text)
        self.bytecode = [self.must("trn-opt", "--emit-bytecode", text=text)
                         for text in self.source[:4] + self.placed[:4]]
        self.array = npy(np.ones((20, 30), np.float32))
        self.weights = safetensors(
            {"w": {"dtype": "BF16", "shape": [16, 16], "data_offsets": [0, 512]},
             "v": {"dtype": "F32", "shape": [2], "data_offsets": [512, 520]},
             "__metadata__": {"format": "pt"}}, bytes(520))
        self.machine = json.dumps({
            "base": "trn1", "name": "m", "sbuf_partition_bytes": 98304, "psum_banks": 8,
            "dma_engines": 16, "tensor_ns_per_column": 0.4, "stationary_free_max": 128,
            "moving_free_max": 512, "partitions": 128, "sbuf_free_max": 65536,
            "dma_gb_per_second_per_engine": 17, "kernel_overhead_ns": 15000,
            "vector_transpose_size": 32, "access_stride_max": 32767, "port_locks": True,
            "semaphore_ns": {"value": 90, "range": [50, 200], "unit": "ns", "kind": "fitted",
                             "source": "here"}}).encode()
        self.report = self.make_report()

    def must(self, name, *arguments, text=None):
        done = self.tools.run(name, *arguments, text=text)
        if done.status:
            raise RuntimeError(f"the corpus cannot be made: {done.describe()}")
        return done.out

    def dumps(self, text):
        """The module after each pass."""
        done = self.tools.run("trn-opt", "--trn-compile=effort=1", "--mlir-print-ir-after-all",
                              "--mlir-print-ir-module-scope",
                              "--mlir-disable-threading", "-o", "-", text=text)
        parts = DUMP.split(done.err.decode())
        return [part.encode() for part in parts[2::2]]

    def make_report(self):
        done = self.tools.run("trn-run", "-", "--compile=effort=1", "--timing-only", "--range",
                              "--report=/dev/stdout", text=self.source[0])
        start = done.out.find(b"{")
        return done.out[start:done.out.rfind(b"}") + 1]
