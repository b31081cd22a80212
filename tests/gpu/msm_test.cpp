// Sums of multiples against blst: sizes around the steps' limits, every kind of scalar and point that needs care.
#include "msm.hpp"

#include <catch2/catch.hpp>
#include <random>

#include "device.hpp"
#include "msm_finish.hpp"

namespace {

using namespace pinion;

template <class Field>
constexpr cuda::Curve curve_of = std::is_same_v<Field, bls::Fp> ? cuda::Curve::g1 : cuda::Curve::g2;

template <class Field>
std::vector<bls::Affine<Field>> multiples(std::size_t count) {
  std::vector<bls::Jacobian<Field>> points(count);
  bls::Jacobian<Field> next = bls::Jacobian<Field>::generator();
  for (auto& point : points) {
    point = next;
    next += bls::Jacobian<Field>::generator();
  }
  std::vector<bls::Affine<Field>> out(count);
  bls::batch_to_affine<Field>(points, out);
  return out;
}

// A mix by position: full ones, 0, 1, -1, small, one value many times, lone bits.
std::vector<bls::Fr> scalars(std::size_t count, bool mixed) {
  std::mt19937_64 generator(count);
  std::vector<bls::Fr> out(count);
  for (std::size_t i = 0; i < count; ++i) {
    out[i] = bls::Fr::from_canonical({generator(), generator(), generator(), generator() >> 2});
    if (!mixed) continue;
    switch (i % 8) {
      case 1:
        out[i] = bls::Fr::zero();
        break;
      case 2:
        out[i] = bls::Fr::one();
        break;
      case 3:
        out[i] = -bls::Fr::one();
        break;
      case 4:
        out[i] = bls::Fr::from_u64(i % 5);
        break;
      case 5:
        out[i] = -bls::Fr::from_u64(0x123456789abcdef);
        break;
      case 6:
        out[i] = bls::Fr::from_u64(2).pow(i % 255);
        break;
      default:
        break;
    }
  }
  return out;
}

template <class Field>
bls::Jacobian<Field> expected(const std::vector<bls::Affine<Field>>& points, const std::vector<std::uint32_t>& index,
                              const std::vector<bls::Fr>& scalars) {
  bls::Jacobian<Field> sum = bls::Jacobian<Field>::infinity();
  for (std::size_t i = 0; i < scalars.size(); ++i)
    sum += bls::Jacobian<Field>(points[index.empty() ? i : index[i]]) * scalars[i];
  return sum;
}

template <class Field>
bls::Jacobian<Field> on_device(const std::vector<bls::Affine<Field>>& points, const std::vector<std::uint32_t>& index,
                               const std::vector<bls::Fr>& scalars, std::size_t arena_bytes,
                               std::uint32_t workers = cuda::rounds_workers) {
  constexpr cuda::Curve curve = curve_of<Field>;
  test::DeviceVector<bls::Affine<Field>> device_points(points);
  test::DeviceVector<std::uint32_t> device_index(index);
  test::DeviceVector<bls::Fr> device_scalars(scalars);
  test::DeviceArena arena(arena_bytes);
  cuda::MsmOutput out;
  cuda::MsmInput input{device_points.get(), index.empty() ? nullptr : device_index.get(),
                       device_scalars.template as<cuda::Fr>(), scalars.size(), workers};
  const cuda::Status status = cuda::msm(curve, input, arena.arena, out, nullptr);
  INFO(status.sentence());
  REQUIRE(status.ok());
  std::vector<cuda::HostXyzz<Field>> sums(out.windows.count);
  test::download(static_cast<void*>(sums.data()), out.sums, sums.size() * sizeof sums[0]);
  return cuda::finish_msm<Field>(out.windows, sums);
}

template <class Field>
void compare(std::size_t count, bool mixed) {
  INFO(count << " points, " << (mixed ? "mixed" : "full") << " scalars");
  auto points = multiples<Field>(count);
  for (std::size_t i = 0; mixed && i + 3 < count; i += 7) {  // duplicates, opposites, infinity
    points[i + 1] = points[i];
    points[i + 2] = -points[i];
    points[i + 3] = bls::Affine<Field>::infinity();
  }
  const auto s = scalars(count, mixed);
  const std::size_t least = cuda::msm_least_bytes(curve_of<Field>, count);
  CHECK(on_device<Field>(points, {}, s, least) == expected<Field>(points, {}, s));
}

}  // namespace

