// SPDX-License-Identifier: Apache-2.0
// replay CORPORA [ROUNDS]: feeds every target CORPORA/NAME/* and, for each file, every shorter
// beginning of it (up to some hundred) and ROUNDS variants with bytes changed by a fixed sequence.
// For builds without libFuzzer; the sanitizers, where built in, do the rest.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "tests/fuzz/targets.h"

namespace {

using whyso::fuzz::Target;

constexpr std::size_t most_beginnings = 200;

std::vector<std::string> files_of(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> files;
  for (const auto& path : paths) {
    std::ifstream stream(path, std::ios::binary);
    files.emplace_back(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
  }
  return files;
}

std::string changed(std::string text, std::mt19937& random) {
  constexpr unsigned char odd[] = {0x00, 0x01, 0x7f, 0x80, 0xff, '\n', '"', '$'};
  const std::size_t count = 1 + random() % 4;
  for (std::size_t i = 0; i < count && !text.empty(); ++i) {
    const std::size_t at = random() % text.size();
    const auto bit = static_cast<char>(1U << (random() % 8));
    text[at] = random() % 2 == 0 ? static_cast<char>(text[at] ^ bit)
                                 : static_cast<char>(odd[random() % std::size(odd)]);
  }
  return text;
}

std::size_t replay(const Target& target, const std::string& seed, std::size_t rounds) {
  target.run(seed);
  const std::size_t step = std::max<std::size_t>(1, seed.size() / most_beginnings);
  std::size_t runs = 1;
  for (std::size_t length = 0; length < seed.size(); length += step, ++runs) {
    target.run(std::string_view(seed).substr(0, length));
  }
  std::mt19937 random(static_cast<std::uint32_t>(seed.size()));
  for (std::size_t i = 0; i < rounds; ++i, ++runs) target.run(changed(seed, random));
  return runs;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: replay CORPORA [ROUNDS]\n";
    return 2;
  }
  const std::size_t rounds = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 500;
  bool is_complete = true;
  for (const auto targets : {whyso::fuzz::binary_targets(), whyso::fuzz::text_targets(),
                             whyso::fuzz::python_targets()}) {
    for (const Target& target : targets) {
      const std::filesystem::path folder = std::filesystem::path(argv[1]) / target.name;
      std::size_t runs = 0;
      if (std::filesystem::is_directory(folder)) {
        for (const std::string& seed : files_of(folder)) runs += replay(target, seed, rounds);
      }
      std::cout << target.name << ": " << runs << " inputs" << std::endl;
      is_complete &= runs > 0;
    }
  }
  return is_complete ? 0 : 1;
}
