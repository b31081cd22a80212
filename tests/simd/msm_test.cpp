// Sums against vectors/prims/msm.json, whose `rules` say how bases and scalars are made.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/bls12_381/encoding.hpp>
#include <pinion/bls12_381/simd/msm.hpp>
#include <pinion/test/thread_executor.hpp>
#include <pinion/test/vectors.hpp>
#include <random>
#include <string>

using namespace pinion::bls;
using namespace pinion::test;
using pinion::Cancelled;
using pinion::SerialExecutor;

namespace {

Bytes hash(const std::string& tag, std::uint32_t n, std::uint32_t i) {
  Bytes message(tag.begin(), tag.end());
  for (const std::uint32_t number : {n, i})
    for (unsigned byte = 0; byte < 4; ++byte) message.push_back(static_cast<std::uint8_t>(number >> (8 * byte)));
  Bytes digest = from_hex(sha256_hex(message));
  digest[31] &= 0x3f;
  return digest;
}
Fr scalar_of(const Bytes& bytes) {
  return Fr::from_bytes(std::span<const std::uint8_t, 32>(bytes)).value();
}
Fr hashed(const std::string& tag, std::uint32_t n, std::uint32_t i) {
  return scalar_of(hash(tag, n, i));
}
Fr small(std::uint32_t n, std::uint32_t i) {
  const Bytes bytes = hash("msm-s", n, i);
  return Fr::from_u64(bytes[0] + 256U * bytes[1]);
}

Fr scalar(const std::string& rule, std::uint32_t n, std::uint32_t i) {
  const Fr two = Fr::from_u64(2), half = two.inverse();  // 1/2 = (r + 1) / 2
  if (rule == "zero") return Fr::zero();
  if (rule == "one") return Fr::one();
  if (rule == "minus one") return -Fr::one();
  if (rule == "bits") return Fr::from_u64(hash("msm-s", n, i)[0] & 1);
  if (rule == "small") return small(n, i);
  if (rule == "full" || rule == "cancel") return hashed("msm-s", n, i);
  if (rule == "mix") return i % 4 < 2 ? Fr::from_u64(i % 4) : i % 4 == 2 ? small(n, i) : hashed("msm-s", n, i);
  if (rule == "carry") return two.pow(i % 255) - Fr::one();
  if (rule == "halves") return i % 2 == 0 ? half - Fr::one() : half;
  if (rule == "powers") return two.pow(i % 255);
  if (rule == "equal pairs") return hashed("msm-s", n, i & ~1U);
  throw std::invalid_argument("unknown scalar rule " + rule);
}

// The factor k with base_i = k G.
Fr base(const std::string& rule, std::uint32_t n, std::uint32_t i) {
  if (rule == "multiples") return Fr::from_u64(i + 1);
  if (rule == "hashed") return hashed("msm-base", n, i);
  if (rule == "same") return Fr::one();
  if (rule == "pairs") return i % 2 == 0 ? Fr::from_u64(i / 2 + 1) : -Fr::from_u64(i / 2 + 1);
  throw std::invalid_argument("unknown base rule " + rule);
}

template <class Field>
std::vector<Affine<Field>> bases(const std::string& rule, std::uint32_t n) {
  std::vector<Jacobian<Field>> points(n);
  for (std::uint32_t i = 0; i < n; ++i)
    points[i] = rule == "multiples" && i > 0 ? points[i - 1] + Affine<Field>::generator()
                                             : Jacobian<Field>::generator() * base(rule, n, i);
  std::vector<Affine<Field>> out(n);
  batch_to_affine<Field>(points, out);
  return out;
}

template <class Field>
std::string compressed(const Jacobian<Field>& point) {
  std::array<std::uint8_t, compressed_size<Affine<Field>>> bytes;
  encode_compressed(point.to_affine(), bytes);
  return to_hex(bytes);
}

std::vector<const simd::Kernels*> all_kernels() {
  std::vector<const simd::Kernels*> out{&simd::portable_kernels()};
  if (simd::ifma_kernels() != nullptr) out.push_back(simd::ifma_kernels());
  return out;
}

template <class Field>
void check_vectors(const char* group) {
  const nlohmann::json all = read_json(small_vectors_dir() / "prims/msm.json");
  ThreadExecutor threads(3);
  for (const auto& item : all[group]) {
    const auto n = item["n"].get<std::uint32_t>();
    const std::string base_rule = item["bases"], scalar_rule = item["scalars"];
    CAPTURE(group, n, base_rule, scalar_rule);
    // Quick enough only in part: beyond 256 points one rule, and G1 alone at the largest sizes.
    const bool large = n > 256;
    if (large && scalar_rule != "mix" && scalar_rule != "cancel" && base_rule != "pairs") continue;
    if (n > 1000 && (scalar_rule != "mix" || std::is_same_v<Field, Fp2>)) continue;
    const auto points = bases<Field>(base_rule, n);
    std::vector<Fr> scalars(n);
    for (std::uint32_t i = 0; i < n; ++i) scalars[i] = scalar(scalar_rule, n, i);
    if (item.contains("last_scalar")) scalars.back() = scalar_of(from_hex(item["last_scalar"].get<std::string>()));
    for (const simd::Kernels* kernels : all_kernels()) {
      if (large && kernels != &simd::best_kernels()) continue;
      CAPTURE(kernels->name);
      CHECK(compressed(simd::msm<Field>(points, scalars, threads, *kernels)) == item["result"].get<std::string>());
    }
  }
}

}  // namespace

