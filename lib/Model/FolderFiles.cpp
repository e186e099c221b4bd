//===- FolderFiles.cpp - What lies beside weights in a folder -------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/FolderFiles.h"

#include "FileKinds.h"
#include "trn/Support/OutputFile.h"
#include "trn/Support/Paths.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::formatv;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

llvm::Error mlir::trn::checkDiskSpace(StringRef folder, uint64_t bytes) {
  llvm::SmallString<0> there(folder);
  if (std::error_code error = fs::make_absolute(there))
    return llvm::createFileError(folder, error);
  while (!fs::exists(there) && llvm::sys::path::has_parent_path(there))
    llvm::sys::path::remove_filename(there);
  llvm::ErrorOr<fs::space_info> space = fs::disk_space(there);
  // Where nobody knows, writing will tell.
  if (!space || space->available >= bytes)
    return llvm::Error::success();
  return llvm::createStringError(
      formatv("'{0}' needs {1:N0} bytes, but its disk has only {2:N0} left",
              folder, bytes, uint64_t(space->available)));
}

//===----------------------------------------------------------------------===//
// config.json
//===----------------------------------------------------------------------===//

static constexpr StringRef factoredArchitecture = "TrnCompressedForCausalLM";

static StringRef getArchitecture(StringRef modelType) {
  return llvm::StringSwitch<StringRef>(modelType)
      .Case("mistral", "MistralForCausalLM")
      .Case("qwen2", "Qwen2ForCausalLM")
      .Case("qwen3", "Qwen3ForCausalLM")
      .Default("LlamaForCausalLM");
}

static llvm::json::Object makeConfig(const Checkpoint &checkpoint,
                                     const ModelConfig &written,
                                     ElementType type) {
  llvm::json::Object config = checkpoint.json();
  for (StringRef key : {"truncation_ranks", "intermediate_sizes",
                        "trn_compress", "quantization_config"})
    config.erase(key);
  if (written.weightType)
    config["quantization_config"] = describeWeights(*written.weightType);
  config["intermediate_size"] = written.intermediate;
  config["num_attention_heads"] = written.heads;
  config["num_key_value_heads"] = written.kvHeads;
  // Without it, other programs divide the columns by the number of heads.
  config["head_dim"] = written.headDim;
  StringRef architecture =
      getArchitecture(config.getString("model_type").value_or(""));
  if (!written.ranks.empty()) {
    llvm::json::Object ranks;
    for (const auto &[module, rank] : written.ranks)
      ranks[module] = rank;
    config["truncation_ranks"] = std::move(ranks);
  }
  if (!written.intermediates.empty())
    config["intermediate_sizes"] = llvm::json::Array(written.intermediates);
  if (written.needsOwnKeys()) {
    config["trn_compress"] = llvm::json::Object{{"format", folderFormat}};
    architecture = factoredArchitecture;
  }
  config["architectures"] = llvm::json::Array{architecture};
  StringRef name = type == ElementType::BF16  ? "bfloat16"
                   : type == ElementType::F16 ? "float16"
                                              : "float32";
  // The second one is the newer name.
  const bool isNew = config.get("dtype");
  if (!isNew || config.get("torch_dtype"))
    config["torch_dtype"] = name;
  if (isNew)
    config["dtype"] = name;
  return config;
}

//===----------------------------------------------------------------------===//
// README.md
//===----------------------------------------------------------------------===//

static constexpr const char *readme = R"(# A model with factors

trn-compress made this folder; `trn_compress.json` says of what and how.

Weights of modules that `truncation_ranks` in `config.json` names are two factors: for a
rank r, `gate_v_proj.weight` is [r, in] and `gate_u_proj.weight` [out, r], and

    y = gate_u_proj(gate_v_proj(x))

stands for `gate_proj(x)`. Programs that do not know this would take the factors for
foreign tensors and run with random weights in their place; `architectures` keeps them
from it.

- `trn-llm perplexity FOLDER --text=FILE` measures the model.
- `trn-compress FOLDER -o DENSE --export=dense` multiplies the factors again, for
  transformers, vLLM, llama.cpp and others.
- In PyTorch, put `nn.Sequential(nn.Linear(in, r, bias=False), nn.Linear(r, out))` in the
  place of each such module and load the two weights into it; a bias is still called
  `q_proj.bias`.
)";

static constexpr const char *thinReadme =
    R"(# A model with MLPs of different widths

trn-compress made this folder; `trn_compress.json` says of what and how.

The MLP of each layer has as many neurons as `intermediate_sizes` in `config.json` says: so
many rows have `gate_proj` and `up_proj`, and so many columns has `down_proj`. Programs that
know only one `intermediate_size` for all layers cannot load that; `architectures` keeps
them from it.

- `trn-llm perplexity FOLDER --text=FILE` measures the model.
- `trn-compress FOLDER -o PADDED --export=padded` fills all MLPs up to the widest one with
  zeros, for transformers, vLLM, llama.cpp and others: the values stay, the time of the
  neurons that are gone comes back.
)";

static constexpr const char *denseReadme = R"(# A model

