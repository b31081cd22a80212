// Transforms and sums of multiples against the reference implementation's vectors (tests/vectors/prims). The emulator
// takes the small ones (the limits are in device.hpp), a device all.
#include <bit>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/test/vectors.hpp>

#include "device.hpp"
#include "msm_finish.hpp"
#include "quotient.hpp"

namespace {

using namespace pinion;
using cuda::Transform;
using test::DeviceVector;

void append_u32(test::Bytes& to, std::size_t value) {
  for (unsigned byte = 0; byte < 4; ++byte) to.push_back(static_cast<std::uint8_t>(value >> (8 * byte)));
}

// SHA-256(tag | u32le(n) | u32le(i)), the top two bits of the last byte cleared, little-endian.
test::Bytes hash(const std::string& tag, std::size_t n, std::size_t i) {
  test::Bytes bytes(tag.begin(), tag.end());
  append_u32(bytes, n);
  append_u32(bytes, i);
  test::Bytes out = test::from_hex(test::sha256_hex(bytes));
  out.back() &= 0x3f;
  return out;
}
bls::Fr to_fr(const test::Bytes& bytes) {
  return bls::Fr::from_bytes(std::span(bytes).first<32>()).value();
}
bls::Fr hashed(const std::string& tag, std::size_t n, std::size_t i) {
  return to_fr(hash(tag, n, i));
}
std::vector<bls::Fr> all_hashed(const std::string& tag, std::size_t n) {
  std::vector<bls::Fr> out(n);
  for (std::size_t i = 0; i < n; ++i) out[i] = hashed(tag, n, i);
  return out;
}
std::string digest(const std::vector<bls::Fr>& values) {
  test::Bytes bytes;
  for (const bls::Fr& value : values) {
    const auto encoded = value.to_bytes();
    bytes.insert(bytes.end(), encoded.begin(), encoded.end());
  }
  return test::sha256_hex(bytes);
}

// The involution-or-not between natural and permuted order, both ways.
std::vector<bls::Fr> to_permuted(const std::vector<bls::Fr>& natural, unsigned lg) {
  std::vector<bls::Fr> out(natural.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = natural[cuda::permuted_index(lg, i)];
  return out;
}
std::vector<bls::Fr> to_natural(const std::vector<bls::Fr>& permuted, unsigned lg) {
  std::vector<bls::Fr> out(permuted.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[cuda::permuted_index(lg, i)] = permuted[i];
  return out;
}

struct Domain {
  explicit Domain(unsigned lg_size) : lg(lg_size), arena(cuda::Ntt::table_bytes(lg)) {
    REQUIRE(ntt.build(lg, arena.arena, nullptr).ok());
  }
  std::vector<bls::Fr> run(Transform transform, const std::vector<bls::Fr>& in) const {
    DeviceVector<bls::Fr> data(in);
    REQUIRE(ntt.run(transform, data.as<cuda::Fr>(), nullptr).ok());
    return data.download();
  }
  unsigned lg;
  test::DeviceArena arena;
  cuda::Ntt ntt;
};

bls::Fr scalar(const std::string& kind, std::size_t n, std::size_t i) {
  const auto half = [] { return bls::Fr::from_u64(2).inverse(); };  // (r + 1) / 2
  if (kind == "zero") return bls::Fr::zero();
  if (kind == "one") return bls::Fr::one();
  if (kind == "minus one") return -bls::Fr::one();
  if (kind == "bits") return bls::Fr::from_u64(hash("msm-s", n, i)[0] & 1);
  if (kind == "small") return bls::Fr::from_u64(hash("msm-s", n, i)[0] + 256U * hash("msm-s", n, i)[1]);
  if (kind == "mix")
    return i % 4 == 0   ? scalar("zero", n, i)
           : i % 4 == 1 ? scalar("one", n, i)
                        : scalar(i % 4 == 2 ? "small" : "full", n, i);
  if (kind == "carry") return bls::Fr::from_u64(2).pow(i % 255) - bls::Fr::one();
  if (kind == "halves") return i % 2 == 0 ? -half() : half();
  if (kind == "powers") return bls::Fr::from_u64(2).pow(i % 255);
  if (kind == "equal pairs") return hashed("msm-s", n, i / 2 * 2);
  return hashed("msm-s", n, i);  // "full" and "cancel"
}

template <class Field>
std::vector<bls::Affine<Field>> bases(const std::string& kind, std::size_t n) {
  using Point = bls::Jacobian<Field>;
  std::vector<Point> points(n);
  Point next = Point::generator();
  for (std::size_t i = 0; i < n; ++i) {
    if (kind == "same") points[i] = Point::generator();
    if (kind == "hashed") points[i] = Point::generator() * hashed("msm-base", n, i);
    if (kind == "multiples" || kind == "pairs") points[i] = kind == "pairs" && i % 2 == 1 ? -points[i - 1] : next;
    if (kind == "multiples" || i % 2 == 1) next += Point::generator();
  }
  std::vector<bls::Affine<Field>> out(n);
  bls::batch_to_affine<Field>(points, out);
  return out;
}

template <class Field>
void compare_sums(const nlohmann::json& cases, cuda::Curve curve, std::size_t largest) {
  std::size_t compared = 0;
  for (const auto& test_case : cases) {
    const std::size_t n = test_case["n"];
    if (n > largest) continue;
    INFO(test_case.dump());
    std::vector<bls::Fr> s(n);
    for (std::size_t i = 0; i < n; ++i) s[i] = scalar(test_case["scalars"].get<std::string>(), n, i);
    if (n > 0 && test_case.contains("last_scalar"))
      s.back() = to_fr(test::from_hex(test_case["last_scalar"].get<std::string>()));
    DeviceVector<bls::Affine<Field>> points(bases<Field>(test_case["bases"].get<std::string>(), n));
    DeviceVector<bls::Fr> scalars(s);
    test::DeviceArena arena(cuda::msm_least_bytes(curve, n) + (16 << 20));
    cuda::MsmOutput out;
    REQUIRE(cuda::msm(curve, {points.get(), nullptr, scalars.as<cuda::Fr>(), n}, arena.arena, out, nullptr).ok());
    std::vector<cuda::HostXyzz<Field>> sums(out.windows.count);
    test::download(static_cast<void*>(sums.data()), out.sums, sums.size() * sizeof sums[0]);
    const bls::Fr sum = to_fr(test::from_hex(test_case["sum"].get<std::string>()));
    CHECK(cuda::finish_msm<Field>(out.windows, sums) == bls::Jacobian<Field>::generator() * sum);
    ++compared;
  }
  CHECK(compared > 10);
}

}  // namespace

TEST_CASE("transforms give the reference's vectors") {
  const auto vectors = test::read_json(test::small_vectors_dir() / "prims/fft.json");
  std::size_t compared = 0;
  for (const auto& size : vectors["sizes"]) {
    const unsigned lg = size["log_n"];
    if (lg > test::largest_transform_lg) continue;
    INFO("2^" << lg);
    const Domain domain(lg);
    const auto input = all_hashed("fft", std::size_t{1} << lg);
    REQUIRE(digest(input) == size["input_sha256"].get<std::string>());
    CHECK(digest(to_natural(domain.run(Transform::forward_to_permuted, input), lg)) ==
          size["fft_sha256"].get<std::string>());
    CHECK(digest(to_natural(domain.run(Transform::inverse_to_permuted, input), lg)) ==
          size["ifft_sha256"].get<std::string>());
    CHECK(digest(domain.run(Transform::coset_forward_to_natural, to_permuted(input, lg))) ==
          size["coset_fft_sha256"].get<std::string>());
    CHECK(digest(to_natural(domain.run(Transform::coset_inverse_to_permuted, input), lg)) ==
          size["icoset_fft_sha256"].get<std::string>());
    ++compared;
  }
  CHECK(compared > 5);
}

TEST_CASE("the quotient is the reference's where c = a b") {
  const auto vectors = test::read_json(test::small_vectors_dir() / "prims/fft.json");
  std::size_t compared = 0;
  for (const auto& h : vectors["h"]) {
    const std::size_t n = h["n"], size = h["domain"];
    const unsigned lg = static_cast<unsigned>(std::bit_width(size)) - 1;
    if (h["c"].get<std::string>() != "a*b" || lg > test::largest_transform_lg) continue;
    INFO(n << " rows");
    const Domain domain(lg);
    auto a = all_hashed("h-a", n), b = all_hashed("h-b", n);
    a.resize(size);
    b.resize(size);
    DeviceVector<bls::Fr> x(a), y(b), c(size);
    REQUIRE(cuda::quotient(domain.ntt, x.as<cuda::Fr>(), y.as<cuda::Fr>(), c.as<cuda::Fr>(), nullptr).ok());
    auto got = to_natural(x.download(), lg);
    CHECK(got.back().is_zero());
    got.pop_back();
    CHECK(digest(got) == h["h_sha256"].get<std::string>());
    ++compared;
  }
  CHECK(compared > 5);
}

TEST_CASE("sums of multiples give the reference's vectors") {
  const auto vectors = test::read_json(test::small_vectors_dir() / "prims/msm.json");
  compare_sums<bls::Fp>(vectors["g1"], cuda::Curve::g1, test::largest_sum);
  compare_sums<bls::Fp2>(vectors["g2"], cuda::Curve::g2, test::largest_sum_g2);
}
