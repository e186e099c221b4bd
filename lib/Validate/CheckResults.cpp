//===- CheckResults.cpp - Compare results with references -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Validate/CheckResults.h"

#include "trn/Runtime/Reference.h"
#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace mlir::trn;

/// The transpose of a matrix.
static llvm::Expected<HostTensor> transpose(const HostTensor &matrix) {
  int64_t rows = matrix.getShape()[0], columns = matrix.getShape()[1];
  auto result = HostTensor::create(matrix.getType(), {columns, rows});
  if (result)
    // A row-major matrix is the column-major form of its transpose.
    cantFail(result->assign({matrix.getType(),
                             {columns, rows},
                             static_cast<const char *>(matrix.data()),
                             /*columnMajor=*/true}));
  return result;
}

/// The relative error of `value`. A square one does not show whether it had to
/// be transposed: either is right then.
static FailureOr<double> compare(func::FuncOp entry,
                                 const CheckedValue &value) {
  const HostTensor &result = value.actual, &reference = value.expected;
  std::optional<double> relative;
  if (reference.getShape() == result.getShape())
    relative = relativeError(result, reference);
  if (value.mayFlip && reference.getShape().size() == 2 &&
      llvm::equal(reference.getShape(), llvm::reverse(result.getShape()))) {
    llvm::Expected<HostTensor> flipped = transpose(reference);
    if (!flipped)
      return entry.emitError() << llvm::toString(flipped.takeError());
    double other = relativeError(result, *flipped);
    relative = relative && *relative < other ? *relative : other;
  }
  if (relative)
    return *relative;
  return entry.emitError() << value.name << " of @" << entry.getSymName()
                           << " is " << formatShape(result.getShape())
                           << ", but its reference is "
                           << formatShape(reference.getShape());
}

/// How many elements of `tensor` are NaN.
static int64_t countNaNs(const HostTensor &tensor) {
  constexpr int64_t most = 1024;
  float values[most];
  int64_t count = 0;
  for (int64_t i = 0; i < tensor.numElements(); i += most) {
    int64_t size = std::min(most, tensor.numElements() - i);
    tensor.loadF32(i, size, values);
    count += std::count_if(values, values + size,
                           [](float value) { return std::isnan(value); });
  }
  return count;
}

LogicalResult mlir::trn::checkResults(func::FuncOp entry,
                                      ArrayRef<CheckedValue> values,
                                      double tolerance, llvm::raw_ostream &os) {
  LogicalResult outcome = success();
  for (const CheckedValue &value : values) {
    FailureOr<double> relative = compare(entry, value);
    if (failed(relative))
      return failure();
    int64_t absent = countNaNs(value.expected),
            surplus = countNaNs(value.actual) - absent;
    os << llvm::formatv("verify: {0}: relative error {1:e2}, at most {2:e2} is "
                        "allowed\n",
                        value.name, *relative, tolerance);
    if (absent)
      os << "verify: " << value.name << ": " << absent
         << " elements of its reference are NaN\n";
    if (absent && absent == value.expected.numElements())
      outcome = entry.emitError()
                << value.name << " of @" << entry.getSymName()
                << " cannot be compared: all elements of its reference are "
                   "NaN; run it with other inputs";
    else if (std::isnan(*relative) && surplus > 0)
      outcome = entry.emitError()
                << value.name << " of @" << entry.getSymName() << " has "
                << surplus << " more elements that are NaN than its reference";
    else if (!(*relative <= tolerance))
      outcome = entry.emitError()
                << value.name << " of @" << entry.getSymName()
                << llvm::formatv(" has relative error {0:e2}, but at most "
                                 "{1:e2} is allowed",
                                 *relative, tolerance)
                       .str();
  }
  return outcome;
}
