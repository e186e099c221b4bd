//===- Legalize.cpp - Products as the tensor engine takes them ------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Planning/Legalize.h"

#include "MoveVectors.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/Machine.h"
#include "trn/Planning/TurnSoftmax.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

bool planning::isStrip(const Graph &graph, unsigned dim) {
  return llvm::all_of(graph.stages, [&](const Stage &stage) {
    const Matrix &result = graph.matrices[stage.result];
    bool isVector = stage.isTransposition() && graph.columnsOf(result) == 1;
    return result.has(dim) || graph.widens(stage) || isVector;
  });
}

unsigned planning::stripOf(const Graph &graph) {
  if (graph.stages.empty())
    return 0;
  auto product = llvm::find_if(
      graph.stages, [](const Stage &stage) { return !stage.terms.empty(); });
  if (product == graph.stages.end()) {
    // One row is a column, too, unless it is reduced.
    const Matrix &result = graph.matrices[graph.stages.front().result];
    bool isReduced = llvm::any_of(graph.stages, [&](const Stage &stage) {
      return stage.sumsOver(result.columns);
    });
    return graph.rowsOf(result) == 1 && !isReduced ? result.columns
                                                   : result.rows;
  }
  const Term &first = product->terms.front();
  unsigned rows = graph.matrices[first.left].otherDim(first.over);
  unsigned columns = graph.matrices[first.right].otherDim(first.over);
  return !isStrip(graph, rows) && isStrip(graph, columns) ? columns : rows;
}

namespace {
class Legalizer {
public:
  Legalizer(const Graph &source, TransposeMode mode)
      : source(source), mode(mode), strip(stripOf(source)),
        isTurned(planning::isTurned(source)) {
    graph.dims = source.dims;
    graph.matrices = source.matrices;
    for (const Stage &stage : source.stages)
      if (source.periodOf(stage) > 1)
        pinColumns(stage);
      else if (isTurned && stage.reducesAll() && stage.terms.empty())
        pinScores(stage);
  }

  Graph run() {
    for (const Stage &stage : source.stages)
      addStage(stage);
    // What no product reads.
    llvm::append_range(graph.stages, widenings);
    moveVectorsBehindTranspositions(graph);
    return std::move(graph);
  }

private:
  /// The first product of the source that `matrix` is a factor of.
  const Term *productOf(unsigned matrix) const {
    for (const Stage &stage : source.stages)
      if (const Term *product = stage.productOf(matrix))
        return product;
    return nullptr;
  }

  /// Makes one column of what `stage` reduces; whoever reads that, or what is
  /// computed of it, has the same rows.
  void pinRows(const Stage &stage) {
    const Matrix &result = graph.matrices[stage.result];
    auto isOfColumns = [&](unsigned operand) {
      return graph.matrices[operand].has(result.columns);
    };
    if (stage.reduction)
      pinned[stage.result] = llvm::any_of(stage.operands(), isOfColumns)
                                 ? result.columns
                                 : result.rows;
    for (unsigned operand : stage.expression.matrices())
      if (auto rows = pinned.find(operand); rows != pinned.end())
        pinned.try_emplace(stage.result, rows->second);
  }

  /// What repeats or rotates columns has them as columns.
  void pinColumns(const Stage &stage) {
    unsigned rows = source.matrices[stage.result].rows;
    pinned[stage.result] = rows;
    for (unsigned operand : stage.expression.matrices())
      if (source.matrices[operand].rows == rows)
        pinned.try_emplace(operand, rows);
  }

  /// Scores that are reduced have their own rows, and so have exponentials of
  /// them.
  void pinScores(const Stage &stage) {
    for (unsigned operand : stage.expression.matrices())
      if (source.matrices[operand].has(stage.reduction->over))
        pinned.try_emplace(
            operand, source.matrices[operand].otherDim(stage.reduction->over));
  }

