// RUN: trn-opt %s --split-input-file --verify-diagnostics --pass-pipeline='builtin.module(func.func(trn-tile-strips))'

// expected-error @below {{kernel has no trn.schedule; run trn-outline-kernels first}}
func.func private @no_schedule() attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{kernel has no block sizes; run trn-choose-blocks first}}
func.func private @no_blocks() attributes {trn.kernel, trn.schedule = {strategy = "strip-cache", transpose = "implicit"}} {
  return
}

// -----

// expected-error @below {{trn.schedule has no valid strategy}}
func.func private @unknown_strategy() attributes {trn.kernel, trn.schedule = {strategy = "magic", transpose = "implicit"}} {
  return
}

// -----

// expected-error @below {{trn.schedule has no valid block_r}}
func.func private @missing_size() attributes {trn.kernel, trn.schedule = {block_m = 128 : i64, block_k = 128 : i64, strategy = "strip-cache", transpose = "implicit"}} {
  return
}
