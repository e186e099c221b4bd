//===- AssociateChain.cpp - The order of a chain's products ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"

#include "CreateKernel.h"
#include "trn/Transforms/EmitLinalg.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::trn;

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
  SmallVector<Chain, 1> emit(OpBuilder &builder);

private:
  struct Best {
    double ns = 0;
    unsigned split = 0; // the last matrix of the left factor
  };
  unsigned last() const { return chain.products.size(); }
  const Best &at(unsigned from, unsigned to) const {
    return best[from * (last() + 1) + to];
  }
  double timeOf(unsigned from, unsigned split, unsigned to) const;
  void findBest(unsigned from, unsigned to);
  const StoredMatrix &matrix(unsigned number) const {
    return number ? chain.products[number - 1].rhs : chain.first().lhs;
  }
  /// The chain for a range of several matrices; those that it reads are added
  /// to `chains`.
  Chain emit(OpBuilder &builder, unsigned from, unsigned to);

  const Chain &chain;
  const Machine &machine;
  double sourceNs = 0;
  SmallVector<int64_t> sizes; // of matrix i: sizes[i] x sizes[i + 1]
  std::vector<Best> best;
  SmallVector<Chain, 1> chains;
};
} // namespace

Associator::Associator(const Chain &chain, const Machine &machine)
    : chain(chain), machine(machine), sizes{chain.first().m, chain.first().k} {
  for (const Product &product : chain.products)
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
  ElementType type = chain.first().operandType;
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

Chain Associator::emit(OpBuilder &builder, unsigned from, unsigned to) {
  unsigned split = at(from, to).split;
  Chain result;
  if (from < split)
    result = emit(builder, from, split);
  Product product = chain.products[split];
  product.m = sizes[from];
  product.k = sizes[split + 1];
  product.n = sizes[to + 1];
  product.lhs = from < split ? result.last().result : matrix(from);
  if (split + 1 < to) {
    chains.push_back(emit(builder, split + 1, to));
    product.rhs = chains.back().last().result;
  } else {
    product.rhs = matrix(to);
  }
  Value &rhs = product.rhs.tensor;
  if (std::exchange(product.rhs.isTransposed, false))
    rhs = emitTranspose(builder, rhs.getLoc(), rhs, {1, 0});
  bool isResult = from == 0 && to == last();
  product.resultType =
      isResult ? chain.last().resultType : chain.last().operandType;
  product.result.isTransposed = isResult && chain.last().result.isTransposed;
  product.result.tensor = emitProduct(builder, product);
  result.products.push_back(product);
  return result;
}

SmallVector<Chain, 1> Associator::emit(OpBuilder &builder) {
  Value old = chain.last().result.tensor;
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointAfterValue(old);
  chains.push_back(emit(builder, 0, last()));
  old.replaceAllUsesWith(chains.back().last().result.tensor);
  return std::move(chains);
}

SmallVector<Chain, 1> mlir::trn::associate(const Chain &chain,
                                           const Machine &machine,
                                           bool allowRounding,
                                           OpBuilder &builder) {
  constexpr size_t mostProducts = 64; // the work grows with the third power
  if (chain.products.size() > mostProducts || !chain.first().batches.empty())
    return {chain};
  Associator associator(chain, machine);
  if (associator.savedNs() <= 0)
    return {chain};
  Operation *contraction = chain.last().contraction;
  std::string order =
      llvm::formatv("{0} takes some {1:F1} us less", associator.describe(),
                    associator.savedNs() * 1e-3)
          .str();
  if (!allowRounding) {
    remark::missed(
        contraction->getLoc(),
        remark::RemarkOpts::name("Order").category("trn-outline-kernels"))
        << remark::reason("{0}, but rounds other matrices than the source",
                          order)
        << remark::suggest("allow-rounding");
    return {chain};
  }
  mlir::emitRemark(contraction->getLoc(),
                   "products in another order (allow-rounding): ")
      << order;
  return associator.emit(builder);
}
