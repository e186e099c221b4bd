//===- Llama2c.cpp - Checkpoints of llama2.c ------------------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The layout of version 0, little endian: dim, hidden dim, layers, heads, kv
// heads, vocabulary (negative if the output head is a matrix of its own) and
// positions in int32; then in f32 the embedding, for all layers the gains of
// attention's norm, wq, wk, wv and wo, the gains of the MLP's norm, w1 (gate),
// w2 (down) and w3 (up), the gains of the last norm, two tables of rotary
// positions that nobody needs, and the head.

#include "trn/Model/Checkpoint.h"

#include "FileKinds.h"
#include "trn/Support/InputFile.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::createStringError;
using llvm::formatv;
using llvm::StringRef;

static constexpr size_t numSizes = 7, headerBytes = numSizes * sizeof(int32_t);

/// Files that are called .bin as well, by their first bytes.
static llvm::Error refuseOtherBytes(StringRef bytes) {
  // Protocols 2 to 5 of pickle; 640 columns begin with 80 02 00.
  bool isPickle = bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 &&
                  bytes[1] <= 5 && bytes[2];
  if (isPickle || bytes.starts_with("PK\3\4"))
    return createStringError(
        "pickles of torch are not read; save the model with "
        "save_pretrained(..., safe_serialization=True) and name its folder");
  if (bytes.starts_with("GGUF"))
    return createStringError("GGUF is not read; name the folder of the model "
                             "that it was made of");
  return llvm::Error::success();
}

llvm::Expected<ModelConfig> mlir::trn::readLlama2cHeader(StringRef bytes) {
  if (llvm::Error error = refuseOtherBytes(bytes))
    return error;
  auto word = [&](size_t i) {
    return int64_t(int32_t(
        llvm::support::endian::read32le(bytes.data() + i * sizeof(int32_t))));
  };
  if (bytes.size() < headerBytes)
    return createStringError(
        formatv("it has {0} bytes, fewer than the {1} of a header of llama2.c",
                bytes.size(), headerBytes));
  if (word(0) == 0x616b3432) // "ak42"
    return createStringError(
        formatv("it is a versioned export of llama2.c, of version {0}; export "
                "it with --version=0",
                word(1)));
  ModelConfig config;
  config.hidden = word(0);
  config.intermediate = word(1);
  config.layers = word(2);
  config.heads = word(3);
  config.kvHeads = word(4);
  config.vocabulary = std::abs(word(5));
  config.maxPositions = word(6);
  config.tiedHead = word(5) > 0;
  config.rotatesNeighbours = true;
  if (config.heads > 0 && config.hidden % config.heads)
    return createStringError(formatv("{0} heads cannot share {1} columns",
                                     config.heads, config.hidden));
  config.headDim = config.heads > 0 ? config.hidden / config.heads : 0;
  if (llvm::Error error = config.check())
    return error;
  return config;
}

namespace {
/// The order of the tensors in the file.
struct Section {
  const char *name; // behind the number of the layer
  int64_t rows, columns;
};
} // namespace

llvm::Error Checkpoint::placeTensors(StringRef bytes) {
  int64_t hidden = shape.hidden, inter = shape.intermediate,
          narrow = shape.kvHeads * shape.headDim;
  const Section sections[] = {
      {"input_layernorm", 1, hidden},
      {"self_attn.q_proj", hidden, hidden},
      {"self_attn.k_proj", narrow, hidden},
      {"self_attn.v_proj", narrow, hidden},
      {"self_attn.o_proj", hidden, hidden},
      {"post_attention_layernorm", 1, hidden},
      {"mlp.gate_proj", inter, hidden},
      {"mlp.down_proj", hidden, inter},
      {"mlp.up_proj", inter, hidden},
  };
  uint64_t at = headerBytes;
  auto place = [&](const std::string &name, llvm::ArrayRef<int64_t> sizes) {
    uint64_t begin = std::min<uint64_t>(at, bytes.size());
    ArrayView view{ElementType::F32, llvm::SmallVector<int64_t, 4>(sizes),
                   bytes.data() + begin};
    at += uint64_t(*countElements(sizes)) * sizeof(float);
    tensors.emplace(name, view);
  };
  place("model.embed_tokens.weight", {shape.vocabulary, hidden});
  for (const Section &section : sections)
    for (int64_t layer = 0; layer < shape.layers; ++layer) {
      std::string name =
          formatv("model.layers.{0}.{1}.weight", layer, section.name);
      if (section.rows == 1)
        place(name, {section.columns});
      else
        place(name, {section.rows, section.columns});
    }
  place("model.norm.weight", {hidden});
  at += uint64_t(shape.maxPositions) * shape.headDim * sizeof(float);
  if (!shape.tiedHead)
    place("lm_head.weight", {shape.vocabulary, hidden});
  if (at != bytes.size())
    return createStringError(formatv(
        "{0}: its header asks for {1} bytes, but it has {2}",
        at > bytes.size() ? "truncated" : "trailing bytes", at, bytes.size()));
  return llvm::Error::success();
}

llvm::Expected<Checkpoint> Checkpoint::openLlama2c(StringRef path) {
  Checkpoint checkpoint;
  if (llvm::Error error =
          readInputFile(path, /*isText=*/false).moveInto(checkpoint.file))
    return error;
  StringRef bytes = checkpoint.file->getBuffer();
  if (llvm::Error error = readLlama2cHeader(bytes).moveInto(checkpoint.shape))
    return error;
  if (llvm::Error error = checkpoint.placeTensors(bytes))
    return error;
  checkpoint.description = toJSON(checkpoint.shape);
  return checkpoint;
}
