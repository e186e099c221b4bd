//===- RecordedCalls.cpp - The kernel calls of a run ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Program/RecordedCalls.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVectorExtras.h"

using namespace mlir::trn;

llvm::SmallVector<LaunchCall>
mlir::trn::toLaunchCalls(llvm::ArrayRef<RecordedCall> calls,
                         Programs programs) {
  return llvm::map_to_vector(calls, [&](const RecordedCall &call) {
    return LaunchCall{programs[call.kernel], call.arguments, call.offsets};
  });
}

llvm::ArrayRef<RecordedCall>
mlir::trn::takeLaunch(llvm::ArrayRef<RecordedCall> calls, Programs programs) {
  if (!programs[calls.front().kernel])
    return calls.take_front();
  auto isOfNext = [&](const RecordedCall &call) {
    return call.followsHost || !programs[call.kernel];
  };
  auto end = llvm::find_if(calls.drop_front(), isOfNext);
  llvm::ArrayRef<RecordedCall> launch = calls.take_front(end - calls.begin());
  return launch.take_front(countJoinable(toLaunchCalls(launch, programs)));
}

std::vector<int64_t>
mlir::trn::describeLaunch(llvm::ArrayRef<RecordedCall> calls) {
  std::vector<int64_t> numbers;
  llvm::DenseMap<uintptr_t, int64_t> known;
  for (const RecordedCall &call : calls) {
    numbers.push_back(call.kernel);
    for (uintptr_t memory : call.arguments)
      numbers.push_back(known.try_emplace(memory, known.size()).first->second);
    llvm::append_range(numbers, call.offsets);
  }
  return numbers;
}
