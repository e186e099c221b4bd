//===- ParseSchedule.cpp - Schedules from text ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Planning/PrintSchedule.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {
class ScheduleParser {
public:
  explicit ScheduleParser(AsmParser &parser) : parser(parser) {}

  ParseResult parse();

  Graph graph;
  std::optional<Plan> plan;

private:
  /// A word and where it stands, for what may only be looked up later.
  struct Word {
    StringRef text;
    SMLoc loc;
  };
  using EntryParser = llvm::function_ref<ParseResult()>;

  ParseResult parseSection(StringRef name, EntryParser entry) {
    return failure(
        parser.parseKeyword(name) || parser.parseEqual() ||
        parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, entry));
  }
  ParseResult parseWord(Word &word) {
    word.loc = parser.getCurrentLocation();
    return parser.parseKeyword(&word.text);
  }
  bool skip(StringRef keyword) {
    return succeeded(parser.parseOptionalKeyword(keyword));
  }
  /// The number of the entry of `all` that is called like `word`.
  template <typename Named>
  ParseResult find(const Word &word, StringRef kind,
                   const std::vector<Named> &all, unsigned &number);
  ParseResult parseDimName(unsigned &dim) {
    Word word;
    return failure(parseWord(word) || find(word, "dim", graph.dims, dim));
  }
  ParseResult parseMatrixName(unsigned &matrix) {
    Word word;
    return failure(parseWord(word) ||
                   find(word, "matrix", graph.matrices, matrix));
  }
  ParseResult parseType(ElementType &type);

  ParseResult parseDim();
  ParseResult parseDims(SmallVectorImpl<unsigned> &batches, unsigned &dim);
  ParseResult parseMatrix();
  ParseResult parseWindow(Window &window);
  ParseResult parseStage();
  ParseResult parseTerm(const Word &left, Term &term);
  ParseResult parseSum(const Word &left, Stage &stage, unsigned &sum);
  ParseResult parseFunction(const Word &name, Stage &stage, unsigned &value);
  ParseResult parseValue(Stage &stage, unsigned &value);
  ParseResult parseReduction(const Word &function, const Word &first,
                             Stage &stage);
  ParseResult parseNest(unsigned &result);
  ParseResult parseNests(SMLoc loc);
  ParseResult parseHome();
  ParseResult parseNestName(unsigned &nest);
  std::optional<unsigned> stageThatComputes(unsigned matrix) const;
  ParseResult findLevel(const Word &word, unsigned nest, unsigned &level);

  AsmParser &parser;
  /// What dims are parts of; looked up when all have names.
  std::vector<std::pair<unsigned, Word>> wholes;
};
} // namespace

template <typename Named>
ParseResult ScheduleParser::find(const Word &word, StringRef kind,
                                 const std::vector<Named> &all,
                                 unsigned &number) {
  for (auto [i, one] : llvm::enumerate(all))
    if (one.name == word.text) {
      number = i;
      return success();
    }
  InFlightDiagnostic error = parser.emitError(word.loc)
                             << "there is no " << kind << " '" << word.text
                             << "'";
  llvm::interleaveComma(all, error << "; there are ",
                        [&](const Named &one) { error << one.name; });
  return error;
}

ParseResult ScheduleParser::parse() {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || parseSection("dims", [&] { return parseDim(); }))
    return failure();
  for (auto [dim, whole] : wholes) {
    unsigned number;
    if (find(whole, "dim", graph.dims, number))
      return failure();
    graph.dims[dim].of = number;
  }
  if (parser.parseComma() ||
      parseSection("matrices", [&] { return parseMatrix(); }) ||
      parser.parseComma() ||
      parseSection("stages", [&] { return parseStage(); }))
    return failure();
  if (succeeded(parser.parseOptionalComma())) {
    plan.emplace();
    if (parseNests(loc) || parser.parseComma() ||
        parseSection("homes", [&] { return parseHome(); }))
      return failure();
    if (succeeded(parser.parseOptionalComma()) &&
        parseSection("interleaved", [&] {
          return parseDimName(plan->interleaved.emplace_back());
        }))
      return failure();
  }
  return parser.parseGreater();
}

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

