//===- PrintJson.cpp - Reports for programs -------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Report/Keys.h"

using namespace mlir::trn;

static void write(llvm::json::OStream &json, const Entries &entries) {
  for (const auto &[key, value] : entries)
    json.attribute(key, value);
}

void mlir::trn::printJson(const Report &report, llvm::json::OStream &json) {
  json.object([&] {
    json.attribute("modelled_on", report.machine.name);
    write(json, metricEntries(report.total, report.machine));
    if (report.findings)
      json.attribute("findings",
                     findingRows(*report.findings, report.total.sum.latency));
    json.attribute("host_ops", hostOpRows(report.hostOps));
    json.attribute("load_ops", hostOpRows(report.loadOps));
    json.attributeArray("kernels", [&] {
      for (const KernelReport &kernel : report.kernels)
        json.object([&] {
          write(json, kernelEntries(kernel));
          write(json, metricEntries(kernel.metrics, report.machine));
        });
    });
    json.attributeObject("host", [&] {
      for (const auto &[key, value] : report.host)
        json.attribute(key, value);
    });
  });
}

void mlir::trn::printJson(const Report &report, llvm::raw_ostream &os) {
  llvm::json::OStream json(os, /*IndentSize=*/2);
  printJson(report, json);
  os << '\n';
}

llvm::json::Value mlir::trn::toJson(const Report &report) {
  std::string text;
  llvm::raw_string_ostream os(text);
  printJson(report, os);
  return llvm::cantFail(llvm::json::parse(text));
}
