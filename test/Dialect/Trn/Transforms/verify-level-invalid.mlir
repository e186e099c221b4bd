// RUN: trn-opt %s --trn-verify-level=level=virtual --split-input-file --verify-diagnostics

// expected-error @below {{a kernel is private, but this one is visible from other modules}}
func.func @kernel_c1__public() attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{a kernel returns nothing, but this one returns 1 values; its results are trailing arguments with trn.result}}
func.func private @kernel_c2__returns(%x: memref<4xf32>) -> memref<4xf32> attributes {trn.kernel} {
  return %x : memref<4xf32>
}

// -----

// expected-error @below {{argument #0 is 'tensor<4xf32>', but a kernel takes contiguous static memrefs of bf16, f16 or f32 without a memory space}}
func.func private @kernel_c3__tensor(%x: tensor<4xf32>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{argument #1 is 'memref<?xf32>', but a kernel takes contiguous static memrefs}}
func.func private @kernel_c3__dynamic(%x: memref<4xf32>, %y: memref<?xf32>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{argument #0 is 'memref<4x4xf32, #trn.mem<sbuf>>', but a kernel takes contiguous static memrefs}}
func.func private @kernel_c3__on_chip(%x: memref<4x4xf32, #trn.mem<sbuf>>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{argument #1 is no result, but follows one; results come last}}
func.func private @kernel_c4__result_first(%y: memref<4xf32> {trn.result}, %x: memref<4xf32>) attributes {trn.kernel} {
  return
}

// -----

// expected-error @below {{the body of a kernel is one block, but this one has 2}}
func.func private @kernel_c5__two_blocks() attributes {trn.kernel} {
  return
^unreachable:
  return
}

// -----

func.func @host_c1__instruction(%x: memref<4xf32>) {
  // expected-error @below {{stands in host code, but only functions with trn.kernel hold trn ops}}
  trn.dma_copy %x to %x : memref<4xf32> to memref<4xf32>
  return
}

// -----

func.func @host_c2__on_chip_value() {
  // expected-error @below {{yields or takes 'memref<4x4xf32, #trn.mem<hbm>>' in host code, which has no access to the memories of a core}}
  %scratch = memref.alloc() : memref<4x4xf32, #trn.mem<hbm>>
  return
}

// -----

// expected-error @below {{yields or takes 'memref<4x4xf32, #trn.mem<hbm>>' in host code}}
func.func @host_c2__argument_on_chip(%scratch: memref<4x4xf32, #trn.mem<hbm>>) {
  return
}

// -----

func.func private @virtual_c1__linalg(%x: memref<4xf32>) attributes {trn.kernel} {
  // expected-error @below {{cannot stand in a kernel at the virtual level, which holds trn instructions and buffers, static views, scf.for and index arithmetic}}
  linalg.copy ins(%x : memref<4xf32>) outs(%x : memref<4xf32>)
  return
}

// -----

func.func private @virtual_c1__dynamic_view(%x: memref<4xf32>, %y: memref<4xf32> {trn.result}) attributes {trn.kernel} {
  %size = arith.constant 2 : index
  // expected-error @below {{cannot stand in a kernel at the virtual level}}
  %view = memref.subview %x[0] [%size] [1] : memref<4xf32> to memref<?xf32, strided<[1]>>
  return
}

// -----

func.func private @virtual_c2__bounds_vary(%x: memref<4xf32>) attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %i = %c0 to %c4 step %c1 {
    // expected-error @below {{runs a number of times that depends on other loops, but the loops of a kernel have constant trip counts}}
    scf.for %j = %c0 to %i step %c1 {
    }
  }
  return
}

// -----

func.func private @virtual_c3__carries_a_value() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  // expected-error @below {{carries 1 values between iterations, but the loops of a kernel carry none; what lives longer is in a buffer}}
  %last = scf.for %i = %c0 to %c4 step %c1 iter_args(%previous = %c0) -> (index) {
    scf.yield %i : index
  }
  return
}

// -----

func.func private @virtual_c4__scratch_without_memory() attributes {trn.kernel} {
  // expected-error @below {{allocates 'memref<4xf32>', but scratch in a kernel is in #trn.mem<hbm>; buffers on chip come from trn.alloc}}
  %scratch = memref.alloc() : memref<4xf32>
  return
}

// -----

func.func private @virtual_c8__stage_of_an_input(%x: memref<64x128xbf16>, %xt: memref<128x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 64, k = 128],
    matrices = [x : m x k bf16 input, xt : k x m bf16 result],
    stages = [xt = transpose x]>} {
  %tile = trn.alloc {trn.matrix = "x"} : memref<64x128xbf16, #trn.mem<sbuf>>
  // expected-error @below {{belongs to stage 'x', but no stage of trn.schedule computes that}}
  trn.dma_copy %x to %tile {trn.stage = "x"} : memref<64x128xbf16> to memref<64x128xbf16, #trn.mem<sbuf>>
  return
}

// -----

func.func private @virtual_c9__unknown_matrix(%x: memref<64x128xbf16>, %xt: memref<128x64xbf16> {trn.result}) attributes {trn.kernel, trn.schedule = #trn.schedule<
    dims = [m = 64, k = 128],
    matrices = [x : m x k bf16 input, xt : k x m bf16 result],
    stages = [xt = transpose x]>} {
  // expected-error @below {{holds 'y', which is no matrix of trn.schedule}}
  %tile = trn.alloc {trn.matrix = "y"} : memref<64x128xbf16, #trn.mem<sbuf>>
  return
}

// -----

// Without a schedule there is nothing to hold names to.
func.func private @virtual_c9__fine_without_a_schedule() attributes {trn.kernel} {
  %tile = trn.alloc {trn.matrix = "y"} : memref<64x128xbf16, #trn.mem<sbuf>>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @dma_transpose_m1__on_trn1(%x: memref<64x128xbf16>) attributes {trn.kernel} {
  %tile = trn.alloc : memref<128x64xbf16, #sbuf>
  // expected-error @below {{the DMA of trn1 cannot transpose; use trn.transpose on the tensor engine}}
  trn.dma_transpose %x to %tile : memref<64x128xbf16> to memref<128x64xbf16, #sbuf>
  return
}

// -----

module attributes {trn.machine = #trn.machine<"trn1", {collective_gb_per_second = 0.0 : f64}>} {
  func.func private @collective_m1__not_known(%x: memref<4x64xbf16>, %sum: memref<4x64xbf16> {trn.result})
      attributes {trn.kernel} {
    // expected-error @below {{the machine trn1 does not say what collectives cost; give it 'collective_gb_per_second'}}
    trn.all_reduce %x to %sum cores 2 : memref<4x64xbf16> to memref<4x64xbf16>
    return
  }
}

// -----

#sbuf = #trn.mem<sbuf>
module attributes {trn.machine = #trn.machine<"trn2", {hbm_cores = 1}>} {
  func.func private @core_barrier_m1__alone(%x: memref<4x64xbf16> {trn.result}) attributes {trn.kernel} {
    // expected-error @below {{needs two cores that share HBM, but 'hbm_cores' of trn2 is 1}}
    trn.core_barrier %x : memref<4x64xbf16>
    return
  }
  func.func private @send_receive_m1__alone(%x: memref<4x64xbf16> {trn.result}) attributes {trn.kernel} {
    %tile = trn.alloc : memref<4x64xbf16, #sbuf>
    // expected-error @below {{needs two cores that share HBM, but 'hbm_cores' of trn2 is 1}}
    trn.send_receive %tile to %tile pipe 0 : memref<4x64xbf16, #sbuf> to memref<4x64xbf16, #sbuf>
    return
  }
}

// -----

#sbuf = #trn.mem<sbuf>
module attributes {trn.machine = #trn.machine<"trn2">} {
  func.func private @dma_transpose_m1__fine_on_trn2(%x: memref<64x128xbf16>) attributes {trn.kernel} {
    %tile = trn.alloc : memref<128x64xbf16, #sbuf>
    trn.dma_transpose %x to %tile : memref<64x128xbf16> to memref<128x64xbf16, #sbuf>
    return
  }
}

// -----

#sbuf = #trn.mem<sbuf>
#psum = #trn.mem<psum>
func.func private @transpose_m1__narrow_on_trn1() attributes {trn.kernel} {
  %x = trn.alloc : memref<64x128xbf16, #sbuf>
  %t = trn.alloc : memref<128x64xbf16, #psum>
  // expected-error @below {{the tensor engine of trn1 leaves f32 in psum, but dst is 'bf16'; convert when copying it out}}
  trn.transpose %x into %t : memref<64x128xbf16, #sbuf> to memref<128x64xbf16, #psum>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
func.func private @activation_m1__constant_bias_on_trn1() attributes {trn.kernel} {
  %x = trn.alloc : memref<64x128xbf16, #sbuf>
  // expected-error @below {{the scalar engine of trn1 takes the bias from a tile, but it is a constant; use biases with one value for each partition}}
  trn.activation exp(%x : memref<64x128xbf16, #sbuf>) bias 0.5 into %x : memref<64x128xbf16, #sbuf>
  return
}

// -----

#sbuf = #trn.mem<sbuf>
module attributes {trn.machine = #trn.machine<"trn1", {activation_scalar_bias = true}>} {
  func.func private @activation_m1__override(%x: memref<64x128xbf16>) attributes {trn.kernel} {
    %tile = trn.alloc : memref<64x128xbf16, #sbuf>
    trn.activation exp(%tile : memref<64x128xbf16, #sbuf>) bias 0.5 into %tile : memref<64x128xbf16, #sbuf>
    return
  }
}