TEST_CASE("windows cover 256 bits exactly") {
  for (const std::size_t size : {0, 1, 7, 100, 5000, 1 << 20, 1 << 24, 1 << 27}) {
    const cuda::Windows windows = cuda::windows_for(cuda::Curve::g1, size);
    unsigned bits = 0;
    for (unsigned w = 0; w < windows.count; ++w) {
      CHECK(windows.offset(w) == bits);
      bits += windows.width(w);
    }
    CHECK(bits == 256);
  }
}

TEST_CASE("sums of multiples in G1") {
  compare<bls::Fp>(0, false);
  compare<bls::Fp>(1, false);
  compare<bls::Fp>(2, true);
  compare<bls::Fp>(33, true);
  compare<bls::Fp>(150, false);
  compare<bls::Fp>(150, true);
}

TEST_CASE("sums of multiples in G2") {
  compare<bls::Fp2>(1, false);
  compare<bls::Fp2>(20, false);
  compare<bls::Fp2>(20, true);
}

// Of few points, so that buckets have equal and opposite ones.
TEST_CASE("sums of multiples in G1 by rounds") {
  constexpr std::size_t size = 11000;  // long enough buckets that the sorted digits' memory holds their sums
  auto points = multiples<bls::Fp>(60);
  points[59] = bls::G1Affine::infinity();
  const auto s = scalars(size, true);
  std::vector<std::uint32_t> index(size);
  std::vector<bls::Fr> multiple(points.size(), bls::Fr::zero());
  for (std::uint32_t i = 0; i < size; ++i) {
    index[i] = i * 17 % 60;
    multiple[index[i]] += s[i];
  }
  const std::size_t bytes = cuda::msm_most_bytes(cuda::Curve::g1, size);
  CHECK(on_device<bls::Fp>(points, index, s, bytes, cuda::rounds_threads) == expected<bls::Fp>(points, {}, multiple));
}

TEST_CASE("equal points with equal scalars fill one bucket a window") {
  std::vector<bls::G1Affine> points(200, bls::G1Affine::generator());
  std::vector<bls::Fr> s(200, bls::Fr::from_canonical({1, 2, 3, 4}));
  points[7] = points[8] = -points[0];
  const auto sum = on_device<bls::Fp>(points, {}, s, 64 << 20);
  CHECK(sum == bls::G1::generator() * (s[0] * bls::Fr::from_u64(196)));
}

TEST_CASE("scalars choose their points by index, windows are taken in one group when there is room") {
  const auto points = multiples<bls::Fp>(50);
  std::vector<std::uint32_t> index;
  for (std::uint32_t i = 0; i < 30; ++i) index.push_back(i * 17 % 50);
  const auto s = scalars(30, false);
  CHECK(on_device<bls::Fp>(points, index, s, 64 << 20) == expected<bls::Fp>(points, index, s));
}

TEST_CASE("sums of selected points") {
  const auto points = multiples<bls::Fp>(300);
  for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{15}, std::size_t{300}}) {
    std::vector<std::uint32_t> list;
    bls::G1 sum = bls::G1::infinity();
    for (std::size_t i = 0; i < count; ++i) {
      const auto at = static_cast<std::uint32_t>(i * 7 % 300);
      list.push_back(i % 5 == 0 ? at | 0x80000000 : at);
      sum += i % 5 == 0 ? -bls::G1(points[at]) : bls::G1(points[at]);
    }
    test::DeviceVector<bls::G1Affine> device_points(points);
    test::DeviceVector<std::uint32_t> device_list(list);
    test::DeviceArena arena(32 << 20);
    const void* out = nullptr;
    test::DeviceVector<std::uint32_t> device_count(std::vector<std::uint32_t>{static_cast<std::uint32_t>(count)});
    REQUIRE(cuda::sum_of_points(cuda::Curve::g1, device_points.get(), device_list.get(), device_count.get(), 320,
                                arena.arena, out, nullptr)
                .ok());
    cuda::HostXyzz<bls::Fp> result;
    test::download(static_cast<void*>(&result), out, sizeof result);
    CHECK(result.to_jacobian() == sum);
  }
}

TEST_CASE("a sum that the arena has no room for") {
  test::DeviceArena arena(1 << 16);
  cuda::MsmOutput out;
  const cuda::Status status =
      cuda::msm(cuda::Curve::g1, {nullptr, nullptr, nullptr, 100000}, arena.arena, out, nullptr);
  CHECK(status.code() == cuda::Status::arena_too_small);
  CHECK(
      cuda::msm(cuda::Curve::g1, {nullptr, nullptr, nullptr, std::size_t{1} << 28}, arena.arena, out, nullptr).code() ==
      cuda::Status::bad_argument);
}
