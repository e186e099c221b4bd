//===- NKI.cpp - The vocabulary of NKI ------------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn-c/NKI.h"

#include "Handle.h"
#include "trn/Target/NKI/Words.h"

using namespace mlir;
using namespace mlir::trn;

MlirLogicalResult trnNKIGetWords(MlirStringRef version, MlirStringCallback text,
                                 void *textData, MlirStringCallback diagnostics,
                                 void *diagnosticsData) {
  std::string words;
  LogicalResult outcome =
      enter({diagnostics, diagnosticsData}, [&](std::string &said) {
        std::optional<NKIVersion> known = nki::parseVersion(toText(version));
        if (!known) {
          said = "error: there is no version '" + toText(version).str() +
                 "' of NKI here; versions are beta1, 0.6 and 0.7\n";
          return failure();
        }
        llvm::raw_string_ostream os(words);
        nki::printWords(*known, os);
        return success();
      });
  if (succeeded(outcome))
    Receiver{text, textData}.tell(words);
  return wrap(outcome);
}