  /// The rows of an intermediate: what the first product that reads it sums
  /// over, if that is computed; those of what is computed of its elements.
  unsigned rowsOf(unsigned number) const {
    const Matrix &matrix = source.matrices[number];
    auto rows = pinned.find(number);
    if (rows != pinned.end() && matrix.has(rows->second) &&
        (matrix.role == Role::Intermediate || isVector(matrix)))
      return rows->second;
    if (matrix.role != Role::Intermediate)
      return matrix.rows;
    if (const Term *product = productOf(number))
      return mode == TransposeMode::Implicit ? product->over
                                             : matrix.otherDim(product->over);
    for (const Stage &stage : source.stages)
      if (llvm::is_contained(stage.operands(), number))
        return rowsOf(stage.result);
    return matrix.rows;
  }

  bool isVector(const Matrix &matrix) const {
    return graph.rowsOf(matrix) == 1 || graph.columnsOf(matrix) == 1;
  }

  void addStage(const Stage &stage) {
    pinRows(stage);
    Matrix &result = graph.matrices[stage.result];
    // Weights are widened as they are stored, and turned then.
    bool isFree = !graph.widens(stage);
    if (isFree && rowsOf(stage.result) != result.rows)
      std::swap(result.rows, result.columns);
    unsigned rows = result.rows;
    // The product that reads it finds what it sums over in its rows.
    const Term *product = productOf(stage.result);
    if (result.role == Role::Intermediate && product && product->over == rows)
      result.name += "t";
    Stage legal = stage;
    for (Term &term : legal.terms)
      if (!graph.matrices[term.left].has(rows))
        std::swap(term.left, term.right);
    auto turnOperands = [&](llvm::function_ref<bool(const Matrix &)> isTurned) {
      for (Term &term : legal.terms)
        for (unsigned *operand : {&term.left, &term.right})
          if (isTurned(graph.matrices[*operand]))
            *operand = withRows(*operand, term.over);
    };
    auto isOfStrips = [&](const Matrix &matrix) { return matrix.has(strip); };
    // What all strips of a batch read comes once, in front of them. A few rows
    // are one strip, which keeps nothing for others.
    bool isOneStrip = graph.sizeOf(strip) <= defaultMachine().partitions;
    turnOperands([&](const Matrix &matrix) {
      bool isOfBatch =
          !matrix.rowBatches.empty() || !matrix.columnBatches.empty();
      return !isOfStrips(matrix) && matrix.role == Role::Input &&
             ((isOfBatch && !isOneStrip) || isTurned);
    });
    turnOperands(isOfStrips);
    for (Value &value : legal.expression.values)
      if (value.kind == Value::Kind::Matrix)
        value.number = asElements(value.number, legal);
    takeWidenings(legal);
    // Next to the product that reads them, whose loops they have.
    turnOperands([](const Matrix &) { return true; });
    (graph.widens(legal) ? widenings : graph.stages).push_back(legal);
  }

  /// Lets weights become wider next to the product that reads them, behind the
  /// transposition of its strips.
  void takeWidenings(const Stage &product) {
    auto isRead = [&](const Stage &stage) {
      return product.productOf(stage.result) != nullptr;
    };
    llvm::copy_if(widenings, std::back_inserter(graph.stages), isRead);
    llvm::erase_if(widenings, isRead);
  }

  /// The matrix, or what a stage turns it to, whose rows are `dim`.
  unsigned withRows(unsigned matrix, unsigned dim) {
    if (graph.matrices[matrix].rows == dim)
      return matrix;
    if (graph.matrices[matrix].role == Role::Constant)
      return constantWithRows(matrix);
    for (const Stage &stage : graph.stages)
      if (stage.isTransposition() && stage.source == matrix)
        return stage.result;
    unsigned number = addTranspose(graph, matrix);
    graph.stages.push_back({number, {}, matrix});
    return number;
  }

  /// A constant is made as it is needed.
  unsigned constantWithRows(unsigned matrix) {
    Matrix turned = graph.matrices[matrix];
    turned.name += "t";
    std::swap(turned.rows, turned.columns);
    if (turned.band)
      turned.band = turned.band->transposed();
    auto known = llvm::find(graph.matrices, turned);
    if (known == graph.matrices.end())
      known = graph.matrices.insert(known, turned);
    return known - graph.matrices.begin();
  }

