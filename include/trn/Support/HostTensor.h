//===- HostTensor.h - Tensors in host memory --------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_SUPPORT_HOSTTENSOR_H
#define TRN_SUPPORT_HOSTTENSOR_H

#include "trn/Support/HostType.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mlir::trn {

/// Product of the sizes, or nothing if it does not fit 62 bits or a size is
/// negative.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// Physical memory of this computer in bytes.
int64_t getHostMemory();
/// The part that is available now. Linux promises more and kills a process
/// later.
int64_t getAvailableMemory();

/// `2x3`, or `scalar`.
std::string formatShape(llvm::ArrayRef<int64_t> shape);

/// Values owned elsewhere, such as in a mapped file.
struct ArrayView {
  HostType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  const char *data = nullptr;
  /// The first index runs fastest.
  bool columnMajor = false;
};

/// A dense, row-major tensor that owns its memory, or that nobody writes and
/// that lies in memory of somebody else.
class HostTensor {
public:
  /// Fails if memory is short. Values are not initialised.
  static llvm::Expected<HostTensor> create(HostType type,
                                           llvm::ArrayRef<int64_t> shape);

  /// The values of `view` where they are, which is memory that `owner` keeps.
  /// Nothing if they have another type or shape, lie by columns, or where the
  /// type is not aligned.
  static std::optional<HostTensor> borrow(HostType type,
                                          llvm::ArrayRef<int64_t> shape,
                                          const ArrayView &view,
                                          std::shared_ptr<const void> owner);

  HostType getType() const { return type; }
  llvm::ArrayRef<int64_t> getShape() const { return shape; }
  int64_t numElements() const { return count; }
  int64_t numBytes() const { return count * byteSize(type); }
  void *data() { return memory.get(); }
  const void *data() const { return memory.get(); }

  /// Copies `view`, which must have this tensor's shape and kind of numbers.
  /// Floats are rounded to nearest even; integers must fit.
  llvm::Error assign(const ArrayView &view);

  void fillZero();
  /// Uniform values with mean 0 and the given variance; integers are 0 or 1,
  /// valid as most indices. Element i depends only on (seed, stream, i), not on
  /// the number of threads.
  void fillRandom(uint64_t seed, uint64_t stream, double variance);

  /// Converts elements [begin, begin + count) to f32; large integers are
  /// rounded.
  void loadF32(int64_t begin, int64_t count, float *to) const;
  /// The reverse; for floats only.
  void storeF32(int64_t begin, int64_t count, const float *from) {
    storeFloats(type.getFloats(), from, memory.get() + begin * byteSize(type),
                count);
  }

private:
  struct Free {
    /// Of memory that is borrowed.
    std::shared_ptr<const void> owner;
    void operator()(char *memory) const;
  };

  HostTensor() = default;

  HostType type = ElementType::F32;
  llvm::SmallVector<int64_t, 4> shape;
  int64_t count = 0;
  std::unique_ptr<char[], Free> memory;
};

} // namespace mlir::trn

#endif // TRN_SUPPORT_HOSTTENSOR_H
