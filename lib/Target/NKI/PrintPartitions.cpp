//===- PrintPartitions.cpp - Statistics, searches and shuffles as text ----===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PrintInstructions.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::nki;

namespace {
class PartitionPrinter : OpPrinter {
public:
  using OpPrinter::OpPrinter;

  LogicalResult print(Operation *op);
};
} // namespace

LogicalResult PartitionPrinter::print(Operation *op) {
  // `nisa.function(argument=source, arguments...)` into `result`.
  auto call = [&](StringRef function, StringRef argument, Value source,
                  Value result, Arguments arguments = {}) -> LogicalResult {
    FailureOr<std::string> dst = view(result, op), src = view(source, op);
    if (failed(dst) || failed(src))
      return failure();
    arguments.insert(arguments.begin(), {argument, *src});
    printCall(*dst, elementType(result), function, arguments,
              elementType(source));
    return success();
  };
  // nki_c14
  constexpr const char *hasIndices =
      "leaves indices in a tile of f32, but those of NKI are integers; leave "
      "them in one of ui32";
  return TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](PartitionReduceOp op) {
        return call("tensor_partition_reduce", "data", op.getSrc(), op.getDst(),
                    {{"op", operatorOf(op.getFunction())}});
      })
      .Case([&](BnStatsOp op) {
        return call("bn_stats", "data", op.getSrc(), op.getDst());
      })
      .Case([&](BnAggrOp op) {
        return call("bn_aggr", "data", op.getSrc(), op.getDst());
      })
      .Case([&](Max8Op op) {
        return call("max8", "src", op.getSrc(), op.getDst());
      })
      .Case([&](FindIndex8Op op) -> LogicalResult {
        FailureOr<std::string> values = view(op.getValues(), op);
        if (elementType(op.getDst()).isF32())
          return refuse(hasIndices);
        if (failed(values))
          return failure();
        return call("nc_find_index8", "data", op.getData(), op.getDst(),
                    {{"vals", *values}});
      })
      .Case([&](MatchReplace8Op op) -> LogicalResult {
        float replacement = op.getReplacement().convertToFloat();
        FailureOr<std::string> values = view(op.getValues(), op);
        FailureOr<std::string> indices = std::string();
        if (op.getIndices() && elementType(op.getIndices()).isF32())
          return refuse(hasIndices);
        if (op.getIndices())
          indices = view(op.getIndices(), op);
        if (failed(values) || failed(indices) ||
            failed(checkFinite(replacement)))
          return failure();
        return call("nc_match_replace8", "data", op.getData(), op.getDst(),
                    {{"vals", *values},
                     {"imm", toPythonNumber(replacement)},
                     {"dst_idx", *indices}});
      })
      .Case([&](PartitionGatherOp op) -> LogicalResult {
        // nki_c17
        if (isBeta())
          return refuse("has no form in the beta of NKI, which chooses no "
                        "elements within a partition");
        FailureOr<std::string> places = view(op.getIndices(), op);
        if (failed(places))
          return failure();
        return call("nc_n_gather", "data", op.getData(), op.getDst(),
                    {{"indices", *places}});
      })
      .Case([&](StreamShuffleOp op) {
        std::string mask;
        llvm::raw_string_ostream os(mask);
        llvm::interleaveComma(op.getMask(), os << '[');
        os << ']';
        return call("nc_stream_shuffle", "src", op.getSrc(), op.getDst(),
                    {{"shuffle_mask", mask}});
      });
}

LogicalResult nki::printPartitionOp(PrintedKernel &kernel, Operation *op) {
  return PartitionPrinter(kernel).print(op);
}
