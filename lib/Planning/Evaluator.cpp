//===- Evaluator.cpp - From sums to what is stored ------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Every value of an expression is one instruction, which leaves a tile in SBUF.
// ScalarE multiplies with a scale and adds a bias on the way for nothing, if
// they are constants or have one column: gelu(x * scale + bias). What it
// subtracts is negated before. It also adds up what it computes. Where a nest
// is on ScalarE, that does what it can of the other values, too.

#include "Evaluator.h"

#include "Selection.h"
#include "trn/Planning/StageNeeds.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// The instructions of one tile, in the order of the values.
class Evaluator::Evaluation : PlanFacts {
public:
  /// The last value is written to `to` or, if the stage reduces it, becomes its
  /// only column.
  /// Nothing is hidden by `mask`, if there is one.
  Evaluation(Evaluator &of, unsigned nest, const Extents &extents,
             llvm::ArrayRef<BlockView> sums, const BlockView &to,
             std::optional<unsigned> mask = std::nullopt,
             bool areInSbuf = false)
      : PlanFacts(of), homes(of.homes), copies(of.copies), emit(of.homes.emit),
        nest(nest), stage(stageOf(nest)), values(stage.expression.values),
        extents(extents), sums(sums), to(to), mask(mask), areInSbuf(areInSbuf),
        columns(extents[graph.columnsIn(stage)].size),
        selection(graph, stage, machine), at(values.size()) {}
  /// Scalars of a stack are columns, one for each batch.
  void pairUp(bool takesColumns = true) {
    if (plan.nests[nest].engine != RowEngine::Scalar && !plan.stacked)
      selection.pairUp(takesColumns);
  }

  /// The columns of so many tiles at once: `sums` have one for each.
  void runColumns(int64_t count) {
    pairUp(/*takesColumns=*/false);
    width = count;
    root = values.size();
    for (unsigned number = 0; number < values.size(); ++number)
      if (!selection.isTakenAlong(number) &&
          (selection.isConstant(number) || selection.isColumn(number)))
        at[number] = evaluate(number);
  }
  /// Takes the columns of tile `number` from `other`.
  void takeColumns(const Evaluation &other, int64_t number) {
    for (auto [own, all] : llvm::zip_equal(at, other.at))
      if (all.block)
        own.block = partOf(*all.block, {0, to.rows, number, 1});
  }
  void run() {
    pairUp();
    root = values.size() - 1;
    while (std::optional<unsigned> masked = findMasked(root))
      root = *masked;
    for (unsigned number = 0; number < root; ++number)
      if (at[number].block)
        continue; // taken
      else if (std::optional<unsigned> masked = findMasked(number))
        at[number] = at[*masked];
      else if (!selection.isTakenAlong(number))
        at[number] = evaluate(number);
    if (stage.reduction)
      reduce();
    else if (values[root].kind == Value::Kind::Apply)
      evaluate(root);
    else
      copies.convert(nest, *evaluate(root).block, to);
  }

private:
  /// What `number` masks, where that changes nothing.
  std::optional<unsigned> findMasked(unsigned number) const;
  void reduce() {
    if (!sumOnScalar(root))
      emit->reduce(stage.reduction->function, *evaluate(root).block, to);
  }
  Argument evaluate(unsigned number);
  bool combineOnScalar(const Value &value, const BlockView &target);
  bool sumOnScalar(unsigned number);
  std::optional<BlockView> sumsBehind();
  BlockView openTemporary(ElementType type, int64_t columns);
  BlockView elements(const Value &value);
  BlockView rotate(const BlockView &from, int64_t by);
  void activate(unsigned number, const BlockView &target,
                const BlockView *sums = nullptr);
  void combine(unsigned number, const BlockView &target);
  void select(const Value &value, const BlockView &target);
  BlockView widen(const Argument &argument, const BlockView &target);
  Argument argument(std::optional<unsigned> number, float otherwise) const {
    return number ? at[*number] : Argument{std::nullopt, otherwise};
  }
  /// Whether it is a sum that lies in PSUM, of which an instruction reads one.
  bool isInBank(unsigned number) const {
    const Home &home = *plan.homeOf(stage.result, nest);
    return values[number].kind == Value::Kind::Sum &&
           !selection.isColumn(number) && !areInSbuf &&
           (!home.sums || home.sumsInPsum());
  }

