//===- HostTensor.cpp - Tensors in host memory ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Support/HostTensor.h"
#include "trn/Support/ForEachChunk.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace mlir::trn;

// Wide enough for any vector unit, so that kernels may assume alignment.
static constexpr size_t alignment = 64;

std::optional<int64_t> mlir::trn::countElements(llvm::ArrayRef<int64_t> shape) {
  if (llvm::any_of(shape, [](int64_t size) { return size < 0; }))
    return std::nullopt;
  if (llvm::is_contained(shape, 0))
    return 0;
  int64_t count = 1;
  for (int64_t size : shape) {
    if (count > (int64_t(1) << 62) / size)
      return std::nullopt;
    count *= size;
  }
  return count;
}

std::string mlir::trn::formatShape(llvm::ArrayRef<int64_t> shape) {
  if (shape.empty())
    return "scalar";
  return llvm::join(
      llvm::map_range(shape, [](int64_t size) { return std::to_string(size); }),
      "x");
}

int64_t mlir::trn::getHostMemory() {
  return int64_t(sysconf(_SC_PHYS_PAGES)) * int64_t(sysconf(_SC_PAGESIZE));
}

int64_t mlir::trn::getAvailableMemory() {
  int64_t total = getHostMemory(), kilobytes;
  auto info = llvm::MemoryBuffer::getFileAsStream("/proc/meminfo");
  if (!info)
    return total;
  llvm::StringRef rest =
      (*info)->getBuffer().split("MemAvailable:").second.ltrim();
  if (rest.consumeInteger(10, kilobytes))
    return total;
  return std::min(total, kilobytes << 10);
}

void HostTensor::Free::operator()(char *memory) const {
  if (!owner)
    std::free(memory);
}

std::optional<HostTensor>
HostTensor::borrow(HostType type, llvm::ArrayRef<int64_t> shape,
                   const ArrayView &view, std::shared_ptr<const void> owner) {
  std::optional<int64_t> count = countElements(shape);
  if (view.type != type || llvm::ArrayRef<int64_t>(view.shape) != shape ||
      !count || view.columnMajor ||
      reinterpret_cast<uintptr_t>(view.data) % byteSize(type) != 0)
    return std::nullopt;
  HostTensor tensor;
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.count = *count;
  tensor.memory = {const_cast<char *>(view.data), Free{std::move(owner)}};
  return tensor;
}

llvm::Expected<HostTensor> HostTensor::create(HostType type,
                                              llvm::ArrayRef<int64_t> shape) {
  std::optional<int64_t> count = countElements(shape);
  int64_t hostBytes = getHostMemory();
  // Linux hands out more memory than there is and kills the process later.
  if (!count || *count > hostBytes / byteSize(type))
    return llvm::createStringError("tensor " + formatShape(shape) + "x" +
                                   stringify(type) +
                                   " does not fit this host's memory of " +
                                   std::to_string(hostBytes) + " bytes");
  HostTensor tensor;
  tensor.type = type;
  tensor.shape.assign(shape.begin(), shape.end());
  tensor.count = *count;
  size_t bytes =
      llvm::alignTo(std::max<int64_t>(tensor.numBytes(), 1), alignment);
  tensor.memory.reset(
      static_cast<char *>(std::aligned_alloc(alignment, bytes)));
  if (!tensor.memory)
    return llvm::createStringError("cannot allocate " + std::to_string(bytes) +
                                   " bytes for a tensor");
  return tensor;
}

/// An integer of any size, which may be unaligned.
static int64_t loadInteger(HostType type, const char *from) {
  int64_t value = 0; // the first bytes are the lowest ones
  std::memcpy(&value, from, byteSize(type));
  unsigned unused = 64 - 8 * byteSize(type);
  return type.getBits() == 1 ? value != 0 : (value << unused) >> unused;
}

/// Copies integers of one size as those of another one; false if one of them
/// does not fit.
static bool copyIntegers(HostType from, const char *source, HostType to,
                         char *target, int64_t count) {
  bool fits = true;
  for (int64_t i = 0; i < count; ++i) {
    int64_t value = loadInteger(from, source + i * byteSize(from));
    fits &= to.getBits() == 1 ? value == 0 || value == 1
                              : llvm::isIntN(to.getBits(), value);
    std::memcpy(target + i * byteSize(to), &value, byteSize(to));
  }
  return fits;
}

