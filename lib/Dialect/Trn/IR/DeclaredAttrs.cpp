//===- DeclaredAttrs.cpp - Attributes on foreign ops ----------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/Memory.h"
#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Planning/TileLimits.h"
#include "trn/Report/Keys.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace mlir::trn;

static LogicalResult unknownAttribute(Operation *op, NamedAttribute attribute,
                                      StringRef where, StringRef known) {
  return op->emitError("unknown attribute '")
         << attribute.getName().getValue() << "' on " << where << "; known are "
         << known;
}

/// trn.machine stands on a module.
static LogicalResult verifyMachineAttribute(Operation *op, Attribute value) {
  // attr_machine_c1
  if (!isa<ModuleOp>(op))
    return op->emitError("trn.machine is for modules, but stands on ")
           << op->getName();
  // attr_machine_c2
  if (!isa<MachineAttr>(value))
    return op->emitError("trn.machine must be a #trn.machine, but is ")
           << value;
  return success();
}

/// Whether an argument has trn.result. The function was not verified yet.
static bool isResult(Operation *op, unsigned argument) {
  auto all = op->getAttrOfType<ArrayAttr>("arg_attrs");
  auto own = all && argument < all.size()
                 ? dyn_cast<DictionaryAttr>(all[argument])
                 : DictionaryAttr();
  return own && own.contains(TrnDialect::ResultAttrHelper::getNameStr());
}

/// Whether `type` holds a matrix like `expected`; of vectors it may say whether
/// they are rows or columns.
static bool holds(Type type, MemRefType expected) {
  auto memref = dyn_cast<MemRefType>(type);
  if (type == expected || !memref ||
      !llvm::is_contained(expected.getShape(), 1))
    return type == expected;
  SmallVector<int64_t> sizes(memref.getShape()), others(expected.getShape());
  llvm::erase(sizes, 1);
  llvm::erase(others, 1);
  return sizes == others && memref.getRank() > 0 &&
         memref.getRank() <= expected.getRank() &&
         memref ==
             MemRefType::get(memref.getShape(), expected.getElementType());
}

/// The arguments of a kernel are the inputs and then the results of its graph.
static LogicalResult verifyArguments(Operation *op,
                                     const planning::Graph &graph) {
  auto typeAttr = op->getAttrOfType<TypeAttr>("function_type");
  auto type =
      dyn_cast_or_null<FunctionType>(typeAttr ? typeAttr.getValue() : Type());
  if (!type)
    return success(); // what is wrong is for the function to say
  SmallVector<const planning::Matrix *> matrices;
  for (planning::Role role : {planning::Role::Input, planning::Role::Result})
    for (const planning::Matrix &matrix : graph.matrices)
      if (matrix.role == role)
        matrices.push_back(&matrix);
  // attr_kernel_c6
  if (type.getNumInputs() != matrices.size())
    return op->emitError("trn.schedule has ")
           << matrices.size() << " inputs and results, but the kernel takes "
           << type.getNumInputs() << " arguments; it takes each as one";
  for (auto [i, matrix] : llvm::enumerate(matrices)) {
    auto expected =
        MemRefType::get(graph.shapeInHbm(*matrix),
                        getMatrixType(op->getContext(), matrix->type));
    if (!holds(type.getInput(i), expected))
      return op->emitError("argument ")
             << i << " of the kernel must be " << expected << " for "
             << matrix->name << " of trn.schedule, but is " << type.getInput(i);
    if (isResult(op, i) != (matrix->role == planning::Role::Result))
      return op->emitError("argument ")
             << i << " of the kernel is for " << matrix->name
             << " of trn.schedule, so trn.result must stand on both or none";
  }
  return success();
}

/// trn.schedule fits the kernel that it stands on and the machine of that.
static LogicalResult verifySchedule(Operation *op, ScheduleAttr schedule) {
  if (failed(verifyArguments(op, schedule.getGraph())))
    return failure();
  if (!schedule.getPlan())
    return success();
  FailureOr<Machine> machine = getMachine(op);
  if (failed(machine))
    return failure();
  llvm::Expected<Machine> limited = limitTiles(*machine);
  llvm::Error error =
      limited ? schedule.getPlan()->check(schedule.getGraph(), *limited)
              : limited.takeError();
  // attr_kernel_c7
  if (error)
    return op->emitError("trn.schedule cannot be followed: ")
           << llvm::toString(std::move(error));
  return success();
}

