//===- FactorConstants.cpp - The factors of constant weights --------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FactorConstants.h"

#include "FactorProduct.h"
#include "WeightValues.h"
#include "trn/Compress/Factor.h"

#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::trn;
using llvm::createStringError;

/// A dimension: how many elements it has, and how far apart they lie.
using StridedDim = std::pair<int64_t, int64_t>;

/// Appends the elements from `from` on to `to`, in row-major order of `dims`.
static void gather(const float *from, ArrayRef<StridedDim> dims,
                   std::vector<float> &to) {
  if (dims.empty())
    return to.push_back(*from);
  auto [size, stride] = dims.front();
  for (int64_t i = 0; i < size; ++i)
    gather(from + i * stride, dims.drop_front(), to);
}

/// A row-major weight as a matrix [out, in].
static std::vector<float> toMatrix(ArrayRef<float> weight,
                                   const WeightGroup &group) {
  ArrayRef<int64_t> sizes = group.type().getShape();
  SmallVector<StridedDim> dims;
  for (bool isInput : {false, true})
    for (auto [size, stride, input] :
         llvm::zip_equal(sizes, computeStrides(sizes), group.inputDims()))
      if (input == isInput)
        dims.push_back({size, stride});
  std::vector<float> matrix;
  matrix.reserve(weight.size());
  gather(weight.data(), dims, matrix);
  return matrix;
}

/// A factor as the weight lies: of [rank, in], or of [out, rank].
static std::vector<float> toTensor(ArrayRef<float> factor,
                                   const FactoredGroup &factored,
                                   bool hasInputs) {
  const WeightGroup &group = *factored.group;
  SmallVector<StridedDim> dims;
  int64_t stride = hasInputs ? 1 : factored.rank;
  for (std::optional<unsigned> dim :
       llvm::reverse(layOutFactor(group.inputDims(), hasInputs))) {
    if (!dim) {
      dims.push_back({factored.rank, hasInputs ? factored.in : 1});
      continue;
    }
    dims.push_back({group.type().getDimSize(*dim), stride});
    stride *= dims.back().first;
  }
  std::reverse(dims.begin(), dims.end());
  std::vector<float> tensor;
  tensor.reserve(factor.size());
  gather(factor.data(), dims, tensor);
  return tensor;
}

namespace {
/// A constant on its way to factors.
struct ConstantWeight {
  FactoredGroup *factored;
  Value value;
  StringRef name;
  ElementsAttr elements;
  std::vector<float> matrix = {}; // [out, in]
  std::vector<double> gram = {};  // [in, in]
  Factors factors = {};

  llvm::Error read(const std::optional<SafetensorsFile> &grams);
  void factorize(unsigned threads);
  llvm::Error write();

private:
  llvm::Error readGram(const SafetensorsFile &grams);
};
} // namespace

llvm::Error ConstantWeight::readGram(const SafetensorsFile &grams) {
  if (!grams.contains(name))
    return createStringError("the file of Gram matrices has none for it");
  const int64_t in = factored->in;
  if (llvm::Error error = grams.loadDoubles(name, {in, in}).moveInto(gram))
    return createStringError("its Gram matrix is none: " +
                             llvm::toString(std::move(error)));
  if (!llvm::all_of(gram, [](double value) { return std::isfinite(value); }))
    return createStringError("its Gram matrix has values that are not finite");
  return llvm::Error::success();
}

llvm::Error ConstantWeight::read(const std::optional<SafetensorsFile> &grams) {
  llvm::Expected<std::vector<float>> weight = readWeight(elements);
  if (!weight)
    return weight.takeError();
  matrix = toMatrix(*weight, *factored->group);
  return grams ? readGram(*grams) : llvm::Error::success();
}

void ConstantWeight::factorize(unsigned threads) {
  auto [out, in, rank] =
      std::tuple(factored->out, factored->in, factored->rank);
  FactorOptions options;
  options.threads = threads;
  factors = gram.empty()
                ? factor(matrix, out, in, rank, Method::Plain, {}, options)
                : factor(matrix, out, in, rank, Method::Whiten,
                         mapGram(matrix, std::move(gram), threads), options);
}

llvm::Error ConstantWeight::write() {
  bool isResource = getResourceName(elements).has_value();
  auto [firstType, secondType] = factored->types();
  auto [firstName, secondName] = nameFactors(name);
  auto &[first, second] = factored->constants[value];
  if (llvm::Error error =
          makeWeight(firstType,
                     toTensor(factors.first, *factored, /*hasInputs=*/true),
                     isResource, firstName)
              .moveInto(first))
    return error;
  return makeWeight(secondType,
                    toTensor(factors.second, *factored, /*hasInputs=*/false),
                    isResource, secondName)
      .moveInto(second);
}

FactorProblems
mlir::trn::factorConstants(MutableArrayRef<FactoredGroup> groups,
                           const std::optional<SafetensorsFile> &grams,
                           unsigned threads) {
  std::vector<ConstantWeight> constants;
  for (FactoredGroup &factored : groups)
    for (auto [value, name] :
         llvm::zip_equal(factored.group->values, factored.group->names))
      if (ElementsAttr elements; matchPattern(value, m_Constant(&elements)))
        constants.push_back({&factored, value, name, elements});
  FactorProblems problems;
  auto attempt = [&](const ConstantWeight &constant, llvm::Error error) {
    if (error)
      problems.try_emplace(constant.factored->group,
                           llvm::toString(std::move(error)));
  };
  // Not all at once, which would take the memory of all. Attributes belong to
  // this thread.
  const size_t atOnce = 8;
  for (size_t start = 0; start < constants.size(); start += atOnce) {
    auto some = MutableArrayRef(constants).slice(
        start, std::min(atOnce, constants.size() - start));
    for (ConstantWeight &constant : some)
      attempt(constant, constant.read(grams));
    SmallVector<int64_t> sizes;
    for (const ConstantWeight &constant : some)
      sizes.push_back(std::min(constant.factored->out, constant.factored->in));
    forEachWeight(sizes, threads, [&](size_t i, unsigned own) {
      if (!problems.contains(some[i].factored->group))
        some[i].factorize(own);
    });
    for (ConstantWeight &constant : some) {
      if (!problems.contains(constant.factored->group))
        attempt(constant, constant.write());
      constant = {constant.factored, constant.value, constant.name,
                  constant.elements};
    }
  }
  return problems;
}
