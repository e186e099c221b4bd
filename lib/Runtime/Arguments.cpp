//===- Arguments.cpp - What a run reads and writes ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Runtime/Arguments.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Model/WeightSource.h"
#include "trn/Support/NPY.h"
#include "trn/Support/Suggestion.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;

static std::string listNames(ArrayRef<func::FuncOp> functions) {
  std::string names;
  for (func::FuncOp function : functions)
    names += (names.empty() ? "@" : ", @") + function.getSymName().str();
  return names.empty() ? "none" : names;
}

FailureOr<func::FuncOp> mlir::trn::findEntry(ModuleOp module, StringRef name) {
  SmallVector<func::FuncOp> all, exported;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    all.push_back(function);
    if (function.isPublic())
      exported.push_back(function);
  }
  if (name.empty()) {
    if (exported.size() == 1)
      return exported.front();
    if (all.size() == 1) // a kernel by itself
      return all.front();
    if (all.empty())
      return module.emitError("there is nothing to run: the module has no "
                              "function with a body");
    return emitError(UnknownLoc::get(module.getContext()))
           << "entry is not clear: the module has " << exported.size()
           << " public functions with a body; choose one by --entry: "
           << listNames(exported.empty() ? all : exported);
  }
  name.consume_front("@");
  for (func::FuncOp function : all)
    if (function.getSymName() == name)
      return function;
  return emitError(UnknownLoc::get(module.getContext()))
         << "no function @" << name << " to run; functions: " << listNames(all);
}

std::optional<HostType> mlir::trn::getHostType(Type type) {
  if (type.isIndex())
    return HostType::integer(64);
  if (std::optional<ElementType> known = getMatrixElementType(type);
      known && isa<FloatType>(type))
    return *known;
  // Other floats of eight bits are bytes: NPY has no type for them.
  if (isa<FloatType>(type) && type.getIntOrFloatBitWidth() == 8)
    return HostType::integer(8);
  for (unsigned bits : {1, 8, 16, 32, 64})
    if (type.isSignlessInteger(bits))
      return HostType::integer(bits);
  // NPY files and arrays of the C API have one type for both.
  if (type.isUnsignedInteger(32))
    return HostType::integer(32);
  return std::nullopt;
}

static FailureOr<EntrySignature::Slot>
getSlot(Type type, function_ref<InFlightDiagnostic()> emitError) {
  auto shaped = dyn_cast<ShapedType>(type);
  if (isa<VectorType>(type) || (shaped && !shaped.hasRank()))
    return emitError() << " has type " << type
                       << ", but only ranked tensors and memrefs are bound";
  if (!shaped) {
    if (std::optional<HostType> scalar = getHostType(type))
      return EntrySignature::Slot{*scalar, {}};
    return emitError() << " has type " << type
                       << ", but only tensors, memrefs and scalars of bf16, "
                          "f16, f32, index and signless integers of 1, 8, 16, "
                          "32 and 64 bits are bound";
  }
  if (!shaped.hasStaticShape())
    return emitError() << " has type " << type
                       << ", but only static shapes are run; "
                          "--compile=specialize=SIZES gives it one";
  auto memref = dyn_cast<MemRefType>(type);
  if (memref && !memref.getLayout().isIdentity())
    return emitError() << " has type " << type
                       << ", but only dense row-major memrefs are bound";
  std::optional<HostType> element = getHostType(shaped.getElementType());
  if (!element)
    return emitError() << " has element type " << shaped.getElementType()
                       << ", but only bf16, f16, f32, index and signless "
                          "integers of 1, 8, 16, 32 and 64 bits are bound";
  return EntrySignature::Slot{*element, llvm::to_vector(shaped.getShape())};
}

static bool isKernelResult(func::FuncOp function, unsigned index) {
  auto dialect = function.getContext()->getLoadedDialect<TrnDialect>();
  return dialect &&
         function.getArgAttr(index, dialect->getResultAttrHelper().getName());
}

SmallVector<unsigned> mlir::trn::getInputs(func::FuncOp function) {
  SmallVector<unsigned> inputs;
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    if (!isKernelResult(function, i))
      inputs.push_back(i);
  return inputs;
}

/// Of pieces, the whole tensors.
static void makeWhole(MutableArrayRef<EntrySignature::Slot> slots,
                      ArrayRef<ShardAttr> shards) {
  for (auto [slot, shard] : llvm::zip_equal(slots, shards))
    if (shard)
      slot.shape[shard.getDim()] = shard.getSize();
}

FailureOr<EntrySignature> mlir::trn::getSignature(func::FuncOp entry) {
  EntrySignature signature;
  for (auto [index, type] : llvm::enumerate(entry.getArgumentTypes())) {
    bool isResult = isKernelResult(entry, index);
    auto slot = getSlot(type, [&, index = index] {
      return emitError(entry.getArgument(index).getLoc())
             << "argument " << index << " of @" << entry.getSymName();
    });
    if (failed(slot))
      return failure();
    (isResult ? signature.results : signature.inputs)
        .push_back(std::move(*slot));
  }
  for (auto [index, type] : llvm::enumerate(entry.getResultTypes())) {
    auto emitError = [&, index = index] {
      return entry.emitError()
             << "result " << index << " of @" << entry.getSymName();
    };
    if (!isa<ShapedType>(type))
      return emitError() << " has type " << type
                         << ", but only ranked tensors and memrefs are "
                            "returned";
    auto slot = getSlot(type, emitError);
    if (failed(slot))
      return failure();
    signature.results.push_back(std::move(*slot));
  }
  EntryShards shards = getShards(entry);
  makeWhole(signature.inputs, shards.inputs);
  makeWhole(signature.results, shards.results);
  return signature;
}