/// `NAME = SIZE (of DIM (from OFFSET)?)?`
ParseResult ScheduleParser::parseDim() {
  Word name, whole;
  Dim dim;
  if (parseWord(name) || parser.parseEqual() || parser.parseInteger(dim.size))
    return failure();
  dim.name = name.text.str();
  if (skip("of")) {
    if (parseWord(whole) || (skip("from") && parser.parseInteger(dim.offset)))
      return failure();
    wholes.emplace_back(graph.dims.size(), whole);
  }
  graph.dims.push_back(dim);
  return success();
}

ParseResult ScheduleParser::parseType(ElementType &type) {
  Word word;
  if (parseWord(word))
    return failure();
  std::optional<ElementType> known = parseFloatType(word.text);
  if (!known)
    return parser.emitError(word.loc)
           << "'" << word.text << "' is no type; matrices are of bf16, f16 or "
           << "f32";
  type = *known;
  return success();
}

/// `DIM` or `(BATCH, ..., DIM)`
ParseResult ScheduleParser::parseDims(SmallVectorImpl<unsigned> &batches,
                                      unsigned &dim) {
  if (failed(parser.parseOptionalLParen()))
    return parseDimName(dim);
  while (true) {
    if (parseDimName(dim))
      return failure();
    if (failed(parser.parseOptionalComma()))
      return parser.parseRParen();
    batches.push_back(dim);
  }
}

/// The rest of `in ROWS x COLUMNS from (ROW, COLUMN)`
ParseResult ScheduleParser::parseWindow(Window &window) {
  return failure(parser.parseInteger(window.rows) || parser.parseKeyword("x") ||
                 parser.parseInteger(window.columns) ||
                 parser.parseKeyword("from") || parser.parseLParen() ||
                 parser.parseInteger(window.row) || parser.parseComma() ||
                 parser.parseInteger(window.column) || parser.parseRParen());
}

/// `NAME : DIMS x DIMS TYPE (input | result)? (in WINDOW)?`
ParseResult ScheduleParser::parseMatrix() {
  Word name;
  Matrix matrix;
  if (parseWord(name) || parser.parseColon() ||
      parseDims(matrix.rowBatches, matrix.rows) || parser.parseKeyword("x") ||
      parseDims(matrix.columnBatches, matrix.columns) || parseType(matrix.type))
    return failure();
  matrix.name = name.text.str();
  matrix.role = skip("input")    ? Role::Input
                : skip("result") ? Role::Result
                                 : Role::Intermediate;
  if (skip("in") && parseWindow(matrix.window.emplace()))
    return failure();
  graph.matrices.push_back(matrix);
  return success();
}

/// The rest of `MATRIX * MATRIX over DIM`.
ParseResult ScheduleParser::parseTerm(const Word &left, Term &term) {
  return failure(find(left, "matrix", graph.matrices, term.left) ||
                 parser.parseStar() || parseMatrixName(term.right) ||
                 parser.parseKeyword("over") || parseDimName(term.over));
}

/// The rest of `TERM (+ TERM)*`; a sum that the stage has already is the same.
ParseResult ScheduleParser::parseSum(const Word &left, Stage &stage,
                                     unsigned &sum) {
  SmallVector<Term> terms(1);
  if (parseTerm(left, terms.back()))
    return failure();
  while (succeeded(parser.parseOptionalPlus())) {
    Word next;
    if (parseWord(next) || parseTerm(next, terms.emplace_back()))
      return failure();
  }
  unsigned count = stage.numSums();
  for (sum = 0; sum < count; ++sum) {
    SmallVector<Term> known;
    for (Term term : stage.terms)
      if (std::exchange(term.sum, 0) == sum)
        known.push_back(term);
    if (known == terms)
      return success();
  }
  for (Term term : terms) {
    term.sum = sum;
    stage.terms.push_back(term);
  }
  return success();
}

