//===- BatchCopy.cpp - What each of several batches makes of one ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchCopy.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;
using namespace mlir::trn::planning;

/// `expr` with `index` in the place of the counter of `loop`.
static LinearExpr replaceLoop(LinearExpr expr, int32_t loop,
                              const LinearExpr &index) {
  auto term = llvm::find_if(expr.terms, [&](const LinearExpr::Term &term) {
    return term.loop == loop;
  });
  if (term == expr.terms.end())
    return expr;
  int64_t coefficient = term->coefficient;
  expr.terms.erase(term);
  return expr + index * coefficient;
}

BlockView BatchCopy::operator()(BlockView view) const {
  for (LinearExpr *expr : {&view.row, &view.column}) {
    *expr = replaceLoop(std::move(*expr), batchLoop, index);
    *expr = replaceLoop(std::move(*expr), outerLoop, outer);
  }
  if (!view.buffer)
    return view;
  view = layout.place(std::move(view), number, whom);
  if (storeAtOnce.contains(*view.buffer))
    view.column += place * layout.columnsOf(*view.buffer);
  for (const Buffers *known : buffers)
    if (auto own = known->find(*view.buffer); own != known->end()) {
      view.buffer = own->second; // others are outside of all batches
      break;
    }
  return view;
}

BlockView BatchCopy::operator()(const BlockView &view,
                                const BlockView &to) const {
  BlockView own = (*this)(view);
  if (whom != For::All || !layout.comesApart(view, to))
    return own;
  // Even if they lie side by side.
  own.columns = view.columns;
  std::tie(own.runs, own.runStep) = std::tuple(layout.size(), layout.pitch());
  return own;
}

BlockView BatchCopy::ofAll(BlockView view) const {
  BatchCopy first = *this;
  first.index += -place;
  first.place = 0;
  view = first(view);
  view.columns *= storeAtOnce.together();
  return view;
}

Argument BatchCopy::operator()(Argument argument) const {
  if (argument.block)
    argument.block = (*this)(*argument.block);
  return argument;
}
