//===- CheckResults.cpp - Compare results with references -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CheckResults.h"

#include "trn/Runtime/Reference.h"
#include "llvm/Support/FormatVariadic.h"

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

/// The relative error of result `index`. A square one does not show whether it
/// had to be transposed: either is right then.
static FailureOr<double> compare(func::FuncOp entry, const HostTensor &result,
                                 const HostTensor &reference, unsigned index,
                                 bool mayFlip) {
  std::optional<double> relative;
  if (reference.getShape() == result.getShape())
    relative = relativeError(result, reference);
  if (mayFlip && reference.getShape().size() == 2 &&
      llvm::equal(reference.getShape(), llvm::reverse(result.getShape()))) {
    llvm::Expected<HostTensor> flipped = transpose(reference);
    if (!flipped)
      return entry.emitError() << llvm::toString(flipped.takeError());
    double other = relativeError(result, *flipped);
    relative = relative && *relative < other ? *relative : other;
  }
  if (relative)
    return *relative;
  return entry.emitError() << "result " << index << " of @"
                           << entry.getSymName() << " is "
                           << formatShape(result.getShape())
                           << ", but its reference is "
                           << formatShape(reference.getShape());
}

LogicalResult
mlir::trn::checkResults(func::FuncOp entry, ArrayRef<HostTensor> results,
                        ArrayRef<std::shared_ptr<const HostTensor>> references,
                        double tolerance, bool mayFlip, llvm::raw_ostream &os) {
  LogicalResult outcome = success();
  for (auto [index, result] : llvm::enumerate(results)) {
    FailureOr<double> relative =
        compare(entry, result, *references[index], index, mayFlip);
    if (failed(relative))
      return failure();
    os << llvm::formatv("verify: result {0}: relative error {1:e2}, at most "
                        "{2:e2} is allowed\n",
                        index, *relative, tolerance);
    // Not a number is no agreement.
    if (!(*relative <= tolerance))
      outcome = entry.emitError()
                << "result " << index << " of @" << entry.getSymName()
                << llvm::formatv(" has relative error {0:e2}, but at most "
                                 "{1:e2} is allowed",
                                 *relative, tolerance)
                       .str();
  }
  return outcome;
}
