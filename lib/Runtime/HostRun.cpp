//===- HostRun.cpp - What compiled host code calls ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "HostRun.h"

using namespace mlir;
using namespace mlir::trn;

void HostRun::reset() {
  memory.reset();
  calls.clear();
  kernelSeconds = 0;
  failed = hasLostOthers = false;
}

InFlightDiagnostic HostRun::emitError(size_t site) {
  failed = true;
  return mlir::emitError(sites[site].loc)
         << "'" << sites[site].op << "' op " << sites[site].failure;
}

void HostRun::explain(InFlightDiagnostic &diagnostic,
                      const HostMemory::Region &region) {
  switch (region.kind) {
  case HostMemory::Kind::Allocation:
    diagnostic.attachNote(sites[region.origin].loc) << "allocated here";
    break;
  case HostMemory::Kind::Constant:
  case HostMemory::Kind::Global:
    diagnostic.attachNote(sites[region.origin].loc) << "this memory";
    break;
  case HostMemory::Kind::Input:
    diagnostic.attachNote()
        << "the memory is that of input " << region.origin << " of the run";
    break;
  case HostMemory::Kind::Result:
    diagnostic.attachNote()
        << "the memory is that of result " << region.origin << " of the run";
    break;
  }
  if (region.freedBy)
    diagnostic.attachNote(sites[*region.freedBy].loc) << "freed here";
}

void HostRun::fail(size_t site) { emitError(site); }

void *HostRun::allocate(size_t site, size_t bytes) {
  void *data = memory.allocate(bytes, site);
  if (!data)
    emitError(site) << "needs " << bytes << " bytes, but this host has only "
                    << memory.getLimit() << " bytes of memory to give";
  return data;
}

bool HostRun::release(size_t site, void *pointer) {
  if (memory.release(pointer, site))
    return true;
  InFlightDiagnostic diagnostic = emitError(site);
  const HostMemory::Region *region = memory.find(pointer);
  if (!region) {
    diagnostic << "frees memory that host code never allocated";
    return false;
  }
  if (region->freedBy)
    diagnostic << "frees memory that was freed before";
  else if (region->kind == HostMemory::Kind::Result)
    diagnostic << "frees memory that holds a result of the run";
  else
    diagnostic << "frees memory that host code did not allocate";
  explain(diagnostic, *region);
  return false;
}

bool HostRun::checkAccess(size_t site, const void *pointer, bool writes) {
  const HostMemory::Region *region = memory.find(pointer);
  if (region && !region->freedBy && (region->mayWrite || !writes))
    return true;
  InFlightDiagnostic diagnostic = emitError(site);
  diagnostic << (writes ? "writes" : "reads");
  if (!region) {
    diagnostic << " memory that host code never allocated";
    return false;
  }
  if (region->freedBy)
    diagnostic << " memory after it was freed";
  else if (region->kind == HostMemory::Kind::Input)
    diagnostic << " an input of the run, but tensors keep their values";
  else
    diagnostic << " a constant";
  explain(diagnostic, *region);
  return false;
}

/// The bytes [first, second) that the elements of a view cover, relative to its
/// base; nothing if they overflow.
static std::optional<std::pair<int64_t, int64_t>>
getExtent(ArrayRef<int64_t> view) {
  int64_t bytes = view[0], low = view[1], high = view[1];
  ArrayRef<int64_t> sizes = view.drop_front(2).take_front(view.size() / 2 - 1);
  ArrayRef<int64_t> strides = view.take_back(sizes.size());
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    if (size == 0)
      return std::make_pair<int64_t, int64_t>(0, 0);
    int64_t span, &end = stride < 0 ? low : high;
    if (size < 0 || llvm::MulOverflow(size - 1, stride, span) ||
        llvm::AddOverflow(end, span, end))
      return std::nullopt;
  }
  if (llvm::AddOverflow(high, int64_t(1), high) ||
      llvm::MulOverflow(low, bytes, low) ||
      llvm::MulOverflow(high, bytes, high))
    return std::nullopt;
  return std::make_pair(low, high);
}

bool HostRun::checkView(size_t site, const void *source, int64_t base,
                        ArrayRef<int64_t> view) {
  std::optional<std::pair<int64_t, int64_t>> extent = getExtent(view);
  const HostMemory::Region *region = memory.find(source);
  if (!region || (extent && extent->first == extent->second))
    return true; // nothing is accessed, or an access will tell
  auto begin = int64_t(region->begin), end = int64_t(region->end);
  int64_t low, high;
  if (extent && !llvm::AddOverflow(base, extent->first, low) &&
      !llvm::AddOverflow(base, extent->second, high) && low >= begin &&
      high <= end)
    return true;
  InFlightDiagnostic diagnostic = emitError(site);
  diagnostic << "makes a view that leaves its memory of " << end - begin
             << " bytes";
  explain(diagnostic, *region);
  return false;
}
