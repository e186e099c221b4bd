//===- AccessText.cpp - Accesses and conditions as text -------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AccessText.h"

#include "llvm/ADT/StringExtras.h"

#include <numeric>

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

void AccessText::setName(scf::ForOp loop, StringRef name) {
  size_t number = kernel.numberOf(loop);
  loopNames.resize(std::max(loopNames.size(), number + 1));
  loopNames[number] = name.str();
}

static std::string product(StringRef factor, int64_t coefficient) {
  if (coefficient == 1)
    return factor.str();
  return (factor + " * " + Twine(coefficient)).str();
}

std::string AccessText::print(const LinearExpr &expr) const {
  std::string sum;
  auto add = [&](StringRef term, bool isNegative) {
    sum += sum.empty() ? (isNegative ? "-" : "") : isNegative ? " - " : " + ";
    sum += term;
  };
  for (const LinearExpr::Term &term : expr.terms)
    add(product(loopNames[term.loop], std::abs(term.coefficient)),
        term.coefficient < 0);
  if (expr.constant || sum.empty())
    add(std::to_string(std::abs(expr.constant)), expr.constant < 0);
  return sum;
}

/// `start + size`: pieces of that size from `m * 64` to `(m + 1) * 64`.
std::string AccessText::printEnd(const LinearExpr &start, int64_t size) const {
  bool isPiece = start.terms.size() == 1 && start.constant == 0 &&
                 start.terms.front().coefficient == size;
  if (!isPiece)
    return print(start + LinearExpr(size));
  std::string next = loopNames[start.terms.front().loop] + " + 1";
  return size == 1 ? next : product("(" + next + ")", size);
}

std::string AccessText::slices(const Subscripts &subscripts,
                               ArrayRef<int64_t> shape) const {
  SmallVector<std::string, 4> texts;
  for (auto [i, one] : llvm::enumerate(subscripts)) {
    int64_t size = one.last() + 1;
    if (!one.dim)
      texts.push_back(print(one.start));
    else if (size == shape[i] && one.step == 1)
      texts.push_back(":");
    else if (one.start.terms.size() > 1 && one.step == 1)
      texts.push_back("nl.ds(" + print(one.start) + ", " +
                      std::to_string(size) + ")");
    else
      texts.push_back(print(one.start) + ":" + printEnd(one.start, size) +
                      (one.step == 1 ? "" : ":" + std::to_string(one.step)));
  }
  return "[" + llvm::join(texts, ", ") + "]";
}

std::string nki::axis(int64_t size, unsigned dim, unsigned rank) {
  SmallVector<std::string, 4> places(rank, "None");
  places[dim] = ":";
  return "nl.arange(" + std::to_string(size) + ")[" + llvm::join(places, ", ") +
         "]";
}

std::string nki::tupleOf(ArrayRef<int64_t> sizes) {
  std::string text = "(";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(sizes, os);
  os << (sizes.size() == 1 ? ",)" : ")");
  return text;
}

std::string nki::pairsOf(ArrayRef<std::array<int64_t, 2>> pairs) {
  std::string text = "[";
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(pairs, os, [&](const std::array<int64_t, 2> &pair) {
    os << "[" << pair[0] << ", " << pair[1] << "]";
  });
  return text + "]";
}

/// Slices where each dimension has one dim of the access, in their order.
static bool areSlices(const Access &access, const Subscripts &subscripts) {
  SmallVector<unsigned, 4> order;
  for (const Subscript &one : subscripts) {
    if (one.dim)
      order.push_back(*one.dim);
    if (one.step != 1 || one.groupDim)
      return false;
  }
  return order.size() == access.dims.size() && llvm::is_sorted(order);
}

/// Indices by `nl.arange`, with an axis for each dim of the access.
std::string AccessText::indexed(StringRef base, const Access &access,
                                const Subscripts &subscripts) const {
  unsigned rank = access.dims.size();
  SmallVector<std::string, 4> texts;
  for (const Subscript &one : subscripts) {
    SmallVector<std::string, 3> terms;
    if (!one.dim || !(one.start == LinearExpr()))
      terms.push_back(print(one.start));
    if (one.groupDim)
      terms.push_back(std::to_string(one.groupStep) + " * " +
                      axis(one.groups, *one.groupDim, rank));
    if (one.dim)
      terms.push_back((one.step == 1 ? "" : std::to_string(one.step) + " * ") +
                      axis(one.size, *one.dim, rank));
    texts.push_back(llvm::join(terms, " + "));
  }
  return base.str() + "[" + llvm::join(texts, ", ") + "]";
}

/// Slices, then groups of rows in a dimension of their own, then dimensions in
/// the order of the access. In the beta of NKI, slices alone, or indices.
std::string AccessText::subscribed(StringRef base, ArrayRef<int64_t> shape,
                                   const Access &access,
                                   const Subscripts &subscripts) const {
  // All that a register does is in `.ap`.
  if (device && device->counts(access.offset))
    return pattern(access);
  if (isBeta && !areSlices(access, subscripts))
    return indexed(base, access, subscripts);
  std::string view =
      base.str() + (isAll(subscripts, shape) ? "" : slices(subscripts, shape));
  SmallVector<unsigned, 4> order;
  for (const Subscript &one : subscripts) {
    if (one.groupDim) {
      view += ".reshape_dim(" + std::to_string(order.size()) + ", " +
              tupleOf({one.groups, one.size}) + ")";
      order.push_back(*one.groupDim);
    }
    if (one.dim)
      order.push_back(*one.dim);
  }
  if (llvm::is_sorted(order))
    return view;
  SmallVector<unsigned, 4> sorted(order);
  llvm::sort(sorted);
  SmallVector<int64_t, 4> positions;
  for (unsigned dim : sorted)
    positions.push_back(llvm::find(order, dim) - order.begin());
  return view + ".permute(" + tupleOf(positions) + ")";
}

