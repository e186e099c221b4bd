//===- TimeBuckets.cpp - Times for simulators of serving ------------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TimeBuckets.h"

#include "trn/Support/Progress.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir::trn;
using llvm::StringRef;

namespace {
/// One line of the table.
struct Bucket {
  const TimedVariant *variant;
  bool isPrefill;
  int64_t rows;
};
} // namespace

/// Powers of two up to the one that holds `most`, or all positions.
static std::vector<int64_t> listRows(int64_t most, const ModelConfig &config) {
  std::vector<int64_t> rows;
  for (int64_t size = 1, last = chooseContext(most, config);; size *= 2) {
    rows.push_back(std::min(size, last));
    if (size >= last)
      return rows;
  }
}

static std::vector<Bucket> listBuckets(llvm::ArrayRef<TimedVariant> variants,
                                       const ModelTimeOptions &options) {
  std::vector<Bucket> buckets;
  for (const TimedVariant &variant : variants) {
    // Prompts follow each other, whatever the batch is.
    bool isFirst = llvm::all_of(llvm::ArrayRef(variants.begin(), &variant),
                                [&](const TimedVariant &before) {
                                  return before.cores != variant.cores ||
                                         before.name != variant.name;
                                });
    if (isFirst)
      for (int64_t rows : listRows(options.promptTokens, variant.config))
        buckets.push_back({&variant, /*isPrefill=*/true, rows});
    for (int64_t rows :
         listRows(options.promptTokens + options.newTokens - 1, variant.config))
      buckets.push_back({&variant, /*isPrefill=*/false, rows});
  }
  return buckets;
}

static llvm::Expected<StepTime> timeBucket(const Bucket &bucket,
                                           ModelTimeOptions options) {
  options = optionsOf(*bucket.variant, std::move(options));
  options.timeline = options.range = false;
  options.progress = {};
  options.scheme = bucket.variant->scheme.value_or(PartitionScheme::Column);
  const ModelConfig &config = bucket.variant->config;
  return bucket.isPrefill ? timePrefill(config, options, bucket.rows)
                          : timeDecode(config, options, bucket.rows);
}

llvm::Expected<std::string>
mlir::trn::timeBuckets(llvm::ArrayRef<TimedVariant> variants,
                       const ModelTimeOptions &options) {
  std::string text = "function,rows,batch,cores,variant,scheme,ms\n";
  std::vector<Bucket> buckets = listBuckets(variants, options);
  ProgressBar bar(llvm::errs());
  for (auto [done, bucket] : llvm::enumerate(buckets)) {
    bar.show(done, buckets.size());
    llvm::Expected<StepTime> time = timeBucket(bucket, options);
    if (!time)
      return time.takeError();
    const TimedVariant &variant = *bucket.variant;
    text += llvm::formatv(
        "{0},{1},{2},{3},{4},{5},{6:F6}\n",
        bucket.isPrefill ? "prefill" : "decode", bucket.rows,
        bucket.isPrefill ? 1 : variant.batch, variant.cores, variant.name,
        variant.scheme ? stringify(*variant.scheme) : StringRef(),
        double(time->report.total.sum.latency) / 1e9);
  }
  bar.show(buckets.size(), buckets.size());
  return text;
}
