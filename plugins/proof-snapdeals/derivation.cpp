#include <pinion/snap/derivation.hpp>

namespace pinion::filecoin {

using bls::Fr;

Fr UpdateDerivation::phi(const UpdateStatement& statement) const {
  return generator_.hash(std::array{statement.comm_d_new, statement.comm_r_old});
}

Fr UpdateDerivation::rho(const Fr& phi, std::uint64_t node) const {
  return generator_.hash(std::array{phi, Fr::from_u64(node >> (setup_.node_bits() - setup_.h()))});
}

std::vector<std::uint64_t> UpdateDerivation::challenges(const Fr& comm_r_new, unsigned k) const {
  const unsigned bits = setup_.challenge_bits();
  std::vector<std::uint64_t> out;
  for (unsigned j = 0; j < setup_.digests(); ++j) {
    const auto index = Fr::from_u64(std::uint64_t{k} * setup_.digests() + j);
    const bls::Limbs digest = generator_.hash(std::array{comm_r_new, index}).to_canonical();
    for (unsigned i = 0; i < setup_.challenges_per_digest() && out.size() < setup_.challenges; ++i) {
      std::uint64_t node = std::uint64_t{k} << bits;  // the partition's bits are the highest
      for (unsigned b = 0; b < bits; ++b) {
        const unsigned at = i * bits + b;
        node |= (digest[at / 64] >> (at % 64) & 1) << b;
      }
      out.push_back(node);
    }
  }
  return out;
}

std::array<Fr, 4> UpdateDerivation::public_inputs(const UpdateStatement& statement, unsigned k) const {
  return {Fr::from_u64(k | setup_.h_select() << setup_.partition_bits()), statement.comm_r_old, statement.comm_d_new,
          statement.comm_r_new};
}

}  // namespace pinion::filecoin
