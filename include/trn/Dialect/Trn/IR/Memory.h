//===- Memory.h - The memories of memrefs -----------------------*- C++ -*-===//
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

/// Resources: effects on different memories never conflict.
struct HbmResource : SideEffects::Resource::Base<HbmResource> {
  StringRef getName() final { return "hbm"; }
};
struct SbufResource : SideEffects::Resource::Base<SbufResource> {
  StringRef getName() final { return "sbuf"; }
};
struct PsumResource : SideEffects::Resource::Base<PsumResource> {
  StringRef getName() final { return "psum"; }
};

/// The memory of a memref: HBM if it has no memory space. Nothing for other
/// types and foreign memory spaces.
std::optional<MemorySpace> getMemorySpace(Type type);

/// The resource of a memory, for memory effects.
SideEffects::Resource *getResource(MemorySpace space);

/// A static row-major type with explicit strides. It means the same as one
/// without, but upstream derives strides by simplifying affine expressions,
/// which is slow when types of views are inferred.
MemRefType withStrides(MemRefType type);

/// Whether a memref has static strides and a static shape without empty
/// dimensions, small enough to be addressed. Its offset may be dynamic.
bool isStaticView(Type type);

/// The element type in programs; nothing for other types.
std::optional<ElementType> getElementType(Type type);

/// The same for floats of 16 and 32 bits, the types of products.
std::optional<ElementType> getFloatElementType(Type type);

/// The same for matrices of a plan; these have no type of indices.
std::optional<ElementType> getMatrixElementType(Type type);

/// The inverses of `getMatrixElementType` and of `getFloatElementType`.
Type getMatrixType(MLIRContext *context, ElementType type);
inline FloatType getFloatType(MLIRContext *context, ElementType type) {
  return cast<FloatType>(getMatrixType(context, type));
}

/// The dims of a static view: sizes and strides in elements. On chip, dim 0 is
/// the partition, as in `Access`.
SmallVector<Access::Dim, 4> getDims(MemRefType type);

} // namespace mlir::trn

#endif // TRN_DIALECT_TRN_IR_MEMORY_H