std::string AccessText::pattern(const Access &access) const {
  const Tensor &tensor = kernel.tensorOf(access);
  SmallVector<std::array<int64_t, 2>, 4> pattern;
  for (const Access::Dim &dim : access.dims)
    pattern.push_back({dim.stride, dim.size});
  LinearExpr offset = access.offset;
  if (tensor.isOnChip()) {
    int64_t row = tensor.type.getNumElements() / tensor.type.getDimSize(0);
    pattern.front()[0] = row;
    offset += access.partition * row;
  }
  std::string dynamic;
  if (device)
    dynamic = device->takeRegister(offset, tensor.type.getShape());
  return (nameOf(tensor) + ".ap(pattern=" + pairsOf(pattern) +
          (offset == LinearExpr() ? "" : ", offset=" + print(offset)) +
          dynamic + ")")
      .str();
}

/// A tensor in HBM of other rows than it has: those that the access walks over.
static std::optional<SmallVector<int64_t, 4>>
findRows(const Access &access, ArrayRef<int64_t> shape) {
  // Of a single row the length is not known.
  const Access::Dim &rows = access.dims.front();
  int64_t count = 1, row = rows.size == 1 ? 1 : rows.stride;
  for (int64_t size : shape)
    count *= size;
  if (row < 1 || count % row != 0)
    return std::nullopt;
  return SmallVector<int64_t, 4>{count / row, row};
}

/// In the beta, a tile of size one is spread over dims that it repeats along.
std::optional<std::string>
AccessText::repeatedView(const Access &access) const {
  Access once = access;
  SmallVector<int64_t, 4> sizes;
  bool repeats = false;
  for (Access::Dim &dim : once.dims) {
    sizes.push_back(dim.size);
    if (dim.stride != 0 || dim.size == 1)
      continue;
    repeats = true;
    dim = {1, 1};
  }
  std::optional<std::string> tile = repeats ? view(once) : std::nullopt;
  if (!tile)
    return std::nullopt;
  return *tile + ".broadcast_to(" + tupleOf(sizes) + ")";
}

std::optional<std::string> AccessText::view(const Access &access) const {
  const Tensor &tensor = kernel.tensorOf(access);
  StringRef name = nameOf(tensor);
  SmallVector<int64_t, 4> shape(tensor.type.getShape()), sizes;
  for (const Access::Dim &dim : access.dims)
    sizes.push_back(dim.size);
  auto reshape = [&](ArrayRef<int64_t> to) {
    return (name + ".reshape(" + tupleOf(to) + ")").str();
  };
  bool isAll = isWhole(access, shape, tensor.isOnChip());
  if (isAll && sizes == shape)
    return name.str();
  // Only indices leave something out between groups.
  auto canWrite = [&](const Subscripts &subscripts) {
    return isBeta || llvm::all_of(subscripts, [](const Subscript &one) {
             return !one.groupDim || one.areNeighbours();
           });
  };
  if (tensor.isOnChip() || shape.size() > 1)
    if (std::optional<Subscripts> found = kernel.subscripts(access, shape);
        found && canWrite(*found))
      return subscribed(name, shape, access, *found);
  if (isAll)
    return reshape(sizes);
  if (!tensor.isOnChip())
    if (std::optional<SmallVector<int64_t, 4>> rows = findRows(access, shape))
      if (std::optional<Subscripts> found = kernel.subscripts(access, *rows);
          found && canWrite(*found))
        return subscribed(reshape(*rows), *rows, access, *found);
  if (isBeta)
    return tensor.isOnChip() ? repeatedView(access) : std::nullopt;
  return pattern(access);
}

std::string AccessText::accumulates(MatmulOp matmul) const {
  Condition condition = kernel.adds(matmul);
  LinearExpr expr = condition.expr;
  if (expr.isConstant())
    return condition.evaluate({}) ? "True" : "False";
  int64_t divisor = std::abs(expr.constant);
  for (const LinearExpr::Term &term : expr.terms)
    divisor = std::gcd(divisor, term.coefficient);
  LinearExpr small(expr.constant / divisor);
  for (const LinearExpr::Term &term : expr.terms)
    small += LinearExpr::counter(term.loop, term.coefficient / divisor);
  static constexpr const char *signs[] = {" == ", " != ", " < ",
                                          " <= ", " > ",  " >= "};
  const char *sign = signs[static_cast<int>(condition.predicate)];
  // What counts from zero is another than zero if it is more.
  if (condition.predicate == Condition::Predicate::Ne &&
      kernel.rangeOf(expr).min >= 0)
    sign = " > ";
  return print(small) + sign + "0";
}
