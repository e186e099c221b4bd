//===- Subscripts.cpp - Accesses as indices and slices --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An access knows elements, not dimensions: an offset and strides. Where they
// are what subscripts of the tensor would make, this finds the subscripts:
//
//   a tensor of 256 x 512    offset 65536 * i + 128, dims 128:512 256:1
//                            [128 * i, 128 more; 128, 256 more]
//   a tensor of 512 x 64     offset 0, dims 128:64 4:8192 64:1
//                            [0, 128 more in 4 groups; 0, 64 more]
//
//===----------------------------------------------------------------------===//

#include "Subscripts.h"

using namespace mlir::trn;
using namespace mlir::trn::nki;
using llvm::ArrayRef;
using llvm::SmallVector;

SmallVector<int64_t, 4> mlir::trn::nki::stridesOf(ArrayRef<int64_t> shape) {
  SmallVector<int64_t, 4> strides(shape.size());
  int64_t stride = 1;
  for (size_t i = shape.size(); i-- > 0; stride *= shape[i])
    strides[i] = stride;
  return strides;
}

bool mlir::trn::nki::isWhole(const Access &access, ArrayRef<int64_t> shape,
                             bool onChip) {
  ArrayRef<Access::Dim> dims = access.dims;
  if (onChip) {
    if (dims.front().size != shape.front())
      return false;
    dims = dims.drop_front();
    shape = shape.drop_front();
  }
  int64_t next = 1, count = 1;
  for (const Access::Dim &dim : llvm::reverse(dims)) {
    if (dim.size != 1 && dim.stride != next)
      return false;
    next *= dim.size;
  }
  for (int64_t size : shape)
    count *= size;
  return next == count;
}

bool mlir::trn::nki::isAll(const Subscripts &subscripts,
                           ArrayRef<int64_t> shape) {
  return llvm::all_of(llvm::zip_equal(subscripts, shape), [](auto pair) {
    const auto &[one, size] = pair;
    return one.dim && one.last() + 1 == size &&
           (one.groupDim ? one.areNeighbours() : one.step == 1);
  });
}

/// Where the access starts along each dimension, outermost first: the offset in
/// the number system that the strides are.
static void findStarts(LinearExpr offset, ArrayRef<int64_t> strides,
                       llvm::MutableArrayRef<Subscript> found) {
  for (auto [subscript, stride] : llvm::zip_equal(found, strides)) {
    subscript.start.constant = offset.constant / stride;
    for (const LinearExpr::Term &term : offset.terms)
      subscript.start +=
          LinearExpr::counter(term.loop, term.coefficient / stride);
    offset += subscript.start * -stride;
  }
}

/// Finds the dimension that the dim `number` of an access runs through.
static bool place(unsigned number, Access::Dim dim, ArrayRef<int64_t> shape,
                  ArrayRef<int64_t> strides,
                  llvm::MutableArrayRef<Subscript> found) {
  for (auto [subscript, size, stride] :
       llvm::zip_equal(found, shape, strides)) {
    int64_t step = dim.stride / stride;
    if (subscript.dim || step < 1 || dim.stride % stride != 0 ||
        (dim.size - 1) * step >= size)
      continue;
    subscript.dim = number;
    subscript.size = dim.size;
    subscript.step = step;
    return true;
  }
  for (auto [subscript, size, stride] :
       llvm::zip_equal(found, shape, strides)) {
    int64_t step = dim.stride / stride;
    if (!subscript.dim || subscript.groupDim || step < 1 ||
        dim.stride % stride != 0)
      continue;
    // The larger steps are those of groups.
    Subscript both = subscript;
    both.groupDim = number;
    both.groups = dim.size;
    both.groupStep = step;
    if (both.groupStep < both.step) {
      std::swap(both.dim, both.groupDim);
      std::swap(both.size, both.groups);
      std::swap(both.step, both.groupStep);
    }
    if (both.size * both.step > both.groupStep || both.last() >= size)
      continue;
    subscript = both;
    return true;
  }
  return false;
}

/// Gives the dims of one index a dimension to be a slice of, where there is one
/// between those of their neighbours.
static void keepRank(const Access &access,
                     llvm::MutableArrayRef<Subscript> found) {
  llvm::MutableArrayRef<Subscript> before = found;
  for (unsigned dim = access.dims.size(); dim-- > 0;) {
    auto findPlace = [&] {
      return llvm::find_if(found, [&](auto &one) { return one.dim == dim; });
    };
    if (access.dims[dim].size == 1 && findPlace() == found.end())
      for (Subscript &one : llvm::reverse(before)) {
        if (one.dim && *one.dim < dim)
          break;
        if (one.dim)
          continue;
        one.dim = dim;
        break;
      }
    if (auto place = findPlace(); place != found.end())
      before = found.take_front(place - found.begin());
  }
}

std::optional<Subscripts> mlir::trn::nki::findSubscripts(
    const Access &access, ArrayRef<int64_t> shape, bool onChip,
    llvm::function_ref<Interval(const LinearExpr &)> rangeOf) {
  Subscripts found(shape.size());
  if (onChip)
    found.front() = {access.partition, access.dims.front().size, 1, 1, 0};
  auto free = llvm::MutableArrayRef(found).drop_front(onChip);
  ArrayRef<int64_t> sizes = shape.drop_front(onChip);
  SmallVector<int64_t, 4> strides = stridesOf(sizes);
  findStarts(access.offset, strides, free);

  for (unsigned i = onChip; i < access.dims.size(); ++i)
    if (access.dims[i].size != 1 &&
        !place(i, access.dims[i], sizes, strides, free))
      return std::nullopt;
  keepRank(access, found);
  for (auto [one, size] : llvm::zip_equal(free, sizes)) {
    Interval range = rangeOf(one.start);
    if (range.min < 0 || range.max + one.last() >= size)
      return std::nullopt;
  }
  return found;
}
