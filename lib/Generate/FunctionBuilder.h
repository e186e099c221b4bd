//===- FunctionBuilder.h - Build a function of products ---------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_GENERATE_FUNCTIONBUILDER_H
#define TRN_LIB_GENERATE_FUNCTIONBUILDER_H

#include "trn/Generate/Specs.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace mlir::trn {

/// A matrix, or the transpose of what `value` holds.
struct Activation {
  Value value;
  bool transposed = false;

  int64_t rows() const {
    return cast<RankedTensorType>(value.getType()).getDimSize(transposed);
  }
};

/// One matrix, or the two factors of one.
struct Weight {
  std::string prefix;
  Value first;
  Value second;
};

/// Builds the public function `@main`; names the values by their locations.
class FunctionBuilder {
public:
  FunctionBuilder(MLIRContext *context, const FunctionSpec &spec);

  Activation addInput(int64_t columns);
  /// The argument `w`, or with a rank `u` and `v`, behind the prefix.
  Weight addWeight(StringRef prefix, int64_t rows, int64_t columns,
                   std::optional<int64_t> rank);

  /// x * weight in f32; the intermediate of two factors, `y` behind the prefix
  /// of the weight, is rounded.
  Value project(const Twine &name, Activation x, const Weight &weight,
                bool transposedResult = false);
  /// silu(gate) * up, rounded.
  Value multiplyGated(const Twine &name, Value gate, Value up);
  Value round(const Twine &name, Value wide);

  /// Returns the results and gives the module away.
  OwningOpRef<ModuleOp> finish(ValueRange results);

private:
  using BodyBuilder =
      llvm::function_ref<Value(OpBuilder &, Location, ValueRange)>;

  Location named(const Twine &name) {
    return NameLoc::get(builder.getStringAttr(name));
  }
  Value addMatrix(const Twine &name, int64_t rows, int64_t columns);
  AffineMap map(unsigned row, unsigned column);
  Value multiply(const Twine &name, Activation lhs, Value rhs);
  Value multiplyTransposed(const Twine &name, Activation lhs, Value rhs);
  Value accumulate(const Twine &name, Value a, Value b, int64_t rows,
                   int64_t columns, ArrayRef<AffineMap> maps);
  Value mapElements(const Twine &name, ValueRange inputs, BodyBuilder build);

  OpBuilder builder;
  FunctionSpec spec;
  Type storage;
  OwningOpRef<ModuleOp> module;
  func::FuncOp func;
};

} // namespace mlir::trn

#endif // TRN_LIB_GENERATE_FUNCTIONBUILDER_H
