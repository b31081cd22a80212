#include "device_keys.hpp"

#include <algorithm>
#include <pinion/bls12_381/simd/fixed_base.hpp>
#include <stdexcept>
#include <vector>

#include "fixed_base.hpp"

namespace pinion::bench {

using bls::Fr;
using cuda::Curve;

namespace {

constexpr std::uint64_t piece = std::uint64_t{1} << 21;  // points made at once

template <class Field>
std::vector<bls::Affine<Field>> table_of(Executor& executor) {
  std::vector<Fr> factors(cuda::check::fixed_base_entries);
  Fr unit = Fr::one();
  for (std::size_t w = 0; w < cuda::check::fixed_base_windows; ++w) {
    for (std::size_t d = 1; d < 256; ++d) factors[256 * w + d] = unit * Fr::from_u64(d);
    unit = unit * Fr::from_u64(256);
  }
  const bls::simd::FixedBaseTable<Field> fixed(bls::Affine<Field>::generator(), 8, executor);
  std::vector<bls::Affine<Field>> out(factors.size());
  fixed.multiply(factors, out);
  return out;
}

// Makes the points of one query after the other.
class PointMaker {
 public:
  PointMaker(backend_cuda::Device& device, Executor& executor)
      : device_(device),
        executor_(executor),
        stream_(device.new_stream()),
        block_(device.space().take(piece * (288 + sizeof(Fr)) + 2 * table_bytes + 4096,
                                   backend_cuda::DeviceSpace::End::high, "making keys")),
        arena_(block_.data(), block_.size()) {
    upload(g1_, table_of<bls::Fp>(executor));
    upload(g2_, table_of<bls::Fp2>(executor));
    std::byte* scalars = nullptr;
    device_.check(arena_.take(scalars, piece * sizeof(Fr), "factors"));
    scalars_ = reinterpret_cast<cuda::Fr*>(scalars);
  }

  // factors(begin, out) fills the factors from `begin` on.
  template <class Factors>
  void make(Curve curve, std::byte* points, std::uint64_t count, cuda::PointOrder order, Factors&& factors) {
    std::vector<Fr> values(std::min(piece, count));
    for (std::uint64_t begin = 0; begin < count; begin += piece) {
      const std::span<Fr> now = std::span(values).first(std::min(piece, count - begin));
      executor_.for_range(now.size(), 1 << 14, [&](std::uint64_t from, std::uint64_t to) {
        factors(begin + from, now.subspan(from, to - from));
      });
      device_.check(cuda::copy_async(scalars_, now.data(), now.size_bytes(), stream_.get(), "factors"));
      device_.check(cuda::check::fill_products(curve, curve == Curve::g1 ? g1_ : g2_, scalars_, begin, now.size(),
                                               order, points, arena_, stream_.get()));
      device_.check(cuda::synchronize(stream_.get(), "making keys"));
    }
  }
  void make(Curve curve, std::byte* points, std::span<const Fr> factors) {
    make(curve, points, factors.size(), {}, [factors](std::uint64_t begin, std::span<Fr> out) {
      std::copy_n(factors.begin() + static_cast<std::ptrdiff_t>(begin), out.size(), out.begin());
    });
  }

 private:
  static constexpr std::uint64_t table_bytes = cuda::check::fixed_base_entries * 192;

  template <class Point>
  void upload(std::byte*& to, const std::vector<Point>& table) {
    device_.check(arena_.take(to, table.size() * sizeof(Point), "a table of multiples"));
    device_.check(cuda::copy_async(to, table.data(), table.size() * sizeof(Point), stream_.get(), "a table"));
    device_.check(cuda::synchronize(stream_.get(), "a table"));
  }

  backend_cuda::Device& device_;
  Executor& executor_;
  cuda::StreamOwner stream_;
  backend_cuda::DeviceBlock block_;
  cuda::Arena arena_;
  std::byte *g1_ = nullptr, *g2_ = nullptr;
  cuda::Fr* scalars_ = nullptr;
};

groth16::VerifyingKey head_of(const groth16::ToxicWaste& waste, std::span<const Fr> ic, Executor& executor) {
  const bls::G1 g1 = bls::G1Affine::generator();
  const bls::G2 g2 = bls::G2Affine::generator();
  groth16::VerifyingKey out{.alpha_g1 = (g1 * waste.alpha).to_affine(),
                            .beta_g1 = (g1 * waste.beta).to_affine(),
                            .beta_g2 = (g2 * waste.beta).to_affine(),
                            .gamma_g2 = (g2 * waste.gamma).to_affine(),
                            .delta_g1 = (g1 * waste.delta).to_affine(),
                            .delta_g2 = (g2 * waste.delta).to_affine(),
                            .ic = std::vector<bls::G1Affine>(ic.size())};
  bls::simd::FixedBaseG1(bls::G1Affine::generator(), 8, executor).multiply(ic, out.ic);
  return out;
}

}  // namespace

std::unique_ptr<backend_cuda::KeyResident> make_keys(backend_cuda::Device& device, const groth16::Shape& shape,
                                                     const groth16::ToxicWaste& waste, Executor& executor) {
  const auto scalars = groth16::QueryScalars::of(shape, waste, executor);
  if (!scalars) throw std::runtime_error(scalars.error().message);
  const groth16::KeyCounts counts = groth16::KeyCounts::of(shape);
  auto keys = std::make_unique<backend_cuda::KeyResident>(device, counts, head_of(waste, scalars->ic(), executor));
  PointMaker maker(device, executor);
  const auto lg = static_cast<unsigned>(std::countr_zero(keys->domain()));
  maker.make(Curve::g1, keys->h(), counts.h, {lg}, [&](std::uint64_t begin, std::span<Fr> out) {
    groth16::quotient_query(waste, keys->domain(), begin, out);
  });
  maker.make(Curve::g1, keys->l(), scalars->l());
  maker.make(Curve::g1, keys->a(), std::span(scalars->a));
  maker.make(Curve::g1, keys->b_g1(), std::span(scalars->b));
  maker.make(Curve::g2, keys->b_g2(), std::span(scalars->b));
  return keys;
}

}  // namespace pinion::bench
