// Group operations against vectors/prims/curve.json and msm.json.
#include <catch2/catch.hpp>
#include <map>

#include "read.hpp"

using namespace pinion::bls;
using namespace pinion::test;
using nlohmann::json;

namespace {
template <class Field>
const json& vectors() {
  static const json all = read_json(small_vectors_dir() / "prims/curve.json");
  return all[std::is_same_v<Field, Fp> ? "g1" : "g2"];
}
}  // namespace

TEMPLATE_TEST_CASE("additions", "", Fp, Fp2) {
  using Point = Affine<TestType>;
  for (const json& item : vectors<TestType>()["adds"]) {
    INFO(item["what"].dump());
    const Jacobian<TestType> a = read_point<Point>(item["a"]), b = read_point<Point>(item["b"]);
    CHECK((a + b).to_affine() == read_point<Point>(item["sum"]));
    CHECK((a + b.to_affine()).to_affine() == read_point<Point>(item["sum"]));
    CHECK((a - b).to_affine() == read_point<Point>(item["difference"]));
    CHECK((-a).to_affine() == read_point<Point>(item["neg_a"]));
    CHECK(-a.to_affine() == read_point<Point>(item["neg_a"]));
    CHECK(a.doubled().to_affine() == read_point<Point>(item["double_a"]));
    CHECK(a + b == b + a);
  }
}

TEMPLATE_TEST_CASE("scalar multiples", "", Fp, Fp2) {
  using Point = Affine<TestType>;
  const auto generator = Jacobian<TestType>::generator();
  CHECK(compressed_hex(Point::generator()) == vectors<TestType>()["generator"]["c"].template get<std::string>());
  CHECK(uncompressed_hex(Point::generator()) == vectors<TestType>()["generator"]["u"].template get<std::string>());
  for (const json& item : vectors<TestType>()["multiples"]) {
    const Point point = (generator * read_fr(item["s"])).to_affine();
    CHECK(compressed_hex(point) == item["c"].template get<std::string>());
    CHECK(uncompressed_hex(point) == item["u"].template get<std::string>());
    CHECK(point.is_on_curve());
    CHECK(point.is_in_subgroup());
  }
  for (const json& item : vectors<TestType>()["muls"]) {
    const Jacobian<TestType> point = read_point<Point>(item["p"]);
    CHECK((point * read_fr(item["s"])).to_affine() == read_point<Point>(item["out"]));
  }
}

TEMPLATE_TEST_CASE("a chain of operations", "", Fp, Fp2) {
  auto accumulator = Jacobian<TestType>::infinity();
  for (const json& item : vectors<TestType>()["chain"]) {
    if (item["step"].template get<std::string>().find("2*acc") != std::string::npos)
      accumulator = accumulator.doubled();
    accumulator += Jacobian<TestType>::generator() * read_fr(item["s"]);
    CHECK(compressed_hex(accumulator.to_affine()) == item["acc"].template get<std::string>());
  }
}

TEMPLATE_TEST_CASE("random points are blstrs's", "", Fp, Fp2) {
  for (const json& item : vectors<TestType>()["random"])
    CHECK(compressed_hex(random_point<TestType>(read_bytes<64>(item["rng_bytes"])).to_affine()) ==
          item["point"].template get<std::string>());
}

TEMPLATE_TEST_CASE("many points to affine at once", "", Fp, Fp2) {
  std::vector<Jacobian<TestType>> points;
  auto point = Jacobian<TestType>::generator();
  for (int i = 0; i < 9; ++i) {
    points.push_back(i % 4 == 3 ? Jacobian<TestType>::infinity() : point);
    point = point.doubled();
  }
  std::vector<Affine<TestType>> affine(points.size());
  batch_to_affine<TestType>(points, affine);
  for (std::size_t i = 0; i < points.size(); ++i) CHECK(affine[i] == points[i].to_affine());
  CHECK(affine[3].is_infinity());
}

