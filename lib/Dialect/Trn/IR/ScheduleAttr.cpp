//===- ScheduleAttr.cpp - Schedules as text -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Planning/PrintSchedule.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::planning;

//===----------------------------------------------------------------------===//
// Rules
//===----------------------------------------------------------------------===//

/// Whether the parser reads `name` as one word, and not as one with a number.
static bool isName(StringRef name) {
  auto isFirst = [](char c) { return llvm::isAlpha(c) || c == '_'; };
  auto isNext = [](char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; };
  return !name.empty() && isFirst(name.front()) && llvm::all_of(name, isNext);
}

template <typename Named>
static LogicalResult
verifyNames(llvm::function_ref<InFlightDiagnostic()> emitError, StringRef kind,
            const std::vector<Named> &all) {
  llvm::StringSet<> names;
  // schedule_c1
  for (const Named &one : all) {
    if (!isName(one.name))
      return emitError() << "trn.schedule: the name of a " << kind
                         << " must be a word of letters, digits, _ and $, but "
                            "is '"
                         << one.name << "'";
    if (!names.insert(one.name).second)
      return emitError() << "trn.schedule: there are two " << kind
                         << " entries called '" << one.name << "'";
  }
  return success();
}

LogicalResult
ScheduleAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                     Graph graph, std::optional<Plan> plan) {
  if (failed(verifyNames(emitError, "dim", graph.dims)) ||
      failed(verifyNames(emitError, "matrix", graph.matrices)))
    return failure();
  // schedule_c1
  for (const Dim &dim : graph.dims)
    if (dim.name == "kernel")
      return emitError() << "trn.schedule: no dim can be called 'kernel', "
                            "which is the level outside of all loops";
  llvm::Error error = graph.check();
  if (!error && plan)
    error = plan->checkNumbers(graph);
  if (error)
    return emitError() << "trn.schedule: " << llvm::toString(std::move(error));
  return success();
}

void ScheduleAttr::print(AsmPrinter &printer) const {
  printer << "<";
  printGraph(printer.getStream(), getGraph());
  if (getPlan()) {
    printer << ", ";
    printPlan(printer.getStream(), getGraph(), *getPlan());
  }
  printer << ">";
}

//===----------------------------------------------------------------------===//
// Parsing
//===----------------------------------------------------------------------===//

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
  ParseResult parseMatrix();
  ParseResult parseStage();
  ParseResult parseTerm(Stage &stage, const Word &left);
  ParseResult parseNest();
  ParseResult parseHome();
  ParseResult parseNestName(unsigned &nest);
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
    if (parseSection("nests", [&] { return parseNest(); }) ||
        parser.parseComma() ||
        parseSection("homes", [&] { return parseHome(); }))
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
  std::optional<ElementType> known = parseElementType(word.text);
  if (!known)
    return parser.emitError(word.loc)
           << "'" << word.text << "' is no type; matrices are of bf16, f16 or "
           << "f32";
  type = *known;
  return success();
}

/// `NAME : DIM x DIM TYPE (input | result)?`
ParseResult ScheduleParser::parseMatrix() {
  Word name;
  Matrix matrix;
  if (parseWord(name) || parser.parseColon() || parseDimName(matrix.rows) ||
      parser.parseKeyword("x") || parseDimName(matrix.columns) ||
      parseType(matrix.type))
    return failure();
  matrix.name = name.text.str();
  matrix.role = skip("input")    ? Role::Input
                : skip("result") ? Role::Result
                                 : Role::Intermediate;
  graph.matrices.push_back(matrix);
  return success();
}

/// The rest of `MATRIX * MATRIX over DIM`.
ParseResult ScheduleParser::parseTerm(Stage &stage, const Word &left) {
  Term term;
  if (find(left, "matrix", graph.matrices, term.left) || parser.parseStar() ||
      parseMatrixName(term.right) || parser.parseKeyword("over") ||
      parseDimName(term.over))
    return failure();
  stage.terms.push_back(term);
  return success();
}

/// `MATRIX = transpose MATRIX` or `MATRIX = TERM (+ TERM)*`
ParseResult ScheduleParser::parseStage() {
  Stage stage;
  Word first, source;
  if (parseMatrixName(stage.result) || parser.parseEqual() || parseWord(first))
    return failure();
  source.loc = parser.getCurrentLocation();
  if (first.text == "transpose" &&
      succeeded(parser.parseOptionalKeyword(&source.text))) {
    if (find(source, "matrix", graph.matrices, stage.source))
      return failure();
  } else if (parseTerm(stage, first)) {
    return failure();
  }
  while (!stage.isTransposition() && succeeded(parser.parseOptionalPlus()))
    if (parseWord(first) || parseTerm(stage, first))
      return failure();
  graph.stages.push_back(stage);
  return success();
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

/// `RESULT (DIM = BLOCK, ...)`
ParseResult ScheduleParser::parseNest() {
  SMLoc loc = parser.getCurrentLocation();
  Nest nest;
  unsigned result;
  if (parseMatrixName(result))
    return failure();
  auto stage = llvm::find_if(
      graph.stages, [&](const Stage &stage) { return stage.result == result; });
  if (stage == graph.stages.end())
    return parser.emitError(loc)
           << "a nest is named by what its stage computes, but no stage "
              "computes '"
           << graph.matrices[result].name << "'";
  nest.stage = stage - graph.stages.begin();
  plan->nests.push_back(nest);
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
  for (auto [i, one] : llvm::enumerate(plan->nests))
    if (graph.stages[one.stage].result == matrix) {
      nest = i;
      return success();
    }
  return parser.emitError(loc)
         << "there is no nest '" << graph.matrices[matrix].name << "'";
}

ParseResult ScheduleParser::findLevel(const Word &word, unsigned nest,
                                      unsigned &level) {
  const Nest &loops = plan->nests[nest];
  for (level = 0; level <= loops.loops.size(); ++level)
    if (nameOfLevel(graph, loops, level) == word.text)
      return success();
  InFlightDiagnostic error =
      parser.emitError(word.loc)
      << "there is no level '" << word.text << "' in the nest of "
      << graph.matrices[graph.stages[loops.stage].result].name
      << "; there are kernel";
  for (level = 1; level <= loops.loops.size(); ++level)
    error << ", " << nameOfLevel(graph, loops, level);
  return error;
}

/// `MATRIX at LEVEL (slots N)? early? packed?
///  (sums at LEVEL in (psum | sbuf TYPE))? (for NEST (and NEST)*)?`
ParseResult ScheduleParser::parseHome() {
  SMLoc loc = parser.getCurrentLocation();
  Home home;
  Word level, sumsLevel;
  if (parseMatrixName(home.matrix) || parser.parseKeyword("at") ||
      parseWord(level) || (skip("slots") && parser.parseInteger(home.slots)))
    return failure();
  home.early = skip("early");
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
    home.nests = nestsThatUse(graph, *plan, home.matrix);
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
