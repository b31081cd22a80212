// What a SnapDeals verifier derives from the statement: phi, rho, challenges and public inputs.
// Source: rust-fil-proofs storage-proofs-update src/{challenges,vanilla,circuit}.rs.
#pragma once

#include <array>
#include <cstdint>
#include <pinion/circuit/poseidon.hpp>
#include <pinion/snap/setup.hpp>
#include <vector>

namespace pinion::filecoin {

struct UpdateStatement {
  bls::Fr comm_r_old, comm_d_new, comm_r_new;
};

class UpdateDerivation {
 public:
  explicit UpdateDerivation(const UpdateSetup& setup)
      : setup_(setup), generator_(2, circuit::Poseidon::Domain::generator) {}

  // [any]
  bls::Fr phi(const UpdateStatement& statement) const;
  // Of a challenged node: label_r_new = label_r_old + label_d_new * rho. [any]
  bls::Fr rho(const bls::Fr& phi, std::uint64_t node) const;
  // The setup.challenges nodes of partition k < setup.partitions. [any]
  std::vector<std::uint64_t> challenges(const bls::Fr& comm_r_new, unsigned k) const;
  // Of partition k, ONE not among them. [any]
  std::array<bls::Fr, 4> public_inputs(const UpdateStatement& statement, unsigned k) const;

  const circuit::Poseidon& generator() const { return generator_; }

 private:
  UpdateSetup setup_;
  circuit::Poseidon generator_;
};

}  // namespace pinion::filecoin
