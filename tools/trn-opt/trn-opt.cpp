//===- trn-opt.cpp - mlir-opt with the trn dialect and passes -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../GuardedReading.h"
#include "../ToolStreams.h"
#include "trn/Factorize/Passes.h"
#include "trn/InitAll.h"
#include "trn/Run/RunModule.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/OutputFile.h"
#include "trn/Support/Version.h"
#include "trn/Validate/ValidateEachPass.h"

#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/DialectRegistry.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"

using namespace mlir;

static llvm::cl::opt<uint64_t> validationSeed(
    "trn-validate-each-pass", llvm::cl::value_desc("seed"),
    llvm::cl::desc("Run the module before and after each pass on random inputs "
                   "of this seed, and stop at the first that changes values"));

static int fail(const llvm::Twine &problem) {
  trn::printError("trn-opt", problem);
  return EXIT_FAILURE;
}

/// Lives as long as the pass manager, which `MlirOptMain` makes once it has
/// read a module, and keeps until that is written.
struct PausedReading : PassInstrumentation {
  explicit PausedReading(const trn::GuardedReading &reading) : pause(reading) {}
  trn::GuardedReading::Pause pause;
};

/// `MlirOptMain`, but what ends the process while a module is read is an error.
static LogicalResult convertGuarded(raw_ostream &os,
                                    std::unique_ptr<llvm::MemoryBuffer> input,
                                    StringRef inputPath,
                                    DialectRegistry &registry,
                                    MlirOptMainConfig config) {
  trn::GuardedReading reading("trn-opt", inputPath, input->getBufferSize());
  bool validates = validationSeed.getNumOccurrences(), isWrong = false;
  config.setPassPipelineSetupFn([&, passes = config](PassManager &manager) {
    manager.addInstrumentation(std::make_unique<PausedReading>(reading));
    if (validates)
      trn::validateEachPass(manager, validationSeed, isWrong);
    return passes.setupPassPipeline(manager);
  });
  LogicalResult result = failure();
  // What is left when passes stop is nobody's output.
  std::string text;
  llvm::raw_string_ostream kept(text);
  reading.run([&] {
    result =
        MlirOptMain(validates ? kept : os, std::move(input), registry, config);
  });
  if (isWrong)
    return failure();
  os << text;
  return result;
}

/// As `MlirOptMain` does between two files, but endless inputs are refused, and
/// outputs that are the input; what stands in an output file is complete.
static int convert(StringRef inputPath, StringRef outputPath,
                   DialectRegistry &registry, const MlirOptMainConfig &config) {
  if (llvm::Error problem = trn::checkOutputs(outputPath, inputPath))
    return fail(llvm::toString(std::move(problem)));
  if (inputPath == "-" &&
      llvm::sys::Process::FileDescriptorIsDisplayed(fileno(stdin)))
    llvm::errs() << "(processing input from stdin now, hit ctrl-c/ctrl-d to "
                    "interrupt)\n";
  auto input = trn::readInputFile(inputPath, /*isText=*/true);
  if (!input)
    return fail("cannot open input file '" + inputPath +
                "': " + llvm::toString(input.takeError()));
  if (!isBytecode(**input))
    if (llvm::Error problem = trn::checkQuotable((*input)->getBuffer()))
      return fail("cannot read '" + inputPath +
                  "': " + llvm::toString(std::move(problem)));
  if (outputPath == "-")
    return asMainReturnCode(convertGuarded(llvm::outs(), std::move(*input),
                                           inputPath, registry, config));
  llvm::Expected<trn::OutputFile> output = trn::OutputFile::open(outputPath);
  if (!output)
    return fail(llvm::toString(output.takeError()));
  if (failed(convertGuarded(output->os(), std::move(*input), inputPath,
                            registry, config)))
    return EXIT_FAILURE;
  if (llvm::Error problem = output->keep())
    return fail(llvm::toString(std::move(problem)));
  return EXIT_SUCCESS;
}

int main(int argc, char **argv) {
  llvm::cl::SetVersionPrinter(trn::printVersion);
  DialectRegistry registry;
  trn::registerAllDialects(registry);
  trn::registerRunDialects(registry);
  registerAllPasses();
  trn::registerAllPasses();
  trn::registerTrnFactorizePasses();
  auto [input, output] = registerAndParseCLIOptions(
      argc, argv, "trn-mlir: compile linalg to Trainium programs\n", registry);
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  trn::surviveWriteErrors();
  return trn::finishStreams("trn-opt",
                            convert(input, output, registry, config));
}
