// RUN: trn-opt %s --allow-unregistered-dialect --trn-verify-level=level=tensor -verify-diagnostics

// Ops of dialects that nobody knows are fine in host code only.

func.func @host() {
  "other.op"() : () -> ()
  return
}

func.func private @tensor_c2__unknown_op() attributes {trn.kernel} {
  // expected-error @below {{cannot stand in a kernel at the tensor level}}
  "other.op"() : () -> ()
  return
}
