// RUN: trn-opt %s --trn-verify-level=level=tensor --split-input-file --verify-diagnostics

func.func private @tensor_c1__dynamic_tile(%x: memref<300x200xbf16>) attributes {trn.kernel} {
  %tensor = bufferization.to_tensor %x restrict : memref<300x200xbf16> to tensor<300x200xbf16>
  %size = arith.constant 44 : index
  // expected-error @below {{yields 'tensor<?x200xbf16>', but every shape is static at the tensor level; peel partial tiles}}
  %rows = tensor.extract_slice %tensor[256, 0] [%size, 200] [1, 1] : tensor<300x200xbf16> to tensor<?x200xbf16>
  return
}

// -----

func.func private @tensor_c2__minimum() attributes {trn.kernel} {
  %c0 = arith.constant 0 : index
  // expected-error @below {{cannot stand in a kernel at the tensor level, which holds tile ops on tensors, scf.for and index arithmetic}}
  %size = affine.min affine_map<(d0) -> (-d0 + 300, 128)>(%c0)
  return
}

// -----

func.func private @tensor_c2__instruction(%x: memref<4xf32>) attributes {trn.kernel} {
  // expected-error @below {{cannot stand in a kernel at the tensor level}}
  trn.dma_copy %x to %x : memref<4xf32> to memref<4xf32>
  return
}
