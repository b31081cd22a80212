// Rows 5, 8 and 9 of the acceptance numbers on data of the PoRep's proportions (counted on a real witness: 51.4 % of
// the aux zero, 47.3 % one, 1.70 M full scalars; densities of A and B): the chain from a, b to the scalars of the H
// query, and the sums over L, A, B_G1 and B_G2. The values are pseudo-random; the points are small multiples of the
// generators.
#include <vector>

#include "elements.hpp"
#include "measure.hpp"
#include "msm.hpp"
#include "points.hpp"
#include "quotient.hpp"
#include "witness.hpp"

namespace pinion::bench {
namespace {

constexpr std::uint32_t num_aux = 130169893, num_inputs = 328;

// Bits set with a probability of `per_mille`, and the rank of every 512th.
struct HostBitmap {
  HostBitmap(std::uint64_t seed, unsigned ten_thousandths, const std::vector<std::uint64_t>* within = nullptr)
      : words((num_aux + 63) / 64), ranks((num_aux + 511) / 512) {
    std::uint64_t state = seed;
    for (std::uint32_t i = 0; i < num_aux; ++i) {
      state = state * 6364136223846793005U + 1442695040888963407U;
      const bool set = (state >> 33) % 10000 < ten_thousandths;
      if (i % 512 == 0) ranks[i / 512] = static_cast<std::uint32_t>(ones);
      if (!set || (within != nullptr && ((*within)[i / 64] >> (i % 64) & 1) == 0)) continue;
      words[i / 64] |= std::uint64_t{1} << (i % 64);
      ++ones;
    }
  }
  std::vector<std::uint64_t> words;
  std::vector<std::uint32_t> ranks;
  std::size_t ones = 0;
};

template <class T>
T* upload(Bench& bench, const std::vector<T>& from, const char* what) {
  T* to = nullptr;
  require(bench.arena().take(to, from.size(), what));
  require(cudaMemcpy(to, from.data(), from.size() * sizeof(T), cudaMemcpyHostToDevice), what);
  return to;
}

cuda::DeviceBitmap upload(Bench& bench, const HostBitmap& from) {
  return {upload(bench, from.words, "a bitmap"), upload(bench, from.ranks, "a bitmap")};
}

struct Query {
  cuda::Curve curve;
  const void* points;
  cuda::QueryAux aux;
  std::size_t scalars, bits;  // of the aux in it
};

struct Partition {
  explicit Partition(Bench& bench) : is_bit(1, 9870), values(2, 4792, &is_bit.words), a(3, 9968), b(4, 2544) {
    witness.num_inputs = num_inputs;
    witness.num_aux = num_aux;
    witness.is_bit = upload(bench, is_bit);
    witness.bits = upload(bench, values.words, "bits");
    std::byte* scalars = nullptr;
    require(bench.arena().take(scalars, (num_aux - is_bit.ones) * 32, "scalars"));
    witness.scalars = reinterpret_cast<cuda::Fr*>(scalars);
    require(cuda::check::fill_random(reinterpret_cast<cuda::Fr*>(scalars), num_aux - is_bit.ones, 7, bench.stream()));
    const auto points = [&](cuda::Curve curve, std::size_t count) {
      std::byte* at = nullptr;
      require(bench.arena().take(at, count * cuda::affine_bytes(curve), "points"));
      require(cuda::check::fill_multiples(curve, at, count, bench.arena(), bench.stream()));
      return at;
    };
    const std::byte* const g1 = points(cuda::Curve::g1, num_aux);
    const std::byte* const g2 = points(cuda::Curve::g2, b.ones + 1);
    const cuda::QueryAux all{}, in_a{upload(bench, a), num_inputs}, in_b{upload(bench, b), 1};
    l = query(cuda::Curve::g1, g1, all, nullptr);
    a1 = query(cuda::Curve::g1, g1, in_a, &a);
    b1 = query(cuda::Curve::g1, g1, in_b, &b);
    b2 = query(cuda::Curve::g2, g2, in_b, &b);
  }
  Query query(cuda::Curve curve, const void* points, const cuda::QueryAux& aux, const HostBitmap* density) const {
    Query out{curve, points, aux, 0, 0};
    for (std::size_t w = 0; w < is_bit.words.size(); ++w) {
      const std::uint64_t valid =
          w + 1 == is_bit.words.size() ? (std::uint64_t{1} << (num_aux % 64)) - 1 : ~std::uint64_t{0};
      const std::uint64_t in = density != nullptr ? density->words[w] : valid;
      out.bits += static_cast<std::size_t>(__builtin_popcountll(in & is_bit.words[w]));
      out.scalars += static_cast<std::size_t>(__builtin_popcountll(in & ~is_bit.words[w]));
    }
    return out;
  }
  HostBitmap is_bit, values, a, b;
  cuda::DeviceWitness witness;
  Query l, a1, b1, b2;
};

cuda::Status ones(Bench& bench, const Partition& partition, const Query& query) {
  const cuda::ArenaScope scope(bench.arena());
  std::uint32_t *list = nullptr, *count = nullptr;
  PINION_TRY(bench.arena().take(list, query.bits, "a list"));
  PINION_TRY(bench.arena().take(count, 1, "a list"));
  PINION_TRY(cuda::list_ones(partition.witness, query.aux, list, count, bench.arena(), bench.stream()));
  const void* out = nullptr;
  return cuda::sum_of_points(query.curve, query.points, list, count, query.bits, bench.arena(), out, bench.stream());
}

cuda::Status tail(Bench& bench, const Partition& partition, const Query& query) {
  const cuda::ArenaScope scope(bench.arena());
  std::uint32_t* points = nullptr;
  std::byte* memory = nullptr;
  PINION_TRY(bench.arena().take(points, query.scalars, "a tail"));
  PINION_TRY(bench.arena().take(memory, query.scalars * 32, "a tail"));
  cuda::Fr* const values = reinterpret_cast<cuda::Fr*>(memory);
  PINION_TRY(cuda::list_scalars(partition.witness, query.aux, points, values, bench.arena(), bench.stream()));
  cuda::MsmOutput out;
  return cuda::msm(query.curve, {query.points, points, values, query.scalars}, bench.arena(), out, bench.stream());
}

void sums(Bench& bench) {
  const cuda::ArenaScope scope(bench.arena());
  const Partition p(bench);
  const auto both = [&](std::initializer_list<const Query*> queries) {
    return [&bench, &p, list = std::vector<const Query*>(queries)]() -> cuda::Status {
      for (const Query* q : list) {
        PINION_TRY(ones(bench, p, *q));
        PINION_TRY(tail(bench, p, *q));
      }
      return {};
    };
  };
  bench.row("L + A + B1 + B2 complete (ones and tails)", both({&p.l, &p.a1, &p.b1, &p.b2}),
            {{"scalars_of_l", p.l.scalars}, {"ones_of_l", p.values.ones}});
  bench.row("G2 part alone", both({&p.b2}));
  bench.row("ones of L", [&] { return ones(bench, p, p.l); });
  bench.row("tail of L", [&] { return tail(bench, p, p.l); });
  bench.row("ones of B2", [&] { return ones(bench, p, p.b2); });
  bench.row("tail of B2", [&] { return tail(bench, p, p.b2); });
}

void chain(Bench& bench, const std::string& name) {
  const cuda::ArenaScope scope(bench.arena());
  constexpr std::size_t size = std::size_t{1} << 27;
  cuda::Ntt ntt;
  require(ntt.build(27, bench.arena(), bench.stream()));
  cuda::Fr* vectors[3];
  for (auto& v : vectors) {
    std::byte* memory = nullptr;
    require(bench.arena().take(memory, size * 32, "evaluations"));
    v = reinterpret_cast<cuda::Fr*>(memory);
    require(cuda::check::fill_random(v, size, 5, bench.stream()));
  }
  bench.row(name, [&] { return cuda::quotient(ntt, vectors[0], vectors[1], vectors[2], bench.stream()); });
}

}  // namespace

void bench_partition(Bench& bench) {
  const std::string name = "a, b on device to input of the H MSM";
  if (bench.wants(name)) chain(bench, name);
  if (bench.wants("L + A + B1 + B2")) sums(bench);
}

}  // namespace pinion::bench
