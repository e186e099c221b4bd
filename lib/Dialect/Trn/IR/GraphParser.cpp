//===- GraphParser.cpp - Reads a graph of stages --------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphParser.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::planning;

ParseResult GraphParser::parse() {
  if (parseSection("dims", [&] { return parseDim(); }))
    return failure();
  for (auto [known, member] :
       {std::pair(&wholes, &Dim::of), std::pair(&grouped, &Dim::groupsOf)})
    for (auto [dim, whole] : *known) {
      unsigned number;
      if (find(whole, "dim", graph.dims, number))
        return failure();
      graph.dims[dim].*member = number;
    }
  return failure(parser.parseComma() ||
                 parseSection("matrices", [&] { return parseMatrix(); }) ||
                 parser.parseComma() ||
                 parseSection("stages", [&] { return parseStage(); }));
}

/// `NAME = SIZE ((groups)? of DIM (from OFFSET)?)?`
ParseResult GraphParser::parseDim() {
  Word name, whole;
  Dim dim;
  if (parseWord(name) || parser.parseEqual() || parser.parseInteger(dim.size))
    return failure();
  dim.name = name.text.str();
  if (skip("groups")) {
    if (parser.parseKeyword("of") || parseWord(whole))
      return failure();
    grouped.emplace_back(graph.dims.size(), whole);
  } else if (skip("of")) {
    if (parseWord(whole) || (skip("from") && parser.parseInteger(dim.offset)))
      return failure();
    wholes.emplace_back(graph.dims.size(), whole);
  }
  graph.dims.push_back(dim);
  return success();
}

ParseResult GraphParser::parseType(ElementType &type) {
  Word word;
  if (parseWord(word))
    return failure();
  std::optional<ElementType> known = parseMatrixType(word.text);
  if (!known)
    return parser.emitError(word.loc)
           << "'" << word.text << "' is no type; matrices are of bf16, f16, "
           << "f32, i8, f8E4M3 or f8E4M3FN";
  type = *known;
  return success();
}

