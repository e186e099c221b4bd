//===- RotateRows.cpp - Rotary embeddings of all heads at once ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One product computes the queries of all heads. A rotary embedding behind it
// takes the heads apart, and multiplies each with a matrix of zeros, ones and
// minus ones (see Rotations.cpp):
//
//   %q = %x * %w                                   [rows, heads * columns]
//   %h = expand %q                                 [rows, heads, columns]
//   %o = %h * cos + (%h * R) * sin                 [heads, rows, columns]
//
// Batches of a product are steps of a kernel, and this one would be a kernel of
// its own. Where rows of all heads are computed, engines can rotate them at
// once, with the same tables for all heads:
//
//   %r = rotation of %q
//   %o = transpose (expand (%q * cos + %r * sin))

#include "RotateRows.h"

#include "ElementwiseOps.h"
#include "NormalizeSteps.h"
#include "trn/Dialect/Trn/IR/ModuleMachine.h"
#include "trn/Transforms/Normalize/EmitLinalg.h"
#include "trn/Transforms/Normalize/HeadMatcher.h"
#include "trn/Transforms/Normalize/RotationMatcher.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace mlir::trn;

/// By how many columns a product with `matrix` rotates, if it does that.
static std::optional<int64_t> findRotation(DenseFPElementsAttr matrix) {
  int64_t size = matrix.getType().getDimSize(0);
  if (matrix.getType().getDimSize(1) != size)
    return std::nullopt;
  auto numbers = llvm::to_vector(matrix.getValues<APFloat>());
  // The first column has its only number in the row that is so far away.
  int64_t by = 1;
  while (by < size && numbers[by * size].isZero())
    ++by;
  if (size % (2 * by))
    return std::nullopt;
  for (int64_t row = 0; row < size; ++row)
    for (int64_t column = 0; column < size; ++column) {
      bool isRight = column / by % 2;
      bool isUnit = row == (isRight ? column - by : column + by);
      if (!numbers[row * size + column].isExactlyValue(isUnit ? isRight ? 1 : -1
                                                              : 0))
        return std::nullopt;
    }
  return by;
}

static bool isIdentity(DenseFPElementsAttr matrix) {
  int64_t columns = matrix.getType().getDimSize(1);
  return matrix.getType().getDimSize(0) == columns &&
         llvm::all_of(llvm::enumerate(matrix.getValues<APFloat>()),
                      [&](auto element) {
                        int64_t at = element.index();
                        return element.value().isExactlyValue(at / columns ==
                                                              at % columns);
                      });
}

//===----------------------------------------------------------------------===//
// Finding embeddings
//===----------------------------------------------------------------------===//

namespace {
/// What is computed element by element of `heads` and of what rotates these.
class Embedding {
public:
  /// `heads` regroups dimensions.
  explicit Embedding(Operation *heads) : heads(heads) {}

  /// Finds the ops, and which one of them others read.
  bool match();
  /// Computes it of all heads at once, and erases what nobody reads any more.
  void rewrite(DenseSet<Operation *> &erased);

private:
  using Roles = SmallVector<int64_t, 4>;

  /// Whether what `op` computes is known now, and was not before.
  bool visit(Operation *op);
  /// The dims of the heads that the loops of `op` run over.
  std::optional<Roles> rolesOfLoops(linalg::GenericOp op) const;
  /// Those of what `op` computes.
  void setRoles(linalg::GenericOp op, const Roles &loops);
  bool isTable(OpOperand *operand, const Roles &loops) const;
  bool isHeads(Value value) const;
  void visitProduct(linalg::GenericOp op);
  void visitElementwise(linalg::GenericOp op);
  bool findRoot();
  SmallVector<Value> findTables() const;
  Value computeRows(OpBuilder &builder, ArrayRef<Value> tables) const;

  bool matchHeads();

  Operation *heads;
  Value rows;                     // of a product, with all heads
  int64_t lastDim = 0, width = 0; // the columns of a head
  int64_t by = 0;
  /// Of what is known: which dims of the heads its own ones are.
  DenseMap<Value, Roles> roles;
  /// Products that leave the columns where they are.
  llvm::SetVector<Value> copies;
  /// Products that rotate, and all that is computed of them.
  llvm::SetVector<Value> products;
  llvm::SetVector<Operation *> rotated;
  linalg::GenericOp root;
};

} // namespace