/// The rest of `FUNCTION(VALUE, ...)` or `TYPE(VALUE)`, behind the parenthesis.
ParseResult ScheduleParser::parseFunction(const Word &name, Stage &stage,
                                          unsigned &value) {
  Expression &expression = stage.expression;
  size_t before = expression.values.size();
  SmallVector<unsigned> arguments;
  if (parser.parseCommaSeparatedList(
          [&] { return parseValue(stage, arguments.emplace_back()); }) ||
      parser.parseRParen())
    return failure();
  std::optional<ElementType> type = parseFloatType(name.text);
  std::optional<Function> function = mlir::trn::parseFunction(name.text);
  if (!type && !function)
    return parser.emitError(name.loc)
           << "'" << name.text << "' is neither a function nor a type";
  int64_t count = type ? 1 : arity(*function);
  if (count != int64_t(arguments.size()))
    return parser.emitError(name.loc)
           << "'" << name.text << "' takes " << count << " values, but has "
           << arguments.size();
  value = type ? expression.round(arguments.front(), *type, before)
               : expression.apply(*function, arguments);
  return success();
}

/// `[SUM]`, a number, a matrix or `FUNCTION(VALUE, ...)`
ParseResult ScheduleParser::parseValue(Stage &stage, unsigned &value) {
  Word word;
  if (succeeded(parser.parseOptionalLSquare())) {
    unsigned sum;
    if (parseWord(word) || parseSum(word, stage, sum) || parser.parseRSquare())
      return failure();
    value = stage.expression.addSum(sum);
    return success();
  }
  word.loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&word.text))) {
    double constant;
    if (parser.parseFloat(constant))
      return failure();
    value = stage.expression.addConstant(float(constant));
    return success();
  }
  if (succeeded(parser.parseOptionalLParen()))
    return parseFunction(word, stage, value);
  unsigned matrix;
  if (find(word, "matrix", graph.matrices, matrix))
    return failure();
  value = stage.expression.addMatrix(matrix);
  return success();
}

/// The rest of `(sum | max | min) VALUE over DIM`, from its first word on.
ParseResult ScheduleParser::parseReduction(const Word &function,
                                           const Word &first, Stage &stage) {
  Reduction &reduction = stage.reduction.emplace();
  reduction.function =
      *mlir::trn::parseFunction(function.text == "sum" ? "add" : function.text);
  unsigned number;
  if (succeeded(parser.parseOptionalLParen())) {
    if (parseFunction(first, stage, number))
      return failure();
  } else {
    unsigned matrix;
    if (find(first, "matrix", graph.matrices, matrix))
      return failure();
    stage.expression.addMatrix(matrix);
  }
  return failure(parser.parseKeyword("over") || parseDimName(reduction.over));
}

/// `MATRIX = transpose MATRIX`, `MATRIX = REDUCTION`, `MATRIX = SUM` or
/// `MATRIX = FUNCTION(...)`
ParseResult ScheduleParser::parseStage() {
  Stage stage;
  Word first, source;
  if (parseMatrixName(stage.result) || parser.parseEqual() || parseWord(first))
    return failure();
  source.loc = parser.getCurrentLocation();
  unsigned number;
  if (first.text == "transpose" &&
      succeeded(parser.parseOptionalKeyword(&source.text))) {
    if (find(source, "matrix", graph.matrices, stage.source))
      return failure();
  } else if (llvm::is_contained({"sum", "max", "min"}, first.text) &&
             succeeded(parser.parseOptionalKeyword(&source.text))) {
    if (parseReduction(first, source, stage))
      return failure();
  } else if (succeeded(parser.parseOptionalLParen())) {
    if (parseFunction(first, stage, number))
      return failure();
    ElementType type = graph.matrices[stage.result].type;
    auto &last = stage.expression.values.back();
    if (last.type == ElementType::F32)
      last.type = type;
    else if (last.type != type)
      stage.expression.apply(Function::Copy, number, type);
  } else if (parseSum(first, stage, number)) {
    return failure();
  }
  graph.stages.push_back(stage);
  return success();
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

std::optional<unsigned>
ScheduleParser::stageThatComputes(unsigned matrix) const {
  for (auto [i, stage] : llvm::enumerate(graph.stages))
    if (stage.result == matrix)
      return i;
  return std::nullopt;
}

/// `nests = [NEST, ...]`
ParseResult ScheduleParser::parseNests(SMLoc loc) {
  SmallVector<unsigned> results;
  if (parseSection("nests", [&] { return parseNest(results.emplace_back()); }))
    return failure();
  if (llvm::Error error = plan->checkNumbers(graph))
    return parser.emitError(loc)
           << "trn.schedule: " << llvm::toString(std::move(error));
  // plan_c1
  for (auto [i, stage] : llvm::enumerate(graph.stages))
    if (results[i] != stage.result)
      return parser.emitError(loc)
             << "trn.schedule: nest " << i + 1 << " must be that of "
             << graph.matrices[stage.result].name
             << ": nests stand in the order of their stages";
  return success();
}

/// `RESULT (DIM = BLOCK, ...)`
ParseResult ScheduleParser::parseNest(unsigned &result) {
  SMLoc loc = parser.getCurrentLocation();
  if (parseMatrixName(result))
    return failure();
  if (!stageThatComputes(result))
    return parser.emitError(loc)
           << "a nest is named by what its stage computes, but no stage "
              "computes '"
           << graph.matrices[result].name << "'";
  plan->nests.emplace_back();
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, [&] {
    Loop loop;
    if (parseDimName(loop.dim) || parser.parseEqual() ||
        parser.parseInteger(loop.block))
      return failure();
    plan->nests.back().loops.push_back(loop);
    return success();
  });
}

