//===- PlaceFactors.cpp - Factors in the place of weights -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PlaceFactors.h"

#include "Manifest.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;

void mlir::trn::placeFactors(FactoredMatrix &matrix, Factors factors,
                             Linear &linear) {
  matrix.figures = describeFactors(factors);
  linear.rank = matrix.rank;
  linear.weight = std::move(factors.first);
  linear.second = std::move(factors.second);
}

void mlir::trn::placeWeight(FactoredMatrix &matrix, FittedWeight fitted,
                            Linear &linear) {
  matrix.figures = llvm::json::Object{{"output_error", fitted.outputError},
                                      {"jitter", fitted.jitter},
                                      {"root", stringify(fitted.root)},
                                      {"condition", fitted.condition}};
  linear.weight = std::move(fitted.weight);
}

void mlir::trn::shareFactors(Team &team, FactoredMatrix &matrix, Linear &linear,
                             size_t piece) {
  if (team.size() == 1)
    return;
  const unsigned from = piece % team.size();
  std::string figures = llvm::formatv(
      "{0}", llvm::json::Value(llvm::json::Object(matrix.figures)));
  size_t length = figures.size();
  team.broadcast({reinterpret_cast<char *>(&length), sizeof(length)}, from);
  figures.resize(length);
  team.broadcast({figures.data(), length}, from);
  if (llvm::Expected<llvm::json::Value> parsed = llvm::json::parse(figures))
    matrix.figures = *parsed->getAsObject();
  else
    llvm::consumeError(parsed.takeError());
  linear.rank = matrix.rank;
  linear.in = matrix.inLeft();
  linear.out = matrix.outLeft();
  linear.weight.resize((matrix.rank ? matrix.rank : linear.out) * linear.in);
  linear.second.resize(linear.out * matrix.rank);
  for (std::vector<float> *values : {&linear.weight, &linear.second})
    team.broadcast({reinterpret_cast<char *>(values->data()),
                    values->size() * sizeof(float)},
                   from);
}
