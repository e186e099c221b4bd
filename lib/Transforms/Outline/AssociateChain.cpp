//===- AssociateChain.cpp - The order of a chain's products ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "AssociateChain.h"

#include "CreateKernel.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;

using Chain = std::vector<Product>;

namespace {
/// The matrices of a chain are numbered from left to right; ranges of them are
/// closed.
class Associator {
public:
  Associator(const Chain &chain, const Machine &machine);

  /// How much less time than the source's order the best one takes.
  double savedNs() const { return sourceNs - at(0, last()).ns; }
  /// `X * (W1 * W2)`.
  std::string describe(unsigned from, unsigned to) const;
  std::string describe() const { return describe(0, last()); }
  /// The products of the best order, each behind those that it reads.
  Chain emit();

private:
  struct Best {
    double ns = 0;
    unsigned split = 0; // the last matrix of the left factor
  };
  unsigned last() const { return chain.size(); }
  const Best &at(unsigned from, unsigned to) const {
    return best[from * (last() + 1) + to];
  }
  double timeOf(unsigned from, unsigned split, unsigned to) const;
  void findBest(unsigned from, unsigned to);
  const StoredMatrix &matrix(unsigned number) const {
    return number ? chain[number - 1].rhs : chain.front().lhs;
  }
  /// Emits a range of several matrices, and returns the number of its last
  /// product.
  size_t emit(OpBuilder &builder, unsigned from, unsigned to);

  const Chain &chain;
  const Machine &machine;
  double sourceNs = 0;
  SmallVector<int64_t> sizes; // of matrix i: sizes[i] x sizes[i + 1]
  std::vector<Best> best;
  Chain emitted;
};
} // namespace

Associator::Associator(const Chain &chain, const Machine &machine)
    : chain(chain), machine(machine), sizes{chain.front().m, chain.front().k} {
  for (const Product &product : chain)
    sizes.push_back(product.n);
  best.resize((last() + 1) * (last() + 1));
  for (unsigned to = 1; to <= last(); ++to) {
    sourceNs += timeOf(0, to - 1, to);
    for (unsigned from = to; from-- > 0;)
      findBest(from, to);
  }
}

/// The last product of a range. The weights on its right, if they are a product
/// themselves, are a kernel, whose result is stored and loaded.
double Associator::timeOf(unsigned from, unsigned split, unsigned to) const {
  ElementType type = chain.front().operandType;
  double depth = sizes[split + 1], columns = sizes[to + 1];
  double ns = 2.0 * sizes[from] * depth * columns /
              machine.tensorFlopsPerNs(type == ElementType::F32);
  if (split + 1 < to)
    ns += machine.kernelOverheadNs + 2.0 * depth * columns * byteSize(type) /
                                         machine.dmaSustainedGBPerSecond();
  return ns;
}

void Associator::findBest(unsigned from, unsigned to) {
  Best &found = best[from * (last() + 1) + to];
  found.ns = std::numeric_limits<double>::infinity();
  // From the right: among equals, the source's order.
  for (unsigned split = to; split-- > from;) {
    double ns =
        at(from, split).ns + at(split + 1, to).ns + timeOf(from, split, to);
    if (ns < found.ns)
      found = {ns, split};
  }
}

std::string Associator::describe(unsigned from, unsigned to) const {
  if (from == to)
    return from ? "W" + std::to_string(from) : "X";
  unsigned split = at(from, to).split;
  std::string right = describe(split + 1, to);
  if (split + 1 < to)
    right = "(" + right + ")";
  return describe(from, split) + " * " + right;
}

size_t Associator::emit(OpBuilder &builder, unsigned from, unsigned to) {
  unsigned split = at(from, to).split;
  Product product = chain[split];
  product.m = sizes[from];
  product.k = sizes[split + 1];
  product.n = sizes[to + 1];
  product.lhs = matrix(from);
  product.rhs = matrix(to);
  product.isContinuing = from < split;
  if (from < split) {
    Product &left = emitted[emit(builder, from, split)];
    left.isContinued = true;
    product.lhs = left.result;
  }
  if (split + 1 < to)
    product.rhs = emitted[emit(builder, split + 1, to)].result;
  Value &rhs = product.rhs.tensor;
  if (std::exchange(product.rhs.isTransposed, false))
    rhs = emitTranspose(builder, rhs.getLoc(), rhs, {1, 0});
  bool isResult = from == 0 && to == last();
  product.resultType =
      isResult ? chain.back().resultType : chain.back().operandType;
  product.result.isTransposed = isResult && chain.back().result.isTransposed;
  product.isContinued = false;
  emitProduct(builder, product);
  emitted.push_back(product);
  return emitted.size() - 1;
}

Chain Associator::emit() {
  Value old = chain.back().result.tensor;
  OpBuilder builder(old.getContext());
  builder.setInsertionPointAfterValue(old);
  emit(builder, 0, last());
  old.replaceAllUsesWith(emitted.back().result.tensor);
  return std::move(emitted);
}

static Chain associate(const Chain &chain, const Machine &machine,
                       bool allowRounding) {
  constexpr size_t mostProducts = 64; // the work grows with the third power
  if (chain.size() > mostProducts || !chain.front().batches.empty())
    return chain;
  Associator associator(chain, machine);
  if (associator.savedNs() <= 0)
    return chain;
  Location loc = chain.back().contraction->getLoc();
  std::string order =
      llvm::formatv("{0} takes some {1:F1} us less", associator.describe(),
                    associator.savedNs() * 1e-3)
          .str();
  if (!allowRounding) {
    remark::missed(
        loc, remark::RemarkOpts::name("Order").category("trn-outline-kernels"))
        << remark::reason("{0}, but rounds other matrices than the source",
                          order)
        << remark::suggest("allow-rounding");
    return chain;
  }
  mlir::emitRemark(loc, "products in another order (allow-rounding): ")
      << order;
  return associator.emit();
}

void mlir::trn::associateChains(Products &products, const Machine &machine,
                                bool allowRounding) {
  Products ordered;
  IRMapping results; // of chains before, which later ones may read
  for (const Product &last : llvm::make_second_range(products)) {
    if (last.isContinued)
      continue;
    Chain chain = {last};
    while (chain.front().isContinuing)
      chain.insert(chain.begin(), products.lookup(chain.front().lhs.tensor));
    for (Product &product : chain) {
      product.lhs.tensor = results.lookupOrDefault(product.lhs.tensor);
      product.rhs.tensor = results.lookupOrDefault(product.rhs.tensor);
    }
    chain = associate(chain, machine, allowRounding);
    for (const Product &product : chain)
      ordered.insert({product.result.tensor, product});
    results.map(last.result.tensor, chain.back().result.tensor);
  }
  products = std::move(ordered);
}
