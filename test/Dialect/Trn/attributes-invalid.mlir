// RUN: trn-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{unknown machine 'trn9'; known are trn1, trn2}}
module @machine__unknown attributes {trn.machine = #trn.machine<"trn9">} {
}

// -----

// expected-error @below {{trn.machine: unknown key 'sbuf_size'}}
module @machine__unknown_field attributes {trn.machine = #trn.machine<"trn1", {sbuf_size = 1 : i64}>} {
}

// -----

// expected-error @below {{trn.machine: 'psum_banks' is "#trn.mem<psum>", but must be a whole number}}
module @machine__field_of_wrong_kind attributes {trn.machine = #trn.machine<"trn1", {psum_banks = #trn.mem<psum>}>} {
}

// -----

// expected-error @below {{trn.machine is for modules, but stands on func.func}}
func.func private @attr_machine_c1__on_a_function() attributes {trn.machine = #trn.machine<"trn1">}

// -----

// expected-error @below {{trn.machine must be a #trn.machine, but is "trn1"}}
module @attr_machine_c2__a_string attributes {trn.machine = "trn1"} {
}

// -----

// expected-error @below {{trn.kernel is for functions, but stands on builtin.module}}
module @attr_kernel_c1__on_a_module attributes {trn.kernel} {
}

// -----

// expected-error @below {{trn.flops is for kernels, but the function has no trn.kernel}}
func.func private @attr_kernel_c2__flops_of_a_host_function() attributes {trn.flops = 1 : i64}

// -----

// expected-error @below {{trn.kernel must be a unit attribute, but is true}}
func.func private @attr_kernel_c3__with_a_value() attributes {trn.kernel = true}

// -----

// expected-error @below {{trn.schedule must be a #trn.schedule, but is "strip-cache"}}
func.func private @attr_kernel_c4__schedule_is_text() attributes {trn.kernel, trn.schedule = "strip-cache"}

// -----

// expected-error @below {{trn.flops must be a 64-bit count, but is -1}}
func.func private @attr_kernel_c5__negative_flops() attributes {trn.kernel, trn.flops = -1 : i64}

// -----

// expected-error @below {{trn.budget is for functions, but stands on builtin.module}}
module @attr_budget_c1__on_a_module attributes {trn.budget = {}} {
}

// -----

// expected-error @below {{trn.budget is for kernels and for public functions, but the function is neither}}
func.func private @attr_budget_c1__on_a_helper() attributes {trn.budget = {}}

// -----

// expected-error @below {{trn.budget must be a dictionary, but is 11 : i64}}
func.func private @attr_budget_c2__a_number() attributes {trn.kernel, trn.budget = 11}

// -----

// expected-error-re @below {{{{trn.budget limits 'latency', which is no number of the report; those are latency_ms, bound_ms,.* instructions$}}}}
func.func private @attr_budget_c3__misspelt() attributes {trn.kernel, trn.budget = {latency_ms = 1, latency = 11}}

// -----

// expected-error @below {{trn.budget limits 'bound_by', which is no number of the report}}
func.func @attr_budget_c3__text() attributes {trn.budget = {bound_by = 1}} { return }

// -----

// expected-error @below {{trn.budget must limit latency_ms by a finite number, but has "short"}}
func.func private @attr_budget_c4__text() attributes {trn.kernel, trn.budget = {latency_ms = "short"}}

// -----

// expected-error @below {{trn.budget must limit latency_ms by a finite number, but has true}}
func.func private @attr_budget_c4__truth() attributes {trn.kernel, trn.budget = {latency_ms = true}}

// -----

// expected-error @below {{trn.budget must limit latency_ms by a finite number, but has 0x7FF0000000000000 : f64}}
func.func private @attr_budget_c4__infinite() attributes {trn.kernel, trn.budget = {latency_ms = 0x7FF0000000000000 : f64}}

// -----

// expected-error @below {{unknown attribute 'trn.kernels' on an op; known are trn.machine, trn.kernel, trn.flops, trn.schedule, trn.other_core, trn.shared, trn.budget}}
func.func private @attr_c1__misspelt() attributes {trn.kernels}

// -----

// expected-error @below {{unknown attribute 'trn.output' on an argument; known are trn.result, trn.param, trn.shard, trn.band}}
func.func private @attr_c2__misspelt_on_argument(memref<4xf32> {trn.output})

// -----

// expected-error @below {{attribute 'trn.result' cannot stand on a result; the results of a kernel are arguments with trn.result}}
func.func private @attr_c3__on_a_result() -> (memref<4xf32> {trn.result})

// -----

// expected-error @below {{trn.result must be a unit attribute, but is 1}}
func.func private @attr_result_c1__with_a_value(memref<4xf32> {trn.result = 1}) attributes {trn.kernel}

// -----

// expected-error @below {{trn.result marks memrefs that a function writes, but argument 0 is 'tensor<4xf32>'}}
func.func private @attr_result_c2__on_a_tensor(tensor<4xf32> {trn.result})

// -----

// expected-error @below {{trn.param must be the name of a parameter, but is ""}}
func.func private @attr_param_c1__empty(tensor<4xf32> {trn.param = ""})

// -----

// expected-error @below {{trn.shard must be a #trn.shard, but is 2}}
func.func private @attr_shard_c1__a_number(tensor<4xf32> {trn.shard = 2})

// -----

// expected-error @below {{trn.shard splits dimension 1, but argument 0 is 'tensor<4xf32>'}}
func.func private @attr_shard_c2__beyond_the_rank(tensor<4xf32> {trn.shard = #trn.shard<dim = 1, pieces = 2, size = 8>})

// -----

// expected-error @below {{trn.shard splits dimension 0, but result 0 is 'i32'}}
func.func private @attr_shard_c2__on_a_number() -> (i32 {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 8>})

// -----

// expected-error @below {{trn.shard cuts 9 into 2 pieces, so dimension 0 of result 0 must be 5, or 9 before it is split, but its type is 'tensor<4xf32>'}}
func.func private @attr_shard_c3__no_padding() -> (tensor<4xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 9>})

// -----

// expected-error @below {{#trn.shard needs at least one piece, but has 0}}
func.func private @shard_c1__no_pieces(tensor<4xf32> {trn.shard = #trn.shard<dim = 0, pieces = 0, size = 9>})

// -----

// expected-error @below {{#trn.shard splits a dimension from 0 on, but has -1}}
func.func private @shard_c1__from_behind(tensor<4xf32> {trn.shard = #trn.shard<dim = -1, pieces = 2, size = 8>})

// -----

// expected-error @below {{#trn.shard splits at least one element, but has size 0}}
func.func private @shard_c1__nothing(tensor<0xf32> {trn.shard = #trn.shard<dim = 0, pieces = 2, size = 0>})

// -----

// expected-error @below {{trn.band must be a #trn.band, but is "none to 0 of inf"}}
func.func private @attr_band_c1__a_name(memref<4x4xf32> {trn.band = "none to 0 of inf"}) attributes {trn.kernel}

// -----

// expected-error @below {{expected 'inf'}}
func.func private @band_of_ones(memref<4x4xf32> {trn.band = #trn.band<none to 0 of one>}) attributes {trn.kernel}

// -----

// expected-error @below {{expected integer value}}
func.func private @band_from_all(memref<4x4xf32> {trn.band = #trn.band<all to 0 of zero>}) attributes {trn.kernel}

// -----

// expected-error @below {{expected 'to'}}
func.func private @band_without_end(memref<4x4xf32> {trn.band = #trn.band<0 of zero>}) attributes {trn.kernel}

// -----

func.func private @attr_stage_c1__on_a_buffer() attributes {trn.kernel} {
  // expected-error @below {{trn.stage must be a name on an instruction, but is "o" on trn.alloc}}
  %tile = trn.alloc {trn.stage = "o"} : memref<4x4xf32, #trn.mem<sbuf>>
  return
}

// -----

func.func private @attr_stage_c1__no_name(%x: memref<4x4xf32>) attributes {trn.kernel} {
  %tile = trn.alloc : memref<4x4xf32, #trn.mem<sbuf>>
  // expected-error @below {{trn.stage must be a name on an instruction, but is 1 : i64 on trn.dma_copy}}
  trn.dma_copy %x to %tile {trn.stage = 1 : i64} : memref<4x4xf32> to memref<4x4xf32, #trn.mem<sbuf>>
  return
}

// -----

func.func private @attr_matrix_c1__on_an_instruction(%x: memref<4x4xf32>) attributes {trn.kernel} {
  %tile = trn.alloc : memref<4x4xf32, #trn.mem<sbuf>>
  // expected-error @below {{trn.matrix must be a name on a trn.alloc, but is "x" on trn.dma_copy}}
  trn.dma_copy %x to %tile {trn.matrix = "x"} : memref<4x4xf32> to memref<4x4xf32, #trn.mem<sbuf>>
  return
}

// -----

func.func private @attr_matrix_c1__empty() attributes {trn.kernel} {
  // expected-error @below {{trn.matrix must be a name on a trn.alloc, but is "" on trn.alloc}}
  %tile = trn.alloc {trn.matrix = ""} : memref<4x4xf32, #trn.mem<sbuf>>
  return
}

// -----

// expected-error @below {{trn.other_core is for kernels, but stands on func.func without trn.kernel}}
func.func private @attr_other_core_c1__no_kernel() attributes {trn.other_core = @f}

// -----

// expected-error @below {{trn.other_core must name a kernel, but is 1 : i64}}
func.func private @attr_other_core_c1__number() attributes {trn.kernel, trn.other_core = 1 : i64}

// -----

func.func @attr_shared_c1__no_number() {
  // expected-error @below {{trn.shared must be a number on a memref.alloc, but is "a" on memref.alloc}}
  %0 = memref.alloc() {trn.shared = "a"} : memref<4xf32>
  return
}

// -----

// expected-error @below {{trn.shared must be a number on a memref.alloc, but is 0 : i64 on func.func}}
func.func private @attr_shared_c1__function() attributes {trn.shared = 0 : i64}

// -----

func.func @attr_shared_c1__negative() {
  // expected-error @below {{trn.shared must be a number on a memref.alloc, but is -1 : i64 on memref.alloc}}
  %0 = memref.alloc() {trn.shared = -1 : i64} : memref<4xf32>
  return
}