std::optional<Embedding::Roles>
Embedding::rolesOfLoops(linalg::GenericOp op) const {
  Roles loops(op.getNumLoops(), -1);
  for (OpOperand *operand : op.getDpsInputOperands()) {
    auto own = roles.find(operand->get());
    if (own == roles.end())
      continue;
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (auto [index, role] : llvm::zip_equal(map.getResults(), own->second)) {
      auto loop = dyn_cast<AffineDimExpr>(index);
      if (!loop ||
          (loops[loop.getPosition()] >= 0 && loops[loop.getPosition()] != role))
        return std::nullopt;
      loops[loop.getPosition()] = role;
    }
  }
  return loops;
}

void Embedding::setRoles(linalg::GenericOp op, const Roles &loops) {
  Roles &own = roles[op.getResult(0)];
  for (AffineExpr index :
       op.getMatchingIndexingMap(op.getDpsInitOperand(0)).getResults())
    own.push_back(loops[cast<AffineDimExpr>(index).getPosition()]);
}

/// Whether all heads read the same of `operand`: rows and columns, or one of
/// these.
bool Embedding::isTable(OpOperand *operand, const Roles &loops) const {
  auto op = cast<linalg::GenericOp>(operand->getOwner());
  if (operand->get().getParentBlock() != heads->getBlock() &&
      !isa<BlockArgument>(operand->get()))
    return false;
  int64_t last = -1;
  for (AffineExpr index : op.getMatchingIndexingMap(operand).getResults()) {
    auto loop = dyn_cast<AffineDimExpr>(index);
    if (!loop)
      return false;
    int64_t role = loops[loop.getPosition()];
    if ((role != 0 && role != lastDim) || role <= last)
      return false;
    last = role;
  }
  return last == lastDim;
}

/// Whether `value` is the heads, with dimensions in any order.
bool Embedding::isHeads(Value value) const {
  while (auto transpose = value.getDefiningOp<linalg::TransposeOp>())
    value = transpose.getInput();
  return value == heads->getResult(0);
}

/// A product that rotates the columns of the heads, or leaves them in place.
void Embedding::visitProduct(linalg::GenericOp op) {
  DenseFPElementsAttr matrix;
  if (!isSelection(op) ||
      !matchPattern(op.getDpsInputs()[1], m_Constant(&matrix)) ||
      !isHeads(op.getDpsInputs()[0]))
    return;
  bool isSame = isIdentity(matrix);
  std::optional<int64_t> rotation = findRotation(matrix);
  std::optional<Roles> loops = rolesOfLoops(op);
  auto column =
      dyn_cast<AffineDimExpr>(op.getIndexingMapsArray()[1].getResult(1));
  if (!(isSame || (rotation && (!by || by == *rotation))) || !loops ||
      !column || (*loops)[column.getPosition()] >= 0)
    return;
  (*loops)[column.getPosition()] = lastDim;
  setRoles(op, *loops);
  if (isSame) {
    copies.insert(op.getResult(0));
    return;
  }
  by = *rotation;
  products.insert(op.getResult(0));
  rotated.insert(op);
}

void Embedding::visitElementwise(linalg::GenericOp op) {
  std::optional<Roles> loops = rolesOfLoops(op);
  if (!loops || llvm::is_contained(*loops, -1) || op.getNumDpsInits() != 1 ||
      op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) ||
      op.hasIndexSemantics())
    return;
  for (OpOperand *operand : op.getDpsInputOperands())
    if (!roles.contains(operand->get()) && !isTable(operand, *loops))
      return;
  setRoles(op, *loops);
  if (llvm::any_of(op.getDpsInputs(), [&](Value operand) {
        return rotated.contains(operand.getDefiningOp());
      }))
    rotated.insert(op);
}

bool Embedding::visit(Operation *op) {
  if (op->getNumResults() != 1 || roles.contains(op->getResult(0)))
    return false;
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op)) {
    if (auto own = roles.find(transpose.getInput()); own != roles.end()) {
      Roles turned = own->second;
      applyPermutationToVector(turned, transpose.getPermutation());
      roles[op->getResult(0)] = turned;
      if (rotated.contains(transpose.getInput().getDefiningOp()))
        rotated.insert(op);
    }
  } else if (auto generic = dyn_cast<linalg::GenericOp>(op)) {
    if (trn::isElementwise(op))
      visitElementwise(generic);
    else
      visitProduct(generic);
  }
  return roles.contains(op->getResult(0));
}

