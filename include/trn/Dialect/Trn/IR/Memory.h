//===- Memory.h - The memories that memrefs live in -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_DIALECT_TRN_IR_MEMORY_H
#define TRN_DIALECT_TRN_IR_MEMORY_H

#include "trn/Dialect/Trn/IR/TrnBase.h"
#include "trn/Program/Instruction.h"

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include <optional>

namespace mlir::trn {

/// Memory effects on different memories never conflict.
struct HbmResource : SideEffects::Resource::Base<HbmResource> {
  StringRef getName() final { return "hbm"; }
};
struct SbufResource : SideEffects::Resource::Base<SbufResource> {
  StringRef getName() final { return "sbuf"; }
};
struct PsumResource : SideEffects::Resource::Base<PsumResource> {
  StringRef getName() final { return "psum"; }
};

/// The memory of a memref: HBM if it has no memory space, nothing if the type
/// is no memref or its memory space is a foreign one.
std::optional<MemorySpace> getMemorySpace(Type type);

/// The resource of a memory, for memory effects.
SideEffects::Resource *getResource(MemorySpace space);

/// A static row-major type with its strides spelled out. It says the same, but
/// upstream works out the strides of the type that says nothing by simplifying
/// affine expressions, which is slow where types of views are inferred.
MemRefType withStrides(MemRefType type);

/// Whether a memref has a static shape without empty dimensions, and static
/// strides; its offset may be dynamic. It is small enough to be addressed.
bool isStaticView(Type type);

/// The element type as the program knows it; nothing for other types.
std::optional<ElementType> getElementType(Type type);

/// The same for floats of 16 and 32 bits, which products are made of.
std::optional<ElementType> getFloatElementType(Type type);

/// The same for matrices of a plan, which have no indices.
std::optional<ElementType> getMatrixElementType(Type type);

/// The inverse of `getMatrixElementType`, and of `getFloatElementType`.
Type getMatrixType(MLIRContext *context, ElementType type);
inline FloatType getFloatType(MLIRContext *context, ElementType type) {
  return cast<FloatType>(getMatrixType(context, type));
}

/// The dims of a static view: sizes and strides in elements. On chip dim 0 is
/// the partition, as in `Access`.
SmallVector<Access::Dim, 4> getDims(MemRefType type);

} // namespace mlir::trn

#endif // TRN_DIALECT_TRN_IR_MEMORY_H
