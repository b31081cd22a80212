// The main of a fuzz target in a normal build: every file of the corpus folder, then mutations of it with a fixed seed.
// A finding is a crash or an escaping exception. For long runs use the libFuzzer build (`make fuzz`).

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr int mutations_per_file = 200;

std::vector<Bytes> read_corpus(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) paths.push_back(entry.path());
  std::sort(paths.begin(), paths.end());  // the order of a folder differs between machines
  std::vector<Bytes> corpus;
  for (const auto& path : paths) {
    std::ifstream in(path, std::ios::binary);
    corpus.emplace_back(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>());
  }
  return corpus;
}

// One to four of: a byte changed, a piece cut out, the end cut off, a piece doubled.
Bytes mutated(Bytes bytes, std::mt19937_64& random) {
  for (auto edits = 1 + random() % 4; edits > 0 && !bytes.empty(); --edits) {
    const auto at = static_cast<std::ptrdiff_t>(random() % bytes.size());
    const auto length = std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(1 + random() % 16),
                                                 static_cast<std::ptrdiff_t>(bytes.size()) - at);
    switch (random() % 4) {
      case 0:
        bytes[static_cast<std::size_t>(at)] = static_cast<std::uint8_t>(random());
        break;
      case 1:
        bytes.erase(bytes.begin() + at, bytes.begin() + at + length);
        break;
      case 2:
        bytes.resize(static_cast<std::size_t>(at));
        break;
      default: {
        const Bytes piece(bytes.begin() + at, bytes.begin() + at + length);
        bytes.insert(bytes.begin() + at, piece.begin(), piece.end());
      }
    }
  }
  return bytes;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || !std::filesystem::is_directory(argv[1])) {
    std::fprintf(stderr, "usage: %s CORPUS_FOLDER\n", argv[0]);
    return 2;
  }
  std::mt19937_64 random(1);
  std::size_t inputs = 0;
  const auto corpus = read_corpus(argv[1]);
  for (const auto& bytes : corpus) {
    LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    for (int i = 0; i < mutations_per_file; ++i, ++inputs) {
      const auto input = mutated(bytes, random);
      LLVMFuzzerTestOneInput(input.data(), input.size());
    }
  }
  std::printf("%zu files, %zu mutations\n", corpus.size(), inputs);
  return corpus.empty() ? 1 : 0;
}
