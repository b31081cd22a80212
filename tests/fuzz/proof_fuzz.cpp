// Any bytes as proofs: refused with a message, or decoded so that encoding gives the bytes back.
#include <algorithm>
#include <cstdlib>
#include <pinion/groth16/proof.hpp>

using namespace pinion::groth16;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto proofs = decode_proofs({data, size}, size / Proof::encoded_bytes);
  if (!proofs) {
    if (proofs.error().message.empty()) std::abort();
    return 0;
  }
  for (std::size_t i = 0; i < proofs->size(); ++i) {
    const auto bytes = (*proofs)[i].encode();
    if (!std::equal(bytes.begin(), bytes.end(), data + i * Proof::encoded_bytes)) std::abort();
  }
  return 0;
}
