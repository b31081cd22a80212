#include <algorithm>
#include <pinion/filecoin/identity.hpp>

namespace pinion::filecoin {

Bytes32 porep_id(std::uint64_t registered_seal_proof) {
  Bytes32 out{};
  const auto number = little_endian<8>(registered_seal_proof);
  std::copy(number.begin(), number.end(), out.begin());
  return out;
}

Bytes32 prover_id(std::uint64_t miner_id) {
  Bytes32 out{};
  std::size_t i = 0;
  for (; miner_id >= 0x80; miner_id >>= 7) out[i++] = static_cast<std::uint8_t>(miner_id | 0x80);
  out[i] = static_cast<std::uint8_t>(miner_id);
  return out;
}

Bytes32 replica_id(const Bytes32& prover_id, std::uint64_t sector_number, const Bytes32& ticket, const Bytes32& comm_d,
                   const Bytes32& porep_id) {
  Bytes32 out = sha256({prover_id, big_endian(sector_number), ticket, comm_d, porep_id});
  out[31] &= 0x3f;
  return out;
}

}  // namespace pinion::filecoin