LogicalResult mlir::trn::checkMemory(func::FuncOp entry) {
  FailureOr<EntrySignature> signature = getSignature(entry);
  if (failed(signature))
    return failure();
  double bytes = 0;
  for (const EntrySignature::Slot &slot : llvm::concat<EntrySignature::Slot>(
           signature->inputs, signature->results)) {
    double size = byteSize(slot.type);
    for (int64_t dim : slot.shape)
      size *= dim;
    bytes += size;
  }
  double host = getHostMemory();
  if (bytes <= host)
    return success();
  auto gigabytes = [](double value) {
    return llvm::formatv("{0:F1} GB", value * 1e-9).str();
  };
  return entry.emitError() << "inputs and results of @" << entry.getSymName()
                           << " take " << gigabytes(bytes)
                           << ", but this machine has only " << gigabytes(host)
                           << " of memory";
}

llvm::Expected<ArgumentSource> mlir::trn::parseArgumentSource(StringRef text) {
  ArgumentSource source;
  StringRef rest = text;
  if (rest.consume_front("@") && !rest.empty()) {
    source.kind = ArgumentSource::Kind::File;
    source.path = rest.str();
    return source;
  }
  if (text == "zeros") {
    source.kind = ArgumentSource::Kind::Zeros;
    return source;
  }
  rest = text;
  if (rest.consume_front("random") &&
      (rest.empty() ||
       (rest.consume_front(":") && !rest.getAsInteger(10, source.seed))))
    return source;
  return llvm::createStringError("argument '" + text +
                                 "' is not understood: use @FILE.npy, "
                                 "random:SEED or zeros");
}

llvm::Expected<std::string> mlir::trn::parseResultTarget(StringRef text) {
  if (!text.consume_front("@") || text.empty())
    return llvm::createStringError("result '" + text +
                                   "' is not understood: use @FILE.npy");
  return text.str();
}

/// 1 / number of rows keeps the variance of a product at that of its left
/// operand; without it a chain of two would overflow f16.
static double randomVariance(ArrayRef<int64_t> shape, bool first) {
  if (first || shape.empty())
    return 1;
  int64_t rows = shape.size() == 1 ? shape[0] : shape[shape.size() - 2];
  return 1.0 / std::max<int64_t>(rows, 1);
}

static llvm::Error fill(HostTensor &tensor, const ArgumentSource &source,
                        unsigned index) {
  switch (source.kind) {
  case ArgumentSource::Kind::File:
    return readNPY(source.path, tensor);
  case ArgumentSource::Kind::Zeros:
    tensor.fillZero();
    return llvm::Error::success();
  case ArgumentSource::Kind::Random:
    tensor.fillRandom(source.seed, index,
                      randomVariance(tensor.getShape(), index == 0));
    return llvm::Error::success();
  }
  llvm_unreachable("all kinds are handled");
}

std::optional<StringRef> mlir::trn::getWeight(func::FuncOp entry,
                                              unsigned index) {
  auto *dialect = entry.getContext()->getLoadedDialect<TrnDialect>();
  if (!dialect)
    return std::nullopt;
  auto name = entry.getArgAttrOfType<StringAttr>(
      index, dialect->getParamAttrHelper().getName());
  return name ? std::optional(name.getValue()) : std::nullopt;
}

/// The input that has the same weight and stands before input `index`: one core
/// may have a piece of it, too.
static std::optional<unsigned>
findSame(func::FuncOp entry, ArrayRef<unsigned> inputs, unsigned index) {
  std::optional<StringRef> name = getWeight(entry, inputs[index]);
  for (unsigned i = 0; name && i < index; ++i)
    if (getWeight(entry, inputs[i]) == name)
      return i;
  return std::nullopt;
}

static LogicalResult refuseMissing(func::FuncOp entry, unsigned index,
                                   StringRef path,
                                   const WeightSource &checkpoint) {
  StringRef name = *getWeight(entry, index);
  std::vector<std::string> names = checkpoint.names();
  return emitError(entry.getArgument(index).getLoc())
         << "argument " << index << " of @" << entry.getSymName()
         << " is trn.param \"" << name << "\", which '" << path
         << "' lacks; give one --arg for each input that is not there"
         << suggest(name, names);
}

