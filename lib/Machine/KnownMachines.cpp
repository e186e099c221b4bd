//===- KnownMachines.cpp - The machines that ship with us -----------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The only file with hardware numbers. docs/Machine.md explains the source
// abbreviations and shows this table; a test compares the two.
//
//===----------------------------------------------------------------------===//

#include "trn/Machine/KnownMachines.h"

#include "trn/Machine/MachineFields.h"

#include "llvm/ADT/STLExtras.h"

using namespace mlir::trn;

namespace {
struct Constant {
  llvm::StringRef key;
  double value;
  FactKind kind;
  llvm::StringRef source;
  /// What the source allows, if it says so.
  std::optional<std::pair<double, double>> range = std::nullopt;
};
} // namespace

static constexpr FactKind legality = FactKind::Legality;
static constexpr FactKind published = FactKind::Published;
static constexpr FactKind fitted = FactKind::Fitted;
static constexpr FactKind assumed = FactKind::Assumed;
static constexpr const char *leftOut =
    "left-out errors of the kernels of docs/CostModel.md";

// NeuronCore-v2.
static const Constant trn1[] = {
    {"partitions", 128, legality, "A1:76-78, A1:188"},
    {"partition_granule", 32, legality, "A1:711-713"},
    {"tensor_column_granule", 64, legality, "ISA:515-526, NKL"},
    {"stationary_free_max", 128, legality, "NL:568-632"},
    {"moving_free_max", 512, legality, "NL:568-632"},
    {"sbuf_partition_bytes", 176 * 1024, legality,
     "A1:76-78 less the compiler's 16 KiB, "
     "SDK26:nki/nki_direct_allocation_guide.rst:154"},
    {"psum_banks", 8, legality, "A1:790"},
    {"psum_bank_bytes", 2048, legality, "A1:790"},
    {"sbuf_free_max", 64 * 1024, legality, "A1:336"},
    {"psum_free_max", 4 * 1024, legality, "A1:430"},
    {"access_dims_max", 4, legality, "A1:716-720"},
    {"access_stride_max", 32767, legality, "A1:716-720"},
    {"vector_transpose_size", 32, legality, "ISA26:1044"},
    {"bn_stats_free_max", 512, legality, "ISA26:370"},
    {"search_free_max", 16 * 1024, legality, "ISA26:664"},
    {"dma_transpose", false, legality, "PG:750-752"},
    {"psum_transpose_narrow", false, legality, "ISA:489-640"},
    {"activation_scalar_bias", false, legality, "ISA:1336, A1:452-456"},
    {"port_locks", true, legality, "A1:596-601, A1:766-771"},

    {"tensor_ns_per_column",
     0.408,
     published,
     "AOP and ACO kernels: 209 to 214 ns for 512 columns, of which the fastest "
     "waits least; the nominal 2.8 GHz (A1:65) is reached by none, and 0.406 "
     "would give nki_transpose_matmul of docs/CostModel.md its time",
     {{0.406, 0.418}}},
    {"tensor_peak_tflops_bf16", 91.75, published,
     "A1:103, 128 * 128 * 2 * 2.8 GHz"},
    {"tensor_peak_tflops_f32", 22.9375, published, "A1:103, a quarter of bf16"},
    {"tensor_f32_passes", 4, published, "ISA26:911-913"},
    {"tensor_f32_transpose_passes", 4, published, "ISA26:1044-1062"},
    {"tensor_min_cycles", 64, published, "ISA26:896-912"},
    {"tensor_latency_ns",
     150,
     published,
     "PG figures 18 and 21: 190 to 220 ns for 128 columns, less their 53 ns",
     {{137, 167}}},

    {"vector_ghz", 1.12, published, "A1:65-74"},
    {"scalar_ghz", 1.4, published, "A1:65-74"},
    {"gpsimd_ghz", 1.4, published, "A1:65-74"},
    {"min_cycles", 64, published, "nki.api.shared.rst:245-259"},
    {"vector_access_cycles",
     97,
     fitted,
     "AOP and ACO kernels of docs/CostModel.md; 60 are published (A1:773-775), "
     "instructions in SBUF were seen to take N + 107",
     {{60, 107}}},
    {"scalar_access_cycles", 60, published, "A1:773-775"},
    {"gpsimd_access_cycles", 60, published, "A1:773-775"},
    {"vector_latency_cycles", 197, published,
     "the 97 of an access, and 100 more for who reads the result: A1:401-404, "
     "PG:417"},
    {"scalar_latency_cycles", 160, published,
     "the 60 of an access, and 100 more for who reads the result: A1:401-404, "
     "PG:417"},
    {"scalar_function_latency_cycles",
     160,
     assumed,
     "nothing is measured on trn1; as copies; trn2 has 348",
     {{160, 350}}},
    {"gpsimd_latency_cycles", 160, published,
     "the 60 of an access, and 100 more for who reads the result: A1:401-404, "
     "PG:417"},
    {"memset_latency_cycles",
     197,
     assumed,
     "nothing is measured on trn1; as other instructions; trn2 has 56",
     {{56, 197}}},
    {"scan_initials_cycles",
     0,
     assumed,
     "not measured on trn1; trn2 has 58",
     {{0, 58}}},
    {"min_latency_cycles", 224, published,
     "PG:428: an activation of one element shows its result after 159 ns"},
    {"reduce_extra_cycles", 64, published, "ISA26:235, ISA26:1736"},
    {"iota_start_cycles", 150, published, "ISA26:565, ISA26:289"},
    {"reciprocal_cycles_per_element",
     3,
     fitted,
     "silu and adamw of AOP, docs/CostModel.md; their counters say 1 to 3, "
     "not the 8 of ISA26:1187",
     {{1, 3}}},
    {"vector_copy_f32_cycles", 1, published, "ISA26:1396"},
    {"vector_copy_widening_cycles", 1, published, "ISA26:1396"},
    {"vector_copy_narrow_cycles", 1, published, "ISA26:1396"},
    {"vector_copy_mixed_cycles", 1, published, "ISA26:1396"},
    {"vector_copy_mixed_narrow_cycles", 1, published, "ISA26:1396"},
    {"vector_pair_f32_cycles", 2, published, "ISA26:1793-1820"},
    {"vector_pair_narrow_cycles", 2, published, "ISA26:1793-1820"},
    {"vector_pair_bf16_cycles", 1, published, "ISA26:1793-1820"},
    {"memset_cycles_per_element", 1, published, "ISA26:709"},
    {"function_table_copy", 1, assumed, "not known for trn1; as on trn2"},
    {"function_table_square", 1, assumed, "not known for trn1; as on trn2"},
    {"function_table_rsqrt", 1, assumed, "not known for trn1; as on trn2"},
    {"function_table_sigmoid", 2, assumed, "not known for trn1; as on trn2"},
    {"function_table_silu", 3, assumed, "not known for trn1; as on trn2"},
    {"function_table_exp", 4, assumed, "not known for trn1; as on trn2"},
    {"function_table_softplus", 5, assumed, "not known for trn1; as on trn2"},
    {"function_swap_ns",
     0,
     assumed,
     "not measured on trn1; trn2 has 1283",
     {{0, 1283}}},
    {"semaphore_ns",
     100,
     assumed,
     "the figures of DMAo have 0.1 to 0.2 us, and kernels hardly depend on it; "
     "between dependent instructions of one engine PG:428 has 30 ns",
     {{30, 200}}},

    {"dma_engines", 16, published, "A1:613"},
    {"dma_gb_per_second_per_engine", 17, published, "DMAg:61, DMAo:53-55"},
    {"dma_ns_per_descriptor",
     4,
     fitted,
     "AOP and ACO kernels of docs/CostModel.md; it depends on the toolchain, 0 "
     "to 30 ns were seen",
     {{0, 30}}},
    {"dma_min_ns_per_descriptor",
     24,
     assumed,
     "pieces of 256 bytes are the shortest of any kernel that was measured: 22 "
     "to 29 ns fit those of ACO as well; trn2 has 64.5",
     {{9, 30}}},
    {"dma_saturating_bytes", 4096, published, "DMAg:79-84"},
    {"dma_latency_ns", 1300, published, "DMAg:40-42"},
    {"dma_min_transfer_ns", 870, assumed,
     "not known for trn1; the value of trn2"},
    {"dma_scattered_bytes", 32, assumed,
     "not known for trn1; the value of trn2"},
    {"kernel_overhead_ns",
     15000,
     assumed,
     "not published for trn1; the value of trn2",
     {{11000, 15000}}},
    {"collective_gb_per_second", 56.7, published,
     "NCCOM: an all_reduce of 1 GiB over 2 cores takes 18.93 ms"},
    {"collective_latency_ns",
     15000,
     assumed,
     "inside of a graph nothing is published. NCCOM has 58 us up to 64 KiB, "
     "which the decode of Llama-3.2-1B on two cores rules out: 23 us at most",
     {{6000, 23000}}},
    {"collective_large_latency_ns",
     35000,
     fitted,
     "NCCOM: 4 MiB in 107 us, 16 MiB in 332 us, 64 MiB in 1214 us",
     {{30400, 36100}}},
    {"collective_small_bytes", 65536, assumed,
     "NCCOM takes equally long up to 64 KiB"},
    {"collective_large_bytes", 1048576, assumed,
     "algorithms change at 1 MB (ICC)"},
    {"hbm_gb_per_second", 820, published, "A1:21; GiB/s in SDK", {{820, 880}}},
    {"hbm_cores", 2, published, "A1:21"},
    {"hbm_gib", 32, published, "A1:21, of one device"},
    {"chip_cores", 2, published, "A1:21"},
    {"link_gb_per_second", 384, published,
     "trn1-arch.rst: trn1.32xlarge; trn1n has 768"},
    {"link_hop_ns", 1500, published, "ICC: 1 to 2 us", {{1000, 2000}}},
    {"lnc", 1, published, "LNC: trn2 and later have logical cores"},
    {"range_tensor_percent", 6.5, fitted, leftOut},
    {"range_vector_percent", 6.5, fitted, leftOut},
    {"range_scalar_percent", 6.5, fitted, leftOut},
    {"range_dma_percent", 6.5, fitted, leftOut},
};

