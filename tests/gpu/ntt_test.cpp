// Transforms: against the reference's vectors and a slow evaluation; the same code runs on a device or, without one, on
// the emulator.
#include "ntt.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "device.hpp"
#include "quotient.hpp"

namespace {

using namespace pinion;
using cuda::Transform;
using test::DeviceVector;

std::vector<bls::Fr> random_elements(std::size_t count) {
  std::mt19937_64 generator(count);
  std::vector<bls::Fr> out(count);
  for (auto& x : out) x = bls::Fr::from_canonical({generator(), generator(), generator(), generator() >> 2});
  return out;
}

bls::Fr root_of_order(unsigned lg) {
  bls::Fr root = bls::Fr::root_of_unity();
  for (unsigned i = lg; i < bls::Fr::two_adicity; ++i) root = root.squared();
  return root;
}

bls::Fr evaluate(const std::vector<bls::Fr>& coefficients, const bls::Fr& at) {
  bls::Fr sum = bls::Fr::zero();
  for (std::size_t i = coefficients.size(); i-- > 0;) sum = sum * at + coefficients[i];
  return sum;
}

std::vector<bls::Fr> permuted(const std::vector<bls::Fr>& natural, unsigned lg) {
  std::vector<bls::Fr> out(natural.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = natural[cuda::permuted_index(lg, i)];
  return out;
}

struct Fixture {
  explicit Fixture(unsigned lg) : lg_size(lg), arena(cuda::Ntt::table_bytes(lg)) {
    REQUIRE(ntt.build(lg, arena.arena, nullptr).ok());
    CHECK(arena.arena.used() == cuda::Ntt::table_bytes(lg));
  }
  std::vector<bls::Fr> run(Transform transform, const std::vector<bls::Fr>& in) const {
    DeviceVector<bls::Fr> data(in);
    const cuda::Status status = ntt.run(transform, data.as<cuda::Fr>(), nullptr);
    INFO(status.sentence());
    REQUIRE(status.ok());
    return data.download();
  }
  unsigned lg_size;
  test::DeviceArena arena;
  cuda::Ntt ntt;
};

}  // namespace

TEST_CASE("transforms agree with evaluation at points of the domain and of its coset") {
  const unsigned lg = GENERATE(0U, 1U, 2U, 3U, 5U, 8U, 11U, 12U, 13U, 14U);
  INFO("2^" << lg);
  const Fixture fixture(lg);
  const auto coefficients = random_elements(std::size_t{1} << lg);
  const auto permuted_coefficients = permuted(coefficients, lg);
  const auto values = fixture.run(Transform::forward_to_natural, permuted_coefficients);
  const auto coset_values = fixture.run(Transform::coset_forward_to_natural, permuted_coefficients);
  const bls::Fr root = root_of_order(lg);
  for (std::size_t i : {std::size_t{0}, std::size_t{1}, std::size_t{2}, values.size() / 3, values.size() - 1}) {
    i %= values.size();
    const bls::Fr point = root.pow(i);
    CHECK(values[i] == evaluate(coefficients, point));
    CHECK(coset_values[i] == evaluate(coefficients, point * bls::Fr::generator()));
  }
  CHECK(fixture.run(Transform::forward_to_permuted, coefficients) == permuted(values, lg));
  CHECK(fixture.run(Transform::inverse_to_permuted, values) == permuted_coefficients);
  CHECK(fixture.run(Transform::inverse_to_natural, permuted(values, lg)) == coefficients);
  CHECK(fixture.run(Transform::coset_inverse_to_permuted, coset_values) == permuted_coefficients);
}

TEST_CASE("digits of nine and eight bits: forward agrees with evaluation, inverse leads back") {
  const unsigned lg = 17;
  const Fixture fixture(lg);
  const auto coefficients = random_elements(std::size_t{1} << lg);
  const auto values = fixture.run(Transform::forward_to_permuted, coefficients);
  for (const std::size_t position : {std::size_t{1}, std::size_t{77777}, values.size() - 1})
    CHECK(values[position] == evaluate(coefficients, root_of_order(lg).pow(cuda::permuted_index(lg, position))));
  const bool restored = fixture.run(Transform::inverse_to_natural, values) == coefficients;
  CHECK(restored);
}

TEST_CASE("the quotient times X^n - 1, plus what interpolates a b, is A B") {
  const unsigned lg = GENERATE(3U, 11U, 12U, 14U);
  INFO("2^" << lg);
  const Fixture fixture(lg);
  const std::size_t size = std::size_t{1} << lg;
  auto both = random_elements(2 * size);
  const std::vector<bls::Fr> b(both.begin() + static_cast<std::ptrdiff_t>(size), both.end());
  const std::vector<bls::Fr> a(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(size));
  std::vector<bls::Fr> c(size);
  for (std::size_t i = 0; i < size; ++i) c[i] = a[i] * b[i];
  DeviceVector<bls::Fr> x(a), y(b), z(size);
  REQUIRE(cuda::quotient(fixture.ntt, x.as<cuda::Fr>(), y.as<cuda::Fr>(), z.as<cuda::Fr>(), nullptr).ok());
  const bls::Fr at = both[1];
  const auto value = [&](const std::vector<bls::Fr>& permuted_coefficients) {
    std::vector<bls::Fr> natural(size);
    for (std::size_t i = 0; i < size; ++i) natural[cuda::permuted_index(lg, i)] = permuted_coefficients[i];
    return evaluate(natural, at);
  };
  const auto interpolated = [&](const std::vector<bls::Fr>& values) {
    return value(fixture.run(Transform::inverse_to_permuted, values));
  };
  CHECK(interpolated(a) * interpolated(b) - interpolated(c) == value(x.download()) * (at.pow(size) - bls::Fr::one()));
}

TEST_CASE("a quotient that begins in parts, in any order, reads only their columns and is the same") {
  const unsigned lg = GENERATE(5U, 11U, 12U, 13U, 14U);
  const Fixture fixture(lg);
  const std::size_t size = std::size_t{1} << lg;
  const auto a = random_elements(size);
  const std::vector<bls::Fr> b(a.rbegin(), a.rend()), later(size, bls::Fr::from_u64(9));
  DeviceVector<bls::Fr> x(a), y(b), z(size);
  REQUIRE(cuda::quotient(fixture.ntt, x.as<cuda::Fr>(), y.as<cuda::Fr>(), z.as<cuda::Fr>(), nullptr).ok());
  const auto whole = x.download();
  for (unsigned count = 1; count <= (lg < 12 ? 1U : 1U << (lg - 10)); count *= 2) {
    CAPTURE(lg, count);
    DeviceVector<bls::Fr> p(later), q(later), r(later);
    const cuda::Quotient steps{fixture.ntt, p.as<cuda::Fr>(), q.as<cuda::Fr>(), r.as<cuda::Fr>(), nullptr};
    for (unsigned i = 0; i < count; ++i) {
      const cuda::NttPart part{(i * 3 + 1) % count, count};
      const cuda::NttColumns columns(lg, part);
      CHECK(columns.width * columns.rows * count == size);
      for (std::size_t row = 0; row < columns.rows; ++row) {
        const std::size_t at = columns.begin + row * columns.pitch;
        p.upload(at, {a.data() + at, columns.width});
        q.upload(at, {b.data() + at, columns.width});
      }
      REQUIRE(steps.begin(part).ok());
    }
    REQUIRE(steps.to_coset().ok());
    REQUIRE(steps.from_coset().ok());
    const bool same = p.download() == whole;
    CHECK(same);
  }
}

TEST_CASE("parts that do not divide a first pass are refused") {
  const unsigned lg = GENERATE(11U, 12U);
  const Fixture fixture(lg);
  DeviceVector<bls::Fr> data(std::size_t{1} << lg);
  const auto refused = [&](cuda::NttPart part) {
    const cuda::Status status =
        fixture.ntt.run_first(Transform::inverse_to_permuted, data.as<cuda::Fr>(), nullptr, {}, part);
    return status.code() == cuda::Status::bad_argument ? status.sentence() : "taken";
  };
  CHECK(refused({0, 3}) == "part 0 of 3 of a transform of 2^" + std::to_string(lg) + " elements was asked for");
  for (const cuda::NttPart part : {cuda::NttPart{0, 0}, {1, 1}, {4, 4}, {0, lg == 11 ? 2U : 8U}})
    CHECK(refused(part) != "taken");
}

TEST_CASE("parts of a full size keep the device busy, small sizes have one") {
  CHECK(cuda::ntt_parts(0) == 1);
  CHECK(cuda::ntt_parts(24) == 1);
  CHECK(cuda::ntt_parts(27) == 8);
  CHECK(cuda::NttColumns(27, {1, 8}).width * sizeof(bls::Fr) == 1 << 20);
}

TEST_CASE("an arena too small, a size too large: sentences, not crashes") {
  test::DeviceArena small(1024);
  cuda::Ntt ntt;
  const cuda::Status no_room = ntt.build(12, small.arena, nullptr);
  CHECK(no_room.code() == cuda::Status::arena_too_small);
  CHECK(no_room.sentence().find("tables of the transforms") != std::string::npos);
  CHECK(ntt.build(29, small.arena, nullptr).code() == cuda::Status::bad_argument);
}