/// Which tensor of the checkpoint each input takes; all others take one of
/// `sources`, or a value of ours if there are none.
static FailureOr<SmallVector<std::optional<StringRef>>>
chooseWeights(func::FuncOp entry, ArrayRef<unsigned> inputs, size_t sources,
              const std::optional<WeightSource> &checkpoint, StringRef path) {
  SmallVector<std::optional<StringRef>> names(inputs.size());
  // Asked for, but not in the checkpoint.
  SmallVector<unsigned> missing;
  unsigned unnamed = inputs.size();
  for (unsigned i = 0; i < inputs.size(); ++i) {
    if (findSame(entry, inputs, i)) {
      --unnamed;
      continue;
    }
    if (!checkpoint)
      continue;
    names[i] = getWeight(entry, inputs[i]);
    if (names[i] && !checkpoint->has(*names[i])) {
      missing.push_back(inputs[i]);
      names[i] = std::nullopt;
    }
    unnamed -= names[i].has_value();
  }
  // Whoever gives all that is left, gives those too.
  if (!missing.empty() && sources != unnamed)
    return refuseMissing(entry, missing.front(), path, *checkpoint);
  if (sources != 0 && sources != unnamed)
    return entry.emitError()
           << "@" << entry.getSymName() << " has " << unnamed
           << " inputs to bind, but " << sources << " are given";
  return names;
}

FailureOr<SmallVector<HostTensor>>
mlir::trn::bindInputs(func::FuncOp entry, ArrayRef<ArgumentSource> sources,
                      StringRef weights) {
  FailureOr<EntrySignature> signature = getSignature(entry);
  if (failed(signature))
    return failure();
  std::optional<WeightSource> checkpoint;
  if (!weights.empty()) {
    llvm::Expected<WeightSource> opened = WeightSource::open(weights);
    if (!opened)
      return entry.emitError() << llvm::toString(opened.takeError());
    checkpoint = std::move(*opened);
  }

  SmallVector<unsigned> positions = getInputs(entry);
  FailureOr<SmallVector<std::optional<StringRef>>> names =
      chooseWeights(entry, positions, sources.size(), checkpoint, weights);
  if (failed(names))
    return failure();

  SmallVector<HostTensor> inputs;
  for (auto [index, slot] : llvm::enumerate(signature->inputs)) {
    auto failed = [&, index = index](llvm::Error error) -> LogicalResult {
      return emitError(entry.getArgument(positions[index]).getLoc())
             << "cannot bind argument " << positions[index] << " of @"
             << entry.getSymName() << ": " << llvm::toString(std::move(error));
    };
    std::optional<unsigned> same = findSame(entry, positions, index);
    if (std::optional<StringRef> name = (*names)[same.value_or(index)]) {
      llvm::Expected<HostTensor> weight = checkpoint->load(
          *name, slot.type, slot.shape,
          isa<MemRefType>(entry.getArgumentTypes()[positions[index]]));
      if (!weight)
        return failed(weight.takeError());
      inputs.push_back(std::move(*weight));
      continue;
    }
    llvm::Expected<HostTensor> tensor =
        HostTensor::create(slot.type, slot.shape);
    if (!tensor)
      return failed(tensor.takeError());
    if (same) {
      const HostTensor &first = inputs[*same];
      ArrayView view{first.getType(), SmallVector<int64_t, 4>(first.getShape()),
                     static_cast<const char *>(first.data())};
      if (llvm::Error error = tensor->assign(view))
        return failed(std::move(error));
    } else {
      ArgumentSource source;
      if (!sources.empty()) {
        source = sources.front();
        sources = sources.drop_front();
      }
      if (llvm::Error error = fill(*tensor, source, index))
        return failed(std::move(error));
    }
    inputs.push_back(std::move(*tensor));
  }
  return inputs;
}

FailureOr<SmallVector<HostTensor>>
mlir::trn::allocateResults(func::FuncOp entry) {
  FailureOr<EntrySignature> signature = getSignature(entry);
  if (failed(signature))
    return failure();
  SmallVector<HostTensor> results;
  for (const EntrySignature::Slot &slot : signature->results) {
    llvm::Expected<HostTensor> tensor =
        HostTensor::create(slot.type, slot.shape);
    if (!tensor)
      return entry.emitError() << "cannot hold result " << results.size()
                               << " of @" << entry.getSymName() << ": "
                               << llvm::toString(tensor.takeError());
    results.push_back(std::move(*tensor));
  }
  return results;
}

LogicalResult mlir::trn::checkTargets(func::FuncOp entry,
                                      ArrayRef<std::string> paths) {
  if (paths.empty())
    return success();
  FailureOr<EntrySignature> signature = getSignature(entry);
  if (failed(signature))
    return failure();
  if (paths.size() != signature->results.size())
    return entry.emitError()
           << "@" << entry.getSymName() << " has " << signature->results.size()
           << " results to write, but " << paths.size() << " files are given";
  return success();
}

LogicalResult mlir::trn::writeResults(func::FuncOp entry,
                                      ArrayRef<HostTensor> results,
                                      ArrayRef<std::string> paths) {
  for (auto [index, path] : llvm::enumerate(paths))
    if (llvm::Error error = writeNPY(path, results[index]))
      return entry.emitError()
             << "result " << index << " of @" << entry.getSymName() << ": "
             << llvm::toString(std::move(error));
  return success();
}
