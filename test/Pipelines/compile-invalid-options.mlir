// An option that the pipeline does not have, or that is not what it takes, is
// refused with those that there are, however it is given.
// RUN: not trn-opt %s --trn-compile='foo=1' 2>&1 | FileCheck %s --check-prefix=NAME
// RUN: not trn-opt %s --pass-pipeline='builtin.module(trn-compile{foo=1})' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NAME
// RUN: not trn-run %s --compile=foo=1 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: error: {{.*}}there is no option 'foo'; known are machine, {{.*}}strategy, {{.*}}, block-m, {{.*}}, effort
// RUN: not trn-opt %s --trn-compile='strategy=fast' 2>&1 | FileCheck %s --check-prefix=VALUE
// VALUE: error: strategy is 'fast', but must be one of auto, strip-cache, sequential, recompute, nki-xw
// RUN: not trn-opt %s --trn-compile='block-m=128 block-m=256' 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TWICE
// TWICE: error: block-m is given twice
