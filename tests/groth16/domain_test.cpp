// Transforms and quotients against vectors/prims/fft.json (whose `about` says how inputs are made) and against each
// other on sizes that have no vectors.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/groth16/domain.hpp>
#include <pinion/test/thread_executor.hpp>
#include <pinion/test/vectors.hpp>
#include <random>
#include <string>

using namespace pinion::test;
using pinion::Cancelled;
using pinion::Executor;
using pinion::bls::Fr;
using pinion::groth16::Domain;
namespace simd = pinion::bls::simd;

namespace {

// Coefficients or values made by the file's rule, zero-padded.
std::vector<Fr> hashed(const std::string& tag, std::uint32_t n, std::uint64_t size) {
  std::vector<Fr> out(size);
  for (std::uint32_t i = 0; i < n; ++i) {
    Bytes message(tag.begin(), tag.end());
    for (const std::uint32_t number : {n, i})
      for (unsigned byte = 0; byte < 4; ++byte) message.push_back(static_cast<std::uint8_t>(number >> (8 * byte)));
    Bytes digest = from_hex(sha256_hex(message));
    digest[31] &= 0x3f;
    out[i] = Fr::from_bytes(std::span<const std::uint8_t, 32>(digest)).value();
  }
  return out;
}

std::string digest(std::span<const Fr> scalars) {
  Bytes bytes;
  for (const Fr& scalar : scalars) {
    const auto encoded = scalar.to_bytes();
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  return sha256_hex(bytes);
}

using Transform = void (Domain::*)(std::span<Fr>, std::span<Fr>, Executor&) const;
std::vector<Fr> apply(const Domain& domain, Transform transform, std::vector<Fr> values, Executor& executor) {
  std::vector<Fr> scratch(values.size());
  (domain.*transform)(values, scratch, executor);
  return values;
}

std::vector<Fr> random_values(std::uint64_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::vector<Fr> out(size);
  for (Fr& value : out) value = Fr{{random(), random(), random(), random() >> 2}};
  return out;
}

std::vector<const simd::Kernels*> all_kernels() {
  std::vector<const simd::Kernels*> out{&simd::portable_kernels()};
  if (simd::ifma_kernels() != nullptr) out.push_back(simd::ifma_kernels());
  return out;
}

const nlohmann::json& vectors() {
  static const nlohmann::json all = read_json(small_vectors_dir() / "prims/fft.json");
  return all;
}

void check_transforms(const nlohmann::json& item, std::uint64_t size, const simd::Kernels& kernels) {
  const Domain domain(Domain::log_for(size), kernels);
  REQUIRE(domain.size() == size);
  const std::vector<Fr> input = hashed("fft", item["n"], size);
  ThreadExecutor threads(2);
  const auto expected = [&](const char* name) { return item[std::string(name) + "_sha256"].get<std::string>(); };
  CHECK(digest(apply(domain, &Domain::ntt, input, threads)) == expected("fft"));
  CHECK(digest(apply(domain, &Domain::intt, input, threads)) == expected("ifft"));
  CHECK(digest(apply(domain, &Domain::coset_ntt, input, threads)) == expected("coset_fft"));
  CHECK(digest(apply(domain, &Domain::coset_intt, input, threads)) == expected("icoset_fft"));
}

std::vector<Fr> quotient(const Domain& domain, const std::vector<Fr>& a_values, const std::vector<Fr>& b_values,
                         Executor& executor) {
  std::vector<Fr> a(domain.size()), b(domain.size()), c(domain.size());
  domain.begin_quotient(a_values, b_values, a, b, c, executor);
  domain.end_quotient(a, b, c, executor);
  return a;
}

}  // namespace

TEST_CASE("transforms equal the reference's") {
  for (const simd::Kernels* kernels : all_kernels()) {
    for (const auto& item : vectors()["sizes"]) {
      CAPTURE(kernels->name, item["n"].get<std::uint64_t>());
      check_transforms(item, item["n"], *kernels);
      const Domain domain(Domain::log_for(item["n"]), *kernels);
      CHECK(to_hex(domain.root().to_bytes()) == item["omega"].get<std::string>());
    }
    for (const auto& item : vectors()["padded"]) check_transforms(item, item["fft"].size(), *kernels);
  }
}

// The file also holds quotients of rows with c unrelated to a b; a satisfied circuit has none, and the prover computes
// c as a b, so those do not apply.
TEST_CASE("quotients of satisfied rows equal the reference's") {
  ThreadExecutor threads(2);
  int checked = 0;
  for (const simd::Kernels* kernels : all_kernels())
    for (const auto& item : vectors()["h"]) {
      if (item["c"] != "a*b") continue;
      const std::uint64_t size = item["domain"];
      CAPTURE(kernels->name, size);
      const Domain domain(Domain::log_for(size), *kernels);
      const std::vector<Fr> a = hashed("h-a", item["n"], size), b = hashed("h-b", item["n"], size);
      const std::vector<Fr> h = quotient(domain, a, b, threads);
      CHECK(h.back().is_zero());
      CHECK(digest(std::span(h).first(size - 1)) == item["h_sha256"].get<std::string>());
      ++checked;
    }
  CHECK(checked >= 12);
}

TEST_CASE("inverse transforms undo transforms, and both kernels agree") {
  ThreadExecutor threads(2);
  for (const unsigned log : {11U, 15U, 16U}) {
    CAPTURE(log);
    const std::vector<Fr> input = random_values(std::uint64_t{1} << log, log);
    std::vector<std::vector<Fr>> forward;
    for (const simd::Kernels* kernels : all_kernels()) {
      const Domain domain(log, *kernels);
      forward.push_back(apply(domain, &Domain::ntt, input, threads));
      CHECK(apply(domain, &Domain::intt, forward.back(), threads) == input);
      CHECK(apply(domain, &Domain::coset_intt, apply(domain, &Domain::coset_ntt, input, threads), threads) == input);
    }
    CHECK(forward.front() == forward.back());
  }
}

// X^size - 1 times h must be A B - C: at a random point, with h, A, B, C by their coefficients.
TEST_CASE("a quotient divides") {
  ThreadExecutor threads(2);
  for (const unsigned log : {6U, 12U, 13U}) {
    const Domain domain(log);
    std::vector<Fr> a = random_values(domain.size(), 1), b = random_values(domain.size(), 2), c(domain.size());
    for (std::size_t i = 0; i < c.size(); ++i) c[i] = a[i] * b[i];
    const Fr x = Fr::from_u64(0x123456789abcdef).squared();
    const auto at_x = [&](std::vector<Fr> values) {
      const std::vector<Fr> coefficients = apply(domain, &Domain::intt, std::move(values), threads);
      Fr out = Fr::zero();
      for (std::size_t i = coefficients.size(); i-- > 0;) out = out * x + coefficients[i];
      return out;
    };
    const Fr expected = at_x(a) * at_x(b) - at_x(c);
    const std::vector<Fr> coefficients = quotient(domain, a, b, threads);
    Fr h = Fr::zero();
    for (std::size_t i = coefficients.size(); i-- > 0;) h = h * x + coefficients[i];
    CHECK(h * (x.pow(domain.size()) - Fr::one()) == expected);
  }
}

// Rows end anywhere in the domain: within a row of the transform's matrix, at its end, before the first row is full.
// The values are lent, or stand where the vectors begin, which then hold anything beyond.
TEST_CASE("a quotient of values that end before the domain is that of the values and zeros") {
  ThreadExecutor threads(2);
  for (const simd::Kernels* kernels : all_kernels())
    for (const unsigned log : {3U, 6U, 12U, 13U}) {
      const Domain domain(log, *kernels);
      const std::uint64_t size = domain.size(), width = std::uint64_t{1} << (log / 2);
      for (const std::uint64_t rows :
           {std::uint64_t{0}, std::uint64_t{1}, width - 1, width, width + 1, size / 2 + 3, size - 1}) {
        CAPTURE(kernels->name, log, rows);
        std::vector<Fr> a = random_values(size, 1), b = random_values(size, 2);
        const std::vector<Fr> lent_a(a.data(), a.data() + rows), lent_b(b.data(), b.data() + rows);
        std::vector<Fr> padded_a = lent_a, padded_b = lent_b, scratch(size);
        padded_a.resize(size, Fr::zero());
        padded_b.resize(size, Fr::zero());
        const std::vector<Fr> expected = quotient(domain, padded_a, padded_b, threads);
        CHECK(quotient(domain, lent_a, lent_b, threads) == expected);
        domain.begin_quotient(std::span(a).first(rows), std::span(b).first(rows), a, b, scratch, threads);
        domain.end_quotient(a, b, scratch, threads);
        CHECK(a == expected);
      }
    }
}

TEST_CASE("sizes") {
  CHECK(Domain::log_for(1) == 0);
  CHECK(Domain::log_for(2) == 1);
  CHECK(Domain::log_for(3) == 2);
  CHECK(Domain::log_for(std::uint64_t{1} << 27) == 27);
  CHECK(Domain::log_for((std::uint64_t{1} << 27) + 1) == 28);
  CHECK(Domain(28).size() == std::uint64_t{1} << 28);
  CHECK_THROWS_AS(Domain(29), std::invalid_argument);
}

TEST_CASE("a cancelled transform stops") {
  const Domain domain(10);
  std::vector<Fr> values = random_values(1024, 3), scratch(1024);
  ThreadExecutor threads(2);
  threads.cancel();
  CHECK_THROWS_AS(domain.ntt(values, scratch, threads), Cancelled);
}
