//===- RecordedBatch.h - What was told of a batch ---------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_PLANNING_RECORDEDBATCH_H
#define TRN_LIB_PLANNING_RECORDEDBATCH_H

#include "BatchCopy.h"
#include <functional>

namespace mlir::trn::planning {

/// What was told of one batch.
struct RecordedBatch {
  using Tell = std::function<void(PlanVisitor &, BatchCopy &)>;
  struct Event {
    For whom;
    unsigned stage;
    size_t strip;
    double begin; // if engines worked one after the other
    Tell tell;
  };

  std::vector<Event> events = {};
  double time = 0;
  std::vector<double> strips{0}; // when each begins, after what is in front
};

} // namespace mlir::trn::planning

#endif // TRN_LIB_PLANNING_RECORDEDBATCH_H
