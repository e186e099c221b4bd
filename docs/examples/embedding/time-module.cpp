// Compiles, runs and times a module: time-module FILE.mlir
#include "trn/InitAll.h"
#include "trn/Run/RunModule.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  if (argc != 2) {
    llvm::errs() << "usage: time-module FILE.mlir\n";
    return 1;
  }
  mlir::DialectRegistry registry;
  mlir::trn::registerAllDialects(registry);
  mlir::trn::registerAllPasses();
  mlir::trn::registerRunDialects(registry);
  mlir::MLIRContext context(registry);
  auto module = mlir::parseSourceFile<mlir::ModuleOp>(argv[1], &context);
  if (!module)
    return 1;

  mlir::trn::RunOptions options;
  options.compile = "strategy=strip-cache"; // as in --compile=
  options.verify = true;
  options.report = "report.json"; // for programs; the text is for people
  std::string text;
  llvm::raw_string_ostream report(text);
  if (mlir::failed(mlir::trn::runModule(*module, options, report)))
    return 1;
  for (llvm::StringRef line : llvm::split(text, '\n'))
    if (line.contains("latency_ms  ") || line.contains("bound_ms  "))
      llvm::outs() << line.trim() << "\n";
  return 0;
}
