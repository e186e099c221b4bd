// RUN: not trn-opt %s --trn-compress 2>&1 | FileCheck %s --check-prefix=NEITHER
// RUN: not trn-opt %s --trn-compress="rank=8 ratio=0.5" 2>&1 | FileCheck %s --check-prefix=NEITHER
// RUN: not trn-opt %s --trn-compress=rank=0 2>&1 | FileCheck %s --check-prefix=RANK
// RUN: not trn-opt %s --trn-compress=ratio=1 2>&1 | FileCheck %s --check-prefix=RATIO
// RUN: not trn-opt %s --trn-compress=ratio=nan 2>&1 | FileCheck %s --check-prefix=RATIO
// RUN: not trn-opt %s --trn-compress="ratio=0.5 block=48" 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not trn-opt %s --trn-compress="rank=8 ignore=a(" 2>&1 | FileCheck %s --check-prefix=IGNORE
// RUN: not trn-opt %s --trn-compress="rank=8 grams=%t.none" 2>&1 | FileCheck %s --check-prefix=FILE
// RUN: not trn-opt %s --trn-compress="rank=8 grams=%s" 2>&1 | FileCheck %s --check-prefix=GRAMS

// NEITHER: error: trn-compress: give either rank, or ratio, the share of the parameters of each weight to remove
// RANK: error: trn-compress: rank is 0, but must be at least 1
// RATIO: error: trn-compress: ratio is {{1|nan}}{{.*}}, but must lie between 0 and 1
// BLOCK: error: trn-compress: block is 48, but must be a multiple of 32 up to 1048576
// IGNORE: error: trn-compress: ignore 'a(' is no regular expression: parentheses not balanced
// FILE: error: trn-compress: grams: '{{.*}}.none': No such file or directory
// GRAMS: error: trn-compress: grams: '{{.*}}.mlir': not a safetensors file
func.func @main() {
  return
}