/// Copies values, with a conversion if there is one for them; false if one of
/// them does not fit.
static bool copyRange(HostType from, const char *source, HostType to,
                      char *target, int64_t count) {
  if (to.isInteger())
    return copyIntegers(from, source, to, target, count);
  if (from == to) {
    std::memcpy(target, source, count * byteSize(to));
    return true;
  }
  float values[256];
  for (int64_t i = 0; i < count; i += std::size(values)) {
    int64_t size = std::min<int64_t>(std::size(values), count - i);
    loadFloats(from.getFloats(), source + i * byteSize(from), values, size);
    storeFloats(to.getFloats(), values, target + i * byteSize(to), size);
  }
  return true;
}

llvm::Error HostTensor::assign(const ArrayView &view) {
  if (llvm::ArrayRef<int64_t>(view.shape) != llvm::ArrayRef<int64_t>(shape))
    return llvm::createStringError("shape is " + formatShape(view.shape) +
                                   ", but " + formatShape(shape) +
                                   " is needed");
  if (view.type.isInteger() != type.isInteger())
    return llvm::createStringError("element type is " + stringify(view.type) +
                                   ", but " + stringify(type) + " or another " +
                                   (type.isInteger() ? "integer" : "float") +
                                   " is needed");
  int64_t from = byteSize(view.type), to = byteSize(type);
  std::atomic<bool> fits = true;
  auto copy = [&](int64_t source, int64_t target, int64_t size) {
    if (!copyRange(view.type, view.data + source * from, type,
                   memory.get() + target * to, size))
      fits = false;
  };
  auto result = [&]() -> llvm::Error {
    return fits ? llvm::Error::success()
                : llvm::createStringError("a value of type " +
                                          stringify(view.type) +
                                          " does not fit " + stringify(type));
  };
  if (!view.columnMajor || shape.size() < 2) {
    forEachChunk(count, [&](int64_t begin, int64_t end) {
      copy(begin, begin, end - begin);
    });
    return result();
  }
  // Strides of nothing could overflow.
  if (count == 0)
    return llvm::Error::success();
  // Each row-major index is taken apart from its last digit on.
  llvm::SmallVector<int64_t, 4> strides(shape.size(), 1);
  for (size_t dim = 1; dim < shape.size(); ++dim)
    strides[dim] = strides[dim - 1] * shape[dim - 1];
  forEachChunk(count, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      int64_t rest = i, source = 0;
      for (size_t dim = shape.size(); dim-- > 0; rest /= shape[dim])
        source += rest % shape[dim] * strides[dim];
      copy(source, i, 1);
    }
  });
  return result();
}

void HostTensor::loadF32(int64_t begin, int64_t count, float *to) const {
  const char *from = memory.get() + begin * byteSize(type);
  if (!type.isInteger())
    return loadFloats(type.getFloats(), from, to, count);
  for (int64_t i = 0; i < count; ++i)
    to[i] = float(loadInteger(type, from + i * byteSize(type)));
}

void HostTensor::fillZero() { std::memset(memory.get(), 0, numBytes()); }

/// The finaliser of SplitMix64 (Steele, Lea, Flood: Fast Splittable
/// Pseudorandom Number Generators, 2014).
static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

void HostTensor::fillRandom(uint64_t seed, uint64_t stream, double variance) {
  constexpr uint64_t golden = 0x9e3779b97f4a7c15u;
  uint64_t base = mix(mix(seed + golden) + stream * golden);
  // A uniform value on [-a, a] has variance a^2 / 3.
  auto bound = static_cast<float>(std::sqrt(3 * variance));
  forEachChunk(count, [&](int64_t begin, int64_t end) {
    float values[256];
    for (int64_t i = begin; i < end; i += std::size(values)) {
      int64_t size = std::min<int64_t>(std::size(values), end - i);
      for (int64_t j = 0; j < size; ++j) {
        uint64_t bits = mix(base + uint64_t(i + j + 1) * golden) >> 40;
        // 24 bits, centred: exact in f32 and never 0.
        values[j] = (float(2 * bits + 1) * 0x1p-24f - 1.0f) * bound;
      }
      if (!type.isInteger()) {
        storeF32(i, size, values);
        continue;
      }
      char *to = memory.get() + i * byteSize(type);
      for (int64_t j = 0; j < size; ++j) {
        // Bytes are weights, others may be indices.
        int64_t value = type.getBits() == 8
                            ? std::lround(values[j] / bound * 127)
                            : values[j] > 0;
        std::memcpy(to + j * byteSize(type), &value, byteSize(type));
      }
    }
  });
}
