//===- Options.cpp - The command line of trn-compress ---------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Options.h"

#include "../ElementTypes.h"
#include "RecoveryOptions.h"
#include "SizeOptions.h"
#include "SpeedUp.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/MachineIO.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/OutputFile.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::StringRef;
namespace cl = llvm::cl;

cl::OptionCategory &mlir::trn::getCategory() {
  static cl::OptionCategory category("trn-compress options");
  return category;
}

namespace {
constexpr const char *overview = R"(Factor the weights of a language model

  trn-compress MODEL -o FOLDER --ratio=SHARE --calib=FILE
  trn-compress MODEL -o FOLDER --method=neurons --ratio=SHARE --calib=FILE
  trn-compress MODEL --ratio=SHARE --dry-run
  trn-compress MODEL -o FOLDER --adapter=FOLDER
  trn-compress MODEL -o FOLDER --export=dense

Each weight W that is asked for, those of the MLPs by default, becomes two factors,
W^T = U V, of fewer parameters; or, with --method=neurons, MLPs lose whole neurons, and
what they have left may become factors, too. MODEL is a file of llama2.c or a folder of
Hugging Face; FOLDER is one of Hugging Face, with the ranks in config.json and what was
done in trn_compress.json. Ratios are shares that are removed. Without ranks and calibration, the
model is only written: with an adapter, dense, in another type, or in files of some size.
)";

cl::OptionCategory &category = getCategory();

cl::opt<std::string> model(cl::Positional, cl::desc("MODEL"), cl::Required,
                           cl::cat(category));
cl::opt<std::string> output("o", cl::desc("Folder to make"),
                            cl::value_desc("folder"), cl::cat(category));

cl::opt<std::string>
    adapter("adapter", cl::desc("Merge a LoRA adapter of PEFT into the model"),
            cl::value_desc("folder"), cl::cat(category));

cl::opt<std::string>
    calib("calib", cl::desc("Text to calibrate on, or its tokens as npy"),
          cl::value_desc("file"), cl::cat(category));
cl::opt<unsigned> calibSeqs("calib-seqs",
                            cl::desc("Stories of it to take (default 128)"),
                            cl::value_desc("count"), cl::init(128),
                            cl::cat(category));
cl::opt<uint64_t> seed("seed",
                       cl::desc("Draw the stories by chance, not the first"),
                       cl::value_desc("number"), cl::cat(category));
cl::opt<unsigned> maxTokens(
    "max-tokens",
    cl::desc(
        "Tokens of a story at most (default 256, or what the model takes)"),
    cl::value_desc("count"), cl::init(256), cl::cat(category));
cl::opt<std::string> tokenizerFile(
    "tokenizer",
    cl::desc("tokenizer.json or .bin of the model (default beside it)"),
    cl::value_desc("file"), cl::cat(category));
cl::list<std::string>
    evaluation("evaluate",
               cl::desc("Measure the perplexity of a text, before and after"),
               cl::value_desc("file"), cl::cat(category));
cl::opt<unsigned>
    evaluationStories("evaluate-stories",
                      cl::desc("Only so many of its stories (default all)"),
                      cl::value_desc("count"), cl::cat(category));

cl::opt<ElementType>
    dtype("dtype",
          cl::desc("Type of what is written (default that of the model)"),
          cl::init(ElementType::F32), cl::cat(category), floatTypes());
cl::opt<ElementType> weightType(
    "weights", cl::cat(category), weightTypes(),
    cl::desc("Store projections in 8 bits, with a scale for each output"));
cl::opt<std::string>
    maxShardSize("max-shard-size",
                 cl::desc("Size of a file at most, as 500MB (default 5GB)"),
                 cl::value_desc("size"), cl::init("5GB"), cl::cat(category));
cl::opt<Export> exported(
    "export", cl::desc("How factors are written (default factors)"),
    cl::init(Export::Factors), cl::cat(category),
    cl::values(clEnumValN(Export::Factors, "factors", "as they are"),
               clEnumValN(Export::Dense, "dense",
                          "multiplied, for programs that know only weights"),
               clEnumValN(Export::Padded, "padded",
                          "multiplied, and all MLPs as wide as the widest")));
cl::opt<bool> dryRun("dry-run",
                     cl::desc("Only say which ranks and sizes there would be"),
                     cl::cat(category));
cl::opt<bool> resume("resume", cl::desc("Go on with what was interrupted"),
                     cl::cat(category));
cl::opt<bool> force("force",
                    cl::desc("Remove what an earlier call made of the folder"),
                    cl::cat(category));
cl::opt<bool> mpi("mpi",
                  cl::desc("Share the work with the processes of mpirun"),
                  cl::cat(category));

