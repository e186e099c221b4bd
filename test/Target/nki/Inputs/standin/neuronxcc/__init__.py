"""A stand-in for the vendor's package `neuronxcc`, of which kernels need `nki`."""
