//===- trn-neurons.cpp - The time of a large MLP that loses neurons -------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Runs tokens through a random layer as `trn-compress --method=neurons` does,
// and compares the CPU seconds of the products and of the Gram matrices with
// those of the choice and of the fit from finished Gram matrices.

#include "Statistics.h"
#include "trn/Compress/Neurons.h"
#include "trn/Model/Layer.h"
#include "trn/Model/Workers.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include <random>
#include <sys/resource.h>

using namespace mlir::trn;
namespace cl = llvm::cl;

namespace {
cl::opt<int64_t> hidden("hidden", cl::desc("Elements of a token"),
                        cl::init(4096));
cl::opt<int64_t> keys("keys", cl::desc("Elements of its keys"), cl::init(1024));
cl::opt<int64_t> neurons("neurons", cl::desc("Neurons"), cl::init(14336));
cl::opt<int64_t> kept("kept", cl::desc("Neurons that stay"), cl::init(11520));
cl::opt<int64_t> tokens("tokens", cl::desc("Tokens"), cl::init(32768));
cl::opt<int64_t> part("part",
                      cl::desc("Runs one of so many tokens, and counts "
                               "its time as often"),
                      cl::init(1));
cl::opt<unsigned> cores("cores", cl::desc("Threads, 0 for all"), cl::init(0));

struct Usage {
  double seconds = 0, gigabytes = 0;

  static Usage now() {
    rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    auto secondsOf = [](const timeval &time) {
      return double(time.tv_sec) + 1e-6 * double(time.tv_usec);
    };
    return {secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime),
            1024e-9 * double(usage.ru_maxrss)};
  }
};

std::mt19937 generator(1);

Linear draw(int64_t out, int64_t in) {
  Linear linear;
  linear.out = out;
  linear.in = in;
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (int64_t i = 0; i < out * in; ++i)
    linear.weight.push_back(uniform(generator) / std::sqrt(float(in)));
  return linear;
}

/// Products of both streams, and the sums of one MLP.
class Products {
public:
  Products()
      : query(draw(hidden, hidden)), key(draw(keys, hidden)),
        gate(draw(neurons, hidden)), up(draw(neurons, hidden)),
        thin(draw(kept, hidden)), down(draw(hidden, neurons)),
        thinDown(draw(hidden, kept)) {}

  /// Of some sequences of 256 tokens at a time.
  FitStatistics run();
  const Linear &last() const { return down; }

private:
  struct Values {
    std::vector<float> z, y;
  };
  Values forward(std::vector<float> x) const;

  Linear query, key, gate, up, thin, down, thinDown;
};

Products::Values Products::forward(std::vector<float> x) const {
  const int64_t rows = int64_t(x.size()) / hidden;
  Values values;
  for (int stream = 0; stream < 2; ++stream) {
    for (const Linear *linear : {&key, &key, &query, &query})
      linear->apply(x.data(), rows);
    values.z =
        computeGated(gate.apply(x.data(), rows), up.apply(x.data(), rows));
    if (stream == 0)
      values.y = down.apply(values.z.data(), rows);
  }
  thinDown.apply(
      computeGated(thin.apply(x.data(), rows), thin.apply(x.data(), rows))
          .data(),
      rows);
  return values;
}

FitStatistics Products::run() {
  const int64_t rows = 256, atOnce = 16;
  FitStatistics statistics;
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (int64_t first = 0; first < tokens / part; first += rows * atOnce) {
    std::vector<std::vector<float>> x(atOnce);
    for (std::vector<float> &own : x)
      for (int64_t i = 0; i < rows * hidden; ++i)
        own.push_back(uniform(generator));
    std::vector<Values> values(atOnce);
    forEachOnThreads(atOnce, cores,
                     [&](size_t i) { values[i] = forward(std::move(x[i])); });
    for (const Values &own : values) {
      addProduct(statistics.inputs, own.z, own.z, rows, cores);
      addProduct(statistics.cross, own.z, own.y, rows, cores);
      for (float value : own.y)
        statistics.outputSquares +=
            double(value) * value / double(tokens / part);
    }
  }
  finishGram(statistics.inputs, double(tokens / part), cores);
  for (double &value : statistics.cross)
    value /= double(tokens / part);
  return statistics;
}
} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::ParseCommandLineOptions(argc, argv, "Time an MLP that loses neurons\n");
  const double shrink = 0.1;
  std::vector<double> seconds;
  auto take = [&, before = Usage::now().seconds](const char *name,
                                                 int64_t times = 1) mutable {
    const Usage usage = Usage::now();
    seconds.push_back(double(times) * (usage.seconds - before));
    before = usage.seconds;
    llvm::outs() << llvm::formatv(
        "{0,-26} {1,7:F1} CPU s {2,6:F2} GB at most\n", name, seconds.back(),
        usage.gigabytes);
    llvm::outs().flush();
  };
  Linear down;
  FitStatistics statistics;
  {
    Products products;
    take("random weights");
    statistics = products.run();
    take("products, Gram matrices", part);
    down = products.last();
  }
  const std::vector<int64_t> chosen =
      chooseNeurons(down.weight, hidden, neurons, kept, Scores::Greedy, shrink,
                    statistics, cores);
  take("choice");
  fitKeptWeight(selectColumns(down.weight, neurons, chosen), hidden, chosen,
                shrink, statistics, cores);
  take("fit");
  const double made = seconds[1], fitted = seconds[2] + seconds[3];
  llvm::outs() << llvm::formatv("choice and fit {0:F1} CPU s; all {1:F2} times "
                                "products and Gram matrices\n",
                                fitted, (made + fitted) / made);
  return 0;
}