namespace {
// msm.json `rules`: hash(tag) = SHA-256(tag | u32le(n) | u32le(i)) with the top two bits of the last byte cleared.
Bytes32 hash(const std::string& tag, std::size_t n, std::size_t i) {
  Bytes message(tag.begin(), tag.end());
  for (const std::size_t value : {n, i})
    for (unsigned shift = 0; shift < 32; shift += 8) message.push_back(static_cast<std::uint8_t>(value >> shift));
  Bytes32 out = read_bytes<32>(sha256_hex(message));
  out[31] &= 0x3f;
  return out;
}

Fr power_of_two(std::size_t exponent) {
  return Fr::from_u64(2).pow(exponent);
}

Fr scalar(const std::string& rule, std::size_t n, std::size_t i) {
  const Bytes32 bytes = hash("msm-s", n, i);
  const Fr full = Fr::from_bytes(bytes).value();
  const Fr small = Fr::from_u64(bytes[0] + 256U * bytes[1]);
  const Fr half = Fr::from_u64(2).inverse();
  if (rule == "zero") return Fr::zero();
  if (rule == "one") return Fr::one();
  if (rule == "minus one") return -Fr::one();
  if (rule == "bits") return Fr::from_u64(bytes[0] & 1);
  if (rule == "small") return small;
  if (rule == "full" || rule == "cancel") return full;
  if (rule == "mix") return std::array{Fr::zero(), Fr::one(), small, full}[i % 4];
  if (rule == "carry") return power_of_two(i % 255) - Fr::one();
  if (rule == "halves") return i % 2 == 0 ? -half : half;
  if (rule == "powers") return power_of_two(i % 255);
  if (rule == "equal pairs") return Fr::from_bytes(hash("msm-s", n, i / 2 * 2)).value();
  throw std::runtime_error("an unknown rule: " + rule);
}

template <class Field>
Jacobian<Field> base(const std::string& rule, std::size_t n, std::size_t i) {
  const auto generator = Jacobian<Field>::generator();
  if (rule == "multiples") return generator * Fr::from_u64(i + 1);
  if (rule == "hashed") return generator * Fr::from_bytes(hash("msm-base", n, i)).value();
  if (rule == "same") return generator;
  const auto pair = generator * Fr::from_u64(i / 2 + 1);
  if (rule == "pairs") return i % 2 == 0 ? pair : -pair;
  throw std::runtime_error("an unknown rule: " + rule);
}

template <class Field>
const std::vector<Affine<Field>>& bases(const std::string& rule, std::size_t n) {
  static std::map<std::pair<std::string, std::size_t>, std::vector<Affine<Field>>> made;
  auto& out = made[{rule, n}];
  if (out.empty() && n > 0) {
    std::vector<Jacobian<Field>> points(n);
    for (std::size_t i = 0; i < n; ++i) points[i] = base<Field>(rule, n, i);
    out.resize(n);
    batch_to_affine<Field>(points, out);
  }
  return out;
}
}  // namespace

TEMPLATE_TEST_CASE("multi-scalar multiplication", "", Fp, Fp2) {
  const json all = read_json(small_vectors_dir() / "prims/msm.json");
  for (const json& item : all[std::is_same_v<TestType, Fp> ? "g1" : "g2"]) {
    const auto n = item["n"].get<std::size_t>();
    if (n > 1000) continue;  // for the backends, whose tests take every size
    INFO(item["bases"].dump() << " " << item["scalars"].dump() << " " << n);
    std::vector<Fr> scalars(n);
    for (std::size_t i = 0; i < n; ++i) scalars[i] = scalar(item["scalars"], n, i);
    if (item.contains("last_scalar") && n > 0) scalars[n - 1] = read_fr(item["last_scalar"]);
    const auto sum = simple_msm<TestType>(bases<TestType>(item["bases"], n), scalars);
    CHECK(compressed_hex(sum.to_affine()) == item["result"].get<std::string>());
  }
}
