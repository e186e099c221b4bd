//===- FiniteValues.cpp - Values of tensors, all of them finite -----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/FiniteValues.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

static std::string formatIndex(int64_t at, llvm::ArrayRef<int64_t> shape) {
  std::string index;
  for (int64_t size : llvm::reverse(shape)) {
    index = std::to_string(at % size) + (index.empty() ? "" : ", ") + index;
    at /= size;
  }
  return "[" + index + "]";
}

llvm::Error mlir::trn::checkFinite(StringRef name, llvm::ArrayRef<float> values,
                                   int64_t first,
                                   llvm::ArrayRef<int64_t> shape) {
  bool isFinite = true;
  for (float value : values)
    isFinite &= std::isfinite(value);
  if (isFinite)
    return llvm::Error::success();
  auto *value =
      llvm::find_if(values, [](float v) { return !std::isfinite(v); });
  return createStringError(
      formatv("tensor '{0}' has {1} at {2}, which is not finite", name,
              std::isnan(*value) ? "nan"
              : *value > 0       ? "inf"
                                 : "-inf",
              formatIndex(first + (value - values.begin()), shape)));
}

llvm::Expected<std::vector<float>>
mlir::trn::loadFinite(StringRef name, const ArrayView &view) {
  std::vector<float> values(*countElements(view.shape));
  loadFloats(view.type.getFloats(), view.data, values.data(), values.size());
  if (llvm::Error error = checkFinite(name, values, 0, view.shape))
    return error;
  return values;
}