  Homes &homes;
  Copies &copies;
  Emitter &emit;
  unsigned nest;
  const Stage &stage;
  const std::vector<Value> &values;
  const Extents &extents;
  llvm::ArrayRef<BlockView> sums;
  const BlockView &to;
  std::optional<unsigned> mask;
  bool areInSbuf;             // the sums
  int64_t columns, width = 1; // of a tile, and of what has a column for each
  unsigned root = 0;
  Selection selection;
  std::vector<Argument> at; // by value
};

BlockView Evaluator::Evaluation::openTemporary(ElementType type,
                                               int64_t columns) {
  return emit.openBuffer(
      {stage.result, Space::Sbuf, type, to.rows, columns, 2});
}

/// The elements of a matrix, as many columns as the tile has.
BlockView Evaluator::Evaluation::elements(const Value &value) {
  BlockView view = homes.operand(value.number, nest, extents);
  if (value.rotation)
    return rotate(view, value.rotation);
  if (graph.repeatsOf(stage, value.number) > 1)
    view.runs = columns / view.columns; // each in the place of the first
  return view;
}

/// ScalarE negates columns that move to the left on the way.
BlockView Evaluator::Evaluation::rotate(const BlockView &from, int64_t by) {
  BlockView to = openTemporary(graph.matrices[from.matrix].type, columns);
  auto half = [by](BlockView view, bool isRight) {
    view.runs = view.columns / (2 * by);
    view.runStep = view.runs > 1 ? 2 * by * view.columnStep : 0;
    view.columns = by;
    view.column += isRight * by * view.columnStep;
    return view;
  };
  for (bool isRight : {false, true})
    emit->activate(Function::Copy, half(from, !isRight),
                   {std::nullopt, isRight ? 1.0f : -1.0f}, {std::nullopt, 0},
                   half(to, isRight));
  return to;
}

std::optional<unsigned>
Evaluator::Evaluation::findMasked(unsigned number) const {
  const Value &value = values[number];
  bool isLast = number + 1 == values.size();
  if (!mask || value.kind != Value::Kind::Apply ||
      (value.type != ElementType::F32 && !isLast))
    return std::nullopt;
  float inside = graph.matrices[*mask].band->inside;
  if (value.function != (inside == 0 ? Function::Add : Function::Min))
    return std::nullopt;
  for (unsigned i : {0, 1}) {
    const Value &own = values[value.arguments[i]];
    unsigned masked = value.arguments[1 - i];
    bool isOne = selection.isConstant(masked) || selection.isColumn(masked);
    bool isRounded = isLast && values[masked].kind == Value::Kind::Apply &&
                     values[masked].type != ElementType::F32;
    if (own.kind == Value::Kind::Matrix && own.number == *mask && !isOne &&
        !isRounded)
      return masked;
  }
  return std::nullopt;
}

Argument Evaluator::Evaluation::evaluate(unsigned number) {
  const Value &value = values[number];
  switch (value.kind) {
  case Value::Kind::Sum: {
    const BlockView &sum = sums[value.number];
    if (!selection.isColumn(number) || areInSbuf)
      return {sum};
    // An instruction reads a column from SBUF.
    BlockView column = openTemporary(ElementType::F32, width);
    copies.convert(nest, sum, column);
    return {column};
  }
  case Value::Kind::Matrix:
    return {elements(value)};
  case Value::Kind::Constant:
    return {std::nullopt, value.constant};
  case Value::Kind::Apply:
    break;
  }
  bool isResult = number == root && !stage.reduction;
  BlockView target =
      isResult ? to
               : openTemporary(value.type,
                               selection.isColumn(number) ? width : columns);
  std::optional<BlockView> added;
  if (isResult)
    added = sumsBehind();
  if (value.arguments.size() == 1)
    activate(number, target, added ? &*added : nullptr);
  else if (value.function == Function::Select)
    select(value, target);
  else if (!combineOnScalar(value, target))
    combine(number, target);
  return {target};
}

void Evaluator::Evaluation::activate(unsigned number, const BlockView &target,
                                     const BlockView *sums) {
  const Value &value = values[number];
  if (value.function == Function::Copy)
    return copies.convert(nest, *at[value.arguments[0]].block, target);
  const Affine &affine = selection.affineOf(number);
  Argument bias = argument(affine.bias, 0);
  if (affine.biasFactor != 1) {
    BlockView multiple = openTemporary(ElementType::F32, 1);
    emit->combine(Function::Mul, bias, {std::nullopt, affine.biasFactor},
                  multiple);
    bias.block = multiple;
  }
  BlockView from = *at[affine.from].block, to = target;
  takeApart({&from, &to});
  emit->activate(value.function, from, argument(affine.scale, 1), bias, to,
                 sums);
}

