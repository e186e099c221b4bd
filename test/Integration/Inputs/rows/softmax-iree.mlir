// Softmax as IREE has it up to the moment that it forms dispatches.
func.func @main(%x: tensor<128x256xf32>) -> tensor<128x256xf32> {
  %e = tensor.empty() : tensor<128x256xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<128x256xf32>) outs(%e : tensor<128x256xf32>) -> tensor<128x256xf32>
  return %r : tensor<128x256xf32>
}
