// RUN: trn-opt %s --trn-analyze --split-input-file --verify-diagnostics=only-expected -o /dev/null

// What runs beside kernels is said at each op, with how often and of how many bytes.

func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

func.func @main(%x: tensor<4x8xf32>, %w: tensor<8x4xf32> {trn.param = "w"}, %stack: tensor<3x8x4xf32> {trn.param = "s"},
                %many: tensor<?x8xf32>, %n: index, %b: i1) -> (tensor<4x8xf32>, tensor<?x8xf32>, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %false = arith.constant false
  %half = arith.constant dense<0.5> : tensor<4x8xf32>
  %e = tensor.empty() : tensor<4x8xf32>

  // Both operands and the result. What is written into counts once.
  // expected-remark @below {{host: 'arith.addf' reads and writes 384 bytes, once; it stays on the host, and no latency contains it}}
  %sum = arith.addf %x, %half : tensor<4x8xf32>
  // expected-remark @below {{load: 'linalg.transpose' reads and writes 256 bytes, once; weights alone go in, so that it is done once, when they are loaded, and no latency contains it}}
  %wt = linalg.transpose ins(%w : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
  // expected-remark @below {{load: 'arith.mulf' reads and writes 384 bytes, once}}
  %scaled = arith.mulf %wt, %half : tensor<4x8xf32>
  // expected-remark @below {{host: 'arith.mulf' reads and writes data of a dynamic shape, once}}
  %more = arith.mulf %many, %many : tensor<?x8xf32>

  // A slice is moved where a kernel takes it and its rows are not neighbours.
  %wide = tensor.empty() : tensor<4x16xf32>
  // expected-remark @below {{host: 'tensor.insert_slice' reads and writes 256 bytes, once}}
  %all = tensor.insert_slice %sum into %wide[0, 8] [4, 8] [1, 1] : tensor<4x8xf32> into tensor<4x16xf32>
  // expected-remark @below {{host: 'tensor.extract_slice' reads and writes 256 bytes, once}}
  %left = tensor.extract_slice %all[0, 0] [4, 8] [1, 1] : tensor<4x16xf32> to tensor<4x8xf32>
  %in = bufferization.to_buffer %left read_only : tensor<4x8xf32> to memref<4x8xf32>
  %out = memref.alloc() : memref<4x8xf32>
  call @copy(%in, %out) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %y = bufferization.to_tensor %out restrict : memref<4x8xf32> to tensor<4x8xf32>

  // What a kernel writes is no weight. Loops count; where nothing tells how often, once.
  %turns = scf.for %i = %c0 to %c3 step %c1 iter_args(%t = %y) -> tensor<4x8xf32> {
    %layer = tensor.extract_slice %stack[%i, 0, 0] [1, 8, 4] [1, 1, 1] : tensor<3x8x4xf32> to tensor<8x4xf32>
    // Each iteration has its own, which nobody keeps for another run.
    // expected-remark @below {{host: 'linalg.transpose' reads and writes 256 bytes, 3 times}}
    %lt = linalg.transpose ins(%layer : tensor<8x4xf32>) outs(%e : tensor<4x8xf32>) permutation = [1, 0]
    // expected-remark @below {{host: 'linalg.add' reads and writes 384 bytes, 3 times}}
    %next = linalg.add ins(%t, %lt : tensor<4x8xf32>, tensor<4x8xf32>) outs(%e : tensor<4x8xf32>) -> tensor<4x8xf32>
    %twice = func.call @twice(%next) : (tensor<4x8xf32>) -> tensor<4x8xf32>
    scf.yield %twice : tensor<4x8xf32>
  }
  %unknown = scf.for %i = %c0 to %n step %c1 iter_args(%t = %turns) -> tensor<4x8xf32> {
    // expected-remark @below {{host: 'math.exp' reads and writes 256 bytes, once}}
    %next = math.exp %t : tensor<4x8xf32>
    scf.yield %next : tensor<4x8xf32>
  }
  %last = func.call @twice(%unknown) : (tensor<4x8xf32>) -> tensor<4x8xf32>

  %parts = scf.forall (%i, %j) in (2, 2) shared_outs(%o = %last) -> tensor<4x8xf32> {
    %part = tensor.extract_slice %sum[%i, %j] [1, 2] [1, 1] : tensor<4x8xf32> to tensor<1x2xf32>
    scf.forall.in_parallel {
      // expected-remark @below {{host: 'tensor.parallel_insert_slice' reads and writes 16 bytes, 4 times}}
      tensor.parallel_insert_slice %part into %o[%i, %j] [1, 2] [1, 1] : tensor<1x2xf32> into tensor<4x8xf32>
    }
  }

  // Both sides may run, but what a constant rules out does not.
  %either = scf.if %b -> tensor<4x8xf32> {
    // expected-remark @below {{host: 'math.sin' reads and writes 256 bytes, once}}
    %s = math.sin %parts : tensor<4x8xf32>
    scf.yield %s : tensor<4x8xf32>
  } else {
    // expected-remark @below {{host: 'math.cos' reads and writes 256 bytes, once}}
    %c = math.cos %last : tensor<4x8xf32>
    scf.yield %c : tensor<4x8xf32>
  }
  %never = scf.if %false -> tensor<4x8xf32> {
    %s = math.sin %either : tensor<4x8xf32>
    scf.yield %s : tensor<4x8xf32>
  } else {
    scf.yield %scaled : tensor<4x8xf32>
  }

  // One element is one element. Arithmetic on scalars is free.
  // expected-remark @below {{host: 'tensor.extract' reads and writes 4 bytes, once}}
  %element = tensor.extract %never[%c0, %n] : tensor<4x8xf32>
  %square = arith.mulf %element, %element : f32
  // expected-remark @below {{host: 'memref.store' reads and writes 4 bytes, once}}
  memref.store %square, %out[%c0, %c1] : memref<4x8xf32>
  return %either, %more, %square : tensor<4x8xf32>, tensor<?x8xf32>, f32
}

// Three times in the loop, and once behind it.
func.func private @twice(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-remark @below {{host: 'arith.addf' reads and writes 384 bytes, 4 times}}
  %y = arith.addf %x, %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

// What is written into a buffer is known to nobody. Views, allocations and calls are free, and so is
// everything in a function from which no kernel is called.

func.func private @copy(%x: memref<4x8xf32>, %y: memref<4x8xf32> {trn.result}) attributes {trn.kernel} {
  trn.dma_copy %x to %y : memref<4x8xf32> to memref<4x8xf32>
  return
}

func.func @main(%w: memref<8x4xf32> {trn.param = "w"}, %y: memref<2x2x8xf32>) {
  %t = memref.alloc() : memref<4x8xf32>
  // expected-remark @below {{host: 'linalg.transpose' reads and writes 256 bytes, once}}
  linalg.transpose ins(%w : memref<8x4xf32>) outs(%t : memref<4x8xf32>) permutation = [1, 0]
  // expected-remark @below {{host: 'linalg.exp' reads and writes 256 bytes, once}}
  linalg.exp ins(%t : memref<4x8xf32>) outs(%t : memref<4x8xf32>)
  %flat = memref.collapse_shape %y [[0, 1], [2]] : memref<2x2x8xf32> into memref<4x8xf32>
  call @copy(%t, %flat) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  // expected-remark @below {{host: 'memref.copy' reads and writes 256 bytes, once}}
  memref.copy %flat, %t : memref<4x8xf32> to memref<4x8xf32>
  memref.dealloc %t : memref<4x8xf32>
  return
}

// Constants are weights, but variables are not; arguments of a function are if all calls give such.

memref.global "private" constant @weight : memref<4x8xf32> = dense<2.0>
memref.global "private" @variable : memref<4x8xf32> = dense<2.0>

func.func @globals(%x: memref<4x8xf32>, %y: memref<4x8xf32>) {
  call @copy(%x, %y) : (memref<4x8xf32>, memref<4x8xf32>) -> ()
  %w = memref.get_global @weight : memref<4x8xf32>
  %v = memref.get_global @variable : memref<4x8xf32>
  %wt = bufferization.to_tensor %w restrict : memref<4x8xf32> to tensor<4x8xf32>
  %vt = bufferization.to_tensor %v restrict : memref<4x8xf32> to tensor<4x8xf32>
  call @weights(%wt) : (tensor<4x8xf32>) -> ()
  call @both(%wt) : (tensor<4x8xf32>) -> ()
  call @both(%vt) : (tensor<4x8xf32>) -> ()
  return
}
func.func private @weights(%x: tensor<4x8xf32>) {
  // expected-remark @below {{load: 'math.exp' reads and writes 256 bytes, once}}
  %y = math.exp %x : tensor<4x8xf32>
  return
}
func.func private @both(%x: tensor<4x8xf32>) {
  // expected-remark @below {{host: 'math.exp' reads and writes 256 bytes, 2 times}}
  %y = math.exp %x : tensor<4x8xf32>
  return
}

func.func @alone(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %y = math.exp %x : tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
