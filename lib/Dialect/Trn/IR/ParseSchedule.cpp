//===- ParseSchedule.cpp - Schedules from text ----------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "GraphParser.h"

#include "trn/Dialect/Trn/IR/TrnDialect.h"
#include "trn/Planning/PrintSchedule.h"

using namespace mlir;
using namespace mlir::trn;
using namespace mlir::trn::planning;

namespace {

/// Reads `<GRAPH>` or, with its plan, `<GRAPH, nests = [...], homes = [...]>`.
class ScheduleParser : public GraphParser {
public:
  using GraphParser::GraphParser;

  ParseResult parse();

  std::optional<Plan> plan;

private:
  ParseResult parseNest(unsigned &result);
  ParseResult parseNests(SMLoc loc);
  ParseResult parseHome();
  ParseResult parseNestName(unsigned &nest);
  std::optional<unsigned> stageThatComputes(unsigned matrix) const;
  ParseResult findLevel(const Word &word, unsigned nest, unsigned &level);
};

} // namespace

ParseResult ScheduleParser::parse() {
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseLess() || GraphParser::parse())
    return failure();
  if (succeeded(parser.parseOptionalComma())) {
    plan.emplace();
    if (parseNests(loc) || parser.parseComma() ||
        parseSection("homes", [&] { return parseHome(); }))
      return failure();
    bool isMore = succeeded(parser.parseOptionalComma());
    bool isJam = isMore && succeeded(parser.parseOptionalKeyword("jam"));
    if (isMore && !isJam) {
      if (parseSection("interleaved", [&] {
            return parseDimName(plan->interleaved.emplace_back());
          }))
        return failure();
      isJam = succeeded(parser.parseOptionalComma());
      if (isJam && parser.parseKeyword("jam"))
        return failure();
    }
    if (isJam) {
      if (parser.parseEqual() || parser.parseInteger(plan->jam) ||
          (skip("staggered") && parser.parseInteger(plan->staggered)))
        return failure();
      plan->scheduled = plan->staggered && skip("scheduled");
      if (skip("stacking") && parseDimName(plan->stacked.emplace()))
        return failure();
    }
  }
  return parser.parseGreater();
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

/// `RESULT (DIM = BLOCK, ...) (banks NUMBER)? (on (scalar | vector))?`
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
  auto parseLoop = [&]() -> ParseResult {
    Loop loop;
    if (parseDimName(loop.dim) || parser.parseEqual() ||
        parser.parseInteger(loop.block))
      return failure();
    plan->nests.back().loops.push_back(loop);
    return success();
  };
  if (parser.parseCommaSeparatedList(AsmParser::Delimiter::Paren, parseLoop))
    return failure();
  if (skip("banks") && parser.parseInteger(plan->nests.back().banks))
    return failure();
  if (!skip("on"))
    return success();
  bool isScalar = skip("scalar");
  plan->nests.back().engine = isScalar ? RowEngine::Scalar : RowEngine::Vector;
  return isScalar ? success() : parser.parseKeyword("vector");
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

/// `MATRIX at LEVEL (slots N)? (ahead N (in N)?)? packed? whole? apart?
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
  home.whole = skip("whole");
  home.apart = skip("apart");
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
