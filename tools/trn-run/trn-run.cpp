//===- trn-run.cpp - Run and time modules ---------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "../GuardedReading.h"
#include "../ToolStreams.h"
#include "MPICores.h"
#include "trn/InitAll.h"
#include "trn/Machine/KnownMachines.h"
#include "trn/Machine/MachineIO.h"
#include "trn/Run/CompareReports.h"
#include "trn/Run/OptionErrors.h"
#include "trn/Run/RunModule.h"
#include "trn/Support/InputFile.h"
#include "trn/Support/Progress.h"
#include "trn/Support/Version.h"
#include "trn/Sweep/Sweep.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/AsmParser/AsmParserState.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/SourceMgr.h"
#include <list>

using namespace mlir;
namespace cl = llvm::cl;

static constexpr const char *overview =
    R"(Run a module on a simulated NeuronCore

Computes the values that the hardware would compute, and reports how long it
would take. Kernels run on the simulated core, the code around them on the host.

  trn-run FILE --compile              compile linalg first, random arguments
  trn-run FILE --compile="strategy=recompute block-m=256" --verify
  trn-run FILE --arg=@x.npy --arg=random:1 --arg=zeros --out=@y.npy
  trn-run FILE --compile --timing-only --report=report.json --html=page.html
  trn-run --compare A.json B.json     reports side by side
  trn-run FILE... --sweep="strategy=strip-cache,sequential; m=128:8192:*2"
  trn-run --compare A.json B.json     sweeps side by side, too

FILE is textual MLIR or bytecode; - is standard input. Times are modelled.
)";

static cl::OptionCategory category("trn-run options");

static cl::opt<bool> mpi("mpi", cl::cat(category),
                         cl::desc("Run a core in each process of mpirun"));
static cl::list<std::string> inputs(cl::Positional, cl::desc("FILE"),
                                    cl::cat(category));
static cl::opt<std::string>
    entry("entry", cl::value_desc("name"), cl::cat(category),
          cl::desc("Function to run (default: the only public one)"));
static cl::list<std::string> arguments(
    "arg", cl::value_desc("source"), cl::cat(category),
    cl::desc("An input, in order: @FILE.npy, random:SEED (integers are 0 or 1) "
             "or zeros (default: all random:0)"));
static cl::opt<std::string>
    weights("weights", cl::value_desc("path"), cl::cat(category),
            cl::desc("Tensors for arguments that carry trn.param: safetensors, "
                     "an index, a folder of them, or a llama2.c file"));
static cl::list<std::string>
    results("out", cl::value_desc("target"), cl::cat(category),
            cl::desc("Where to write a result, in order: @FILE.npy"));
static cl::list<std::string>
    dumps("dump", cl::value_desc("name@i,j"), cl::cat(category),
          cl::desc("Write what a buffer of a kernel holds after an iteration "
                   "as NAME@I,J.npy, or =FILE.npy"));
static cl::opt<std::string>
    compile("compile", cl::ValueOptional, cl::value_desc("options"),
            cl::cat(category),
            cl::desc("Run the pipeline trn-compile first, with these options"));
static cl::opt<std::string>
    planCache("plan-cache", cl::value_desc("folder"), cl::cat(category),
              cl::desc("Keep the compiler's plans there, and take those that "
                       "were kept"));
static cl::opt<bool>
    verify("verify", cl::cat(category),
           cl::desc("Compare with reference values computed on the host"));
static cl::opt<bool> timingOnly("timing-only", cl::cat(category),
                                cl::desc("Time the program without values"));
static cl::opt<bool>
    range("range", cl::cat(category),
          cl::desc("Also time with the machine's constants at the ends of "
                   "their ranges"));
static cl::opt<std::string>
    machine("machine", cl::value_desc("name or file"), cl::cat(category),
            cl::desc("Machine: trn1, trn2 or a JSON file (default: what the "
                     "module says, else trn1)"));
