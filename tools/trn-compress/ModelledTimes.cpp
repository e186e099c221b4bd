//===- ModelledTimes.cpp - What factors bring in time ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModelledTimes.h"

#include "trn/Run/TimeChain.h"
#include "llvm/Support/FormatVariadic.h"
#include <set>

using namespace mlir::trn;
using llvm::formatv;
using llvm::StringRef;

void TimedKernels::chooseType(const Checkpoint &checkpoint) {
  ElementType own =
      checkpoint.lookup("model.embed_tokens.weight").type.getFloats();
  if (!type)
    type = own == ElementType::F32 ? ElementType::BF16 : own;
}

llvm::json::Object TimedKernels::toJSON() const {
  llvm::json::Object object{{"machine", machine.name},
                            {"type", stringify(*type)},
                            {"rows", llvm::json::Array(rows)}};
  if (weightType)
    object["weights"] = stringify(*weightType);
  return object;
}

llvm::Expected<std::vector<int64_t>> mlir::trn::parseRows(StringRef text) {
  std::vector<int64_t> rows;
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/!text.empty());
  for (StringRef part : parts) {
    int64_t count;
    if (part.trim().getAsInteger(10, count) || count < 1)
      return llvm::createStringError(
          formatv("--rows is '{0}', but must be numbers of rows such as 1,512, "
                  "or empty for no times",
                  text));
    if (!llvm::is_contained(rows, count))
      rows.push_back(count);
  }
  return rows;
}

namespace {
/// Times the kernels of a weight, and says once what cannot be timed.
class WeightTimer {
public:
  explicit WeightTimer(const TimedKernels &kernels)
      : kernels(kernels), timer(kernels.machine) {}

  /// Of a weight [out, in], or of its factors; as it is stored.
  std::optional<double>
  time(int64_t out, int64_t in, int64_t rows, std::optional<int64_t> rank,
       std::optional<ElementType> weightType = std::nullopt);

  std::set<std::string> problems;

private:
  const TimedKernels &kernels;
  ChainTimer timer;
};
} // namespace

std::optional<double> WeightTimer::time(int64_t out, int64_t in, int64_t rows,
                                        std::optional<int64_t> rank,
                                        std::optional<ElementType> weightType) {
  ChainSpec spec;
  spec.m = rows;
  spec.type = *kernels.type;
  spec.weightType = weightType;
  spec.k = in;
  spec.rank = rank;
  spec.n = out;
  llvm::Expected<double> found = timer.time(spec);
  if (found)
    return *found;
  problems.insert(formatv("no modelled time for {0} x {1}{2} at {3} rows: {4}",
                          in, out,
                          rank ? formatv(" of rank {0}", *rank).str() : "",
                          rows, llvm::toString(found.takeError())));
  return std::nullopt;
}

std::vector<std::string>
mlir::trn::modelTimes(std::vector<FactoredMatrix> &plan,
                      const TimedKernels &kernels,
                      HostModel::Progress progress) {
  WeightTimer timer(kernels);
  for (auto [i, matrix] : llvm::enumerate(plan)) {
    progress(i, plan.size());
    if (matrix.isChanged() && !matrix.isRefitted)
      for (int64_t rows : kernels.rows) {
        auto dense = timer.time(matrix.out, matrix.in, rows, std::nullopt);
        auto factored =
            timer.time(matrix.outLeft(), matrix.inLeft(), rows,
                       matrix.rank ? std::optional(matrix.rank) : std::nullopt,
                       kernels.weightType);
        if (dense && factored)
          matrix.times.push_back({rows, *dense, *factored});
      }
  }
  progress(plan.size(), plan.size());
  return {timer.problems.begin(), timer.problems.end()};
}

static std::string spellRows(int64_t rows) {
  return formatv("{0} {1}", rows, rows == 1 ? "row" : "rows");
}

static std::string spellTimes(const ModelledTime &time) {
  return formatv("{0:F4} -> {1:F4} ms", time.dense, time.factored);
}

llvm::Error mlir::trn::requireFaster(std::vector<FactoredMatrix> &plan) {
  bool anyLeft = false;
  for (FactoredMatrix &matrix : plan) {
    if (matrix.isFactored() && !matrix.times.empty() &&
        llvm::all_of(matrix.times, [](const ModelledTime &time) {
          return time.isSlower();
        })) {
      std::string times;
      for (const ModelledTime &time : matrix.times)
        times += formatv("{0} {1} at {2}", times.empty() ? "" : ",",
                         spellTimes(time), spellRows(time.rows));
      matrix.keptDense =
          formatv("modelled slower with rank {0}:{1}", matrix.rank, times);
    }
    anyLeft |= matrix.isFactored();
  }
  if (anyLeft)
    return llvm::Error::success();
  return llvm::createStringError(
      "nothing was compressed: all factors are modelled slower than the whole "
      "weights; give a larger --ratio, other --rows, or leave --require-faster "
      "out");
}

std::string mlir::trn::describeTimes(const FactoredMatrix &matrix) {
  std::string text;
  for (const ModelledTime &time : matrix.times)
    text += (text.empty() ? ", modelled " : ", ") + spellTimes(time) +
            (time.isSlower() ? " (slower)" : "");
  return text;
}

std::string mlir::trn::summarizeTimes(llvm::ArrayRef<FactoredMatrix> plan,
                                      const TimedKernels &kernels) {
  std::string text;
  const bool isThin = llvm::any_of(
      plan, [](const FactoredMatrix &matrix) { return matrix.isThin(); });
  for (int64_t rows : kernels.rows) {
    ModelledTime sum{rows, 0, 0};
    for (const FactoredMatrix &matrix : plan)
      for (const ModelledTime &time : matrix.times)
        if (matrix.isChanged() && time.rows == rows) {
          sum.dense += time.dense;
          sum.factored += time.factored;
        }
    if (sum.dense > 0)
      text += formatv("modelled on {0} in {1} at {2}: {3} for all {4}{5}\n",
                      kernels.machine.name, stringify(*kernels.type),
                      spellRows(rows), spellTimes(sum),
                      isThin ? "weights that change" : "weights with factors",
                      sum.isSlower() ? " (slower)" : "");
  }
  return text;
}
