#include "poseidon.hpp"

#include <algorithm>
#include <bitset>
#include <optional>
#include <stdexcept>
#include <string>

namespace pinion::circuit {

namespace {

using Vector = std::vector<Fr>;

// The Grain LFSR in self-shrinking mode, set up from the parameters of the instance.
class Grain {
 public:
  Grain(unsigned width, unsigned partial_rounds) {
    unsigned at = 0;
    const auto put = [&](unsigned value, unsigned bits) {
      while (bits-- > 0) state_[at++] = (value >> bits & 1) != 0;
    };
    put(1, 2);  // a prime field
    put(1, 4);  // S-box: a power
    put(Fr::bits, 12);
    put(width, 12);
    put(Poseidon::full_rounds, 10);
    put(partial_rounds, 10);
    put((1U << 30) - 1, 30);
    for (int i = 0; i < 160; ++i) step();
  }
  Fr next() {
    for (;;) {
      bls::Limbs value{};
      for (unsigned i = Fr::bits; i-- > 0;) value[i / 64] |= std::uint64_t{next_bit()} << (i % 64);
      if (Fr::is_below_modulus(value)) return Fr::from_canonical(value);
    }
  }

 private:
  bool step() {
    const auto at = [&](unsigned i) { return state_[(oldest_ + i) % 80]; };
    const bool bit = at(62) ^ at(51) ^ at(38) ^ at(23) ^ at(13) ^ at(0);
    state_[oldest_] = bit;
    oldest_ = (oldest_ + 1) % 80;
    return bit;
  }
  bool next_bit() {
    for (;;) {
      const bool keep = step();
      const bool bit = step();
      if (keep) return bit;
    }
  }
  std::bitset<80> state_;
  unsigned oldest_ = 0;
};

// A square matrix of run-time size.
struct Square {
  explicit Square(std::size_t n) : size(n), entries(n * n) {}
  std::size_t size;
  Vector entries;
  Fr& at(std::size_t i, std::size_t j) { return entries[i * size + j]; }
  const Fr& at(std::size_t i, std::size_t j) const { return entries[i * size + j]; }
};

Square identity(std::size_t n) {
  Square out(n);
  for (std::size_t i = 0; i < n; ++i) out.at(i, i) = Fr::one();
  return out;
}

Square product(const Square& a, const Square& b) {
  Square out(a.size);
  for (std::size_t i = 0; i < a.size; ++i)
    for (std::size_t j = 0; j < a.size; ++j)
      for (std::size_t k = 0; k < a.size; ++k) out.at(i, j) += a.at(i, k) * b.at(k, j);
  return out;
}

Vector product(const Square& a, std::span<const Fr> v) {
  Vector out(a.size);
  for (std::size_t i = 0; i < a.size; ++i)
    for (std::size_t k = 0; k < a.size; ++k) out[i] += a.at(i, k) * v[k];
  return out;
}

// Gauss and Jordan. Every matrix here is a Cauchy matrix or a minor of products of one, hence regular; a pivot may
// still have to be looked for.
Square inverse(Square a) {
  const std::size_t n = a.size;
  Square out = identity(n);
  for (std::size_t column = 0; column < n; ++column) {
    std::size_t pivot = column;
    while (pivot < n && a.at(pivot, column).is_zero()) ++pivot;
    if (pivot == n) throw std::logic_error("Poseidon: a singular matrix");
    for (std::size_t j = 0; j < n; ++j) {
      std::swap(a.at(column, j), a.at(pivot, j));
      std::swap(out.at(column, j), out.at(pivot, j));
    }
    const Fr scale = a.at(column, column).inverse();
    for (std::size_t j = 0; j < n; ++j) {
      a.at(column, j) *= scale;
      out.at(column, j) *= scale;
    }
    for (std::size_t i = 0; i < n; ++i) {
      const Fr factor = a.at(i, column);
      if (i == column || factor.is_zero()) continue;
      for (std::size_t j = 0; j < n; ++j) {
        a.at(i, j) -= factor * a.at(column, j);
        out.at(i, j) -= factor * out.at(column, j);
      }
    }
  }
  return out;
}

// M[i][j] = 1 / (i + width + j), a symmetric Cauchy matrix.
Square make_mds(unsigned width) {
  Square out(width);
  for (std::size_t i = 0; i < width; ++i)
    for (std::size_t j = 0; j < width; ++j) out.at(i, j) = Fr::from_u64(i + width + j).inverse();
  return out;
}

// Moves the constants of each round through the linear layer before it, so that a partial round needs one.
Vector compress(std::span<const Fr> constants, const Square& mds, unsigned partial_rounds) {
  const std::size_t width = mds.size;
  const Square unmix = inverse(mds);
  const std::size_t half = Poseidon::full_rounds / 2;
  const auto keys = [&](std::size_t round) { return constants.subspan(round * width, width); };
  Vector out(keys(0).begin(), keys(0).end());
  const auto append_unmixed = [&](std::span<const Fr> values) {
    const Vector unmixed = product(unmix, values);
    out.insert(out.end(), unmixed.begin(), unmixed.end());
  };
  for (std::size_t round = 1; round < half; ++round) append_unmixed(keys(round));
  Vector partial;
  Vector folded(keys(half + partial_rounds).begin(), keys(half + partial_rounds).end());
  for (std::size_t round = half + partial_rounds; round-- > half;) {
    Vector unmixed = product(unmix, folded);
    partial.push_back(unmixed[0]);
    unmixed[0] = Fr::zero();
    for (std::size_t i = 0; i < width; ++i) folded[i] = keys(round)[i] + unmixed[i];
  }
  append_unmixed(folded);
  out.insert(out.end(), partial.rbegin(), partial.rend());
  for (std::size_t round = half + partial_rounds + 1; round < 2 * half + partial_rounds; ++round)
    append_unmixed(keys(round));
  return out;
}

struct Factored {
  Square pre_sparse;
  std::vector<Poseidon::Sparse> sparse;
};

// Writes mds as a product of one dense and, for each partial round, one sparse matrix.
Factored factor(const Square& mds, unsigned partial_rounds) {
  const std::size_t width = mds.size;
  Square current = mds;  // symmetric: its own transpose
  std::vector<Poseidon::Sparse> sparse;
  for (unsigned round = 0; round < partial_rounds; ++round) {
    Square minor(width - 1);
    Vector below(width - 1);
    Square dense = identity(width);
    Poseidon::Sparse factor;
    for (std::size_t i = 1; i < width; ++i) {
      below[i - 1] = current.at(i, 0);
      factor.row.push_back(current.at(0, i));
      for (std::size_t j = 1; j < width; ++j) dense.at(i, j) = minor.at(i - 1, j - 1) = current.at(i, j);
    }
    const Vector solved = product(inverse(minor), below);
    factor.column = {current.at(0, 0)};
    factor.column.insert(factor.column.end(), solved.begin(), solved.end());
    sparse.push_back(std::move(factor));
    current = product(mds, dense);
  }
  return {current, {sparse.rbegin(), sparse.rend()}};
}

std::optional<unsigned> partial_rounds_for(unsigned arity) {
  switch (arity) {
    case 2:
      return 55;
    case 4:
      return 56;
    case 8:
    case 11:
      return 57;
    case 16:
    case 24:
      return 59;
    case 36:
      return 60;
    default:
      return std::nullopt;
  }
}

}  // namespace

Poseidon::Poseidon(unsigned arity, Domain domain) : arity_(arity) {
  const auto partial_rounds = partial_rounds_for(arity);
  if (!partial_rounds) throw std::invalid_argument("Poseidon: no instance of arity " + std::to_string(arity));
  partial_rounds_ = *partial_rounds;
  tag_ = Fr::from_u64(domain == Domain::merkle_tree ? (std::uint64_t{1} << arity) - 1 : std::uint64_t{1} << 40);
  const Square mds = make_mds(width());
  compressed_ = compress(round_constants(width(), partial_rounds_), mds, partial_rounds_);
  Factored factored = factor(mds, partial_rounds_);
  mds_ = mds.entries;
  pre_sparse_ = std::move(factored.pre_sparse.entries);
  sparse_ = std::move(factored.sparse);
}

std::vector<Fr> Poseidon::round_constants(unsigned width, unsigned partial_rounds) {
  Grain grain(width, partial_rounds);
  Vector out(std::size_t{width} * (full_rounds + partial_rounds));
  for (Fr& constant : out) constant = grain.next();
  return out;
}

void Poseidon::mix(std::span<Fr> state, const Matrix& matrix) {
  std::array<Fr, max_width> out;
  const std::size_t width = state.size();
  for (std::size_t j = 0; j < width; ++j) {
    Fr sum;
    for (std::size_t i = 0; i < width; ++i) sum += state[i] * matrix[i * width + j];
    out[j] = sum;
  }
  std::copy_n(out.begin(), width, state.begin());
}

void Poseidon::mix(std::span<Fr> state, const Sparse& sparse) {
  Fr sum = state[0] * sparse.column[0];
  for (std::size_t j = 1; j < state.size(); ++j) {
    sum += state[j] * sparse.column[j];
    state[j] += state[0] * sparse.row[j - 1];
  }
  state[0] = sum;
}

Fr hash_md(const Poseidon& instance, std::span<const Fr> values) {
  if (values.size() < 2) throw std::invalid_argument("Poseidon: hash_md needs at least two values");
  Fr folded = values[0];
  for (std::size_t at = 1; at < values.size(); at += instance.arity() - 1) {
    std::vector<Fr> preimage(instance.arity());
    preimage[0] = folded;
    const auto chunk = values.subspan(at, std::min<std::size_t>(instance.arity() - 1, values.size() - at));
    std::copy(chunk.begin(), chunk.end(), preimage.begin() + 1);
    folded = instance.hash(preimage);
  }
  return folded;
}

const Poseidon& PoseidonSet::operator[](std::size_t arity) const {
  for (const Poseidon& instance : instances_)
    if (instance.arity() == arity) return instance;
  throw std::out_of_range("Poseidon: arity " + std::to_string(arity) + " was not prepared");
}

}  // namespace pinion::circuit
