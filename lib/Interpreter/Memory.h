//===- Memory.h - The memories of a running program -------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_INTERPRETER_MEMORY_H
#define TRN_INTERPRETER_MEMORY_H

#include "ChipMap.h"
#include "Layout.h"
#include "Region.h"
#include "SharedAccesses.h"
#include "trn/Interpreter/Fault.h"
#include "trn/Interpreter/WrittenMap.h"
#include "trn/Machine/Machine.h"
#include <map>
#include <memory>

namespace mlir::trn {

/// Where the slots of buffers are in the memories of a machine.
class AddressMap {
public:
  AddressMap(const Program &program, const Machine &machine)
      : program(program), machine(machine) {}

  /// First byte of slot `slot` of `buffer` in each partition, or in HBM.
  int64_t slotBegin(int32_t buffer, int64_t slot) const;
  /// All of it.
  Region slotRegion(int32_t buffer, int64_t slot) const;

  const Program &program;
  const Machine &machine;
};

/// Memory that holds anything. It takes no room until touched, and is left for
/// images of the same size that follow.
class Image {
public:
  Image() = default;
  explicit Image(int64_t bytes);
  ~Image();
  Image(Image &&other) { *this = std::move(other); }
  Image &operator=(Image &&other) {
    std::swap(base, other.base);
    std::swap(bytes, other.bytes);
    return *this;
  }
  /// Null if there is not enough.
  char *data() const { return base; }

private:
  char *base = nullptr;
  int64_t bytes = 0;
};

/// The physical SBUF and PSUM and the HBM buffers, which bytes of them hold
/// values, and which buffers own them. Every `std::optional<Fault>` is empty if
/// all is well; the op of a fault is filled in by the caller where it is -1.
class Memory {
public:
  Memory(const Program &program, const Machine &machine);

  /// Distance between partitions in the images.
  Pitches pitches() const { return {sbufPitch, psumPitch}; }
  const AddressMap &addresses() const { return map; }

  /// Takes the arguments and makes the images. `written` may be empty or null
  /// for arguments that hold values everywhere. `first` is the memory of the
  /// first core of a logical one, itself for that; null for one alone.
  std::optional<Fault> acquire(llvm::ArrayRef<void *> arguments,
                               llvm::ArrayRef<const WrittenMap *> written,
                               Memory *first = nullptr);

  std::optional<Fault> alloc(int32_t buffer, int64_t slot);
  std::optional<Fault> dealloc(int32_t buffer, int64_t slot);

  /// An operand of one execution.
  struct Located {
    Region region;
    /// Byte of its first element in a partition of `region`'s memory.
    int64_t start;
    char *pointer;
  };
  /// Whether the kernel writes none of its bytes, through no argument.
  bool isConstant(int32_t buffer) const;
  /// Checks liveness and bounds. `verb` is "reads" or "writes".
  std::optional<Fault> locate(const OperandLayout &operand,
                              llvm::ArrayRef<int64_t> counters, int64_t slot,
                              const char *verb, Located &located) const;

  /// The first element that holds no value.
  std::optional<WrittenMap::Position> findHole(const OperandLayout &operand,
                                               const Located &located) const;
  void markWritten(const OperandLayout &operand, const Located &located);
  /// Of one element in SBUF.
  bool isWritten(const char *element, int64_t bytes) const;
  void forget(const char *element, int64_t bytes);
  /// Elements of a slot in f32, partition by partition; NaN if not written.
  std::vector<float> read(int32_t buffer, int64_t slot) const;
  /// What `other` knows to be written of the same memory is so here, too.
  void addWritten(int32_t buffer, const Memory &other, int32_t otherBuffer) {
    hbmWritten[buffer]->add(*other.hbmWritten[otherBuffer]);
  }
  /// The first result with an element that nobody wrote.
  std::optional<Fault> findUnwrittenResult() const;

  /// What is accessed of what other cores have, too.
  SharedAccesses shared;

private:
  char *findShared(const Buffer &buffer) const;
  void follow(Memory &first);
  /// Of a buffer.
  using Slot = std::pair<int32_t, int64_t>;
  struct State {
    bool wasAllocated = false;
    /// By slot.
    llvm::SmallVector<bool, 4> live;
  };

  /// On chip, by memory and first byte: no two of them overlap.
  using LiveSlots = std::map<std::pair<Space, int64_t>, Slot>;
  /// Those that share bytes with a slot, in the order of buffers and slots.
  llvm::SmallVector<Slot> liveAt(Slot slot) const;

  Fault deadBuffer(int32_t buffer, int64_t slot, const char *verb) const;
  WrittenMap *writtenMap(const Buffer &buffer, int32_t index) const;

  const Program &program;
  const Machine &machine;
  AddressMap map;
  int64_t sbufPitch, psumPitch;
  Image sbuf, psum;
  std::vector<Image> scratch;
  /// By buffer: the first byte of its memory.
  std::vector<char *> bases;
  std::vector<State> states;
  LiveSlots liveSlots;
  ChipMap sbufWritten, psumWritten;
  /// By buffer; results and scratch only.
  std::vector<std::unique_ptr<WrittenMap>> hbmWritten;
};

} // namespace mlir::trn

#endif // TRN_INTERPRETER_MEMORY_H
