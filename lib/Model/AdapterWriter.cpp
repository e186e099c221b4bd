//===- AdapterWriter.cpp - Write adapters as PEFT does --------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "trn/Model/Adapter.h"

#include "trn/Support/OutputFile.h"
#include "trn/Support/SafetensorsWriter.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace mlir::trn;
using llvm::StringRef;

static std::string keyOf(const AdapterUpdate &update, const char *half) {
  return "base_model.model." + update.module + "." + half + ".weight";
}

static llvm::json::Value describeAdapter(llvm::ArrayRef<AdapterUpdate> updates,
                                         int64_t rank, double alpha,
                                         StringRef baseModel) {
  llvm::json::Array modules;
  for (const AdapterUpdate &update : updates)
    modules.push_back(update.module);
  return llvm::json::Object{{"peft_type", "LORA"},
                            {"task_type", "CAUSAL_LM"},
                            {"base_model_name_or_path", baseModel},
                            {"inference_mode", true},
                            {"r", rank},
                            {"lora_alpha", alpha},
                            {"lora_dropout", 0.0},
                            {"bias", "none"},
                            {"fan_in_fan_out", false},
                            {"use_rslora", false},
                            {"use_dora", false},
                            {"init_lora_weights", true},
                            {"modules_to_save", nullptr},
                            {"rank_pattern", llvm::json::Object{}},
                            {"alpha_pattern", llvm::json::Object{}},
                            {"target_modules", std::move(modules)}};
}

llvm::Error mlir::trn::writeAdapter(StringRef folder,
                                    llvm::ArrayRef<AdapterUpdate> updates,
                                    int64_t rank, double alpha,
                                    StringRef baseModel) {
  if (std::error_code error = llvm::sys::fs::create_directories(
          folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return llvm::createStringError("cannot make '" + folder +
                                   "': " + error.message());
  auto pathOf = [&](StringRef file) {
    llvm::SmallString<0> path(folder);
    llvm::sys::path::append(path, file);
    return path;
  };
  std::vector<SafetensorsWriter::Tensor> tensors;
  for (const AdapterUpdate &update : updates) {
    tensors.push_back(
        {keyOf(update, "lora_A"), ElementType::F32, {rank, update.in}});
    tensors.push_back(
        {keyOf(update, "lora_B"), ElementType::F32, {update.out, rank}});
  }
  auto file =
      SafetensorsWriter::create(pathOf("adapter_model.safetensors"), tensors);
  if (!file)
    return file.takeError();
  for (const AdapterUpdate &update : updates) {
    file->write(keyOf(update, "lora_A"), update.down);
    file->write(keyOf(update, "lora_B"), update.up);
  }
  if (llvm::Error error = file->commit())
    return error;
  return writeFile(pathOf("adapter_config.json"), [&](llvm::raw_ostream &os) {
    os << llvm::formatv("{0:2}\n",
                        describeAdapter(updates, rank, alpha, baseModel));
  });
}
