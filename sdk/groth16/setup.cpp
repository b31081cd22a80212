#include "setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <mutex>
#include <pinion/bls12_381/simd/fixed_base.hpp>
#include <vector>

#include "output_file.hpp"
#include "point_io.hpp"
#include "qap.hpp"
#include "queries.hpp"

namespace pinion::groth16 {

using bls::Fr;

namespace {

Result<void> check_secrets(const ToxicWaste& waste, std::uint64_t domain) {
  for (const Fr* secret : {&waste.alpha, &waste.beta, &waste.gamma, &waste.delta, &waste.tau})
    if (secret->is_zero()) return Error{ErrorCode::invalid_argument, "setup: a secret is 0; draw them again"};
  if (waste.tau.pow(domain).is_one())
    return Error{ErrorCode::invalid_argument, "setup: tau is a root of unity of the domain; draw it again"};
  return {};
}

VerifyingKey verifying_key(const ToxicWaste& waste, const SetupGenerators& generators) {
  const bls::G1 g1 = generators.g1;
  const bls::G2 g2 = generators.g2;
  return {.alpha_g1 = (g1 * waste.alpha).to_affine(),
          .beta_g1 = (g1 * waste.beta).to_affine(),
          .beta_g2 = (g2 * waste.beta).to_affine(),
          .gamma_g2 = (g2 * waste.gamma).to_affine(),
          .delta_g1 = (g1 * waste.delta).to_affine(),
          .delta_g2 = (g2 * waste.delta).to_affine(),
          .ic = {}};
}

// Computes and writes the points of sections, a few thousand at a time on every thread.
class SectionWriter {
 public:
  SectionWriter(const OutputFile& file, const ParamsLayout& layout, Executor& executor)
      : file_(file), layout_(layout), executor_(executor) {
    for (const auto& section : layout.sections) total_ += section.count;
    total_ -= layout.counts.ic;
  }

  // scalars(begin, out) fills the factors of the points from `begin` on.
  template <class Field, class Scalars>
  Result<void> write(KeySection section, const bls::simd::FixedBaseTable<Field>& table, Scalars&& scalars) {
    const auto [offset, count, bytes] = layout_[section];
    std::array<std::uint8_t, 4> length;
    write_u32_be(static_cast<std::uint32_t>(count), length.data());
    if (auto written = file_.write(offset - 4, length); !written) return written;
    std::mutex mutex;
    Result<void> result;
    executor_.for_each((count + chunk_points - 1) / chunk_points, [&, offset = offset, count = count](std::uint64_t k) {
      if (executor_.cancelled()) return;
      const std::uint64_t begin = k * chunk_points, size = std::min(chunk_points, count - begin);
      auto written = write_chunk<Field>(table, offset, begin, size, scalars);
      executor_.progress(done_.fetch_add(size) + size, total_);
      const std::lock_guard lock(mutex);
      if (!written) result = written;
    });
    executor_.check();
    return result;
  }

  template <class Field>
  Result<void> write(KeySection section, const bls::simd::FixedBaseTable<Field>& table, std::span<const Fr> scalars) {
    return write(section, table, [scalars](std::uint64_t begin, std::span<Fr> out) {
      std::copy_n(scalars.begin() + static_cast<std::ptrdiff_t>(begin), out.size(), out.begin());
    });
  }

 private:
  static constexpr std::uint64_t chunk_points = 16384;

  template <class Field, class Scalars>
  Result<void> write_chunk(const bls::simd::FixedBaseTable<Field>& table, std::uint64_t offset, std::uint64_t begin,
                           std::uint64_t size, Scalars&& scalars) const {
    using Point = bls::Affine<Field>;
    std::vector<Fr> factors(size);
    std::vector<Point> points(size);
    scalars(begin, std::span(factors));
    table.multiply(factors, points);
    std::vector<std::uint8_t> bytes(size * sizeof(Point));
    for (std::size_t i = 0; i < size; ++i)
      bls::encode_uncompressed<Point>(points[i],
                                      std::span(bytes).subspan(i * sizeof(Point)).template first<sizeof(Point)>());
    return file_.write(offset + begin * sizeof(Point), bytes);
  }

  const OutputFile& file_;
  const ParamsLayout& layout_;
  Executor& executor_;
  std::uint64_t total_ = 0;
  std::atomic<std::uint64_t> done_{0};
};

Result<void> write_queries(const OutputFile& file, const ParamsLayout& layout, const QueryScalars& scalars,
                           const ToxicWaste& waste, const SetupGenerators& generators, Executor& executor) {
  SectionWriter writer(file, layout, executor);
  const KeyCounts& n = layout.counts;
  {
    const std::uint64_t points = std::uint64_t{n.h} + n.l + n.a + n.b;
    const bls::simd::FixedBaseG1 g1(generators.g1, bls::simd::FixedBaseG1::best_window_bits(points), executor);
    const auto h = [&](std::uint64_t begin, std::span<Fr> out) {
      quotient_query(waste, std::uint64_t{n.h} + 1, begin, out);
    };
    if (auto written = writer.write(KeySection::h, g1, h); !written) return written;
    if (auto written = writer.write(KeySection::l, g1, scalars.l()); !written) return written;
    if (auto written = writer.write(KeySection::a, g1, std::span(scalars.a)); !written) return written;
    if (auto written = writer.write(KeySection::b_g1, g1, std::span(scalars.b)); !written) return written;
  }
  const bls::simd::FixedBaseG2 g2(generators.g2, bls::simd::FixedBaseG2::best_window_bits(n.b), executor);
  return writer.write(KeySection::b_g2, g2, std::span(scalars.b));
}

}  // namespace

Result<ParamsLayout> generate_keys(const Shape& shape, const ToxicWaste& waste, const SetupGenerators& generators,
                                   const SetupFiles& files, Executor& executor) {
  if (auto usable = check_secrets(waste, domain_size(shape)); !usable) return usable.error();
  auto params = OutputFile::create(files.params);
  if (!params) return params.error();
  auto vk = OutputFile::create(files.vk);
  if (!vk) return vk.error();
  const ParamsLayout layout = ParamsLayout::of(KeyCounts::of(shape));
  if (auto room = params->reserve(layout.bytes); !room) return room.error();
  if (auto room = vk->reserve(layout.verifying_key_bytes()); !room) return room.error();
  const auto scalars = QueryScalars::of(shape, waste, executor);
  if (!scalars) return scalars.error();

  VerifyingKey key = verifying_key(waste, generators);
  key.ic.resize(shape.num_inputs());
  const bls::simd::FixedBaseG1 table(generators.g1, bls::simd::FixedBaseG1::best_window_bits(key.ic.size()), executor);
  table.multiply(scalars->ic(), key.ic);
  const std::vector<std::uint8_t> head = key.encode();
  for (const OutputFile* file : {&*params, &*vk})
    if (auto written = file->write(0, head); !written) return written.error();
  if (auto written = write_queries(*params, layout, *scalars, waste, generators, executor); !written)
    return written.error();
  for (OutputFile* file : {&params.value(), &vk.value()})
    if (auto committed = file->commit(); !committed) return committed.error();
  return layout;
}

}  // namespace pinion::groth16