/// `DIM` or `(BATCH, ..., DIM)`
ParseResult GraphParser::parseDims(SmallVectorImpl<unsigned> &batches,
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
ParseResult GraphParser::parseWindow(Window &window) {
  return failure(parser.parseInteger(window.rows) || parser.parseKeyword("x") ||
                 parser.parseInteger(window.columns) ||
                 parser.parseKeyword("from") || parser.parseLParen() ||
                 parser.parseInteger(window.row) || parser.parseComma() ||
                 parser.parseInteger(window.column) || parser.parseRParen());
}

/// `(INTEGER | none) to (INTEGER | none) of (zero | inf) (every INTEGER)?`
ParseResult mlir::trn::parseBand(AsmParser &parser, Band &band) {
  auto parseBound = [&](std::optional<int64_t> &diagonal) -> ParseResult {
    if (succeeded(parser.parseOptionalKeyword("none")))
      return success();
    return parser.parseInteger(diagonal.emplace());
  };
  if (parseBound(band.least) || parser.parseKeyword("to") ||
      parseBound(band.most) || parser.parseKeyword("of"))
    return failure();
  if (failed(parser.parseOptionalKeyword("zero"))) {
    band.inside = std::numeric_limits<float>::infinity();
    if (parser.parseKeyword("inf"))
      return failure();
  }
  if (failed(parser.parseOptionalKeyword("every")))
    return success();
  return parser.parseInteger(band.period);
}

/// `NAME : DIMS x DIMS TYPE (input | result)? (in WINDOW)? (band BAND)?` or
/// `NAME : DIMS x DIMS TYPE constant (NUMBER | band BAND)`
ParseResult GraphParser::parseMatrix() {
  Word name;
  Matrix matrix;
  if (parseWord(name) || parser.parseColon() ||
      parseDims(matrix.rowBatches, matrix.rows) || parser.parseKeyword("x") ||
      parseDims(matrix.columnBatches, matrix.columns) || parseType(matrix.type))
    return failure();
  matrix.name = name.text.str();
  matrix.role = skip("input")      ? Role::Input
                : skip("result")   ? Role::Result
                : skip("constant") ? Role::Constant
                                   : Role::Intermediate;
  double constant = 0;
  if (skip("heads")) {
    SMLoc loc = parser.getCurrentLocation();
    if (parser.parseKeyword("of") || parser.parseInteger(matrix.headColumns))
      return failure();
    if (matrix.headColumns < 1)
      return parser.emitError(loc) << "trn.schedule: heads must have columns";
  }
  if (skip("in") && parseWindow(matrix.window.emplace()))
    return failure();
  if (skip("band")) {
    if (parseBand(parser, matrix.band.emplace()))
      return failure();
  } else if (matrix.role == Role::Constant && parser.parseFloat(constant)) {
    return failure();
  }
  matrix.constant = float(constant);
  graph.matrices.push_back(matrix);
  return success();
}

/// The rest of `MATRIX * MATRIX over DIM`.
ParseResult GraphParser::parseTerm(const Word &left, Term &term) {
  return failure(find(left, "matrix", graph.matrices, term.left) ||
                 parser.parseStar() || parseMatrixName(term.right) ||
                 parser.parseKeyword("over") || parseDimName(term.over));
}

/// The rest of `TERM (+ TERM)*`; a sum that the stage has already is the same.
ParseResult GraphParser::parseSum(const Word &left, Stage &stage,
                                  unsigned &sum) {
  SmallVector<Term> terms(1);
  if (parseTerm(left, terms.back()))
    return failure();
  while (succeeded(parser.parseOptionalPlus())) {
    Word next;
    if (parseWord(next) || parseTerm(next, terms.emplace_back()))
      return failure();
  }
  unsigned count = stage.numProducts();
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
ParseResult GraphParser::parseFunction(const Word &name, Stage &stage,
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

/// The rest of `[SUM]`, behind the bracket.
ParseResult GraphParser::parseSumValue(Stage &stage, unsigned &value) {
  Word word;
  unsigned sum;
  if (parseWord(word) || parseSum(word, stage, sum) || parser.parseRSquare())
    return failure();
  value = stage.expression.addSum(sum);
  return success();
}

/// The rest of `transpose MATRIX`, if it is that, behind the first word.
OptionalParseResult GraphParser::parseTransposition(const Word &first,
                                                    Stage &stage) {
  Word source;
  unsigned matrix;
  source.loc = parser.getCurrentLocation();
  if (first.text != "transpose" ||
      failed(parser.parseOptionalKeyword(&source.text)))
    return std::nullopt;
  if (find(source, "matrix", graph.matrices, matrix))
    return failure();
  if (stage.source.value_or(matrix) != matrix)
    return parser.emitError(source.loc)
           << "a stage transposes one matrix, but " << source.text
           << " is the second one; transpose it in a stage of its own";
  stage.source = matrix;
  return success();
}

/// The rest of `rotate(MATRIX, COLUMNS)`, behind the parenthesis.
ParseResult GraphParser::parseRotation(Stage &stage, unsigned &value) {
  unsigned matrix;
  int64_t columns;
  SMLoc loc;
  if (parseMatrixName(matrix) || parser.parseComma() ||
      parser.getCurrentLocation(&loc) || parser.parseInteger(columns) ||
      parser.parseRParen())
    return failure();
  if (columns < 1)
    return parser.emitError(loc)
           << "a matrix is rotated by 1 or more columns, but by " << columns
           << " here";
  value = stage.expression.addMatrix(matrix, columns);
  return success();
}

/// The rest of a matrix, `transpose MATRIX`, `rotate(MATRIX, COLUMNS)` or
/// `FUNCTION(VALUE, ...)`, behind the name.
ParseResult GraphParser::parseNamedValue(const Word &name, Stage &stage,
                                         unsigned &value) {
  if (OptionalParseResult turned = parseTransposition(name, stage);
      turned.has_value()) {
    value = stage.expression.addSum(0);
    return *turned;
  }
  if (succeeded(parser.parseOptionalLParen()))
    return name.text == "rotate" ? parseRotation(stage, value)
                                 : parseFunction(name, stage, value);
  unsigned matrix;
  if (find(name, "matrix", graph.matrices, matrix))
    return failure();
  value = stage.expression.addMatrix(matrix);
  return success();
}

/// `[SUM]`, a number, a matrix, `transpose MATRIX` or `FUNCTION(VALUE, ...)`
ParseResult GraphParser::parseValue(Stage &stage, unsigned &value) {
  Word word;
  if (succeeded(parser.parseOptionalLSquare()))
    return parseSumValue(stage, value);
  word.loc = parser.getCurrentLocation();
  if (failed(parser.parseOptionalKeyword(&word.text))) {
    double constant;
    if (parser.parseFloat(constant))
      return failure();
    value = stage.expression.addConstant(float(constant));
    return success();
  }
  return parseNamedValue(word, stage, value);
}

/// The rest of `(sum | max | min) VALUE over DIM`, behind the value.
ParseResult GraphParser::parseReduction(const Word &function, Stage &stage) {
  Reduction &reduction = stage.reduction.emplace();
  reduction.function =
      *mlir::trn::parseFunction(function.text == "sum" ? "add" : function.text);
  if (parser.parseKeyword("over") || parseDimName(reduction.over))
    return failure();
  const Matrix &result = graph.matrices[stage.result];
  reduction.byGroup = graph.dims[result.columns].groupsOf == reduction.over;
  return success();
}

/// `MATRIX = transpose MATRIX`, `MATRIX = REDUCTION`, `MATRIX = SUM` or
/// `MATRIX = FUNCTION(...)`
ParseResult GraphParser::parseStage() {
  Stage stage;
  Word first, source;
  if (parseMatrixName(stage.result) || parser.parseEqual() || parseWord(first))
    return failure();
  source.loc = parser.getCurrentLocation();
  bool isReduction = llvm::is_contained({"sum", "max", "min"}, first.text);
  unsigned number;
  if (OptionalParseResult turned = parseTransposition(first, stage);
      turned.has_value()) {
    if (failed(*turned))
      return failure();
  } else if (isReduction && succeeded(parser.parseOptionalLSquare())) {
    if (parseSumValue(stage, number) || parseReduction(first, stage))
      return failure();
  } else if (isReduction &&
             succeeded(parser.parseOptionalKeyword(&source.text))) {
    if (parseNamedValue(source, stage, number) || parseReduction(first, stage))
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
