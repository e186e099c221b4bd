//===- Llama.cpp - Build modules of language models -----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Generate/Llama.h"

#include "FunctionBuilder.h"
#include "RowFunctions.h"
#include "trn/Model/Layer.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace mlir::trn;

namespace {

/// Cosines and sines of the rows of x, [rows, headDim].
struct Angles {
  Value cos, sin;
};

/// Queries [heads, rows, headDim], keys and values [kvHeads, rows, headDim].
struct HeadRows {
  Value query, key, value;
};

class LlamaBuilder {
public:
  LlamaBuilder(MLIRContext *context, const LlamaSpec &spec)
      : spec(spec), config(spec.config),
        function(context, spec.layer(spec.rows.value_or(1), 1),
                 spec.rows ? "prefill" : "decode") {}

  OwningOpRef<ModuleOp> build();

private:
  /// What the queries attend to, [rows, heads x headDim].
  using Attend =
      llvm::function_ref<Value(int64_t layer, const HeadRows &heads)>;

  SmallVector<Value> buildPrefill();
  SmallVector<Value> buildDecode();

  void addParameters();
  Factor getFactor(const std::string &name);
  Weight getWeight(StringRef name, const std::string &module);
  Value makeTable(const Twine &name, int64_t positions,
                  llvm::function_ref<float(int64_t, int64_t)> valueOf);
  Angles makeAngles(int64_t positions);
  Value addCache(const Twine &name);
  Value gatherRows(const Twine &name, Value table, Value indices);
  Value makeMask(Value position, std::optional<int64_t> window);

  Value project(StringRef name, Value x, const std::string &module);
  Value arrangeHeads(const Twine &name, Value x, const Angles &angles);
  HeadRows buildHeads(const std::string &at, Value x, const Angles &angles);
  Value buildLayer(int64_t layer, Value x, const Angles &angles, Attend attend,
                   SmallVectorImpl<Value> &results);
  /// Logits, and the keys and values of all layers.
  SmallVector<Value> buildModel(Value tokens, const Angles &angles,
                                Attend attend);

  std::optional<int64_t> windowOf(int64_t layer) const {
    return config.windows.empty() ? std::nullopt : config.windows[layer];
  }
  OpBuilder &builder() { return function.getBuilder(); }

  const LlamaSpec &spec;
  const ModelConfig &config;
  FunctionBuilder function;
  llvm::StringMap<Value> parameters;
};

} // namespace

//===----------------------------------------------------------------------===//
// Arguments, and what the host makes of them
//===----------------------------------------------------------------------===//

void LlamaBuilder::addParameters() {
  for (const TensorSpec &tensor : listTensors(config))
    parameters[tensor.name] =
        function.addParameter(tensor.name, tensor.shape, tensor.type);
}

/// The parameter `name`, and what scales its rows if it is stored in 8 bits.
Factor LlamaBuilder::getFactor(const std::string &name) {
  Value scales = parameters.lookup(name + "_scale");
  if (scales)
    scales =
        tensor::CollapseShapeOp::create(builder(), scales.getLoc(), scales,
                                        ArrayRef<ReassociationIndices>{{0, 1}});
  return {parameters.lookup(name), scales};
}

/// y = x W^T, or, as factors, the product with `v` first.
Weight LlamaBuilder::getWeight(StringRef name, const std::string &module) {
  std::string prefix = (name + "_").str();
  if (!config.ranks.count(module))
    return {prefix, getFactor(module + ".weight"), {}, true};
  std::string stem = StringRef(module).drop_back(strlen("proj")).str();
  return {prefix, getFactor(stem + "v_proj.weight"),
          getFactor(stem + "u_proj.weight"), true};
}

Value LlamaBuilder::makeTable(
    const Twine &name, int64_t positions,
    llvm::function_ref<float(int64_t, int64_t)> valueOf) {
  // Both halves of a head are turned by the same angles.
  std::vector<float> values;
  for (int64_t position = 0; position < positions; ++position)
    for (int64_t i = 0; i < config.headDim; ++i)
      values.push_back(valueOf(position, i % (config.headDim / 2)));
  std::vector<char> bytes(values.size() * byteSize(spec.type));
  storeFloats(spec.type, values.data(), bytes.data(), values.size());
  auto type =
      RankedTensorType::get({positions, config.headDim}, function.getStorage());
  return arith::ConstantOp::create(
      builder(), function.named(name),
      DenseElementsAttr::getFromRawBuffer(type, bytes));
}