// NeuronCore-v3.
static const Constant trn2[] = {
    {"partitions", 128, legality, "A2:39, A2:71"},
    {"partition_granule", 32, legality, "A1:711-713"},
    {"tensor_column_granule", 32, legality, "ISA:515-526, NKL"},
    {"stationary_free_max", 128, legality, "NL:568-632"},
    {"moving_free_max", 512, legality, "NL:568-632"},
    {"sbuf_partition_bytes", 208 * 1024, assumed,
     "A2:39 has 224 KiB; that the compiler keeps 16 KiB as on trn1 is assumed"},
    {"psum_banks", 8, legality, "A2:39"},
    {"psum_bank_bytes", 2048, legality, "A2:39"},
    {"sbuf_free_max", 64 * 1024, legality, "A1:336"},
    {"psum_free_max", 4 * 1024, legality, "A1:430"},
    {"access_dims_max", 4, legality, "A1:716-720"},
    {"access_stride_max", 32767, legality, "A1:716-720"},
    {"vector_transpose_size", 32, legality, "ISA26:1044"},
    {"bn_stats_free_max", 512, legality, "ISA26:370"},
    {"search_free_max", 16 * 1024, legality, "ISA26:664"},
    {"dma_transpose", true, legality, "A2:321"},
    {"psum_transpose_narrow", true, legality, "A2:196-203, ISA:489-640"},
    {"activation_scalar_bias", true, legality, "ISA:1336"},
    {"port_locks", false, legality, "A2:268-273"},

    {"tensor_ns_per_column", 0.4167, published,
     "A2:49-64, 2.4 GHz; 98 % reached, NAD investigations/te_inefficiency.md"},
    {"tensor_peak_tflops_bf16", 78.64, published,
     "A2:71, 128 * 128 * 2 * 2.4 GHz"},
    {"tensor_peak_tflops_f32", 19.66, published, "A2:71, a quarter of bf16"},
    {"tensor_f32_passes", 4, published, "ISA26:911-913, KO"},
    {"tensor_f32_transpose_passes", 3, published,
     "VCT: a transpose of 128 every 168 ns; A2:196-203 has 2"},
    {"tensor_min_cycles", 64, published, "ISA26:896-912"},
    {"tensor_latency_ns", 243, published,
     "KO: 0.67 us for an f32 instruction of 512 columns, less its 0.427 us"},
    {"tensor_throttle_ns", 3000, published,
     "SDK:tools/neuron-explorer/overview-summary-page.rst"},

    {"vector_ghz", 0.96, published, "A2:49-64"},
    {"scalar_ghz", 1.2, published, "A2:49-64"},
    {"gpsimd_ghz", 1.2, published, "A2:49-64"},
    {"min_cycles", 64, published, "nki.api.shared.rst:245-259"},
    {"vector_access_cycles",
     100,
     fitted,
     "KO, gemm and vector add kernels and counters of adamw_*, "
     "docs/CostModel.md: N + 100 to N + 150 cycles; 60 are published for trn1 "
     "(A1:773-775)",
     {{60, 150}}},
    {"scalar_access_cycles",
     100,
     assumed,
     "as of VectorE: an engine that stays busy holds N + about 100 cycles; 60 "
     "are published for trn1 (A1:773-775)",
     {{60, 150}}},
    {"gpsimd_access_cycles", 60, assumed,
     "not restated for trn2; the value of trn1, A1:773-775"},
    {"vector_latency_cycles",
     152,
     published,
     "VCT: from start to result 143 to 161 ns beside the elements",
     {{137, 155}}},
    {"scalar_latency_cycles",
     218,
     published,
     "VCT: 190 to 202 ns from SBUF, 159 to 174 ns from PSUM",
     {{191, 242}}},
    {"scalar_function_latency_cycles",
     348,
     published,
     "VCT: exp, sigmoid, rsqrt, log, sqrt and square take 276 to 296 ns beside "
     "their elements",
     {{331, 355}}},
    {"gpsimd_latency_cycles", 62, published,
     "VCT: affine_select takes 177 ns beside its elements, less its 150 "
     "cycles"},
    {"memset_latency_cycles", 56, published, "VCT: 58 ns beside the elements"},
    {"scan_initials_cycles", 58, published,
     "VCT: 60 ns more with a tensor as seed"},
    {"reduce_extra_cycles", 64, published, "ISA26:235, ISA26:1736"},
    {"iota_start_cycles", 150, published, "ISA26:565, ISA26:289"},
    {"reciprocal_cycles_per_element", 6, published, "VCT: 6.25 ns an element"},
    {"vector_copy_f32_cycles", 0.5, published,
     "VCT: copy and tensor_scalar of f32, 0.52 ns an element"},
    {"vector_copy_widening_cycles", 0.77, published,
     "VCT: copy from bf16 to f32, 0.80 ns an element"},
    {"vector_copy_narrow_cycles", 0.25, published,
     "A2:220-237; VCT: copy of bf16, 0.269 ns an element"},
    {"vector_copy_byte_cycles",
     0.77,
     assumed,
     "no rate is published; as from 16 bits to f32",
     {{0.25, 1}}},
    {"vector_copy_mixed_cycles", 1, published,
     "VCT: copy from PSUM, 1.04 ns an element"},
    {"vector_copy_mixed_narrow_cycles", 0.5, published, "A2:220-237"},
    {"vector_pair_f32_cycles", 1, published,
     "A2:49-60, 256 elements a cycle; VCT: 1.04 ns an element"},
    {"vector_pair_narrow_cycles", 0.5, published,
     "A2:49-60, 512 elements a cycle; VCT: 0.517 ns an element"},
    {"vector_pair_bf16_cycles", 0.5, published,
     "A2:49-60, 512 elements a cycle; VCT: 0.517 ns an element"},
    {"memset_cycles_per_element", 0.8, published,
     "VCT: memset of f32, 0.83 ns an element"},
    {"function_table_copy", 1, published, "VCT"},
    {"function_table_square", 1, published, "VCT"},
    {"function_table_rsqrt", 1, published, "VCT"},
    {"function_table_sigmoid", 2, published, "VCT"},
    {"function_table_silu", 3, published, "VCT"},
    {"function_table_exp", 4, published, "VCT"},
    {"function_table_softplus", 5, published, "VCT"},
    {"function_swap_ns", 1283, published, "VCT, and a second source"},
    {"semaphore_ns",
     130,
     fitted,
     "KO, gemm and vector add kernels of docs/CostModel.md, between the 0.1 us "
     "of trn1 and the 0.3 us from the end of a transfer to its reader in the "
     "figures of DMAo",
     {{100, 300}}},
    {"dma_engines", 16, published, "A2:17, DMAo:7"},
    {"dma_gb_per_second_per_engine", 23, published, "DMAg:62"},
    {"dma_ns_per_descriptor",
     0,
     fitted,
     "KO, gemm and vector add kernels of docs/CostModel.md, and NAD "
     "dma_efficiency.md: 354 GB/s for 4 KiB rows, which alone asks for 7",
     {{0, 18}}},
    {"dma_min_ns_per_descriptor",
     64.5,
     fitted,
     "KO, gemm and vector add kernels of docs/CostModel.md, and NAD "
     "dma_efficiency.md: 259 GB/s for 1 KiB rows, which is 63",
     {{56, 73}}},
    {"dma_saturating_bytes", 4096, published, "DMAg:79-84"},
    {"dma_latency_ns",
     1400,
     published,
     "DMAg:40-42, figures of DMAo",
     {{1300, 1500}}},
    {"dma_min_transfer_ns", 870, published,
     "DMAo figure 1: the same 0.87 us for rows of 32 bytes to 2 KiB in all "
     "partitions"},
    {"dma_static_descriptors", false, assumed,
     "kernels of KO, NAD and gemm move pieces as generated descriptors do; "
     "silu_*, adamw_* and bmm of docs/CostModel.md have static ones"},
    {"dma_static_gb_per_second_per_engine",
     26.8,
     fitted,
     "adamw_1216 and adamw_1824 of docs/CostModel.md: rows of 4864 and 7296 "
     "bytes take bytes / 26.8 + 9 ns; 27.2 is the peak (DMAo:16)",
     {{25, 27.2}}},
    {"dma_static_ns_per_descriptor",
     9,
     fitted,
     "adamw_1216 and adamw_1824 of docs/CostModel.md: rows of 4864 and 7296 "
     "bytes take bytes / 26.8 + 9 ns; those of 4096 and of 2048 bytes up to 18 "
     "and 40 ns more, which is not explained",
     {{9, 27}}},
    {"dma_static_completion_ns", 478, published,
     "VCT: 293 ns beside the bytes of a load, and 315 ns until its reader "
     "knows, less a semaphore"},
    {"dma_scattered_bytes", 32, assumed,
     "DMAo figure 1 has no shorter rows; what is loaded element by element "
     "follows its 0.87 us for 8 pieces of an engine"},
    {"dma_transpose_efficiency", 0.9, published,
     "A2:321, at most 90 % from HBM to SBUF"},
    {"kernel_overhead_ns",
     12000,
     fitted,
     "vector add kernels of docs/CostModel.md; VCT has 9403, user reports "
     "about 15 us",
     {{9400, 15000}}},
    {"collective_gb_per_second",
     56.7,
     assumed,
     "not published for trn2; at least the value of trn1, at most the 1024 "
     "GB/s of the links of 8 cores (TRN2)",
     {{56.7, 128}}},
    {"collective_latency_ns",
     8000,
     assumed,
     "an all_gather of up to 8 KiB takes 6.2 to 6.5 us on 32 ranks, 10 us on 8 "
     "(ICC)",
     {{6000, 10000}}},
    {"collective_large_latency_ns",
     35000,
     assumed,
     "not published for trn2; the value of trn1 at most",
     {{8000, 35000}}},
    {"collective_small_bytes", 65536, assumed, "as on trn1"},
    {"collective_large_bytes", 1048576, assumed,
     "algorithms change at 1 MB (ICC)"},
    {"hbm_gb_per_second",
     750,
     published,
     "A2:16: 3 TB/s of a device, a quarter for each pair of cores; 2.9 TB/s in "
     "trainium2.rst:30",
     {{725, 750}}},
    {"hbm_cores", 2, published, "A2:16: eight cores, four stacks"},
    {"hbm_gib", 24, published, "A2:16: 96 GiB of a device, four stacks"},
    {"chip_cores", 8, published, "A2:16"},
    {"link_gb_per_second", 1024, published,
     "TRN2: within an instance; 1280 with links to others"},
    {"link_hop_ns", 1500, published, "ICC: 1 to 2 us", {{1000, 2000}}},
    {"lnc", 1, published, "LNC: 1 or 2"},
    {"range_tensor_percent", 14.7, fitted, leftOut},
    {"range_vector_percent", 10, fitted, leftOut},
    {"range_scalar_percent", 10, fitted, leftOut},
    {"range_dma_percent", 11.3, fitted, leftOut},
};

static Machine build(llvm::StringRef name, llvm::ArrayRef<Constant> constants) {
  Machine machine;
  machine.name = name.str();
  machine.origins.resize(machineFields().size());
  for (const Constant &constant : constants) {
    std::optional<size_t> index = findMachineField(constant.key);
    assert(index && "constant without a field");
    machineFields()[*index].set(machine, constant.value);
    machine.origins[*index] = {constant.kind, constant.source.str(),
                               constant.range};
  }
  return machine;
}

llvm::ArrayRef<Machine> mlir::trn::knownMachines() {
  static const Machine machines[] = {build("trn1", trn1), build("trn2", trn2)};
  return machines;
}

const Machine *mlir::trn::findKnownMachine(llvm::StringRef name) {
  for (const Machine &machine : knownMachines())
    if (machine.name == name)
      return &machine;
  return nullptr;
}

const Machine &mlir::trn::defaultMachine() { return knownMachines().front(); }
