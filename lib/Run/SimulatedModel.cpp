//===- SimulatedModel.cpp - A language model on the core ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Run/SimulatedModel.h"

#include "Stopwatch.h"
#include "SummarizeRun.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Run/CompileModule.h"
#include "trn/Run/RunModule.h"
#include "trn/Runtime/Arguments.h"

#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;

namespace {
/// While it lives, keeps the first error of a context.
class FirstError {
public:
  explicit FirstError(MLIRContext *context)
      : handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
              message.empty())
            message = diagnostic.str();
          return success();
        }) {}

  /// That error, if `result` is a failure.
  llvm::Error take(LogicalResult result) const {
    return succeeded(result) ? llvm::Error::success()
                             : createStringError(message);
  }

private:
  std::string message;
  ScopedDiagnosticHandler handler;
};
} // namespace

static DialectRegistry makeRegistry() {
  DialectRegistry registry;
  registry.insert<TrnDialect>();
  registerRunDialects(registry);
  return registry;
}

//===----------------------------------------------------------------------===//
// Making
//===----------------------------------------------------------------------===//

SimulatedModel::SimulatedModel(const LlamaSpec &spec, const Options &options)
    : spec(spec), options(options),
      context(makeRegistry(), MLIRContext::Threading::DISABLED) {
  this->options.machine =
      options.machine.ofCores(options.machine.coresOf(options.cores));
}

LogicalResult SimulatedModel::compile(ModuleOp module) {
  // What does not fit is told before anything takes time.
  for (auto function : module.getOps<func::FuncOp>())
    if (failed(checkMemory(function)))
      return failure();
  setMachine(module, options.machine);
  Stopwatch watch;
  CompileOptions compileOptions;
  if (options.effort)
    compileOptions.effort = *options.effort;
  compileOptions.planCache = options.planCache;
  compileOptions.partition = options.cores;
  compileOptions.dropMaxima = options.dropMaxima;
  if (failed(compileModule(module, compileOptions)))
    return failure();
  compileSeconds = watch.seconds();
  return success(succeeded(prepare("prefill", prefill)) &&
                 (!spec.context || succeeded(prepare("decode", decode))));
}

LogicalResult SimulatedModel::prepare(StringRef name,
                                      std::optional<Function> &function) {
  FailureOr<func::FuncOp> entry = findEntry(*module, name);
  if (failed(entry))
    return failure();
  Stopwatch watch;
  ExecutableOptions executableOptions;
  executableOptions.threads = options.threads;
  FailureOr<Executable> executable =
      Executable::create(*entry, options.machine, executableOptions);
  jitSeconds += watch.seconds();
  FailureOr<EntrySignature> signature = getSignature(*entry);
  FailureOr<SmallVector<HostTensor>> results = allocateResults(*entry);
  if (failed(executable) || failed(signature) || failed(results))
    return failure();
  function = Function{*entry, std::move(*executable), {}, std::move(*results)};
  for (auto [index, slot] : llvm::enumerate(signature->inputs)) {
    if (getWeight(*entry, index))
      continue;
    llvm::Expected<HostTensor> input =
        HostTensor::create(slot.type, slot.shape);
    if (!input)
      return entry->emitError() << llvm::toString(input.takeError());
    // Nothing is added of rows of a cache that hold no token, if it is finite.
    input->fillZero();
    function->inputs.push_back(std::move(*input));
  }
  return success();
}

/// Both functions take the same weights, in the same order.
llvm::Error SimulatedModel::load(const WeightSource &source) {
  func::FuncOp entry = prefill->entry;
  FailureOr<EntrySignature> signature = getSignature(entry);
  for (auto [index, slot] : llvm::enumerate(signature->inputs)) {
    std::optional<StringRef> name = getWeight(entry, index);
    if (!name)
      continue;
    llvm::Expected<HostTensor> weight =
        source.load(*name, slot.type, slot.shape);
    if (!weight)
      return createStringError("tensor '" + *name +
                               "': " + llvm::toString(weight.takeError()));
    weights.push_back(std::move(*weight));
  }
  return llvm::Error::success();
}

llvm::Expected<std::unique_ptr<SimulatedModel>>
SimulatedModel::create(const LlamaSpec &spec, const WeightSource &weights,
                       const Options &options) {
  std::unique_ptr<SimulatedModel> model(new SimulatedModel(spec, options));
  FirstError first(&model->context);
  if (llvm::Error error =
          generateLlama(&model->context, spec).moveInto(model->module))
    return error;
  if (llvm::Error error = first.take(model->compile(*model->module)))
    return error;
  if (llvm::Error error = model->load(weights))
    return error;
  return model;
}

//===----------------------------------------------------------------------===//
// Running
//===----------------------------------------------------------------------===//

