//===- trn-gen.cpp - Write linalg modules ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../ElementTypes.h"
#include "../ToolStreams.h"
#include "Options.h"
#include "trn/Compress/Rank.h"
#include "trn/Generate/Generate.h"
#include "trn/Generate/Llama.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Support/OutputFile.h"
#include "trn/Support/Paths.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::gen;
namespace cl = llvm::cl;

namespace {

using Module = llvm::Expected<OwningOpRef<ModuleOp>>;

int fail(const Twine &message) {
  printError("trn-gen", message);
  return 1;
}

template <typename Spec>
Spec makeSpec() {
  Spec spec;
  spec.m = rows;
  spec.type = dtype;
  spec.weightType = given(weightType);
  return spec;
}

template <typename Spec>
Spec makeProductsSpec() {
  Spec spec = makeSpec<Spec>();
  spec.transposedInput = transposedInput;
  spec.transposedOutput = transposedOutput;
  return spec;
}

template <typename Spec>
void setHeads(Spec &spec) {
  spec.heads = heads;
  spec.kvHeads = kvHeads.getNumOccurrences() ? kvHeads : heads;
}

/// The size of a head, or what makes it none.
llvm::Expected<int64_t> chooseHeadDim() {
  if (headDim.getNumOccurrences() || heads < 1)
    return headDim;
  if (hidden % heads == 0)
    return hidden / heads;
  return llvm::createStringError("hidden is " + Twine(hidden) +
                                 ", which is no multiple of " + Twine(heads) +
                                 " heads; give their size as --head-dim");
}

/// The rank of the factors of a weight, or none if it is given whole: asked
/// for, or because factors would have no fewer parameters.
std::optional<int64_t> chooseRank(StringRef weights, int64_t rows,
                                  int64_t columns) {
  if (rank.getNumOccurrences())
    return rank;
  if (!ratio.getNumOccurrences())
    return std::nullopt;
  // Other ranks leave partitions idle.
  int64_t chosen =
      getRankOfRatio(ratio, rows, columns, defaultMachine().partitions);
  int64_t largest = getLargestUsefulRank(rows, columns);
  if (chosen <= largest)
    return chosen;
  llvm::WithColor::note(llvm::errs(), "trn-gen")
      << weights << " of " << rows << " x " << columns
      << " stay whole: their rank would be " << chosen
      << ", but the largest whose factors are smaller is " << largest << "\n";
  return std::nullopt;
}

llvm::Error checkRemoved(bool anyRank) {
  if (!ratio.getNumOccurrences() || anyRank)
    return llvm::Error::success();
  return llvm::createStringError("--ratio %g removes nothing; give a larger "
                                 "one, --rank or --dense",
                                 ratio.getValue());
}

Module generateChain(MLIRContext *context) {
  auto spec = makeProductsSpec<ChainSpec>();
  spec.k = inner;
  if (innerRank.getNumOccurrences())
    spec.rank = innerRank;
  spec.n = columns;
  return generateChain(context, spec);
}

Module generateMlp(MLIRContext *context) {
  auto spec = makeProductsSpec<MlpSpec>();
  spec.hidden = hidden;
  spec.intermediate = intermediate;
  if (llvm::Error error = checkSpec(spec))
    return error;
  spec.rank = chooseRank("gate, up and down", spec.hidden, spec.intermediate);
  if (llvm::Error error = checkRemoved(spec.rank.has_value()))
    return error;
  return generateMlp(context, spec);
}

Module generateQkv(MLIRContext *context) {
  auto spec = makeProductsSpec<QkvSpec>();
  spec.hidden = hidden;
  setHeads(spec);
  if (llvm::Error error = chooseHeadDim().moveInto(spec.headDim))
    return error;
  if (llvm::Error error = checkSpec(spec))
    return error;
  spec.queryRank =
      chooseRank("queries' weights", spec.hidden, spec.queryColumns());
  spec.keyValueRank = chooseRank("keys' and values' weights", spec.hidden,
                                 spec.keyValueColumns());
  if (llvm::Error error = checkRemoved(spec.queryRank || spec.keyValueRank))
    return error;
  return generateQkv(context, spec);
}

Module generateNorm(MLIRContext *context) {
  auto spec = makeSpec<NormSpec>();
  spec.hidden = hidden;
  spec.kind = normKind;
  spec.epsilon = epsilon;
  if (columns.getNumOccurrences())
    spec.n = columns;
  return generateNorm(context, spec);
}

int64_t getContext() {
  return contextLength.getNumOccurrences() ? contextLength : rows;
}

Module generateAttention(MLIRContext *context) {
  auto spec = makeSpec<AttentionSpec>();
  setHeads(spec);
  spec.headDim = headDim;
  spec.context = getContext();
  spec.causal = causal;
  if (window.getNumOccurrences())
    spec.window = window;
  return generateAttention(context, spec);
}

Module generateLayer(MLIRContext *context) {
  auto spec = makeSpec<LayerSpec>();
  spec.hidden = hidden;
  spec.intermediate = intermediate;
  spec.context = getContext();
  spec.normalizeHeads = qkNorm;
  spec.epsilon = epsilon;
  setHeads(spec);
  if (llvm::Error error = chooseHeadDim().moveInto(spec.headDim))
    return error;
  if (llvm::Error error = checkSpec(spec))
    return error;
  int64_t columns = spec.qkv().queryColumns();
  spec.queryRank = chooseRank("queries' weights", spec.hidden, columns);
  spec.keyValueRank = chooseRank("keys' and values' weights", spec.hidden,
                                 spec.qkv().keyValueColumns());
  spec.outputRank = chooseRank("the output's weights", columns, spec.hidden);
  spec.mlpRank =
      chooseRank("gate, up and down", spec.hidden, spec.intermediate);
  if (llvm::Error error = checkRemoved(spec.queryRank || spec.keyValueRank ||
                                       spec.outputRank || spec.mlpRank))
    return error;
  return generateLayer(context, spec);
}

/// A size that a mode needs, and that the other one has no use for.
llvm::Error checkModeSize(const Size &size, Mode needs) {
  bool isUsed = mode == needs || mode == Mode::Both;
  StringRef name = needs == Mode::Prefill ? "prefill" : "decode";
  if (isUsed && !size.getNumOccurrences())
    return llvm::createStringError("size --" + size.ArgStr +
                                   " is missing, which @" + name + " needs");
  if (!isUsed && size.getNumOccurrences())
    return llvm::createStringError("--" + size.ArgStr + " is a size of @" +
                                   name + ", which --mode leaves out");
  return llvm::Error::success();
}

Module generateLlama(MLIRContext *context) {
  if (model.empty())
    return llvm::createStringError(
        "name the MODEL: config.json, a folder with one, or a llama2.c file");
  if (llvm::Error error = checkModeSize(tokenRows, Mode::Prefill))
    return error;
  if (llvm::Error error = checkModeSize(contextLength, Mode::Decode))
    return error;
  if (batch.getNumOccurrences() && mode == Mode::Prefill)
    return llvm::createStringError("--batch is of @decode, which --mode leaves "
                                   "out");
  if (allLogits && mode == Mode::Decode)
    return llvm::createStringError(
        "--all-logits is of @prefill, which --mode leaves out");
  if (llvm::Error error =
          checkOutputs({output}, {model, joinPath(model, "config.json")}))
    return error;
  LlamaSpec spec;
  if (llvm::Error error = readConfig(model).moveInto(spec.config))
    return error;
  spec.type = dtype;
  if (weightType.getNumOccurrences())
    spec.config.weightType = weightType;
  if (tokenRows.getNumOccurrences())
    spec.rows = tokenRows;
  if (contextLength.getNumOccurrences())
    spec.context = contextLength;
  spec.batch = batch;
  spec.allLogits = allLogits;
  if (layers.getNumOccurrences()) {
    if (layers < 1 || layers > spec.config.layers)
      return llvm::createStringError(
          "--layers is " + Twine(layers) + ", but must be between 1 and the " +
          Twine(spec.config.layers) + " of the model");
    spec.config.layers = layers;
  }
  return generateLlama(context, spec);
}

struct Kind {
  StringRef name;
  SmallVector<cl::Option *> required;
  SmallVector<cl::Option *> optional;
  Module (*generate)(MLIRContext *context);
};

std::string listNames(ArrayRef<Kind> kinds, StringRef conjunction) {
  std::string names;
  for (auto [i, kind] : llvm::enumerate(kinds)) {
    if (i)
      names += i + 1 < kinds.size() ? ", " : conjunction;
    names += kind.name;
  }
  return names;
}

/// Every option that belongs to some kinds only must belong to `chosen`.
llvm::Error checkOptions(const Kind &chosen, ArrayRef<Kind> kinds) {
  auto takes = [](const Kind &kind, cl::Option *option) {
    return llvm::is_contained(kind.required, option) ||
           llvm::is_contained(kind.optional, option);
  };
  for (const Kind &kind : kinds)
    for (cl::Option *option :
         llvm::concat<cl::Option *const>(kind.required, kind.optional)) {
      if (!option->getNumOccurrences() || takes(chosen, option))
        continue;
      SmallVector<Kind> owners;
      llvm::copy_if(kinds, std::back_inserter(owners),
                    [&](const Kind &other) { return takes(other, option); });
      return llvm::createStringError(
          "--" + option->ArgStr + " is an option of " +
          listNames(owners, " and ") + ", but not of " + chosen.name);
    }
  for (cl::Option *option : chosen.required)
    if (!option->getNumOccurrences())
      return llvm::createStringError("size --" + option->ArgStr +
                                     " is missing");
  if (rank.getNumOccurrences() + ratio.getNumOccurrences() +
          dense.getNumOccurrences() >
      1)
    return llvm::createStringError(
        "--rank, --ratio and --dense exclude each other");
  if (ratio.getNumOccurrences() && !(ratio > 0 && ratio < 1))
    return llvm::createStringError(
        "--ratio is %g, but the share that is removed lies between 0 and 1",
        ratio.getValue());
  return llvm::Error::success();
}

} // namespace

