//===- Memory.cpp - The memories that memrefs live in ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/Memory.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::trn;

std::optional<MemorySpace> trn::getMemorySpace(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return std::nullopt;
  Attribute space = memref.getMemorySpace();
  if (!space)
    return MemorySpace::Hbm;
  if (auto memory = dyn_cast<MemorySpaceAttr>(space))
    return memory.getValue();
  return std::nullopt;
}

SideEffects::Resource *trn::getResource(MemorySpace space) {
  switch (space) {
  case MemorySpace::Hbm:
    return HbmResource::get();
  case MemorySpace::Sbuf:
    return SbufResource::get();
  case MemorySpace::Psum:
    return PsumResource::get();
  }
  llvm_unreachable("unknown memory space");
}

MemRefType trn::withStrides(MemRefType type) {
  auto layout = dyn_cast<AffineMapAttr>(type.getLayout());
  if (!layout || !layout.isIdentity() || !type.hasStaticShape())
    return type;
  SmallVector<int64_t> strides(type.getRank());
  int64_t elements = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    strides[dim] = elements;
    if (llvm::MulOverflow(elements, type.getDimSize(dim), elements))
      return type;
  }
  return MemRefType::Builder(type).setLayout(
      StridedLayoutAttr::get(type.getContext(), /*offset=*/0, strides));
}

/// Whether addresses in the view can be computed in 64 bits: no memory is so
/// large, but a type may say anything.
static bool hasAddresses(ArrayRef<int64_t> sizes, ArrayRef<int64_t> strides) {
  constexpr int64_t limit = std::numeric_limits<int64_t>::max() / 16;
  int64_t count = 1, extent = 0;
  for (auto [size, stride] : llvm::zip_equal(sizes, strides)) {
    int64_t reach;
    if (llvm::MulOverflow(count, size, count) || count > limit ||
        llvm::MulOverflow(size, stride, reach) ||
        llvm::AddOverflow(extent, std::abs(reach), extent) || extent > limit)
      return false;
  }
  return true;
}

bool trn::isStaticView(Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || !memref.hasStaticShape() ||
      llvm::is_contained(memref.getShape(), 0))
    return false;
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(withStrides(memref).getStridesAndOffset(strides, offset)) &&
         llvm::none_of(strides, ShapedType::isDynamic) &&
         hasAddresses(memref.getShape(), strides);
}

std::optional<ElementType> trn::getElementType(Type type) {
  if (type.isBF16())
    return ElementType::BF16;
  if (type.isF16())
    return ElementType::F16;
  if (type.isF32())
    return ElementType::F32;
  if (type.isSignlessInteger(32))
    return ElementType::I32;
  if (type.isUnsignedInteger(32))
    return ElementType::UI32;
  if (type.isSignlessInteger(8))
    return ElementType::I8;
  if (isa<Float8E4M3Type>(type))
    return ElementType::F8E4M3;
  if (isa<Float8E4M3FNType>(type))
    return ElementType::F8E4M3FN;
  return std::nullopt;
}

std::optional<ElementType> trn::getFloatElementType(Type type) {
  std::optional<ElementType> known = getMatrixElementType(type);
  return known && !isStorage(*known) ? known : std::nullopt;
}

std::optional<ElementType> trn::getMatrixElementType(Type type) {
  std::optional<ElementType> known = getElementType(type);
  return known && (isStorage(*known) || !isInteger(*known)) ? known
                                                            : std::nullopt;
}

Type trn::getMatrixType(MLIRContext *context, ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return BFloat16Type::get(context);
  case ElementType::F16:
    return Float16Type::get(context);
  case ElementType::F32:
    return Float32Type::get(context);
  case ElementType::I8:
    return IntegerType::get(context, 8);
  case ElementType::F8E4M3:
    return Float8E4M3Type::get(context);
  case ElementType::F8E4M3FN:
    return Float8E4M3FNType::get(context);
  case ElementType::I32:
  case ElementType::UI32:
    break;
  }
  llvm_unreachable("plans have no indices");
}

SmallVector<Access::Dim, 4> trn::getDims(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  (void)withStrides(type).getStridesAndOffset(strides, offset);
  SmallVector<Access::Dim, 4> dims;
  for (auto [size, stride] : llvm::zip_equal(type.getShape(), strides))
    dims.push_back({size, stride});
  if (getMemorySpace(type) != MemorySpace::Hbm)
    dims.front().stride = 1;
  return dims;
}
