//===- OpPrinter.h - What printers of instructions share --------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_TARGET_NKI_OPPRINTER_H
#define TRN_LIB_TARGET_NKI_OPPRINTER_H

#include "AccessText.h"
#include "GroupsInPsum.h"
#include "PythonText.h"
#include "TransposesInPsum.h"
#include "trn/Machine/Machine.h"
#include "trn/Target/NKI/Words.h"

namespace mlir::trn::nki {

/// Names and texts. What has no text, or is unknown to a version, is left out.
using Arguments = SmallVector<std::pair<StringRef, std::string>, 8>;

/// A kernel that is being printed, and the names that things have in its text.
struct PrintedKernel {
  PrintedKernel(const KernelReading &kernel, func::FuncOp function,
                const Machine &machine, const NKIOptions &options,
                PythonText &text)
      : kernel(kernel), function(function), machine(machine), options(options),
        text(text), sums(kernel, function), transposes(kernel, function),
        accesses(kernel, options.version) {}

  const KernelReading &kernel;
  func::FuncOp function;
  const Machine &machine;
  const NKIOptions &options;
  PythonText &text;
  GroupsInPsum sums;           // of the beta
  TransposesInPsum transposes; // of later versions
  AccessText accesses;
  PythonNames names;
  /// Of a logical core: which of its two cores runs this.
  int64_t core = 0;
  SmallVector<std::string, 2> temporaries; // of the op that is printed
  /// Why the op that is printed cannot be, by the rules of docs/NKI.md.
  std::string refusal;
};

/// What stands left of an assignment to a view.
std::string targetOf(StringRef dst);

inline Type elementType(Value memref) {
  return cast<MemRefType>(memref.getType()).getElementType();
}

/// Prints parts of a kernel into its text.
class OpPrinter {
public:
  explicit OpPrinter(PrintedKernel &printed)
      : kernel(printed.kernel), options(printed.options), text(printed.text),
        accesses(printed.accesses), names(printed.names), printed(printed) {}

protected:
  bool isBeta() const { return options.version == NKIVersion::Beta1; }

  std::string typeName(Type type) const; // `nl.bfloat16`
  std::string unqualified(Type type) const { return typeName(type).substr(3); }
  /// The elements of a buffer, as NKI has to know them.
  Type typeOf(const Tensor &tensor) const;
  std::string operatorOf(BinaryFunction function) const;
  std::string operatorOf(ReduceFunction function) const;
  std::string nameOf(std::optional<ComputeEngine> engine) const; // or empty
  StringRef nameOf(const Tensor &tensor) const {
    return accesses.nameOf(tensor);
  }

  LogicalResult refuse(const Twine &reason) {
    printed.refusal = reason.str();
    return failure();
  }
  LogicalResult checkFinite(float constant);

  /// A memref operand of `op`: the name of a tensor, sliced as need be.
  FailureOr<std::string> view(Value memref, Operation *op) {
    return viewOf(kernel.access(memref, op));
  }
  FailureOr<std::string> viewOf(const Access &access);
  /// Its free dimensions as one, if they lie so.
  FailureOr<std::string> matrixView(Value memref, Operation *op);
  /// A tile of f32 for an intermediate value.
  FailureOr<std::string> declareTemporary(ArrayRef<int64_t> shape);
  FailureOr<std::string> declareColumn(Value like);
  /// `column` in f32, as factors and summands of rows must be.
  FailureOr<std::string> columnOfF32(Value column, Operation *op);

  /// A call of `nisa.function` into the tile `dst`, given or assigned, which
  /// would be of `resultType` if nobody said another type.
  void printCall(StringRef dst, Type dstType, StringRef function,
                 Arguments arguments, Type resultType,
                 StringRef assignment = " = ");
  FailureOr<std::string> printReciprocalOf(Value tile, Operation *op,
                                           bool isColumn = false);

  /// Where sums of partitions go, and where the instruction leaves them.
  struct Sums {
    std::string view, result;
    Type type;
  };
  FailureOr<Sums> prepareSums(Value memref, bool accumulate, Operation *op);
  void foldSums(const Sums &sums, ReduceFunction function);

  const KernelReading &kernel;
  const NKIOptions &options;
  PythonText &text;
  AccessText &accesses;
  PythonNames &names;
  PrintedKernel &printed;
};

} // namespace mlir::trn::nki

#endif // TRN_LIB_TARGET_NKI_OPPRINTER_H
