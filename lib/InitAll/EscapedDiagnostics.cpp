//===- EscapedDiagnostics.cpp - Foreign text in diagnostics ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EscapedDiagnostics.h"

#include "trn/Support/Escape.h"

#include "mlir/IR/AttrTypeSubElements.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::trn;

static Location escapeLocation(Location location) {
  AttrTypeReplacer replacer;
  replacer.addReplacement([](StringAttr text) -> Attribute {
    return StringAttr::get(escapeUnprintable(text), text.getType());
  });
  replacer.addReplacement([](FileLineColRange range) -> Attribute {
    auto file = StringAttr::get(range.getContext(),
                                escapeUnprintable(range.getFilename()));
    return FileLineColRange::get(file, range.getStartLine(),
                                 range.getStartColumn(), range.getEndLine(),
                                 range.getEndColumn());
  });
  return cast<LocationAttr>(replacer.replace(Attribute(location)));
}

static std::string escapeMessage(const Diagnostic &diagnostic) {
  std::string text = diagnostic.str();
  // An op, as MLIR prints it, may have several lines.
  if (StringRef(text).starts_with("see current operation: "))
    return escapeLines(text);
  return escapeUnprintable(text);
}

static bool isEscaped(const Diagnostic &diagnostic) {
  return escapeMessage(diagnostic) == diagnostic.str() &&
         escapeLocation(diagnostic.getLocation()) == diagnostic.getLocation();
}

static void escape(Diagnostic &diagnostic) {
  if (isEscaped(diagnostic) && llvm::all_of(diagnostic.getNotes(), isEscaped))
    return;
  Diagnostic escaped(escapeLocation(diagnostic.getLocation()),
                     diagnostic.getSeverity());
  escaped << escapeMessage(diagnostic);
  for (const Diagnostic &note : diagnostic.getNotes())
    escaped.attachNote(escapeLocation(note.getLocation()))
        << escapeMessage(note);
  escaped.getMetadata() = diagnostic.getMetadata();
  diagnostic = std::move(escaped);
}

namespace {
/// Of the handlers of a context the last one goes first. The one that prints is
/// there before the dialects of a file are, each of which puts another one
/// before it; what is escaped stays as it is.
struct EscapeExtension : DialectExtensionBase {
  EscapeExtension() : DialectExtensionBase(/*dialectNames=*/{}) {}

  void apply(MLIRContext *context, MutableArrayRef<Dialect *>) const final {
    context->getDiagEngine().registerHandler([](Diagnostic &diagnostic) {
      escape(diagnostic);
      return failure(); // the next handler prints it
    });
  }

  std::unique_ptr<DialectExtensionBase> clone() const final {
    return std::make_unique<EscapeExtension>(*this);
  }

  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(EscapeExtension)
};
} // namespace

void mlir::trn::registerEscapedDiagnostics(DialectRegistry &registry) {
  registry.addExtension(TypeID::get<EscapeExtension>(),
                        std::make_unique<EscapeExtension>());
}