trn-compress made this folder; `trn_compress.json` says of what and how. All of its weights
are dense: it loads as every model of Hugging Face does, and with
`trn-llm perplexity FOLDER --text=FILE`.
)";

//===----------------------------------------------------------------------===//
// Other files
//===----------------------------------------------------------------------===//

/// Whether a file belongs to the weights, or says of them what is not true of
/// others.
static bool isOfWeights(StringRef name) {
  StringRef extension = llvm::sys::path::extension(name);
  if (extension == ".bin")
    return !name.starts_with("tok");
  return name.starts_with(".") || name == "config.json" ||
         name == "README.md" || name == "trn_compress.json" ||
         name.ends_with(".index.json") || isPickle(name) ||
         llvm::is_contained({".safetensors", ".gguf", ".h5", ".msgpack",
                             ".onnx", ".npz", ".html", ".lock", ".part"},
                            extension);
}

static llvm::Error copyFile(StringRef from, StringRef to) {
  if (std::error_code error = fs::copy_file(from, to))
    return llvm::createStringError(
        formatv("cannot copy '{0}' to '{1}': {2}", from, to, error.message()));
  return llvm::Error::success();
}

/// Where a file of a model may really lie: in the model's folder, of which
/// `model` is the real path, and for a snapshot in the cache of Hugging Face,
/// which consists of links, among the blobs of the same repository.
static bool belongsTo(StringRef model, StringRef file) {
  namespace path = llvm::sys::path;
  auto isIn = [&](StringRef folder) {
    return file.consume_front(folder) && path::is_separator(file.front());
  };
  StringRef snapshots = path::parent_path(model);
  return isIn(model) || (path::filename(snapshots) == "snapshots" &&
                         isIn(joinPath(path::parent_path(snapshots), "blobs")));
}

/// Links may lead to what nobody wants to publish.
static llvm::Error checkLink(StringRef model, StringRef path) {
  llvm::SmallString<0> folder, file;
  if (std::error_code error = fs::real_path(model, folder))
    return llvm::createFileError(model, error);
  if (std::error_code error = fs::real_path(path, file))
    return llvm::createFileError(path, error);
  if (belongsTo(folder, file))
    return llvm::Error::success();
  return llvm::createStringError(
      formatv("'{0}' is a link to '{1}', which is not of this model, and would "
              "be copied; put the file itself there, or remove the link",
              path, file));
}

/// The paths of what lies beside the weights in `model`.
static llvm::Expected<std::vector<std::string>> listOthers(StringRef model) {
  std::vector<std::string> others;
  std::error_code error;
  for (fs::directory_iterator at(model, error), end; !error && at != end;
       at.increment(error)) {
    if (isOfWeights(llvm::sys::path::filename(at->path())) ||
        !fs::is_regular_file(at->path()))
      continue;
    if (llvm::Error problem = checkLink(model, at->path()))
      return problem;
    others.push_back(at->path());
  }
  if (error)
    return llvm::createFileError(model, error);
  return others;
}

llvm::Error mlir::trn::checkFolderFiles(StringRef model) {
  if (!fs::is_directory(model))
    return llvm::Error::success();
  return listOthers(model).takeError();
}

static llvm::Error copyOthers(StringRef model, StringRef folder) {
  llvm::Expected<std::vector<std::string>> others = listOthers(model);
  if (!others)
    return others.takeError();
  for (StringRef path : *others)
    if (llvm::Error problem =
            copyFile(path, joinPath(folder, llvm::sys::path::filename(path))))
      return problem;
  return llvm::Error::success();
}

/// Puts a tokenizer where `findTokenizer` finds it, and no other one.
static llvm::Error copyTokenizer(StringRef tokenizer, StringRef folder) {
  const std::string llama2c = joinPath(folder, "tokenizer.bin");
  if (llvm::sys::path::extension(tokenizer) != ".json")
    return copyFile(tokenizer, llama2c);
  if (std::error_code error = fs::remove(llama2c))
    return llvm::createFileError(llama2c, error);
  return copyFile(tokenizer, joinPath(folder, "tokenizer.json"));
}

llvm::Error mlir::trn::writeFolderFiles(StringRef folder,
                                        const Checkpoint &checkpoint,
                                        const ModelConfig &written,
                                        ElementType type, StringRef model,
                                        StringRef tokenizer) {
  if (fs::is_directory(model))
    if (llvm::Error error = copyOthers(model, folder))
      return error;
  if (!tokenizer.empty())
    if (llvm::Error error = copyTokenizer(tokenizer, folder))
      return error;
  if (llvm::Error error =
          writeFile(joinPath(folder, "README.md"), [&](llvm::raw_ostream &os) {
            if (!written.ranks.empty() && !written.intermediates.empty())
              os << thinReadme << "\n";
            os << (!written.ranks.empty()           ? readme
                   : !written.intermediates.empty() ? thinReadme
                                                    : denseReadme);
          }))
    return error;
  llvm::json::Value config = makeConfig(checkpoint, written, type);
  return writeFile(joinPath(folder, "config.json"), [&](llvm::raw_ostream &os) {
    os << formatv("{0:2}\n", config);
  });
}
