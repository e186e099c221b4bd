//===- ProductBenchmarks.cpp - Interpreted against direct products --------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products X[m, k] * W[k, n] of one thread: the CPU time of oneDNN's product of
// the whole operands over that of interpreting the kernel. oneDNN multiplies in
// the type in which the interpreter multiplies tiles: f32 where it has no bf16
// for this CPU, and then operands are widened, and results rounded, on both
// sides. ONEDNN_MAX_CPU_ISA=AVX2 shows that on a CPU that has more.
//
//===----------------------------------------------------------------------===//

#include "BenchmarkKernel.h"
#include "trn/Interpreter/Interpreter.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Support/OneDNN.h"
#include "trn/Support/SingleThreadedCalls.h"

#include "benchmark/benchmark.h"
#include <ctime>
#include <numeric>

using namespace mlir::trn;

namespace {
/// One product on oneDNN alone.
class DirectProduct {
public:
  explicit DirectProduct(const ChainSpec &spec) : spec(spec) {
    if (spec.type == ElementType::BF16)
      plan = describeBF16();
    if (plan)
      return;
    for (auto [rows, columns, matrix] :
         {std::tuple(spec.m, spec.k, &x), std::tuple(spec.k, spec.n, &w),
          std::tuple(spec.m, spec.n, &o)})
      matrix->resize(rows * columns);
  }

  const char *type() const { return plan ? "bf16" : "f32"; }

  void run(void *xIn, void *wIn, void *oOut) {
    if (plan) {
      dnnl::matmul(*plan).execute(
          stream, {{DNNL_ARG_SRC, {plan->src_desc(), engine, xIn}},
                   {DNNL_ARG_WEIGHTS, {plan->weights_desc(), engine, wIn}},
                   {DNNL_ARG_DST, {plan->dst_desc(), engine, oOut}}});
      stream.wait();
      return;
    }
    bool isFloat = spec.type == ElementType::F32;
    const float *left = static_cast<float *>(xIn);
    const float *right = static_cast<float *>(wIn);
    float *result = static_cast<float *>(oOut);
    if (!isFloat) {
      loadFloats(spec.type, xIn, x.data(), spec.m * spec.k);
      loadFloats(spec.type, wIn, w.data(), spec.k * spec.n);
      left = x.data();
      right = w.data();
      result = o.data();
    }
    dnnl_sgemm('N', 'N', spec.m, spec.n, spec.k, /*alpha=*/1, left, spec.k,
               right, spec.n, /*beta=*/0, result, spec.n);
    if (!isFloat)
      storeFloats(spec.type, result, oOut, spec.m * spec.n);
  }

private:
  std::optional<dnnl::matmul::primitive_desc> describeBF16() {
    auto matrix = [](int64_t rows, int64_t columns) {
      return dnnl::memory::desc({rows, columns}, dnnl::memory::data_type::bf16,
                                dnnl::memory::format_tag::ab);
    };
    try {
      dnnl::matmul::primitive_desc plan =
          describeMatmul(engine, matrix(spec.m, spec.k), matrix(spec.k, spec.n),
                         matrix(spec.m, spec.n));
      if (!llvm::StringRef(plan.impl_info_str()).starts_with("ref"))
        return plan;
    } catch (const dnnl::error &) {
    }
    return std::nullopt;
  }

  ChainSpec spec;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  dnnl::stream stream{engine};
  std::optional<dnnl::matmul::primitive_desc> plan;
  std::vector<float> x, w, o;
};
} // namespace

static double cpuSeconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// `count` values of `type`.
static std::vector<char> makeValuesOf(ElementType type, int64_t count) {
  std::vector<uint16_t> narrow = makeValues(count);
  std::vector<float> values(count);
  loadFloats(ElementType::BF16, narrow.data(), values.data(), count);
  std::vector<char> result(count * byteSize(type));
  storeFloats(type, values.data(), result.data(), count);
  return result;
}

/// Both in turn, so that they meet the same conditions; of each the fastest.
static void interpretProduct(benchmark::State &state, ChainSpec spec) {
  std::optional<DecodedKernel> kernel = compileKernel(spec);
  if (!kernel)
    return state.SkipWithError("the product does not compile");
  std::vector<char> x = makeValuesOf(spec.type, spec.m * spec.k),
                    w = makeValuesOf(spec.type, spec.k * spec.n),
                    o(spec.m * spec.n * byteSize(spec.type));
  InterpreterOptions options;
  options.threads = 1;
  SingleThreadedCalls singleThreaded;
  DirectProduct direct(spec);
  double interpreted = 1e9, multiplied = 1e9;
  for (auto iteration : state) {
    double start = cpuSeconds();
    std::optional<Fault> fault =
        interpret(kernel->program, defaultMachine(),
                  {x.data(), w.data(), o.data()}, options);
    double middle = cpuSeconds();
    if (fault)
      return state.SkipWithError(fault->message.c_str());
    direct.run(x.data(), w.data(), o.data());
    multiplied = std::min(multiplied, cpuSeconds() - middle);
    interpreted = std::min(interpreted, middle - start);
    state.SetIterationTime(middle - start);
  }
  state.counters["interpreter_us"] = interpreted * 1e6;
  state.counters["oneDNN_us"] = multiplied * 1e6;
  state.counters["ratio"] = multiplied / interpreted;
  state.SetLabel(std::string("multiplied in ") + direct.type());
}

static int registerProducts() {
  struct Sizes {
    int64_t m, k, n;
  };
  static constexpr Sizes all[] = {{1, 1, 1},         {1, 2048, 2048},
                                  {16, 2048, 2048},  {128, 2048, 2048},
                                  {512, 2048, 2048}, {2048, 2048, 2048},
                                  {1, 2047, 2049},   {17, 2047, 2049},
                                  {129, 2047, 2049}, {513, 2047, 2049}};
  for (ElementType type : {ElementType::BF16, ElementType::F32})
    for (const Sizes &sizes : all) {
      ChainSpec spec;
      spec.type = type;
      std::tie(spec.m, spec.k, spec.n) = std::tie(sizes.m, sizes.k, sizes.n);
      std::string name = "interpretProduct/" + stringify(type).str() + "/" +
                         std::to_string(sizes.m) + "x" +
                         std::to_string(sizes.k) + "x" +
                         std::to_string(sizes.n);
      benchmark::RegisterBenchmark(name.c_str(), interpretProduct, spec)
          ->Unit(benchmark::kMicrosecond)
          ->UseManualTime();
    }
  return 0;
}
static const int registered = registerProducts();