  /// Whether something reads the matrix as it is.
  bool isReadSoFar(unsigned number) const {
    return productOf(number) ||
           llvm::any_of(graph.stages, [&](const Stage &stage) {
             return llvm::is_contained(stage.operands(), number);
           });
  }

  /// Whether `vector`, a row in HBM, is better transposed than loaded as a
  /// column, which is element by element: it is long, and fills tiles.
  bool isLong(const Matrix &vector) const {
    const int64_t fewTiles = 4, tile = defaultMachine().partitions;
    int64_t size = graph.columnsOf(vector);
    return graph.rowsOf(vector) == 1 && size % tile == 0 &&
           size >= fewTiles * tile && !vector.window &&
           vector.rowBatches.empty();
  }

  /// What the expression of `stage` reads of `number`. In HBM a vector is a row
  /// as well as a column, but for one stage it is one of them.
  unsigned asElements(unsigned number, const Stage &stage) {
    Matrix &matrix = graph.matrices[number];
    unsigned ownRows = graph.matrices[stage.result].rows;
    unsigned ownColumns = graph.columnsIn(stage);
    bool fits = matrix.rows == ownRows || matrix.columns == ownColumns;
    if (fits || (matrix.rows != ownColumns && matrix.columns != ownRows))
      return number;
    bool isVector = matrix.rows != ownColumns || matrix.columns != ownRows;
    unsigned rows = matrix.columns;
    bool isInColumns = matrix.window && matrix.window->rows != 1;
    if (!isVector || matrix.role != Role::Input || isReadSoFar(number) ||
        !matrix.columnBatches.empty() || isInColumns)
      return withRows(number, rows);
    if (isLong(matrix)) {
      unsigned column = withRows(number, rows);
      // What has strips shares loops with what reads it: it comes in front.
      auto stage = llvm::find_if(graph.stages, [&](const Stage &other) {
        return other.source == number;
      });
      std::rotate(graph.stages.begin(), stage, stage + 1);
      return column;
    }
    std::swap(matrix.rows, matrix.columns);
    if (auto &window = matrix.window) {
      std::swap(window->rows, window->columns);
      std::swap(window->row, window->column);
    }
    return number;
  }

  const Graph &source;
  TransposeMode mode;
  unsigned strip;
  /// Products for maxima and for exponentials read the same keys.
  bool isTurned;
  Graph graph;
  /// The rows that matrices must have, as they are reduced, or are computed of
  /// what is.
  llvm::DenseMap<unsigned, unsigned> pinned;
  /// Stages that wait for the product that reads what they compute.
  std::vector<Stage> widenings;
};
} // namespace

Graph planning::legalize(const Graph &source, TransposeMode mode) {
  return Legalizer(source, mode).run();
}

/// Replaces dim `dim` by two parts, the first of `size` indices: intermediates
/// that have it fall into two, and products over it have two terms.
static Graph splitDim(const Graph &whole, unsigned dim, int64_t size) {
  Graph graph = whole;
  const Dim &old = whole.dims[dim];
  unsigned parts[2] = {unsigned(graph.dims.size()),
                       unsigned(graph.dims.size() + 1)};
  graph.dims.push_back({old.name + "a", size, dim, 0});
  graph.dims.push_back({old.name + "b", old.size - size, dim, size});

  // By matrix: its second part, or itself if it does not fall into parts.
  llvm::SmallVector<unsigned> second =
      llvm::to_vector(llvm::seq<unsigned>(0, whole.matrices.size()));
  for (auto [number, matrix] : llvm::enumerate(whole.matrices)) {
    if (matrix.role != Role::Intermediate || !matrix.has(dim))
      continue;
    auto part = [&, &matrix = matrix](unsigned which, llvm::StringRef suffix) {
      Matrix own = matrix;
      own.name += suffix;
      (matrix.rows == dim ? own.rows : own.columns) = parts[which];
      return own;
    };
    graph.matrices[number] = part(0, "a");
    second[number] = graph.matrices.size();
    graph.matrices.push_back(part(1, "b"));
  }
  auto partOf = [&](unsigned matrix, unsigned which) {
    return which == 0 ? matrix : second[matrix];
  };
  graph.stages.clear();
  for (const Stage &stage : whole.stages)
    for (unsigned which : {0, 1}) {
      Stage own = stage;
      own.result = partOf(stage.result, which);
      if (which == 1 && own.result == stage.result)
        continue;
      if (stage.isTransposition())
        own.source = partOf(*stage.source, which);
      for (Value &value : own.expression.values)
        if (value.kind == Value::Kind::Matrix)
          value.number = partOf(value.number, which);
      own.terms.clear();
      for (const Term &term : stage.terms) {
        auto add = [&](unsigned half, unsigned over) {
          own.terms.push_back({partOf(term.left, half),
                               partOf(term.right, half), over, term.sum});
        };
        if (term.over != dim)
          add(which, term.over);
        else
          for (unsigned half : {0, 1})
            add(half, parts[half]);
      }
      graph.stages.push_back(own);
    }
  return graph;
}

