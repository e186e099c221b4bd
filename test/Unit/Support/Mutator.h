//===- Mutator.h - Damage files ---------------------------------*- C++ -*-===//
//
// Part of the trn-mlir project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TRN_TEST_UNIT_SUPPORT_MUTATOR_H
#define TRN_TEST_UNIT_SUPPORT_MUTATOR_H

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>

namespace mlir::trn {

/// Changes bytes, numbers and lengths of a file.
class Mutator {
public:
  explicit Mutator(uint64_t seed) : random(seed) {}

  /// Changes the first `header` bytes once or a few times.
  std::string mutate(std::string bytes, size_t header) {
    for (size_t i = 0, count = 1 + below(3); i < count; ++i)
      change(bytes, std::min(header, bytes.size()));
    return bytes;
  }

private:
  size_t below(size_t count) { return random() % count; }

  void change(std::string &bytes, size_t header) {
    if (!header)
      return;
    size_t at = below(header), size = std::min(1 + below(16), header - at);
    switch (below(7)) {
    case 0:
      bytes[at] = char(bytes[at] ^ (1 << below(8)));
      break;
    case 1:
      bytes[at] = char(random());
      break;
    case 2:
      bytes.erase(at, size);
      break;
    case 3:
      bytes.insert(at, bytes.substr(below(header), size));
      break;
    case 4:
      bytes.resize(below(2) ? at : below(bytes.size()));
      break;
    case 5: { // a word of a binary header
      static constexpr int64_t words[] = {
          0, -1, 1, 640, 1 << 20, 1 << 30, INT32_MAX, INT32_MIN};
      int64_t word = words[below(std::size(words))];
      size_t length = std::min<size_t>(below(2) ? 4 : 8, bytes.size());
      size_t start = std::min(at / 4 * 4, bytes.size() - length);
      std::memcpy(bytes.data() + start, &word, length);
      break;
    }
    default:
      changeValue(bytes, at);
    }
  }

  /// The number, string or word that begins behind `at` becomes another value.
  void changeValue(std::string &bytes, size_t at) {
    static constexpr const char *values[] = {"0",
                                             "-1",
                                             "1",
                                             "1.5",
                                             "1e308",
                                             "4294967296",
                                             "9223372036854775807",
                                             "null",
                                             "true",
                                             "{}",
                                             "[]",
                                             "\"\"",
                                             "\"F32\"",
                                             "[1, 2]",
                                             "-0",
                                             "1e9",
                                             "NaN"};
    size_t begin = bytes.find_first_of("0123456789\"tfn", at);
    if (begin == std::string::npos)
      return;
    size_t end = bytes.find_first_of(",:]} \n", begin);
    bytes.replace(begin, std::min(end, bytes.size()) - begin,
                  values[below(std::size(values))]);
  }

  std::mt19937_64 random;
};

/// How many damaged files a test tries: as TRN_MUTANTS says, or `otherwise`.
inline size_t countMutants(size_t otherwise) {
  const char *asked = std::getenv("TRN_MUTANTS");
  return asked ? std::atoi(asked) : otherwise;
}

} // namespace mlir::trn

#endif // TRN_TEST_UNIT_SUPPORT_MUTATOR_H
