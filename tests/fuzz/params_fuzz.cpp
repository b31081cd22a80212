// Any bytes as a `.params` and as a `.vk` file: refused with a message, or read so that writing gives the bytes back.
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <pinion/groth16/params.hpp>
#include <string>
#include <vector>

using namespace pinion;
using namespace pinion::groth16;

namespace {

using Bytes = std::span<const std::uint8_t>;

void require(bool holds) {
  if (!holds) std::abort();
}

template <class Point>
void require_encodes_to(const std::vector<Point>& points, Bytes expected) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::array<std::uint8_t, sizeof(Point)> bytes;
    bls::encode_uncompressed<Point>(points[i], bytes);
    require(std::equal(bytes.begin(), bytes.end(), expected.begin() + static_cast<std::ptrdiff_t>(i * sizeof(Point))));
  }
}

void read_params(const std::string& path, Bytes input) {
  const auto file = File::open(path);
  require(static_cast<bool>(file));
  const auto layout = ParamsLayout::read(*file);
  if (!layout) return require(!layout.error().message.empty());
  require(layout->bytes + layout->trailing == input.size());
  const auto key = read_verifying_key(*file, *layout);
  const KeyCounts& n = layout->counts;
  std::vector<bls::G1Affine> h(n.h), l(n.l), a(n.a), b_g1(n.b);
  std::vector<bls::G2Affine> b_g2(n.b);
  SerialExecutor serial;
  const auto read = read_queries(*file, *layout, bls::Check::curve, {h, l, a, b_g1, b_g2}, serial);
  if (!read) return require(!read.error().message.empty());
  const auto section = [&](KeySection which) { return input.subspan((*layout)[which].offset); };
  require_encodes_to(h, section(KeySection::h));
  require_encodes_to(l, section(KeySection::l));
  require_encodes_to(a, section(KeySection::a));
  require_encodes_to(b_g1, section(KeySection::b_g1));
  require_encodes_to(b_g2, section(KeySection::b_g2));
  if (key) {
    const auto head = key->encode();
    require(std::equal(head.begin(), head.end(), input.begin()));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const Bytes input(data, size);
  if (const auto key = VerifyingKey::decode(input, "key")) {
    const auto encoded = key->encode();
    require(encoded.size() == size && std::equal(encoded.begin(), encoded.end(), data));
  }
  const int memory = ::memfd_create("params", MFD_CLOEXEC);
  require(memory >= 0 && ::write(memory, data, size) == static_cast<ssize_t>(size));
  read_params("/proc/self/fd/" + std::to_string(memory), input);
  ::close(memory);
  return 0;
}