Angles LlamaBuilder::makeAngles(int64_t positions) {
  Rotary rotary(config, positions);
  auto cosine = [&](int64_t position, int64_t pair) {
    return rotary.cosine(position, pair);
  };
  auto sine = [&](int64_t position, int64_t pair) {
    return rotary.sine(position, pair);
  };
  return {makeTable("cos", positions, cosine),
          makeTable("sin", positions, sine)};
}

static Value toIndex(OpBuilder &builder, Location loc, Value number) {
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    number);
}

/// The rows of a table with these numbers.
Value LlamaBuilder::gatherRows(const Twine &name, Value table, Value indices) {
  int64_t rows = cast<RankedTensorType>(indices.getType()).getDimSize(0);
  int64_t columns = cast<RankedTensorType>(table.getType()).getDimSize(1);
  Value out = function.empty({rows, columns}, function.getStorage());
  AffineMap element = builder().getMultiDimIdentityMap(2);
  return linalg::GenericOp::create(
             builder(), function.named(name), TypeRange{out.getType()},
             ValueRange{indices}, ValueRange{out},
             ArrayRef<AffineMap>{element.dropResult(1), element},
             SmallVector<utils::IteratorType>(2, utils::IteratorType::parallel),
             [&](OpBuilder &nested, Location loc, ValueRange in) {
               Value row = toIndex(nested, loc, in[0]);
               Value column = linalg::IndexOp::create(nested, loc, 1);
               Value value = tensor::ExtractOp::create(nested, loc, table,
                                                       ValueRange{row, column});
               linalg::YieldOp::create(nested, loc, value);
             })
      .getResult(0);
}

/// What is added to scores: nothing for rows of a cache that hold a token which
/// the one at `position` attends to.
Value LlamaBuilder::makeMask(Value position, std::optional<int64_t> window) {
  Value seen = function.constant("seen", 0);
  Value never =
      function.constant("never", -std::numeric_limits<double>::infinity());
  Value out = function.empty(*spec.context, builder().getF32Type());
  AffineMap row = builder().getMultiDimIdentityMap(1);
  AffineMap first = AffineMap::get(1, 0, builder().getAffineConstantExpr(0));
  return linalg::GenericOp::create(
             builder(), function.named("mask"), TypeRange{out.getType()},
             ValueRange{position}, ValueRange{out},
             ArrayRef<AffineMap>{first, row}, utils::IteratorType::parallel,
             [&](OpBuilder &nested, Location loc, ValueRange in) {
               Value query = toIndex(nested, loc, in[0]);
               Value key = linalg::IndexOp::create(nested, loc, 0);
               Value attends = arith::CmpIOp::create(
                   nested, loc, arith::CmpIPredicate::slt, key, query);
               if (window) {
                 Value width =
                     arith::ConstantIndexOp::create(nested, loc, *window);
                 Value end = arith::AddIOp::create(nested, loc, key, width);
                 Value near = arith::CmpIOp::create(
                     nested, loc, arith::CmpIPredicate::sgt, end, query);
                 attends = arith::AndIOp::create(nested, loc, attends, near);
               }
               Value value =
                   arith::SelectOp::create(nested, loc, attends, seen, never);
               linalg::YieldOp::create(nested, loc, value);
             })
      .getResult(0);
}

//===----------------------------------------------------------------------===//
// Layers
//===----------------------------------------------------------------------===//

/// x W^T, and the bias if there is one, rounded.
Value LlamaBuilder::project(StringRef name, Value x,
                            const std::string &module) {
  Value wide = function.project(name, {x}, getWeight(name, module));
  Value bias = parameters.lookup(module + ".bias");
  if (!bias)
    return function.round(name, wide);
  return function.mapElements(
      name, {wide, {bias, 1}},
      [](OpBuilder &nested, Location loc, ValueRange in) {
        return Value(arith::AddFOp::create(nested, loc, in[0], in[1]));
      });
}

/// [rows, heads, headDim] as [heads, rows, headDim]. Rows that have one
/// position are of as many sequences, each with heads of its own: [rows x
/// heads, 1, headDim].
Value LlamaBuilder::arrangeHeads(const Twine &name, Value x,
                                 const Angles &angles) {
  auto sizeOf = [](Value value, unsigned dim) {
    return cast<RankedTensorType>(value.getType()).getDimSize(dim);
  };
  if (sizeOf(angles.cos, 0) > 1)
    return swapHeads(function, name, x);
  return regroupHeads(function, name, x, sizeOf(x, 0) * sizeOf(x, 1));
}