static bool isReduced(const Graph &graph, unsigned dim) {
  return llvm::any_of(graph.stages, [&](const Stage &stage) {
    return stage.reduction && stage.reduction->over == dim;
  });
}

std::optional<Graph> planning::legalizeTurned(const Graph &source) {
  std::optional<TurnedGraph> turned = turnSoftmax(source);
  if (!turned)
    return std::nullopt;
  Graph legal = legalize(turned->graph, TransposeMode::Implicit);
  // Two masks, for example.
  return llvm::errorToBool(legal.check()) ? std::nullopt : std::optional(legal);
}

Graph planning::legalizeLike(const Graph &graph, const Graph &source,
                             TransposeMode mode) {
  if (isTurned(graph))
    if (std::optional<Graph> turned = legalizeTurned(source))
      return *turned;
  Graph legal = legalize(source, mode);
  // Parts come in pairs behind the other dims.
  for (size_t i = source.dims.size(); i + 1 < graph.dims.size(); i += 2)
    if (std::optional<unsigned> whole = graph.dims[i].of;
        whole && *whole < legal.dims.size() &&
        graph.dims[i].size < legal.sizeOf(*whole) && !isReduced(legal, *whole))
      legal = splitDim(legal, *whole, graph.dims[i].size);
  return legal;
}

bool planning::isLegalFormOf(const Graph &graph, const Graph &source) {
  return graph == legalizeLike(graph, source, TransposeMode::Implicit) ||
         graph == legalizeLike(graph, source, TransposeMode::Explicit);
}

llvm::SmallVector<unsigned> planning::originsOf(const Graph &graph,
                                                const Graph &source) {
  if (isTurned(graph) && !isTurned(source)) {
    std::optional<TurnedGraph> turned = turnSoftmax(source);
    llvm::SmallVector<unsigned> origins = originsOf(graph, turned->graph);
    for (unsigned &origin : origins)
      origin = turned->origins[origin];
    return origins;
  }
  llvm::SmallVector<unsigned> origins =
      llvm::to_vector(llvm::seq<unsigned>(0, graph.matrices.size()));
  for (unsigned number = source.matrices.size(); number < origins.size();
       ++number)
    if (Matrix turned = graph.matrices[number]; turned.role == Role::Constant) {
      std::swap(turned.rows, turned.columns);
      if (turned.band)
        turned.band = turned.band->transposed();
      origins[number] =
          llvm::find(source.matrices, turned) - source.matrices.begin();
    }
  for (const Stage &stage : graph.stages) {
    unsigned &origin = origins[stage.result];
    if (origin < source.matrices.size())
      continue;
    if (stage.isTransposition()) {
      origin = origins[*stage.source];
      continue;
    }
    // It reads parts and transposes of what the source reads.
    for (const Stage &whole : source.stages)
      if (whole.expression.values.size() == stage.expression.values.size() &&
          llvm::all_of(stage.operands(), [&](unsigned operand) {
            return llvm::is_contained(whole.operands(), origins[operand]);
          }))
        origin = whole.result;
  }
  return origins;
}
