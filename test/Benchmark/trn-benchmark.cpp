//===- trn-benchmark.cpp - How fast interpreter and simulator are ---------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Measures on the demo chain X[4096, 7168] * U[7168, 4096] * V[4096, 18432] in
// bf16, so that the figures can be compared with those in the documentation.
// ProductBenchmarks.cpp has the smaller products.
//
//===----------------------------------------------------------------------===//

#include "BenchmarkKernel.h"
#include "trn/Interpreter/Interpreter.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Simulator/Simulator.h"
#include "trn/Support/OneDNN.h"

#include "benchmark/benchmark.h"
#include <chrono>
#include <fstream>
#include <sstream>

using namespace mlir;
using namespace mlir::trn;

namespace {
struct ChainSizes {
  int64_t m, k, r, n;
};
} // namespace

static const ChainSizes demo = {4096, 7168, 4096, 18432};

/// The demo chain compiled with strips of 512 rows; null if that fails.
static const Program *demoProgram() {
  static std::optional<DecodedKernel> kernel = []() {
    ChainSpec spec;
    spec.m = demo.m;
    spec.k = demo.k;
    spec.rank = demo.r;
    spec.n = demo.n;
    CompileOptions options;
    options.blockM = 512;
    return compileKernel(spec, options);
  }();
  return kernel ? &kernel->program : nullptr;
}

static double seconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// A field of /proc/self/status in MB; 0 where there is none.
static double statusMB(const char *field) {
  std::ifstream status("/proc/self/status");
  std::string line, name;
  double kilobytes = 0;
  while (std::getline(status, line))
    if (std::istringstream(line) >> name && name == field)
      std::istringstream(line) >> name >> kilobytes;
  return kilobytes / 1000;
}

namespace {
/// The two products of the chain on oneDNN, with all its threads.
class DirectChain {
public:
  /// Null on a CPU that oneDNN has no bf16 for.
  static std::unique_ptr<DirectChain> create(const ChainSizes &sizes) {
    try {
      return std::unique_ptr<DirectChain>(new DirectChain(sizes));
    } catch (const dnnl::error &) {
      return nullptr;
    }
  }

  void run(std::vector<uint16_t> &x, std::vector<uint16_t> &u,
           std::vector<uint16_t> &v, std::vector<uint16_t> &o) {
    multiply(first, x, u, y);
    multiply(second, y, v, o);
    stream.wait();
  }

private:
  explicit DirectChain(const ChainSizes &s)
      : y(s.m * s.r), first(plan(s.m, s.k, s.r)), second(plan(s.m, s.r, s.n)) {}

  dnnl::matmul::primitive_desc plan(int64_t m, int64_t k, int64_t n) {
    auto matrix = [](int64_t rows, int64_t columns) {
      return dnnl::memory::desc({rows, columns}, dnnl::memory::data_type::bf16,
                                dnnl::memory::format_tag::ab);
    };
    return describeMatmul(engine, matrix(m, k), matrix(k, n), matrix(m, n));
  }
  void multiply(const dnnl::matmul::primitive_desc &plan,
                std::vector<uint16_t> &a, std::vector<uint16_t> &b,
                std::vector<uint16_t> &c) {
    dnnl::matmul(plan).execute(
        stream, {{DNNL_ARG_SRC, {plan.src_desc(), engine, a.data()}},
                 {DNNL_ARG_WEIGHTS, {plan.weights_desc(), engine, b.data()}},
                 {DNNL_ARG_DST, {plan.dst_desc(), engine, c.data()}}});
  }

  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  std::vector<uint16_t> y;
  dnnl::matmul::primitive_desc first, second;
};
} // namespace

/// Both in turn, so that they meet the same conditions. `ratio` is the
/// interpreter's throughput relative to oneDNN's.
static void interpretDemoChain(benchmark::State &state) {
  const Machine &machine = defaultMachine();
  const Program *program = demoProgram();
  if (!program)
    return state.SkipWithError("the demo chain does not compile");
  std::vector<uint16_t> x = makeValues(demo.m * demo.k),
                        u = makeValues(demo.k * demo.r),
                        v = makeValues(demo.r * demo.n), o(demo.m * demo.n);
  double before = statusMB("VmRSS:"), extra = 0;
  std::unique_ptr<DirectChain> direct;
  double interpreted = 0, multiplied = 0;
  for (auto iteration : state) {
    double start = seconds();
    std::optional<Fault> fault =
        interpret(*program, machine, {x.data(), u.data(), v.data(), o.data()});
    interpreted += seconds() - start;
    state.SetIterationTime(seconds() - start);
    if (fault)
      return state.SkipWithError(fault->message.c_str());
    if (!direct) {
      extra = statusMB("VmHWM:") - before;
      direct = DirectChain::create(demo);
      if (!direct)
        return state.SkipWithError("oneDNN has no bf16 for this CPU");
    }
    start = seconds();
    direct->run(x, u, v, o);
    multiplied += seconds() - start;
  }
  double flops = 2.0 * demo.m * demo.r * (demo.k + demo.n) *
                 double(state.iterations()) * 1e-9;
  state.counters["interpreter_GFLOP/s"] = flops / interpreted;
  state.counters["oneDNN_GFLOP/s"] = flops / multiplied;
  state.counters["ratio"] = multiplied / interpreted;
  state.counters["extra_MB"] = extra;
}
BENCHMARK(interpretDemoChain)
    ->Unit(benchmark::kMillisecond)
    ->UseManualTime()
    ->Iterations(3);

/// Times alone, and with the critical path as every report needs it.
static void simulateDemoChain(benchmark::State &state) {
  const Machine &machine = defaultMachine();
  SimulationOptions options;
  options.criticalPath = state.range(0);
  const Program *program = demoProgram();
  if (!program)
    return state.SkipWithError("the demo chain does not compile");
  int64_t instructions = 0;
  for (auto iteration : state)
    instructions += simulate(*program, machine, options).instructions;
  state.counters["instructions/s"] =
      benchmark::Counter(double(instructions), benchmark::Counter::kIsRate);
}
BENCHMARK(simulateDemoChain)
    ->ArgName("critical_path")
    ->Arg(0)
    ->Arg(1)
    ->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