HeadRows LlamaBuilder::buildHeads(const std::string &at, Value x,
                                  const Angles &angles) {
  auto split = [&](StringRef name, int64_t heads) {
    std::string module = at + name.front() + "_proj";
    return splitHeads(function, name + "_heads", project(name, x, module),
                      heads);
  };
  auto rotate = [&](StringRef name, int64_t heads) {
    Value x = split(name, heads);
    if (config.headNorms)
      x = normalizeRms(function, (name + "_normed").str(), x,
                       parameters.lookup(at + name.front() + "_norm.weight"),
                       config.normEpsilon);
    x = arrangeHeads(name + "_heads", x, angles);
    return rotateHalves(function, name + "_rotated", x, angles.cos, angles.sin);
  };
  Value query = rotate("query", config.heads);
  Value key = rotate("key", config.kvHeads);
  return {query, key,
          arrangeHeads("value_heads", split("value", config.kvHeads), angles)};
}

Value LlamaBuilder::buildLayer(int64_t layer, Value x, const Angles &angles,
                               Attend attend, SmallVectorImpl<Value> &results) {
  std::string at = "model.layers." + std::to_string(layer) + ".";
  Value normed = normalizeRms(function, "normed", x,
                              parameters.lookup(at + "input_layernorm.weight"),
                              config.normEpsilon);
  HeadRows heads = buildHeads(at + "self_attn.", normed, angles);
  for (Value x : {heads.key, heads.value})
    results.push_back(splitSequences(function, "kept", x, config.kvHeads));
  Value output =
      project("output", attend(layer, heads), at + "self_attn.o_proj");
  Value between = addElements(function, "between", x, output);
  normed =
      normalizeRms(function, "mlp_normed", between,
                   parameters.lookup(at + "post_attention_layernorm.weight"),
                   config.normEpsilon);
  auto widen = [&](StringRef name) {
    return function.project(
        name, {normed}, getWeight(name, at + "mlp." + name.str() + "_proj"));
  };
  Value gate = widen("gate");
  Value h = function.multiplyGated("h", gate, widen("up"));
  Value down = project("down", h, at + "mlp.down_proj");
  return addElements(function, "x", between, down);
}

SmallVector<Value> LlamaBuilder::buildModel(Value tokens, const Angles &angles,
                                            Attend attend) {
  Value words = parameters.lookup("model.embed_tokens.weight");
  Value x = gatherRows("x", words, tokens);
  SmallVector<Value> results = {nullptr};
  for (int64_t layer = 0; layer < config.layers; ++layer)
    x = buildLayer(layer, x, angles, attend, results);
  int64_t rows = cast<RankedTensorType>(angles.cos.getType()).getDimSize(0);
  if (rows > 1 && !spec.allLogits)
    x = tensor::ExtractSliceOp::create(
        builder(), function.named("last"), x,
        getAsIndexOpFoldResult(builder().getContext(), {rows - 1, 0}),
        getAsIndexOpFoldResult(builder().getContext(), {1, config.hidden}),
        SmallVector<OpFoldResult>(2, builder().getIndexAttr(1)));
  x = normalizeRms(function, "normed", x,
                   parameters.lookup("model.norm.weight"), config.normEpsilon);
  Weight head = config.tiedHead ? Weight{"", {words}, {}, true}
                                : getWeight("head", "lm_head");
  results.front() = function.project("logits", {x}, head);
  return results;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

SmallVector<Value> LlamaBuilder::buildPrefill() {
  int64_t rows = *spec.rows;
  Value tokens = function.addIntegers("tokens", rows);
  addParameters();
  return buildModel(
      tokens, makeAngles(rows), [&](int64_t layer, const HeadRows &heads) {
        AttentionSpec attention = spec.layer(rows, rows).attention();
        attention.window = windowOf(layer);
        Value attended =
            attend(function, attention, heads.query, heads.key, heads.value);
        return mergeHeads(function, "attended",
                          swapHeads(function, "attended", attended));
      });
}

/// [batch x kvHeads, context, headDim].
Value LlamaBuilder::addCache(const Twine &name) {
  SmallVector<int64_t> shape = {config.kvHeads, *spec.context, config.headDim};
  if (spec.batch == 1)
    return function.addTensor(name, shape);
  shape.insert(shape.begin(), spec.batch);
  return mergeSequences(function, name, function.addTensor(name, shape));
}

SmallVector<Value> LlamaBuilder::buildDecode() {
  int64_t rows = *spec.context;
  Value token = function.addIntegers("token", spec.batch);
  Value position = function.addIntegers("position", 1);
  SmallVector<std::pair<Value, Value>> caches;
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    Value keys = addCache("keys_" + Twine(layer));
    caches.emplace_back(keys, addCache("values_" + Twine(layer)));
  }
  addParameters();
  Angles tables = makeAngles(rows + 1);
  Angles angles = {gatherRows("cos", tables.cos, position),
                   gatherRows("sin", tables.sin, position)};
  std::map<std::optional<int64_t>, Value> masks;
  for (int64_t layer = 0; layer < config.layers; ++layer)
    if (Value &mask = masks[windowOf(layer)]; !mask)
      mask = makeMask(position, windowOf(layer));

  return buildModel(token, angles, [&](int64_t layer, const HeadRows &heads) {
    // Heads that share keys are the rows of a product.
    Value queries = regroupHeads(function, "query_groups", heads.query,
                                 spec.batch * config.kvHeads);
    auto [keys, values] = caches[layer];
    Value attended =
        attendBehind(function, queries, keys, values, masks[windowOf(layer)],
                     heads.key, heads.value);
    return mergeHeads(function, "attended",
                      regroupHeads(function, "attended", attended, spec.batch));
  });
}