cl::opt<std::string> rows("rows",
                          cl::desc("Rows of X to model kernels at (default "
                                   "1,512; empty: none)"),
                          cl::value_desc("numbers"), cl::init("1,512"),
                          cl::cat(category));
cl::opt<std::string>
    machine("machine", cl::value_desc("name or file"), cl::cat(category),
            cl::desc("Machine to model them on: trn1, trn2 or a JSON file "
                     "(default trn1)"));
cl::opt<std::string> html("html",
                          cl::desc("Write a page with ranks, errors and times"),
                          cl::value_desc("file"), cl::cat(category));
unsigned threads = 0;

} // namespace

bool mlir::trn::onlyWrites() {
  return !asksForSizes() && calib.empty() &&
         (!adapter.empty() || exported != Export::Factors || given(dtype) ||
          given(weightType) || maxShardSize.getNumOccurrences());
}

/// `5GB`, `20MB`, or a number of gigabytes.
static llvm::Expected<int64_t> readShardSize() {
  StringRef number = maxShardSize;
  double unit = 1e9;
  if (number.consume_back_insensitive("KB"))
    unit = 1e3;
  else if (number.consume_back_insensitive("MB"))
    unit = 1e6;
  else
    number.consume_back_insensitive("GB");
  double count = 0;
  if (number.getAsDouble(count) || !(count > 0 && count * unit < 1e18))
    return refuse(
        "--max-shard-size is '{0}', but must be a number above 0 with "
        "KB, MB or GB",
        maxShardSize);
  return std::max<int64_t>(int64_t(count * unit), 1);
}

llvm::Expected<CompressionJob> mlir::trn::readJob() {
  if (onlyWrites() && output.empty() && !dryRun)
    return refuse("give the folder to make with -o");
  if (!dryRun && (output.empty() || (calib.empty() && !onlyWrites())))
    return refuse("give the folder to make with -o and the text to calibrate "
                  "on with --calib, or --dry-run");
  if (calibSeqs < 1)
    return refuse("--calib-seqs must be at least 1");
  if (maxTokens < 1)
    return refuse("--max-tokens must be at least 1");
  llvm::Expected<int64_t> shardBytes = readShardSize();
  if (!shardBytes)
    return shardBytes.takeError();
  if (resume && force)
    return refuse("--resume goes on with what --force removes; give one");
  CompressionJob job;
  job.model = model;
  job.output = output;
  job.calibration = calib;
  job.tokenizer = tokenizerFile;
  job.calibrationStories = calibSeqs;
  job.maxTokens = maxTokens;
  if (seed.getNumOccurrences())
    job.seed = seed;
  job.options.factoring.threads = threads;
  readMethod(job);
  job.resumes = resume;
  if (llvm::Error error = readRecovery(job))
    return error;
  job.type = given(dtype);
  job.weightType = given(weightType);
  job.maxShardBytes = *shardBytes;
  job.adapter = adapter;
  job.exported = exported;
  job.evaluation = evaluation;
  job.evaluationStories = evaluationStories;
  job.overwrites = force;
  return job;
}

llvm::Expected<TimedKernels> mlir::trn::readTimedKernels() {
  TimedKernels kernels;
  if (llvm::Error error = parseRows(rows).moveInto(kernels.rows))
    return error;
  if (requiresFaster() && kernels.rows.empty())
    return refuse("--require-faster needs numbers of --rows");
  if (getSpeedUp() && kernels.rows.size() != 1)
    return refuse("--speedup is at one number of rows, and --rows has {0}; "
                  "give --rows=1 for decoding one sequence",
                  kernels.rows.size());
  kernels.machine = defaultMachine();
  if (!machine.empty())
    if (llvm::Error error = loadMachine(machine).moveInto(kernels.machine))
      return error;
  kernels.type = given(dtype);
  kernels.weightType = given(weightType);
  return kernels;
}

llvm::Expected<StringRef> mlir::trn::readPagePath() {
  if (onlyWrites() && !html.empty())
    return refuse("--html shows factors; give their ranks, as with --ratio");
  if (llvm::Error error = checkOutputs({html}, {model, calib, machine}))
    return error;
  return StringRef(html);
}

bool mlir::trn::isDryRun() { return dryRun; }
bool mlir::trn::isForTeam() { return mpi; }
StringRef mlir::trn::getModel() { return model; }
StringRef mlir::trn::getAdapter() { return adapter; }

void mlir::trn::parseOptions(int argc, char **argv) {
  // The LLVM library registers a flag of its own under this name.
  if (cl::Option *foreign = cl::getRegisteredOptions().lookup("threads"))
    foreign->removeArgument();
  static cl::opt<unsigned, /*ExternalStorage=*/true> threadsOption(
      "threads", cl::desc("Threads (default all cores)"),
      cl::value_desc("count"), cl::location(threads), cl::cat(category));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
}