static cl::opt<std::string> report("report", cl::value_desc("file"),
                                   cl::cat(category),
                                   cl::desc("Write the report as JSON"));
static cl::opt<std::string>
    trace("trace", cl::value_desc("file"), cl::cat(category),
          cl::desc("Write a timeline for https://ui.perfetto.dev"));
static cl::opt<uint64_t>
    maxSteps("max-steps", cl::value_desc("count"), cl::cat(category),
             cl::init(trn::defaultMaxSteps),
             cl::desc("Refuse kernels with more instructions and iterations "
                      "(default 10 billion: up to an hour)"));
static cl::opt<std::string>
    sweep("sweep", cl::value_desc("key=v,v;key=v"), cl::cat(category),
          cl::desc("Compile and time every combination of values: options of "
                   "--compile, sizes m, k, r, n, machine.FIELD"));
static cl::opt<uint64_t>
    maxPoints("max-points", cl::value_desc("count"), cl::cat(category),
              cl::init(trn::defaultMaxPoints),
              cl::desc("Refuse sweeps of more points (default 10000)"));
static cl::opt<std::string> csv("csv", cl::value_desc("file"),
                                cl::cat(category),
                                cl::desc("Write the table of a sweep"));
static cl::opt<std::string>
    join("join", cl::value_desc("file"), cl::cat(category),
         cl::desc("Show numbers from a CSV beside the points of a sweep"));
static cl::opt<std::string>
    html("html", cl::value_desc("file"), cl::cat(category),
         cl::desc("Write a page with report, timeline and roofline"));
static cl::opt<bool>
    compare("compare", cl::cat(category),
            cl::desc("Print reports side by side; every FILE is one"));

static cl::list<std::string>
    dialectPlugins("load-dialect-plugin", cl::value_desc("library"),
                   cl::cat(category),
                   cl::desc("Load dialects from a plugin, as mlir-opt does"));
static cl::list<std::string>
    passPlugins("load-pass-plugin", cl::value_desc("library"),
                cl::cat(category),
                cl::desc("Load passes from a plugin, as mlir-opt does"));
static cl::opt<bool> printsMachine(
    "print-machine", cl::cat(category),
    cl::desc("Print --machine as JSON, to change and to give back"));

static int fail(const llvm::Twine &problem) {
  trn::printError("trn-run", problem);
  return 1;
}

/// Where nothing is run, a flag that would change a run is a mistake.
static llvm::Error refuseOthers(StringRef reason,
                                ArrayRef<const cl::Option *> allowed) {
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (option->getNumOccurrences() &&
        llvm::is_contained(option->Categories, &category) &&
        !llvm::is_contained(allowed, option))
      return llvm::createStringError(reason + " and runs nothing, so --" +
                                     name + " has no effect");
  return llvm::Error::success();
}

static llvm::Error compareReports() {
  if (llvm::Error problem =
          refuseOthers("--compare reads reports", {&compare, &html}))
    return problem;
  return trn::compareReports(inputs, html, llvm::outs());
}

static llvm::Error printMachine() {
  if (llvm::Error problem = refuseOthers("--print-machine prints a machine",
                                         {&printsMachine, &machine}))
    return problem;
  if (!inputs.empty())
    return llvm::createStringError(
        "--print-machine takes no FILE, but '" + inputs.front() +
        "' is given; --machine names a machine, or a file of one");
  llvm::Expected<trn::Machine> read =
      machine.empty() ? trn::defaultMachine() : trn::loadMachine(machine);
  if (!read)
    return read.takeError();
  trn::printMachine(*read, llvm::outs());
  return llvm::Error::success();
}

