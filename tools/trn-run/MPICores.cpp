//===- MPICores.cpp - Cores in processes that mpirun starts ---------------===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MPICores.h"

#include "llvm/Support/FormatVariadic.h"
#include <algorithm>
#include <mpi.h>

using namespace mlir::trn;

namespace {

/// Processes first tell each other what they have come to, so that nobody waits
/// for bytes that another one does not send. One that has left goes on to tell
/// this until all have.
class MPICores : public CoreGroup {
public:
  MPICores(int rank, int size) : CoreGroup(rank, size) {}
  ~MPICores() override {
    leave();
    MPI_Finalize();
  }

  std::optional<std::string>
  meet(const Meeting &meeting, const char *mine, int64_t bytes,
       llvm::function_ref<void(Parts)> combine) override;
  void leave() override;

private:
  /// What each process says; nothing if it has left.
  std::vector<std::string> tell(const std::string &text) const;

  bool hasLeft = false;
};

} // namespace

/// The bytes of all processes, each of which has `counts[rank]` of them.
static std::vector<char>
gather(const char *mine, const std::vector<int64_t> &counts, int64_t rank) {
  int64_t all = 0;
  for (int64_t count : counts)
    all += count;
  std::vector<char> bytes(all);
  char *to = bytes.data();
  // MPI counts with int.
  constexpr int64_t most = int64_t(1) << 30;
  for (size_t from = 0; from < counts.size(); ++from) {
    if (int64_t(from) == rank)
      std::copy_n(mine, counts[from], to);
    for (int64_t at = 0; at < counts[from]; at += most)
      MPI_Bcast(to + at, int(std::min(most, counts[from] - at)), MPI_BYTE,
                int(from), MPI_COMM_WORLD);
    to += counts[from];
  }
  return bytes;
}

std::vector<std::string> MPICores::tell(const std::string &text) const {
  int64_t own = int64_t(text.size());
  std::vector<int64_t> counts(size());
  MPI_Allgather(&own, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T,
                MPI_COMM_WORLD);
  std::vector<char> bytes = gather(text.data(), counts, rank());
  std::vector<std::string> texts;
  const char *from = bytes.data();
  for (int64_t count : counts) {
    texts.emplace_back(from, count);
    from += count;
  }
  return texts;
}

std::optional<std::string>
MPICores::meet(const Meeting &meeting, const char *mine, int64_t bytes,
               llvm::function_ref<void(Parts)> combine) {
  const std::string own = meeting.what + '\0' + meeting.where;
  std::vector<std::string> said = tell(own);
  for (size_t other = 0; other < said.size(); ++other) {
    auto [what, where] = llvm::StringRef(said[other]).split('\0');
    if (what == meeting.what)
      continue;
    return describeMismatch(
        rank(), meeting, int64_t(other),
        said[other].empty()
            ? std::nullopt
            : std::optional<Meeting>({what.str(), where.str()}));
  }
  std::vector<char> all =
      gather(mine, std::vector<int64_t>(size(), bytes), rank());
  std::vector<const char *> parts;
  for (int64_t core = 0; core < size(); ++core)
    parts.push_back(all.data() + core * bytes);
  combine(parts);
  return std::nullopt;
}

void MPICores::leave() {
  if (hasLeft)
    return;
  hasLeft = true;
  while (true) {
    std::vector<std::string> said = tell("");
    if (std::all_of(said.begin(), said.end(),
                    [](const std::string &text) { return text.empty(); }))
      return;
  }
}

std::unique_ptr<CoreGroup> mlir::trn::makeMPICores() {
  // Programs end by signals, too: MPI ends the others then.
  MPI_Init(nullptr, nullptr);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  return std::make_unique<MPICores>(rank, size);
}