/// trn.kernel stands on a function; the facts about a kernel stand beside it.
static LogicalResult verifyKernelAttribute(Operation *op, StringRef name,
                                           Attribute value) {
  // attr_kernel_c1
  if (!isa<FunctionOpInterface>(op))
    return op->emitError() << name << " is for functions, but stands on "
                           << op->getName();
  // attr_kernel_c2
  if (name != "trn.kernel" && !op->hasAttr("trn.kernel"))
    return op->emitError() << name << " is for kernels, but the function has "
                           << "no trn.kernel";
  // attr_kernel_c3
  if (name == "trn.kernel" && !isa<UnitAttr>(value))
    return op->emitError("trn.kernel must be a unit attribute, but is ")
           << value;
  // attr_kernel_c4
  if (name == "trn.schedule" && !isa<ScheduleAttr>(value))
    return op->emitError("trn.schedule must be a #trn.schedule, but is ")
           << value;
  // attr_kernel_c5
  if (name == "trn.flops") {
    auto flops = dyn_cast<IntegerAttr>(value);
    if (!flops || !flops.getType().isInteger(64) ||
        flops.getValue().isNegative())
      return op->emitError("trn.flops must be a 64-bit count, but is ")
             << value;
  }
  if (auto schedule = dyn_cast<ScheduleAttr>(value))
    return verifySchedule(op, schedule);
  return success();
}

/// The keys of a report that a limit can be set to.
static std::string listReportNumbers() {
  auto numbers =
      llvm::make_filter_range(metricKeys(), [](const MetricKey &key) {
        return key.better != Better::Neither;
      });
  return llvm::join(
      llvm::map_range(numbers, [](const MetricKey &key) { return key.name; }),
      ", ");
}

/// trn.budget stands on what trn-run reports about, kernels and entries, and
/// limits numbers of the report.
static LogicalResult verifyBudgetAttribute(Operation *op, Attribute value) {
  // attr_budget_c1
  auto function = dyn_cast<FunctionOpInterface>(op);
  if (!function)
    return op->emitError("trn.budget is for functions, but stands on ")
           << op->getName();
  if (!op->hasAttr("trn.kernel") && !function.isPublic())
    return op->emitError("trn.budget is for kernels and for public functions, "
                         "but the function is neither");
  // attr_budget_c2
  auto budget = dyn_cast<DictionaryAttr>(value);
  if (!budget)
    return op->emitError("trn.budget must be a dictionary, but is ") << value;
  for (NamedAttribute entry : budget) {
    // attr_budget_c3
    const MetricKey *key = findMetricKey(entry.getName());
    if (!key || key->better == Better::Neither)
      return op->emitError("trn.budget limits '")
             << entry.getName().getValue()
             << "', which is no number of the report; those are "
             << listReportNumbers();
    // attr_budget_c4
    auto number = dyn_cast<FloatAttr>(entry.getValue());
    bool isWhole =
        isa<IntegerAttr>(entry.getValue()) && !isa<BoolAttr>(entry.getValue());
    if (!isWhole && !(number && number.getValue().isFinite()))
      return op->emitError("trn.budget must limit ")
             << entry.getName().getValue() << " by a finite number, but has "
             << entry.getValue();
  }
  return success();
}

/// trn.other_core names what the other core of a logical one runs.
static LogicalResult verifyOtherCore(Operation *op, Attribute value) {
  // attr_other_core_c1
  if (!op->hasAttr("trn.kernel"))
    return op->emitError("trn.other_core is for kernels, but stands on ")
           << op->getName() << " without trn.kernel";
  if (!isa<FlatSymbolRefAttr>(value))
    return op->emitError("trn.other_core must name a kernel, but is ") << value;
  return success();
}

/// trn.shared tells scratch of a logical core apart.
static LogicalResult verifyShared(Operation *op, Attribute value) {
  // attr_shared_c1
  auto number = dyn_cast<IntegerAttr>(value);
  if (number && number.getType().isInteger(64) &&
      !number.getValue().isNegative() && number.getValue().isSignedIntN(32) &&
      op->getName().getStringRef() == "memref.alloc")
    return success();
  return op->emitError("trn.shared must be a number on a memref.alloc, but is ")
         << value << " on " << op->getName();
}

/// Stages and matrices of a schedule, on what the kernel was compiled to.
static LogicalResult verifyIdentity(Operation *op, StringRef name,
                                    Attribute value, bool isFit,
                                    StringRef where) {
  auto text = dyn_cast<StringAttr>(value);
  if (isFit && text && !text.empty())
    return success();
  return op->emitError() << name << " must be a name on " << where
                         << ", but is " << value << " on " << op->getName();
}

