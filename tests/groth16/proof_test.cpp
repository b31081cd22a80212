// A proof computed the slow and obvious way (schoolbook polynomials, no transforms) equals the reference's bytes: this
// pins the order of queries, the densities, the quotient and the assembly, and is the oracle for fast provers.
#include <bit>
#include <catch2/catch.hpp>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/groth16/params.hpp>

#include "small_system.hpp"

using namespace pinion;
using namespace pinion::groth16;
using namespace pinion::test;
using bls::Fr;
using nlohmann::json;

namespace {

using Polynomial = std::vector<Fr>;  // coefficients, constant first

Fr domain_root(std::size_t m) {
  Fr root = Fr::root_of_unity();
  for (int i = std::countr_zero(m); i < 32; ++i) root = root.squared();
  return root;
}

// The polynomial of degree below m with these values at the powers of the root: c_i = (1/m) sum_j v_j w^(-ij).
Polynomial interpolate(const std::vector<Fr>& values) {
  const std::size_t m = values.size();
  std::vector<Fr> powers{Fr::one()};
  const Fr inverse_root = domain_root(m).inverse();
  while (powers.size() < m) powers.push_back(powers.back() * inverse_root);
  const Fr scale = Fr::from_u64(m).inverse();
  Polynomial out(m);
  for (std::size_t i = 0; i < m; ++i) {
    for (std::size_t j = 0; j < m; ++j) out[i] += values[j] * powers[i * j % m];
    out[i] *= scale;
  }
  return out;
}

// (a b - c) / (X^m - 1), which leaves no remainder; m - 1 coefficients.
Polynomial quotient(const Polynomial& a, const Polynomial& b, const Polynomial& c) {
  const std::size_t m = a.size();
  Polynomial rest(2 * m - 1);
  for (std::size_t i = 0; i < m; ++i) {
    rest[i] -= c[i];
    for (std::size_t j = 0; j < m; ++j) rest[i + j] += a[i] * b[j];
  }
  Polynomial out(m - 1);
  for (std::size_t i = m - 1; i-- > 0;) {
    out[i] = rest[i + m];
    rest[i] += rest[i + m];
  }
  for (std::size_t i = 0; i < m; ++i) REQUIRE(rest[i].is_zero());
  return out;
}

std::vector<Fr> dense(const std::vector<Fr>& values, const Bitmap& density) {
  std::vector<Fr> out;
  for (std::size_t i = 0; i < values.size(); ++i)
    if (density.test(i)) out.push_back(values[i]);
  return out;
}

std::vector<Fr> joined(std::vector<Fr> a, const std::vector<Fr>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

}  // namespace

TEST_CASE("a proof made by the book has the reference's bytes") {
  for (const char* name : small_system_names) {
    const SmallSystem system(name);
    const OwnedShape shape = system.shape();
    SerialExecutor serial;

    const auto file = File::open(system.params.string());
    const auto layout = ParamsLayout::read(*file);
    const VerifyingKey key = read_verifying_key(*file, *layout).value();
    std::vector<bls::G1Affine> h(layout->counts.h), l(layout->counts.l), a(layout->counts.a), b_g1(layout->counts.b);
    std::vector<bls::G2Affine> b_g2(layout->counts.b);
    REQUIRE(read_queries(*file, *layout, bls::Check::curve, {h, l, a, b_g1, b_g2}, serial));

    for (const json& item : system.json["witnesses"]) {
      const auto inputs = read_frs(item["inputs"]), aux = read_frs(item["aux"]);
      const Witness witness{inputs, {}, aux};
      std::array<Polynomial, 3> rows;
      for (const Matrix matrix : matrices) {
        std::vector<Fr> values(std::bit_ceil(shape->num_rows()));
        evaluate(*shape, matrix, witness, std::span(values).first(shape->num_rows()), serial);
        rows[static_cast<std::size_t>(matrix)] = interpolate(values);
      }
      const Polynomial coefficients = quotient(rows[0], rows[1], rows[2]);
      Bytes bytes;
      for (const Fr& coefficient : coefficients)
        for (const std::uint8_t byte : coefficient.to_bytes()) bytes.push_back(byte);
      CHECK(sha256_hex(bytes) == item["h_sha256"].get<std::string>());

      const auto a_scalars = joined(inputs, dense(aux, shape->a_aux()));
      const auto b_scalars = joined(dense(inputs, shape->b_input()), dense(aux, shape->b_aux()));
      const ProofSums sums{bls::simple_msm<bls::Fp>(a, a_scalars), bls::simple_msm<bls::Fp>(b_g1, b_scalars),
                           bls::simple_msm<bls::Fp2>(b_g2, b_scalars), bls::simple_msm<bls::Fp>(h, coefficients),
                           bls::simple_msm<bls::Fp>(l, aux)};
      for (const json& proof : item["proofs"]) {
        const auto made = assemble_proof(key, sums, read_fr(proof["r"]), read_fr(proof["s"]));
        CHECK(to_hex(made->encode()) == proof["proof"].get<std::string>());
      }
    }
  }
}

TEST_CASE("a key whose delta is infinity makes no proof") {
  VerifyingKey key = VerifyingKey::read(SmallSystem("tiny").vk.string()).value();
  key.delta_g1 = bls::G1Affine::infinity();
  CHECK(assemble_proof(key, {}, Fr::one(), Fr::one()).error().code == ErrorCode::mismatch);
}