static llvm::Error loadPlugins(DialectRegistry &registry) {
  auto refuse = [](const cl::Option &option, llvm::Error problem) {
    return llvm::createStringError("--" + option.ArgStr + ": " +
                                   llvm::toString(std::move(problem)));
  };
  for (const std::string &path : dialectPlugins) {
    llvm::Expected<DialectPlugin> plugin = DialectPlugin::load(path);
    if (!plugin)
      return refuse(dialectPlugins, plugin.takeError());
    plugin->registerDialectRegistryCallbacks(registry);
  }
  for (const std::string &path : passPlugins) {
    llvm::Expected<PassPlugin> plugin = PassPlugin::load(path);
    if (!plugin)
      return refuse(passPlugins, plugin.takeError());
    plugin->registerPassRegistryCallbacks();
  }
  return llvm::Error::success();
}

/// The files of a run, or of a sweep over several.
static std::vector<std::string> getInputs() {
  return inputs.empty() ? std::vector<std::string>{"-"} : inputs;
}

/// Lets values keep the names that they have in the text: as the names of their
/// locations, by which --dump finds them.
static void keepNames(const AsmParserState &state) {
  auto getLoc = [](Location loc, const AsmParserState::SMDefinition &value) {
    const char *begin = value.loc.Start.getPointer();
    StringRef name(begin, value.loc.End.getPointer() - begin);
    return NameLoc::get(StringAttr::get(loc.getContext(), name.ltrim('%')),
                        loc);
  };
  for (const AsmParserState::OperationDefinition &op : state.getOpDefs())
    if (op.resultGroups.size() == 1)
      op.op->setLoc(
          getLoc(op.op->getLoc(), op.resultGroups.front().definition));
  for (const AsmParserState::BlockDefinition &block : state.getBlockDefs())
    for (auto [argument, definition] :
         llvm::zip(block.block->getArguments(), block.arguments))
      argument.setLoc(getLoc(argument.getLoc(), definition));
}

/// As `parseSourceFile` of a text, with names.
static OwningOpRef<ModuleOp> parseWithNames(const llvm::SourceMgr &sources,
                                            StringRef name,
                                            MLIRContext *context) {
  OwningOpRef<ModuleOp> module =
      ModuleOp::create(FileLineColLoc::get(context, name, 0, 0));
  AsmParserState state;
  if (failed(parseAsmSourceFile(sources, module->getBody(),
                                ParserConfig(context), &state)))
    return {};
  keepNames(state);
  Block &body = *module->getBody();
  if (llvm::hasSingleElement(body))
    if (auto inner = dyn_cast<ModuleOp>(body.front())) {
      inner->remove();
      module = inner;
    }
  return module;
}

static OwningOpRef<ModuleOp> parseModule(const std::string &input,
                                         llvm::SourceMgr &sources,
                                         MLIRContext *context) {
  auto file = trn::readInputFile(input, /*isText=*/true);
  if (!file) {
    fail("cannot open input file '" + input +
         "': " + llvm::toString(file.takeError()));
    return {};
  }
  StringRef name = (*file)->getBufferIdentifier();
  bool isText = !isBytecode(**file);
  if (isText)
    if (llvm::Error problem = trn::checkQuotable((*file)->getBuffer())) {
      fail("cannot read '" + input +
           "': " + llvm::toString(std::move(problem)));
      return {};
    }
  trn::GuardedReading reading("trn-run", input, (*file)->getBufferSize());
  sources.AddNewSourceBuffer(std::move(*file), llvm::SMLoc());
  OwningOpRef<ModuleOp> module;
  reading.run([&] {
    module = isText && !dumps.empty()
                 ? parseWithNames(sources, name, context)
                 : parseSourceFile<ModuleOp>(sources, context);
  });
  // The module that the parser puts around functions has no line of its own.
  if (module && module->getLoc() == FileLineColLoc::get(context, name, 0, 0))
    (*module)->setLoc(FileLineColLoc::get(context, name, 1, 1));
  return module;
}

/// The first core alone writes what all of them have computed.
static void joinCores(trn::CoreGroup &cores, trn::RunOptions &options) {
  options.cores = &cores;
  if (cores.rank() == 0)
    return;
  options.results.clear();
  options.dumps.clear();
  options.report = options.trace = options.html = "";
  options.progress = {};
  options.verify = false;
}

