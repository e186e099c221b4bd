//===- TileMath.cpp - Products of tiles on oneDNN -------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// oneDNN has a product of f32 matrices for every CPU, `dnnl_sgemm`. Of bf16 it
// has one that is worth taking for some: a primitive whose implementation is
// not its plain loop. Everything else is widened to f32.
//
//===----------------------------------------------------------------------===//

#include "TileMath.h"

#include "Rows.h"
#include "trn/Support/OneDNN.h"

#include "llvm/ADT/StringRef.h"
#include <tuple>
#include <vector>

using namespace mlir::trn;

using Matrix = dnnl::memory;

bool TileLayout::operator==(const TileLayout &other) const {
  return std::tie(type, row, column) ==
         std::tie(other.type, other.row, other.column);
}

bool TileProduct::operator==(const TileProduct &other) const {
  return std::tie(k, m, n, stationary, moving, resultRow) ==
         std::tie(other.k, other.m, other.n, other.stationary, other.moving,
                  other.resultRow);
}

namespace {

/// What one thread needs to run a primitive: handles whose data pointers it
/// sets.
struct Handles {
  Matrix stationary, moving, result, scratchpad;
};

/// A product of bf16 tiles as this CPU has it.
struct NarrowProduct {
  dnnl::matmul overwrite, accumulate;
  /// By thread; none if the CPU has no such product.
  std::vector<Handles> handles;
};

struct Plan {
  TileProduct product;
  NarrowProduct narrow;
};

} // namespace

struct TileMath::State {
  unsigned threads;
  dnnl::engine engine{dnnl::engine::kind::cpu, 0};
  std::vector<dnnl::stream> streams;
  std::vector<Plan> plans;
  /// By thread: operands that are gathered or widened for one execution.
  struct Gathered {
    std::vector<float> stationary, moving;
  };
  std::vector<Gathered> gathered;
};

TileMath::TileMath(unsigned threads) : state(std::make_unique<State>()) {
  state->threads = threads;
  for (unsigned i = 0; i < threads; ++i)
    state->streams.emplace_back(state->engine);
  state->gathered.resize(threads);
}

TileMath::~TileMath() = default;

/// The bf16 product of `product` once its columns are neighbours; nothing if it
/// is of other types.
static std::optional<TileProduct> asNarrowRows(const TileProduct &product) {
  TileProduct rows = product;
  for (auto [operand, columns] : {std::pair(&rows.stationary, product.m),
                                  std::pair(&rows.moving, product.n)}) {
    if (operand->type != ElementType::BF16)
      return std::nullopt;
    if (operand->column != 1)
      *operand = {ElementType::BF16, columns, 1};
    if (operand->row < columns)
      return std::nullopt;
  }
  return rows;
}

/// oneDNN multiplies src[m, k] * weights[k, n]: a stationary tile, partition
/// first, is src transposed, which only changes its strides.
static dnnl::matmul::primitive_desc
describe(const TileProduct &p, bool accumulate, const dnnl::engine &engine) {
  using Type = Matrix::data_type;
  Matrix::desc src({p.m, p.k}, Type::bf16, Matrix::dims{1, p.stationary.row});
  Matrix::desc weights({p.k, p.n}, Type::bf16, Matrix::dims{p.moving.row, 1});
  Matrix::desc dst({p.m, p.n}, Type::f32, Matrix::dims{p.resultRow, 1});
  dnnl::primitive_attr attributes;
  // Threads run the same plan at the same time: each brings its own scratchpad.
  attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (accumulate) {
    dnnl::post_ops ops;
    ops.append_sum(1.0f);
    attributes.set_post_ops(ops);
  }
  return describeMatmul(engine, src, weights, dst, attributes);
}

static NarrowProduct buildNarrow(const TileProduct &product,
                                 const dnnl::engine &engine, unsigned threads) {
  NarrowProduct narrow;
  // A CPU without the type has a plain loop in oneDNN 3; oneDNN 2 throws.
  try {
    dnnl::matmul::primitive_desc overwrite = describe(product, false, engine);
    dnnl::matmul::primitive_desc accumulate = describe(product, true, engine);
    if (llvm::StringRef(accumulate.impl_info_str()).starts_with("ref"))
      return {};
    narrow.overwrite = dnnl::matmul(overwrite);
    narrow.accumulate = dnnl::matmul(accumulate);
    Matrix::desc scratchpad = accumulate.scratchpad_desc();
    if (overwrite.scratchpad_desc().get_size() > scratchpad.get_size())
      scratchpad = overwrite.scratchpad_desc();
    for (unsigned i = 0; i < threads; ++i)
      narrow.handles.push_back(
          {Matrix(accumulate.src_desc(), engine, nullptr),
           Matrix(accumulate.weights_desc(), engine, nullptr),
           Matrix(accumulate.dst_desc(), engine, nullptr),
           Matrix(scratchpad, engine)});
  } catch (const dnnl::error &) {
    return {};
  }
  return narrow;
}