/// Where the sums of the result's rows go, if the next nest is for these.
std::optional<BlockView> Evaluator::Evaluation::sumsBehind() {
  if (nest + 1 == plan.nests.size() || !addsUpPrevious(nest + 1))
    return std::nullopt;
  unsigned sums = stageOf(nest + 1).result;
  return homes.inHome(*plan.homeOf(sums, nest + 1), nest + 1, extents);
}

/// Whether ScalarE adds up the last value, a function of one other one, while
/// it computes it.
bool Evaluator::Evaluation::sumOnScalar(unsigned number) {
  const Value &value = values[number];
  if (stage.reduction->function != Function::Add || !value.is(value.function) ||
      value.arguments.size() != 1 || value.function == Function::Copy)
    return false;
  // Nobody reads what it writes beside the sums.
  activate(number, openTemporary(ElementType::BF16, columns), &to);
  return true;
}

/// A copy of what is scaled, times or plus the other argument.
bool Evaluator::Evaluation::combineOnScalar(const Value &value,
                                            const BlockView &target) {
  std::optional<unsigned> scaled = selection.findScaled(value);
  if (plan.nests[nest].engine != RowEngine::Scalar || !scaled)
    return false;
  Argument one = at[value.arguments[*scaled == value.arguments[0]]];
  bool adds =
      value.function == Function::Add || value.function == Function::Sub;
  bool isConstant = !one.block;
  if (isConstant && (adds ? !machine.activationScalarBias : one.constant == 0))
    return false;
  // Plus what is negated, or times the inverse.
  if (value.function == Function::Sub || value.function == Function::Div) {
    bool negates = value.function == Function::Sub;
    if (!one.block) {
      one.constant = negates ? -one.constant : 1 / one.constant;
    } else {
      BlockView inverse = openTemporary(ElementType::F32, 1);
      emit->combine(negates ? Function::Mul : Function::Div,
                    negates ? one : Argument{std::nullopt, 1},
                    negates ? Argument{std::nullopt, -1} : one, inverse);
      one.block = inverse;
    }
  }
  Argument none{std::nullopt, adds ? 1.0f : 0.0f};
  BlockView from = *at[*scaled].block, to = target;
  takeApart({&from, &to});
  emit->activate(Function::Copy, from, adds ? none : one, adds ? one : none,
                 to);
  return true;
}

void Evaluator::Evaluation::combine(unsigned number, const BlockView &target) {
  std::optional<unsigned> first = selection.firstOf(number);
  const Value &value = values[first.value_or(number)];
  Argument left = at[value.arguments[0]], right = at[value.arguments[1]];
  std::optional<Then> then;
  if (first) {
    llvm::ArrayRef<unsigned> arguments = values[number].arguments;
    bool isReversed = arguments[1] == *first;
    then = {values[number].function, at[arguments[!isReversed]], isReversed};
  }
  if (isInBank(value.arguments[0]) && isInBank(value.arguments[1])) {
    BlockView copy = openTemporary(ElementType::F32, columns);
    copies.convert(nest, *left.block, copy);
    left.block = copy;
  }
  BlockView to = target;
  llvm::SmallVector<BlockView *, 3> blocks{&to};
  for (Argument *argument : {&left, &right})
    if (argument->block)
      blocks.push_back(&*argument->block);
  takeApart(blocks);
  emit->combine(value.function, left, right, to, then ? &*then : nullptr);
}

/// `argument` as wide as `target`, where it is a constant or a column.
BlockView Evaluator::Evaluation::widen(const Argument &argument,
                                       const BlockView &target) {
  if (argument.block && argument.block->width() == target.width())
    return *argument.block;
  BlockView wide = openTemporary(ElementType::F32, target.width());
  emit->fill(argument.block ? 0 : argument.constant, wide);
  if (argument.block) {
    BlockView zeros = wide;
    emit->activate(Function::Copy, zeros, {std::nullopt, 1}, argument, wide);
  }
  return wide;
}

void Evaluator::Evaluation::select(const Value &value,
                                   const BlockView &target) {
  llvm::SmallVector<BlockView, 3> read;
  bool hasBank = false;
  for (unsigned number : value.arguments) {
    read.push_back(widen(at[number], target));
    if (isInBank(number) && std::exchange(hasBank, true)) {
      BlockView copy = openTemporary(ElementType::F32, columns);
      copies.convert(nest, read.back(), copy);
      read.back() = copy;
    }
  }
  BlockView to = target;
  takeApart({&read[0], &read[1], &read[2], &to});
  emit->select(read[0], read[1], read[2], to);
}