ParseResult ScheduleParser::parseNestName(unsigned &nest) {
  SMLoc loc = parser.getCurrentLocation();
  unsigned matrix;
  if (parseMatrixName(matrix))
    return failure();
  std::optional<unsigned> writer = stageThatComputes(matrix);
  if (!writer)
    return parser.emitError(loc)
           << "there is no nest '" << graph.matrices[matrix].name << "'";
  nest = *writer;
  return success();
}

ParseResult ScheduleParser::findLevel(const Word &word, unsigned nest,
                                      unsigned &level) {
  const Nest &loops = plan->nests[nest];
  if (std::optional<unsigned> found =
          planning::findLevel(graph, loops, word.text)) {
    level = *found;
    return success();
  }
  InFlightDiagnostic error =
      parser.emitError(word.loc)
      << "there is no level '" << word.text << "' in the nest of "
      << graph.matrices[graph.stages[nest].result].name << "; there are kernel";
  for (level = 1; level <= loops.loops.size(); ++level)
    error << ", " << nameOfLevel(graph, loops, level);
  return error;
}

/// `MATRIX at LEVEL (slots N)? (ahead N (in N)?)? packed?
///  (sums at LEVEL in (psum | sbuf TYPE))? (for NEST (and NEST)*)?`
ParseResult ScheduleParser::parseHome() {
  SMLoc loc = parser.getCurrentLocation();
  Home home;
  Word level, sumsLevel;
  if (parseMatrixName(home.matrix) || parser.parseKeyword("at") ||
      parseWord(level) || (skip("slots") && parser.parseInteger(home.slots)) ||
      (skip("ahead") && (parser.parseInteger(home.ahead) ||
                         (skip("in") && parser.parseInteger(home.pieces)))))
    return failure();
  home.packed = skip("packed");
  if (skip("sums")) {
    Sums &sums = home.sums.emplace();
    if (parser.parseKeyword("at") || parseWord(sumsLevel) ||
        parser.parseKeyword("in"))
      return failure();
    if (!skip("psum")) {
      sums.store = Store::Sbuf;
      if (parser.parseKeyword("sbuf") || parseType(sums.type))
        return failure();
    }
  }
  if (!skip("for")) {
    home.nests = nestsThatUse(graph, home.matrix);
  } else {
    do {
      if (parseNestName(home.nests.emplace_back()))
        return failure();
    } while (skip("and"));
  }
  if (home.nests.empty())
    return parser.emitError(loc)
           << "no nest uses '" << graph.matrices[home.matrix].name << "'";
  if (findLevel(level, home.nests.front(), home.level) ||
      (home.sums && findLevel(sumsLevel, home.nests.front(), home.sums->level)))
    return failure();
  plan->homes.push_back(home);
  return success();
}

Attribute ScheduleAttr::parse(AsmParser &parser, Type) {
  SMLoc loc = parser.getCurrentLocation();
  ScheduleParser schedule(parser);
  if (schedule.parse())
    return {};
  return parser.getChecked<ScheduleAttr>(loc, parser.getContext(),
                                         std::move(schedule.graph),
                                         std::move(schedule.plan));
}
