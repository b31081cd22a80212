// Any bytes as a C1 output: the reader accepts them or refuses them with INVALID_INPUT, and what it accepts fits its
// circuit. The same bytes are also read as vanilla proofs of a sector of eight nodes, where a valid input is small
// enough for a fuzzer to keep.
#include <cstdlib>
#include <pinion/plugin/error.hpp>
#include <pinion/porep/c1.hpp>

using namespace pinion::filecoin;

namespace {

void require(bool held) {
  if (!held) std::abort();
}

template <class F>
void judge(F&& read) {
  try {
    read();
  } catch (const pinion::Error& error) {
    require(error.code() == PINION_INVALID_INPUT && error.what()[0] != '\0');
  }
}

PorepSetup eight_nodes() {
  PorepSetup setup = SealProof(SectorSize::k2KiB, SealProof::Variant::V1_1).setup();
  setup.nodes = 8;
  setup.layers = 1;
  setup.challenges_per_partition = 1;
  return setup;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView bytes{data, size};
  judge([&] {
    const C1 c1 = read_c1(bytes);
    require(c1.partitions.size() == c1.proof.setup().partitions);
    for (const auto& partition : c1.partitions) require(misfit(partition, c1.proof.setup()).empty());
  });
  judge([&] {
    for (const auto& partition : read_vanilla_proofs(bytes, eight_nodes()))
      require(misfit(partition, eight_nodes()).empty());
  });
  return 0;
}
