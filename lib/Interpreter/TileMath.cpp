//===- TileMath.cpp - Products of tiles on oneDNN -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileMath.h"

#include "dnnl.hpp"
#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

using namespace mlir::trn;

using Matrix = dnnl::memory;

bool TileProduct::operator==(const TileProduct &other) const {
  auto key = [](const TileProduct &p) {
    return std::make_tuple(p.k, p.m, p.n, p.stationaryType, p.movingType,
                           p.stationaryRow, p.stationaryColumn, p.movingRow,
                           p.movingColumn, p.resultRow);
  };
  return key(*this) == key(other);
}

namespace {

/// What one thread needs to run one plan: handles whose data pointers it sets.
struct Handles {
  Matrix stationary, moving, result, scratchpad;
};

struct Plan {
  TileProduct product;
  /// Operands are gathered into dense f32 matrices first: oneDNN has no fast
  /// product for them as they are.
  bool widen = false;
  dnnl::matmul overwrite, accumulate;
  std::vector<Handles> handles;
};

} // namespace

struct TileMath::State {
  unsigned threads;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  std::vector<dnnl::stream> streams;
  std::vector<Plan> plans;
  /// For each thread: stationary and moving operand, widened.
  std::vector<std::vector<float>> widened;
};

TileMath::TileMath(unsigned threads) : state(std::make_unique<State>()) {
  state->threads = threads;
  for (unsigned i = 0; i < threads; ++i)
    state->streams.emplace_back(state->engine);
  state->widened.resize(threads);
}

TileMath::~TileMath() = default;

static Matrix::data_type dataType(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return Matrix::data_type::bf16;
  case ElementType::F16:
    return Matrix::data_type::f16;
  case ElementType::F32:
    return Matrix::data_type::f32;
  }
  return Matrix::data_type::undef;
}

static bool canRunUnchanged(const TileProduct &product) {
  return product.stationaryType == product.movingType &&
         product.stationaryType != ElementType::F16 &&
         product.stationaryColumn == 1 && product.movingColumn == 1 &&
         product.stationaryRow >= product.m && product.movingRow >= product.n;
}

/// oneDNN multiplies src[m, k] * weights[k, n]: a stationary tile, partition
/// first, is src transposed, which only changes its strides.
static dnnl::matmul::primitive_desc describe(const Plan &plan, bool accumulate,
                                             const dnnl::engine &engine) {
  const TileProduct &p = plan.product;
  bool wide = plan.widen;
  Matrix::data_type type =
      wide ? Matrix::data_type::f32 : dataType(p.stationaryType);
  Matrix::desc src({p.m, p.k}, type,
                   Matrix::dims{1, wide ? p.m : p.stationaryRow});
  Matrix::desc weights({p.k, p.n}, type,
                       Matrix::dims{wide ? p.n : p.movingRow, 1});
  Matrix::desc dst({p.m, p.n}, Matrix::data_type::f32,
                   Matrix::dims{p.resultRow, 1});
  dnnl::primitive_attr attributes;
  // Threads run the same plan at the same time: each brings its own scratchpad.
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (accumulate) {
    dnnl::post_ops ops;
    ops.append_sum(1.0f);
    attributes.set_post_ops(ops);
  }
  return {dnnl::matmul::desc(src, weights, dst), attributes, engine};
}

static void build(Plan &plan, const dnnl::engine &engine, unsigned threads) {
  dnnl::matmul::primitive_desc overwrite = describe(plan, false, engine);
  dnnl::matmul::primitive_desc accumulate = describe(plan, true, engine);
  // A CPU without the type would take a plain loop.
  if (!plan.widen &&
      llvm::StringRef(accumulate.impl_info_str()).starts_with("ref")) {
    plan.widen = true;
    return build(plan, engine, threads);
  }
  plan.overwrite = dnnl::matmul(overwrite);
  plan.accumulate = dnnl::matmul(accumulate);
  Matrix::desc scratchpad = accumulate.scratchpad_desc();
  if (overwrite.scratchpad_desc().get_size() > scratchpad.get_size())
    scratchpad = overwrite.scratchpad_desc();
  for (unsigned i = 0; i < threads; ++i)
    plan.handles.push_back({Matrix(accumulate.src_desc(), engine, nullptr),
                            Matrix(accumulate.weights_desc(), engine, nullptr),
                            Matrix(accumulate.dst_desc(), engine, nullptr),
                            Matrix(scratchpad, engine)});
}

int32_t TileMath::plan(const TileProduct &product, std::string &error) {
  for (size_t i = 0; i < state->plans.size(); ++i)
    if (state->plans[i].product == product)
      return int32_t(i);
  Plan plan;
  plan.product = product;
  plan.widen = !canRunUnchanged(product);
  try {
    build(plan, state->engine, state->threads);
  } catch (const dnnl::error &failure) {
    error = std::string("cannot be multiplied by oneDNN: ") + failure.what();
    return -1;
  }
  if (plan.widen)
    for (std::vector<float> &scratch : state->widened)
      scratch.resize(std::max<size_t>(scratch.size(),
                                      product.k * (product.m + product.n)));
  state->plans.push_back(std::move(plan));
  return int32_t(state->plans.size()) - 1;
}

static void widen(ElementType type, const void *from, float *to, int64_t rows,
                  int64_t columns, int64_t rowStride, int64_t columnStride) {
  int64_t size = byteSize(type);
  for (int64_t row = 0; row < rows; ++row, to += columns) {
    const char *line = static_cast<const char *>(from) + row * rowStride * size;
    if (columnStride == 1)
      loadFloats(type, line, to, columns);
    else
      for (int64_t i = 0; i < columns; ++i)
        loadFloats(type, line + i * columnStride * size, to + i, 1);
  }
}

void TileMath::execute(int32_t index, unsigned thread, const void *stationary,
                       const void *moving, float *result, bool accumulate) {
  Plan &plan = state->plans[index];
  const TileProduct &p = plan.product;
  if (plan.widen) {
    float *src = state->widened[thread].data(), *weights = src + p.k * p.m;
    widen(p.stationaryType, stationary, src, p.k, p.m, p.stationaryRow,
          p.stationaryColumn);
    widen(p.movingType, moving, weights, p.k, p.n, p.movingRow, p.movingColumn);
    stationary = src;
    moving = weights;
  }
  // The C interface, because the C++ one builds a hash map for each call.
  Handles &handles = plan.handles[thread];
  dnnl_exec_arg_t arguments[] = {
      {DNNL_ARG_SRC, handles.stationary.get()},
      {DNNL_ARG_WEIGHTS, handles.moving.get()},
      {DNNL_ARG_DST, handles.result.get()},
      {DNNL_ARG_SCRATCHPAD, handles.scratchpad.get()}};
  dnnl_memory_set_data_handle(arguments[0].memory,
                              const_cast<void *>(stationary));
  dnnl_memory_set_data_handle(arguments[1].memory, const_cast<void *>(moving));
  dnnl_memory_set_data_handle(arguments[2].memory, result);
  dnnl_primitive_execute(accumulate ? plan.accumulate.get()
                                    : plan.overwrite.get(),
                         state->streams[thread].get(), 4, arguments);
}