/// The only one of them that others read, which is more than a rotation.
bool Embedding::findRoot() {
  for (Operation *op : rotated) {
    bool isRead = llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !rotated.contains(user);
    });
    if (!isRead)
      continue;
    if (root || !trn::isElementwise(op))
      return false;
    root = cast<linalg::GenericOp>(op);
  }
  return root && llvm::any_of(rotated, [](Operation *op) {
           return trn::isElementwise(op) &&
                  cast<linalg::GenericOp>(op).getNumDpsInputs() > 1;
         });
}

/// Whether `op` regroups the dimensions of a tensor, which has a rank.
static bool regroups(Operation *op) {
  return isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

/// [rows, heads, columns] of a product, or [heads, columns] of its only row.
bool Embedding::matchHeads() {
  rows = heads->getOperand(0);
  auto rankOf = [](Value value) {
    return cast<RankedTensorType>(value.getType()).getRank();
  };
  while (rankOf(rows) != 2 && regroups(rows.getDefiningOp()))
    rows = rows.getDefiningOp()->getOperand(0);
  auto type = cast<RankedTensorType>(heads->getResult(0).getType());
  if (rankOf(rows) != 2 || !type.hasStaticShape() || type.getRank() < 2 ||
      type.getNumElements() == 0)
    return false;
  int64_t count = cast<RankedTensorType>(rows.getType()).getDimSize(0);
  bool hasRows = type.getRank() > 2 && type.getDimSize(0) == count;
  if (!hasRows && count != 1)
    return false;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    roles[heads->getResult(0)].push_back(hasRows ? dim : dim + 1);
  lastDim = roles[heads->getResult(0)].back();
  width = type.getShape().back();
  return true;
}

bool Embedding::match() {
  if (!matchHeads() || !isOfProduct(rows))
    return false;
  FailureOr<Machine> machine = getMachine(heads);
  if (failed(machine) || !fitsBlocks(width, *machine))
    return false;
  SmallVector<Value> known{heads->getResult(0)};
  // They become more while they are visited. What reads two of them is visited
  // by the second one, too.
  for (size_t i = 0; i < known.size(); ++i)
    for (Operation *user : known[i].getUsers())
      if (user->getBlock() == heads->getBlock() && visit(user))
        known.push_back(user->getResult(0));
  return findRoot();
}

//===----------------------------------------------------------------------===//
// Computing all heads at once
//===----------------------------------------------------------------------===//

namespace {
/// Writes what is computed of one element of all heads.
class BodyBuilder {
public:
  BodyBuilder(OpBuilder &builder, const DenseMap<Value, Value> &scalars)
      : builder(builder), scalars(scalars) {}

  /// The element of `tensor`.
  Value build(Value tensor);

private:
  OpBuilder &builder;
  DenseMap<Value, Value> scalars; // by tensor
};
} // namespace

Value BodyBuilder::build(Value tensor) {
  if (auto known = scalars.find(tensor); known != scalars.end())
    return known->second;
  Operation *op = tensor.getDefiningOp();
  if (auto transpose = dyn_cast<linalg::TransposeOp>(op))
    return scalars[tensor] = build(transpose.getInput());
  auto generic = cast<linalg::GenericOp>(op);
  IRMapping own;
  SmallVector<Operation *> widened;
  for (OpOperand *operand : generic.getDpsInputOperands()) {
    BlockArgument argument = generic.getMatchingBlockArgument(operand);
    Value scalar = build(operand->get());
    // A product sums in f32.
    if (scalar.getType() != argument.getType()) {
      scalar = arith::ExtFOp::create(builder, op->getLoc(), argument.getType(),
                                     scalar);
      widened.push_back(scalar.getDefiningOp());
    }
    own.map(argument, scalar);
  }
  for (Operation &inner : generic.getBody()->without_terminator()) {
    auto truncate = dyn_cast<arith::TruncFOp>(inner);
    Operation *wide =
        truncate ? own.lookup(truncate.getIn()).getDefiningOp() : nullptr;
    // Each sum has one term.
    if (llvm::is_contained(widened, wide) &&
        wide->getOperand(0).getType() == truncate.getType())
      own.map(truncate.getResult(), wide->getOperand(0));
    else
      builder.clone(inner, own);
  }
  for (Operation *wide : widened)
    if (wide->use_empty())
      wide->erase();
  return scalars[tensor] = own.lookupOrDefault(
             generic.getBody()->getTerminator()->getOperand(0));
}

/// What `root` is computed of beside heads and rotations.
SmallVector<Value> Embedding::findTables() const {
  llvm::SetVector<Value> tables;
  llvm::SetVector<Operation *> ops;
  ops.insert(root);
  // They become more while they are visited.
  for (size_t i = 0; i < ops.size(); ++i)
    for (Value operand : cast<linalg::LinalgOp>(ops[i]).getDpsInputs())
      if (!roles.contains(operand))
        tables.insert(operand);
      else if (operand.getDefiningOp() != heads &&
               !products.contains(operand) && !copies.contains(operand))
        ops.insert(operand.getDefiningOp());
  return tables.takeVector();
}

/// The rows of what `root` computes of the heads.
Value Embedding::computeRows(OpBuilder &builder, ArrayRef<Value> tables) const {
  Location loc = root->getLoc();
  MLIRContext *context = builder.getContext();
  auto identity = AffineMap::getMultiDimIdentityMap(2, context);
  SmallVector<Value> inputs{rows, emitRotation(builder, loc, rows, by)};
  SmallVector<AffineMap> maps{identity, identity};
  for (Value table : tables) {
    SmallVector<AffineExpr> indices{
        repeatColumns(builder.getAffineDimExpr(1), width)};
    if (cast<RankedTensorType>(table.getType()).getRank() == 2)
      indices.insert(indices.begin(), builder.getAffineDimExpr(0));
    inputs.push_back(table);
    maps.push_back(AffineMap::get(2, 0, indices, context));
  }
  maps.push_back(identity);
  auto type = cast<RankedTensorType>(rows.getType())
                  .clone(getElementTypeOrSelf(root->getResult(0)));
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  auto writeBody = [&](OpBuilder &nested, Location loc, ValueRange values) {
    DenseMap<Value, Value> scalars{{heads->getResult(0), values[0]}};
    for (Value copy : copies)
      scalars[copy] = values[0];
    for (Value product : products)
      scalars[product] = values[1];
    for (auto [table, value] : llvm::zip(tables, values.drop_front(2)))
      scalars[table] = value;
    linalg::YieldOp::create(
        nested, loc, BodyBuilder(nested, scalars).build(root->getResult(0)));
  };
  SmallVector<utils::IteratorType> loops(2, utils::IteratorType::parallel);
  return linalg::GenericOp::create(builder, loc, type, inputs, empty, maps,
                                   loops, writeBody)
      .getResult(0);
}

void Embedding::rewrite(DenseSet<Operation *> &erased) {
  OpBuilder builder(root);
  Value result = computeRows(builder, findTables());
  auto type = cast<RankedTensorType>(heads->getResult(0).getType());
  result = reshape(builder, root.getLoc(), result,
                   type.clone(getElementTypeOrSelf(result)));
  const Roles &order = roles.at(root.getResult(0));
  if (!llvm::is_sorted(order))
    result = emitTranspose(builder, root.getLoc(), result, order);
  root.getResult(0).replaceAllUsesWith(result);
  // Else what nobody reads would keep the heads.
  Operation *previous = nullptr;
  for (Operation *op = root; op != heads; op = previous) {
    previous = op->getPrevNode();
    if (isOpTriviallyDead(op)) {
      erased.insert(op);
      op->erase();
    }
  }
}

void mlir::trn::rotateRows(func::FuncOp func) {
  SmallVector<Operation *> all;
  func.walk([&](Operation *op) {
    if (regroups(op))
      all.push_back(op);
  });
  DenseSet<Operation *> erased;
  for (Operation *op : all) {
    if (erased.contains(op))
      continue;
    Embedding embedding(op);
    if (embedding.match())
      embedding.rewrite(erased);
  }
}