LogicalResult TrnDialect::verifyOperationAttribute(Operation *op,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == "trn.machine")
    return verifyMachineAttribute(op, attribute.getValue());
  if (name == "trn.kernel" || name == "trn.flops" || name == "trn.schedule")
    return verifyKernelAttribute(op, name, attribute.getValue());
  if (name == "trn.other_core")
    return verifyOtherCore(op, attribute.getValue());
  if (name == "trn.shared")
    return verifyShared(op, attribute.getValue());
  if (name == "trn.budget")
    return verifyBudgetAttribute(op, attribute.getValue());
  // attr_stage_c1
  if (name == "trn.stage")
    return verifyIdentity(op, name, attribute.getValue(),
                          isa<InstructionOpInterface>(op), "an instruction");
  // attr_matrix_c1
  if (name == "trn.matrix")
    return verifyIdentity(op, name, attribute.getValue(), isa<AllocOp>(op),
                          "a trn.alloc");
  // attr_c1
  return unknownAttribute(op, attribute, "an op",
                          "trn.machine, trn.kernel, trn.flops, trn.schedule, "
                          "trn.other_core, trn.shared, trn.budget, trn.stage, "
                          "trn.matrix");
}

LogicalResult
ShardAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                  int64_t dim, int64_t pieces, int64_t size) {
  // shard_c1
  if (dim < 0)
    return emitError() << "#trn.shard splits a dimension from 0 on, but has "
                       << dim;
  if (pieces < 1)
    return emitError() << "#trn.shard needs at least one piece, but has "
                       << pieces;
  if (size < 1)
    return emitError() << "#trn.shard splits at least one element, but has "
                       << "size " << size;
  return success();
}

/// trn.shard fits the type of the argument or result, `where`, that it is on.
static LogicalResult verifyShardAttribute(Operation *op, Attribute value,
                                          Type type, const Twine &where) {
  // attr_shard_c1
  auto shard = dyn_cast<ShardAttr>(value);
  if (!shard)
    return op->emitError("trn.shard must be a #trn.shard, but is ") << value;
  // attr_shard_c2
  auto shaped = dyn_cast<ShapedType>(type);
  if (!shaped || !shaped.hasRank() || shard.getDim() >= shaped.getRank())
    return op->emitError("trn.shard splits dimension ")
           << shard.getDim() << ", but " << where << " is " << type;
  // attr_shard_c3
  int64_t extent = shaped.getDimSize(shard.getDim());
  if (extent != shard.getExtent() && extent != shard.getSize())
    return op->emitError("trn.shard cuts ")
           << shard.getSize() << " into " << shard.getPieces()
           << " pieces, so dimension " << shard.getDim() << " of " << where
           << " must be " << shard.getExtent() << ", or " << shard.getSize()
           << " before it is split, but its type is " << type;
  return success();
}

LogicalResult TrnDialect::verifyRegionArgAttribute(Operation *op,
                                                   unsigned /*region*/,
                                                   unsigned argument,
                                                   NamedAttribute attribute) {
  StringRef name = attribute.getName();
  if (name == "trn.result") {
    // attr_result_c1
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitError("trn.result must be a unit attribute, but is ")
             << attribute.getValue();
    // attr_result_c2
    Type type = cast<FunctionOpInterface>(op).getArgumentTypes()[argument];
    if (!isa<MemRefType>(type))
      return op->emitError("trn.result marks memrefs that a function writes, "
                           "but argument ")
             << argument << " is " << type;
    return success();
  }
  if (name == "trn.param") {
    // attr_param_c1
    auto parameter = dyn_cast<StringAttr>(attribute.getValue());
    if (!parameter || parameter.empty())
      return op->emitError("trn.param must be the name of a parameter, but is ")
             << attribute.getValue();
    return success();
  }
  if (name == "trn.band") {
    // attr_band_c1
    if (!isa<BandAttr>(attribute.getValue()))
      return op->emitError("trn.band must be a #trn.band, but is ")
             << attribute.getValue();
    return success();
  }
  if (name == "trn.shard")
    return verifyShardAttribute(
        op, attribute.getValue(),
        cast<FunctionOpInterface>(op).getArgumentTypes()[argument],
        "argument " + Twine(argument));
  // attr_c2
  return unknownAttribute(op, attribute, "an argument",
                          "trn.result, trn.param, trn.shard, trn.band");
}

LogicalResult
TrnDialect::verifyRegionResultAttribute(Operation *op, unsigned /*region*/,
                                        unsigned result,
                                        NamedAttribute attribute) {
  if (attribute.getName() == "trn.shard")
    return verifyShardAttribute(
        op, attribute.getValue(),
        cast<FunctionOpInterface>(op).getResultTypes()[result],
        "result " + Twine(result));
  // attr_c3
  return op->emitError("attribute '")
         << attribute.getName().getValue()
         << "' cannot stand on a result; the results of a kernel are arguments "
            "with trn.result";
}