static void grow(std::vector<float> &scratch, size_t size) {
  if (scratch.size() < size)
    scratch.resize(size);
}

static bool areRows(const TileProduct &product) {
  return product.stationary.column == 1 && product.moving.column == 1;
}

int32_t TileMath::plan(const TileProduct &product) {
  for (size_t i = 0; i < state->plans.size(); ++i)
    if (state->plans[i].product == product)
      return int32_t(i);
  Plan plan{product, {}};
  if (std::optional<TileProduct> rows = asNarrowRows(product))
    plan.narrow = buildNarrow(*rows, state->engine, state->threads);
  state->plans.push_back(std::move(plan));
  int32_t index = int32_t(state->plans.size()) - 1;
  if (!isDirect(index) || !areRows(product))
    for (State::Gathered &gathered : state->gathered) {
      grow(gathered.stationary, product.k * product.m);
      grow(gathered.moving, product.k * product.n);
    }
  return index;
}

bool TileMath::isDirect(int32_t index) const {
  const Plan &plan = state->plans[index];
  return !plan.narrow.handles.empty() ||
         (plan.product.stationary.type == ElementType::F32 &&
          plan.product.moving.type == ElementType::F32);
}

// Kernels for AVX-512 copy such operands for each product, or read them column
// by column. That for AVX2 reads rows from front to back.
bool TileMath::prefersNearRows() {
  auto isa = unsigned(dnnl::get_effective_cpu_isa());
  auto least = unsigned(dnnl::cpu_isa::avx512_core);
  return (isa & least) == least;
}

static void executeNarrow(NarrowProduct &narrow, unsigned thread,
                          dnnl::stream &stream, const void *stationary,
                          const void *moving, float *result, bool accumulate) {
  // The C interface, because the C++ one builds a hash map for each call.
  Handles &handles = narrow.handles[thread];
  dnnl_exec_arg_t arguments[] = {
      {DNNL_ARG_SRC, handles.stationary.get()},
      {DNNL_ARG_WEIGHTS, handles.moving.get()},
      {DNNL_ARG_DST, handles.result.get()},
      {DNNL_ARG_SCRATCHPAD, handles.scratchpad.get()}};
  dnnl_memory_set_data_handle(arguments[0].memory,
                              const_cast<void *>(stationary));
  dnnl_memory_set_data_handle(arguments[1].memory, const_cast<void *>(moving));
  dnnl_memory_set_data_handle(arguments[2].memory, result);
  dnnl_primitive_execute(accumulate ? narrow.accumulate.get()
                                    : narrow.overwrite.get(),
                         stream.get(), 4, arguments);
}

/// `operand` as rows of `type` in `scratch`, unless it is that already. Returns
/// its elements and changes `layout`.
static const void *asRows(ElementType type, const void *operand, int64_t rows,
                          int64_t columns, TileLayout &layout,
                          std::vector<float> &scratch) {
  if (layout.type == type && layout.column == 1)
    return operand;
  const int64_t size = byteSize(layout.type), newSize = byteSize(type);
  const int64_t stride = layout.column * size;
  auto *to = reinterpret_cast<char *>(scratch.data());
  for (int64_t row = 0; row < rows; ++row, to += columns * newSize) {
    const char *line =
        static_cast<const char *>(operand) + row * layout.row * size;
    if (layout.type == type) {
      moveElements(size, line, stride, to, size, columns);
      continue;
    }
    for (int64_t i = 0; i < columns; i += chunk)
      loadRow(layout.type, line + i * stride, stride,
              reinterpret_cast<float *>(to) + i, std::min(chunk, columns - i));
  }
  layout = {type, columns, 1};
  return scratch.data();
}

void TileMath::execute(int32_t index, unsigned thread, const void *stationary,
                       const void *moving, float *result, bool accumulate) {
  Plan &plan = state->plans[index];
  TileProduct p = plan.product;
  State::Gathered &gathered = state->gathered[thread];
  bool isNarrow = !plan.narrow.handles.empty();
  ElementType type = isNarrow ? ElementType::BF16 : ElementType::F32;
  const void *left =
      asRows(type, stationary, p.k, p.m, p.stationary, gathered.stationary);
  const void *right = asRows(type, moving, p.k, p.n, p.moving, gathered.moving);
  if (isNarrow)
    return executeNarrow(plan.narrow, thread, state->streams[thread], left,
                         right, result, accumulate);
  // It fails for negative sizes and pitches too short only.
  dnnl_sgemm('T', 'N', p.m, p.n, p.k, /*alpha=*/1,
             static_cast<const float *>(left), p.stationary.row,
             static_cast<const float *>(right), p.moving.row,
             /*beta=*/accumulate ? 1 : 0, result, p.resultRow);
}