static int generate() {
  const Kind kinds[] = {{"xw",
                         {&rows, &inner, &columns},
                         {&weightType, &transposedInput, &transposedOutput},
                         generateChain},
                        {"xuv",
                         {&rows, &inner, &columns, &innerRank},
                         {&weightType, &transposedInput, &transposedOutput},
                         generateChain},
                        {"mlp",
                         {&rows, &hidden, &intermediate},
                         {&rank, &ratio, &dense, &weightType, &transposedInput,
                          &transposedOutput},
                         generateMlp},
                        {"qkv",
                         {&rows, &hidden, &heads},
                         {&kvHeads, &headDim, &rank, &ratio, &dense,
                          &weightType, &transposedInput, &transposedOutput},
                         generateQkv},
                        {"norm",
                         {&rows, &hidden},
                         {&normKind, &columns, &epsilon, &weightType},
                         generateNorm},
                        {"attention",
                         {&rows, &heads, &headDim},
                         {&kvHeads, &contextLength, &causal, &window},
                         generateAttention},
                        {"layer",
                         {&rows, &hidden, &heads, &intermediate},
                         {&kvHeads, &headDim, &contextLength, &qkNorm, &epsilon,
                          &rank, &ratio, &dense, &weightType},
                         generateLayer},
                        {"llama",
                         {},
                         {&mode, &tokenRows, &contextLength, &batch, &layers,
                          &allLogits, &weightType},
                         generateLlama}};
  if (kind.empty())
    return fail("say what to generate: " + listNames(kinds, " or "));
  const Kind *chosen = llvm::find_if(
      kinds, [](const Kind &known) { return known.name == kind; });
  if (chosen == std::end(kinds))
    return fail("cannot generate '" + kind + "', only " +
                listNames(kinds, " and "));
  if (!model.empty() && kind != "llama")
    return fail("'" + model + "' is a MODEL for llama, but not for " + kind);
  if (llvm::Error error = checkOptions(*chosen, kinds))
    return fail(llvm::toString(std::move(error)));

  MLIRContext context(MLIRContext::Threading::DISABLED);
  Module module = chosen->generate(&context);
  if (!module)
    return fail(llvm::toString(module.takeError()));

  auto print = [&](llvm::raw_ostream &os) {
    (*module)->print(os, OpPrintingFlags().printNameLocAsPrefix());
  };
  if (output == "-")
    print(llvm::outs());
  else if (llvm::Error problem = writeFile(output, print))
    return fail(llvm::toString(std::move(problem)));
  return 0;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  parseOptions(argc, argv);
  surviveWriteErrors();
  return finishStreams("trn-gen", generate());
}