static int runFile(unsigned threads) {
  bool isSweep = sweep.getNumOccurrences();
  if (inputs.size() > 1 && !isSweep)
    return fail("one FILE can be run, but " + llvm::Twine(inputs.size()) +
                " are given; --sweep takes several, --compare takes reports");
  if (!csv.empty() && !isSweep)
    return fail("there is no sweep to write as CSV");
  if (!join.empty() && !isSweep)
    return fail("join: there is no sweep whose points '" + join + "' is about");

  trn::RunOptions options;
  options.source = getInputs().front();
  options.entry = entry;
  options.arguments = arguments;
  options.results = results;
  options.dumps = dumps;
  options.weights = weights;
  if (compile.getNumOccurrences())
    options.compile = compile;
  options.planCache = planCache;
  options.verify = verify;
  options.timingOnly = timingOnly;
  options.range = range;
  options.machine = machine;
  options.report = report;
  options.trace = trace;
  options.html = html;
  options.maxSteps = maxSteps;
  trn::ProgressBar bar(llvm::errs());
  options.progress = [&](size_t done, size_t total) { bar.show(done, total); };
  options.threads = threads;
  std::unique_ptr<trn::CoreGroup> cores;
  if (mpi) {
    if (isSweep || timingOnly)
      return fail("mpi: cores meet where values are computed; their times need "
                  "no other process");
#ifdef TRN_ENABLE_MPI
    cores = trn::makeMPICores();
    joinCores(*cores, options);
#else
    return fail("mpi: this trn-run was built without MPI");
#endif
  }

  DialectRegistry registry;
  trn::registerAllDialects(registry);
  trn::registerAllPasses();
  trn::registerRunDialects(registry);
  if (llvm::Error problem = loadPlugins(registry))
    return fail(llvm::toString(std::move(problem)));
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  trn::OptionErrorHandler optionErrors(&context, llvm::errs(), "trn-run");
  std::list<llvm::SourceMgr> more;
  std::vector<OwningOpRef<ModuleOp>> modules;
  std::vector<ModuleOp> parsed;
  for (const std::string &input : getInputs()) {
    // The parser reads the main file of its sources; diagnostics find others.
    more.emplace_back();
    modules.push_back(
        parseModule(input, modules.empty() ? sources : more.back(), &context));
    if (!modules.back())
      return 1;
    parsed.push_back(*modules.back());
  }
  const llvm::MemoryBuffer &read =
      *sources.getMemoryBuffer(sources.getMainFileID());
  if (!html.empty() && !isBytecode(read))
    options.sourceText = trn::SourceText{read.getBufferIdentifier().str(),
                                         read.getBuffer().str()};
  llvm::raw_ostream &os =
      cores && cores->rank() > 0 ? llvm::nulls() : llvm::outs();
  if (!isSweep)
    return failed(trn::runModule(parsed.front(), options, os));
  trn::SweepOptions spec{sweep, getInputs(), maxPoints, csv, join};
  return failed(trn::runSweep(parsed, spec, options, llvm::outs()));
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::SetVersionPrinter(trn::printVersion);
  // The LLVM library registers a flag of its own under this name.
  if (cl::Option *foreign = cl::getRegisteredOptions().lookup("threads"))
    foreign->removeArgument();
  cl::opt<unsigned> threads(
      "threads", cl::init(0), cl::cat(category),
      cl::desc("Host threads (default 0: one for each core); values do not "
               "depend on it"));
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, overview);
  trn::surviveWriteErrors();
  int status = 0;
  if (compare || printsMachine) {
    if (llvm::Error problem = compare ? compareReports() : printMachine())
      status = fail(llvm::toString(std::move(problem)));
  } else {
    status = runFile(threads);
  }
  return trn::finishStreams("trn-run", status);
}
