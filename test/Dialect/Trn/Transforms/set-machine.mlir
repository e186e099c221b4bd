// RUN: trn-opt %s --trn-set-machine=machine=trn2 | FileCheck %s
// RUN: echo '{"base": "trn1", "sbuf_partition_bytes": 393216}' > %t.json
// RUN: trn-opt %s --trn-set-machine=machine=%t.json | FileCheck %s --check-prefix=OVERRIDE
// RUN: echo '{"base": "trn2", "name": "wide", "sbuf_partition_bytes": 393216}' > %t.wide.json
// RUN: trn-opt %s --trn-set-machine=machine=%t.wide.json | FileCheck %s --check-prefix=NEAREST
// RUN: not trn-opt %s --trn-set-machine=machine=trn9 2>&1 | FileCheck %s --check-prefix=ERROR

// CHECK: module attributes {trn.machine = #trn.machine<"trn2">}
// OVERRIDE: module attributes {trn.machine = #trn.machine<"trn1", {sbuf_partition_bytes = 393216 : i64}>}
// NEAREST: module attributes {trn.machine = #trn.machine<"trn2", {sbuf_partition_bytes = 393216 : i64}>}
// ERROR: error: {{.*}}trn9
module {}
