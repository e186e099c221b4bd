// A budget limits numbers that a report has. Whoever runs nothing need not know
// which those are.
// RUN: split-file %s %t
// RUN: trn-opt %t/misspelt.mlir | FileCheck %s --check-prefix=OPT
// OPT: trn.budget = {latency = 11 : i64, latency_ms = 1 : i64}

// Told before anything is compiled, also in a sweep and for a kernel that the entry
// does not call.
// RUN: not trn-run %t/misspelt.mlir --compile 2>&1 | FileCheck %s --check-prefix=MISSPELT --implicit-check-not=error:
// RUN: not trn-run %t/misspelt.mlir --sweep=block-m=128 2>&1 | FileCheck %s --check-prefix=MISSPELT --implicit-check-not=error:
// MISSPELT: misspelt.mlir:2:1: error: trn.budget limits 'latency', which is no number of the report; those are latency_ms, bound_ms,{{.*}} instructions{{$}}
// RUN: not trn-run %t/text.mlir --compile 2>&1 | FileCheck %s --check-prefix=TEXT
// TEXT: text.mlir:1:1: error: trn.budget limits 'bound_by', which is no number of the report

//--- misspelt.mlir
func.func @main() { return }
func.func private @attr_budget_c3__misspelt() attributes {trn.kernel, trn.budget = {latency_ms = 1, latency = 11}}

//--- text.mlir
func.func @attr_budget_c3__text() attributes {trn.budget = {bound_by = 1}} { return }
