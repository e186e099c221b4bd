//===- GraphParser.h - Reads a graph of stages ------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_LIB_DIALECT_TRN_IR_GRAPHPARSER_H
#define TRN_LIB_DIALECT_TRN_IR_GRAPHPARSER_H

#include "mlir/IR/OpImplementation.h"
#include "trn/Planning/Plan.h"

namespace mlir::trn {

/// What `printBand` prints.
ParseResult parseBand(AsmParser &parser, planning::Band &band);

/// Reads `dims = [...], matrices = [...], stages = [...]`.
class GraphParser {
public:
  explicit GraphParser(AsmParser &parser) : parser(parser) {}

  ParseResult parse();

  planning::Graph graph;

protected:
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

  AsmParser &parser;

private:
  ParseResult parseDim();
  ParseResult parseDims(SmallVectorImpl<unsigned> &batches, unsigned &dim);
  ParseResult parseMatrix();
  ParseResult parseWindow(planning::Window &window);
  ParseResult parseStage();
  ParseResult parseTerm(const Word &left, planning::Term &term);
  ParseResult parseSum(const Word &left, planning::Stage &stage, unsigned &sum);
  ParseResult parseFunction(const Word &name, planning::Stage &stage,
                            unsigned &value);
  ParseResult parseSumValue(planning::Stage &stage, unsigned &value);
  ParseResult parseRotation(planning::Stage &stage, unsigned &value);
  OptionalParseResult parseTransposition(const Word &first,
                                         planning::Stage &stage);
  ParseResult parseNamedValue(const Word &name, planning::Stage &stage,
                              unsigned &value);
  ParseResult parseValue(planning::Stage &stage, unsigned &value);
  ParseResult parseReduction(const Word &function, planning::Stage &stage);

  /// What dims are parts and groups of; looked up when all have names.
  std::vector<std::pair<unsigned, Word>> wholes, grouped;
};

template <typename Named>
ParseResult GraphParser::find(const Word &word, StringRef kind,
                              const std::vector<Named> &all, unsigned &number) {
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

} // namespace mlir::trn

#endif // TRN_LIB_DIALECT_TRN_IR_GRAPHPARSER_H
