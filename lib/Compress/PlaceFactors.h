//===- PlaceFactors.h - Factors in the place of weights ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_COMPRESS_PLACEFACTORS_H
#define TRN_LIB_COMPRESS_PLACEFACTORS_H

#include "trn/Compress/Neurons.h"
#include "trn/Compress/RankPlan.h"
#include "trn/Compress/Team.h"
#include "trn/Model/Layer.h"

namespace mlir::trn {

/// Puts factors in the place of a weight, and what was found into its figures.
void placeFactors(FactoredMatrix &matrix, Factors factors, Linear &linear);

/// Puts a fitted weight in the place of one, and what was found into its
/// figures.
void placeWeight(FactoredMatrix &matrix, FittedWeight fitted, Linear &linear);

/// Gives all of a team the factors, or the thin weight, and their figures, that
/// one of it has made: the one that does piece `piece` of the work.
void shareFactors(Team &team, FactoredMatrix &matrix, Linear &linear,
                  size_t piece);

} // namespace mlir::trn

#endif // TRN_LIB_COMPRESS_PLACEFACTORS_H