bool planning::hasChoice(const Graph &graph, const Stage &stage,
                         const Machine &machine) {
  if (stage.expression.isPlain())
    return true;
  Selection selection(graph, stage, machine);
  return llvm::any_of(llvm::enumerate(stage.expression.values),
                      [&](auto value) {
                        const Value &own = value.value();
                        bool isCopy = own.kind == Value::Kind::Apply &&
                                      own.function == Function::Copy;
                        return !selection.isTakenAlong(value.index()) &&
                               (isCopy || selection.findScaled(own));
                      });
}

void Evaluator::evaluate(unsigned nest, const Extents &extents,
                         llvm::ArrayRef<BlockView> sums, const BlockView &to) {
  const Stage &stage = stageOf(nest);
  if (stage.expression.isPlain())
    return copies.convert(nest, sums.front(), to);
  llvm::SmallVector<MaskedRun, 4> runs{
      {0, extents[graph.columnsIn(stage)].size}};
  // One instruction adds up all columns of a row.
  if (nest + 1 == plan.nests.size() || !addsUpPrevious(nest + 1))
    runs = masks.runsIn(nest, extents);
  for (const MaskedRun &run : runs) {
    Tile part{0, to.rows, run.begin, run.size};
    evaluateRun(nest, extents, run, sums, partOf(to, part));
  }
}

void Evaluator::evaluateRun(unsigned nest, const Extents &extents,
                            const MaskedRun &run,
                            llvm::ArrayRef<BlockView> sums,
                            const BlockView &to) {
  const Stage &stage = stageOf(nest);
  llvm::SmallVector<BlockView, 2> parts;
  for (auto [number, sum] : llvm::enumerate(sums)) {
    bool isColumn = graph.isColumn(stage, number);
    parts.push_back(isColumn ? partOf(sum, {0, sum.rows, 0, 1})
                             : partOf(sum, {0, sum.rows, run.begin, run.size}));
  }
  Evaluation(*this, nest,
             cut(extents, graph.columnsIn(stage), run.begin, run.size), parts,
             to, run.isOpen ? run.mask : std::nullopt)
      .run();
}

bool planning::mayBundle(const Graph &graph, const Stage &stage,
                         const Machine &machine) {
  if (stage.reduction || stage.numProducts() != 2 ||
      graph.numBeside(stage) != 1 || stage.expression.isPlain() ||
      !stage.expression.matrices().empty())
    return false;
  Selection selection(graph, stage, machine);
  return llvm::all_of(
      llvm::enumerate(stage.expression.values), [&](auto value) {
        const Value &own = value.value();
        return own.kind != Value::Kind::Apply ||
               !selection.isColumn(value.index()) || own.arguments.size() == 2;
      });
}

int64_t planning::mostInBundle(const Graph &graph, const Stage &stage,
                               const Machine &machine) {
  int64_t width = graph.columnsOf(graph.matrices[stage.result]) + 1;
  return std::min<int64_t>(machine.movingFreeMax,
                           machine.psumBankBytes / byteSize(ElementType::F32)) /
         width;
}

void Evaluator::evaluateBundle(unsigned nest, BlockView bank,
                               llvm::MutableArrayRef<BundledTile> tiles) {
  int64_t count = tiles.size(), width = bank.columns / count;
  // Out of PSUM all at once, as two engines exclude each other there.
  bool areInSbuf = machine.portLocks && count > 1;
  if (areInSbuf) {
    BlockView copy =
        homes.emit.openBuffer({bank.matrix, Space::Sbuf, ElementType::F32,
                               bank.rows, bank.columns, 2});
    copies.convert(nest, bank, copy);
    for (BundledTile &tile : tiles)
      for (BlockView &sum : tile.sums)
        sum.buffer = copy.buffer;
  }
  llvm::SmallVector<BlockView, 2> columns = tiles.front().sums;
  for (auto [number, sum] : llvm::enumerate(columns))
    if (graph.isColumn(stageOf(nest), number))
      std::tie(sum.columns, sum.columnStep) = std::tuple(count, width);
  Evaluation all(*this, nest, tiles.front().extents, columns, tiles.front().to,
                 /*mask=*/std::nullopt, areInSbuf);
  all.runColumns(count);
  for (auto [number, tile] : llvm::enumerate(tiles)) {
    Evaluation one(*this, nest, tile.extents, tile.sums, tile.to,
                   /*mask=*/std::nullopt, areInSbuf);
    one.takeColumns(all, number);
    one.run();
  }
}
