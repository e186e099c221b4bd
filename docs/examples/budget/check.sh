# Fails if a module in this folder has wrong values or is over its budget.
status=0
for module in *.mlir; do
  trn-run "$module" --compile --verify > /dev/null || status=1
done
exit $status
