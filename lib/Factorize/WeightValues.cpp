//===- WeightValues.cpp - The values of constant weights ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WeightValues.h"

#include "trn/Dialect/Trn/IR/Memory.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace mlir;
using namespace mlir::trn;

std::optional<StringRef> mlir::trn::getResourceName(ElementsAttr values) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(values);
  return resource ? std::optional(resource.getRawHandle().getKey())
                  : std::nullopt;
}

/// The bytes of all elements, or of the one that all are.
static llvm::Expected<ArrayRef<char>> getBytes(ElementsAttr values) {
  if (auto dense = dyn_cast<DenseElementsAttr>(values))
    return dense.getRawData();
  auto resource = dyn_cast<DenseResourceElementsAttr>(values);
  if (!resource)
    return llvm::createStringError("it is neither dense nor a resource");
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  if (!blob)
    return llvm::createStringError("the module has no data of its resource");
  return blob->getData();
}

llvm::Expected<std::vector<float>> mlir::trn::readWeight(ElementsAttr values) {
  llvm::Expected<ArrayRef<char>> bytes = getBytes(values);
  if (!bytes)
    return bytes.takeError();
  ElementType type = *getElementType(values.getElementType());
  std::vector<float> weight(values.getNumElements());
  auto dense = dyn_cast<DenseElementsAttr>(values);
  int64_t count = dense && dense.isSplat() ? 1 : weight.size();
  if (int64_t(bytes->size()) != count * byteSize(type))
    return llvm::createStringError(
        llvm::formatv("its resource has {0} bytes, not {1}", bytes->size(),
                      count * byteSize(type)));
  loadFloats(type, bytes->data(), weight.data(), count);
  if (count == 1)
    std::fill(weight.begin(), weight.end(), weight.front());
  for (float value : weight)
    if (!std::isfinite(value))
      return llvm::createStringError("it has values that are not finite");
  return weight;
}

llvm::Expected<ElementsAttr> mlir::trn::makeWeight(RankedTensorType type,
                                                   ArrayRef<float> values,
                                                   bool isResource,
                                                   StringRef name) {
  ElementType element = *getElementType(type.getElementType());
  std::vector<char> bytes(values.size() * byteSize(element));
  storeFloats(element, values.data(), bytes.data(), values.size());
  std::vector<float> stored(values.size());
  loadFloats(element, bytes.data(), stored.data(), stored.size());
  for (float value : stored)
    if (!std::isfinite(value))
      return llvm::createStringError(
          llvm::formatv("its factors do not fit {0}", type.getElementType()));
  if (!isResource)
    return cast<ElementsAttr>(DenseElementsAttr::getFromRawBuffer(type, bytes));
  return cast<ElementsAttr>(DenseResourceElementsAttr::get(
      type, name,
      HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, /*align=*/64)));
}