TEST_CASE("G1 sums equal the reference's") {
  check_vectors<Fp>("g1");
}
TEST_CASE("G2 sums equal the reference's") {
  check_vectors<Fp2>("g2");
}

TEMPLATE_TEST_CASE("sums over a selection", "", Fp, Fp2) {
  const auto points = bases<TestType>("multiples", 300);
  const std::vector<std::uint32_t> indices{299, 0, 0, 17, 5, 299};
  std::vector<Fr> scalars{Fr::from_u64(3), -Fr::one(), Fr::from_u64(7), Fr::zero(), Fr::one(), Fr::from_u64(3)};
  SerialExecutor executor;
  const auto sum = simd::msm_in_place<TestType>(points, indices, scalars, executor);
  CHECK(sum == Jacobian<TestType>::generator() * Fr::from_u64(6 * 300 + 6 + 6));
}

TEMPLATE_TEST_CASE("sums of points selected by a bitmap", "", Fp, Fp2) {
  const std::uint32_t n = std::is_same_v<TestType, Fp> ? 70000 : 33000;  // more than one block
  auto points = bases<TestType>("multiples", n);
  ThreadExecutor threads(2);
  std::mt19937_64 random(5);
  for (const double density : {0.0, 0.0001, 0.5, 1.0}) {
    std::vector<std::uint64_t> selected((n + 63) / 64);
    Fr expected = Fr::zero();
    for (std::uint32_t i = 0; i < n; ++i)
      if (std::bernoulli_distribution(density)(random)) {
        selected[i / 64] |= std::uint64_t{1} << (i % 64);
        expected += Fr::from_u64(i + 1);
      }
    for (const simd::Kernels* kernels : all_kernels())
      CHECK(simd::sum_selected<TestType>(points, selected, threads, *kernels) ==
            Jacobian<TestType>::generator() * expected);
  }
  CHECK(simd::sum_selected<TestType>(points, {}, threads).is_infinity());
}

TEST_CASE("many points in one bucket, and buckets cut by blocks") {
  const std::uint32_t n = 50000;
  const auto points = bases<Fp>("multiples", n);
  std::vector<Fr> scalars(n, Fr::from_u64(12345));
  ThreadExecutor threads(2);
  const Fr expected = Fr::from_u64(12345) * Fr::from_u64(std::uint64_t{n} * (n + 1) / 2);
  CHECK(simd::msm<Fp>(points, scalars, threads) == G1::generator() * expected);
  for (std::uint32_t i = 0; i < n; ++i) scalars[i] = Fr::from_u64(i % 3 + 1);
  Fr varied = Fr::zero();
  for (std::uint32_t i = 0; i < n; ++i) varied += scalars[i] * Fr::from_u64(i + 1);
  CHECK(simd::msm<Fp>(points, scalars, threads) == G1::generator() * varied);
}

TEST_CASE("a cancelled sum stops") {
  const auto points = bases<Fp>("multiples", 1000);
  std::vector<Fr> scalars(1000, Fr::from_u64(3));
  ThreadExecutor threads(2);
  threads.cancel();
  CHECK_THROWS_AS(simd::msm<Fp>(points, scalars, threads), Cancelled);
}