OwningOpRef<ModuleOp> LlamaBuilder::build() {
  if (!spec.rows)
    return function.finish(buildDecode());
  SmallVector<Value> results = buildPrefill();
  if (!spec.context)
    return function.finish(results);
  function.endFunction(results);
  parameters.clear();
  function.beginFunction("decode");
  return function.finish(buildDecode());
}

LayerSpec LlamaSpec::layer(int64_t m, int64_t context) const {
  LayerSpec layer;
  layer.m = m;
  layer.type = type;
  layer.hidden = config.hidden;
  layer.heads = config.heads;
  layer.kvHeads = config.kvHeads;
  layer.headDim = config.headDim;
  layer.intermediate = config.intermediate;
  layer.context = context;
  layer.normalizeHeads = config.headNorms;
  layer.epsilon = config.normEpsilon;
  return layer;
}

/// The positions that a function needs to know; `name` is of the size.
static llvm::Error checkPositions(const LlamaSpec &spec, StringRef name,
                                  int64_t size) {
  // A text of all numbers of a table stays below a gigabyte.
  constexpr int64_t maxAngles = 1 << 26;
  const ModelConfig &config = spec.config;
  if (size < 1 || size > config.maxPositions)
    return llvm::createStringError("size " + name + " is " + Twine(size) +
                                   ", but must be between 1 and the " +
                                   Twine(config.maxPositions) +
                                   " positions of the model");
  if (size >= maxAngles / config.headDim)
    return llvm::createStringError(
        "size " + name + " is " + Twine(size) +
        ", but constants hold the angles of less than " +
        Twine(maxAngles / config.headDim) + " positions of " +
        Twine(config.headDim) + " elements");
  return llvm::Error::success();
}

llvm::Error mlir::trn::checkSpec(const LlamaSpec &spec) {
  if (llvm::Error error = spec.config.check())
    return error;
  if (!spec.rows && !spec.context)
    return llvm::createStringError("neither rows nor a context is given");
  if (spec.rows) {
    if (llvm::Error error = checkPositions(spec, "rows", *spec.rows))
      return error;
    if (llvm::Error error = checkSpec(spec.layer(*spec.rows, *spec.rows)))
      return error;
  }
  if (!spec.context)
    return llvm::Error::success();
  if (llvm::Error error = checkPositions(spec, "context", *spec.context))
    return error;
  constexpr int64_t most = 1 << 16; // times heads, that is a number
  if (spec.batch < 1 || spec.batch > most)
    return llvm::createStringError("size batch is " + Twine(spec.batch) +
                                   ", but must be between 1 and " +
                                   Twine(most));
  LayerSpec rows = spec.layer(spec.batch, *spec.context + 1);
  if (llvm::Error error = checkSpec(rows.qkv()))
    return error;
  if (llvm::Error error = checkSpec(rows.mlp()))
    return error;
  LayerSpec row = spec.layer(1, *spec.context + 1);
  row.heads *= spec.batch;
  row.kvHeads *= spec.batch;
  return checkSpec(row.attention());
}

llvm::Expected<OwningOpRef<ModuleOp>>
mlir::trn::generateLlama(MLIRContext *context, const LlamaSpec &spec) {
  if (llvm::Error error = checkSpec(spec))
    return error;
  return LlamaBuilder(context, spec).build();
}
