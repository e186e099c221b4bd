//===- MachineDocsTest.cpp - docs/Machine.md shows the constants ----------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/MachineFields.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"
#include <cstdlib>

using namespace mlir::trn;
using llvm::StringRef;

static std::string valueText(const MachineField &field,
                             const Machine &machine) {
  double value = field.get(machine);
  if (field.isBool())
    return value != 0 ? "yes" : "no";
  return formatNumber(value);
}

static std::string rangeText(const Origin &origin) {
  if (!origin.range)
    return "";
  auto [low, high] = *origin.range;
  return " (" + formatNumber(low) + " to " + formatNumber(high) + ")";
}

/// The table of docs/Machine.md: a row a constant, two columns a machine.
static std::string renderTable() {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << "| constant | unit | meaning |";
  for (const Machine &machine : knownMachines())
    os << " " << machine.name << " | kind and source |";
  os << "\n|---|---|---|";
  for (size_t i = 0; i < knownMachines().size(); ++i)
    os << "---|---|";
  for (auto [index, field] : llvm::enumerate(machineFields())) {
    os << "\n| `" << field.key << "` | " << field.unit << " | "
       << field.description << " |";
    for (const Machine &machine : knownMachines()) {
      const Origin &origin = machine.origins[index];
      if (origin.source.empty())
        os << " - | |";
      else
        os << " " << valueText(field, machine) << rangeText(origin) << " | "
           << stringify(origin.kind) << ": " << origin.source << " |";
    }
  }
  return text;
}

TEST(MachineDocs, TableShowsTheConstants) {
  std::string path = TRN_SOURCE_DIR "/docs/Machine.md";
  auto buffer = llvm::MemoryBuffer::getFile(path);
  ASSERT_TRUE(bool(buffer)) << path;
  StringRef begin = "<!-- constants begin -->\n";
  StringRef end = "\n<!-- constants end -->";
  auto [head, rest] = (*buffer)->getBuffer().split(begin);
  auto [table, tail] = rest.split(end);
  std::string expected = renderTable();
  if (table != expected && std::getenv("TRN_UPDATE_DOCS")) {
    std::string updated = (head + begin + expected + end + tail).str();
    std::error_code error;
    llvm::raw_fd_ostream(path, error) << updated;
    ASSERT_FALSE(error);
    return;
  }
  EXPECT_EQ(table.str(), expected);
}