llvm::Error SimulatedModel::check(ArrayRef<int32_t> tokens) const {
  const int64_t count = tokens.size(), first = *spec.rows;
  if (tokens.empty())
    return createStringError("there is no token");
  for (int32_t token : tokens)
    if (token < 0 || token >= spec.config.vocabulary)
      return createStringError(
          formatv("token {0} is outside of the vocabulary of {1}", token,
                  spec.config.vocabulary));
  if (past == 0 && (spec.allLogits ? count > first : count != first))
    return createStringError(
        formatv("the model is compiled for {0}{1} first tokens, but {2} are "
                "given",
                spec.allLogits ? "at most " : "", first, count));
  if (past == 0)
    return llvm::Error::success();
  if (past + count > spec.context.value_or(first))
    return createStringError(
        formatv("there is room for {0} tokens, but {1} are needed",
                spec.context.value_or(first), past + count));
  if (count != 1)
    return createStringError(
        formatv("tokens after the first ones come one by one, but {0} are "
                "given",
                count));
  return llvm::Error::success();
}

llvm::Error SimulatedModel::run(Function &function) {
  FirstError first(&context);
  // A run takes all inputs in one array, and both functions these weights.
  SmallVector<HostTensor> &inputs = function.inputs;
  const size_t own = inputs.size();
  inputs.append(std::make_move_iterator(weights.begin()),
                std::make_move_iterator(weights.end()));
  LogicalResult result = function.executable->run(inputs, function.results);
  std::move(inputs.begin() + own, inputs.end(), weights.begin());
  inputs.truncate(own);
  function.hasRun = true;
  kernelSeconds += function.executable->getKernelSeconds();
  return first.take(result);
}

/// Copies `rows` rows of each head behind the `past` rows that a cache has.
static void append(const HostTensor &from, int64_t rows, HostTensor &cache,
                   int64_t past) {
  const int64_t heads = cache.getShape()[0];
  auto bytesOf = [](const HostTensor &tensor, int64_t rows) {
    return rows * tensor.getShape()[2] * byteSize(tensor.getType());
  };
  const auto *source = static_cast<const char *>(from.data());
  auto *target = static_cast<char *>(cache.data()) + bytesOf(cache, past);
  for (int64_t head = 0; head < heads; ++head) {
    std::copy_n(source, bytesOf(from, rows), target);
    source += bytesOf(from, from.getShape()[1]);
    target += bytesOf(cache, cache.getShape()[1]);
  }
}

void SimulatedModel::keepRows(Function &from, int64_t rows) {
  // After the logits there are the keys and the values of each layer; caches
  // are behind the token and its position.
  if (decode)
    for (int64_t i = 0; i < 2 * spec.config.layers; ++i)
      append(from.results[1 + i], rows, decode->inputs[2 + i], past);
  past += rows;
}

llvm::Expected<ArrayRef<float>> SimulatedModel::feed(ArrayRef<int32_t> tokens) {
  if (llvm::Error error = check(tokens))
    return error;
  const int64_t rows = tokens.size();
  const bool isFirst = past == 0;
  Function &function = isFirst ? *prefill : *decode;
  auto *numbers = static_cast<int32_t *>(function.inputs[0].data());
  llvm::copy(tokens, numbers);
  // No token sees what follows after it.
  if (isFirst)
    std::fill(numbers + rows, numbers + *spec.rows, 0);
  else
    *static_cast<int32_t *>(function.inputs[1].data()) = past;
  if (llvm::Error error = run(function))
    return error;
  keepRows(function, rows);
  const int64_t given = isFirst && spec.allLogits ? rows : 1;
  ArrayRef<float> logits(static_cast<const float *>(function.results[0].data()),
                         given * spec.config.vocabulary);
  for (auto [index, logit] : llvm::enumerate(logits))
    if (!std::isfinite(logit))
      return createStringError(
          formatv("a logit after token {0} is not finite",
                  past - given + int64_t(index) / spec.config.vocabulary));
  return logits;
}

std::vector<std::pair<std::string, Report>> SimulatedModel::time() const {
  std::vector<std::pair<std::string, Report>> reports;
  for (const std::optional<Function> *function : {&prefill, &decode})
    if (*function && (*function)->hasRun) {
      func::FuncOp entry = (*function)->entry;
      reports.emplace_back(
          entry.getSymName(),
          summarizeRun(entry, *(*function)->executable, options.machine));
    }
  return reports;
}

std::vector<std::pair<std::string, double>>
SimulatedModel::getHostSeconds() const {
  return {{"compile_s", compileSeconds},
          {"jit_s", jitSeconds},
          {"interpret_s", kernelSeconds}};
}
