// SHA-256 as constraints, with constant folding exactly as the reference's, so that padding, zero bits of field
// elements and the initial value cost nothing. Sources: FIPS 180-4; bellpepper gadgets/sha256.rs; filecoin-hashers
// src/sha256.rs.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "multipack.hpp"
#include "uint32.hpp"

namespace pinion::circuit {

namespace detail {

inline constexpr std::array<std::uint32_t, 64> sha256_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

inline constexpr std::array<std::uint32_t, 8> sha256_initial{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

template <ConstraintSystem CS>
using Sha256State = std::array<UInt32<CS>, 8>;

// One block. Sums for `a` and `e` are deferred: their operands are collected when a round ends and added when the next
// round needs the word, which fixes the order of allocations.
template <ConstraintSystem CS>
class Sha256Block {
 public:
  using Word = UInt32<CS>;
  explicit Sha256Block(CS& cs) : cs_(cs), equalities_(cs) {}

  Sha256State<CS> compress(const Sha256State<CS>& before, std::span<const Boolean> block) {
    schedule(block);
    auto [a, b, c, d, e, f, g, h] = before;
    std::array<Word, 8> sum_a;
    std::array<Word, 7> sum_e;
    for (std::size_t i = 0; i < 64; ++i) {
      if (i != 0) e = add(std::span(sum_e).first(6));
      const Word s1 = xor3(e.rotr(6), e.rotr(11), e.rotr(25));
      const Word choice = sha256_choice(cs_, e, f, g);
      if (i != 0) a = add(std::span(sum_a).first(7));
      const Word s0 = xor3(a.rotr(2), a.rotr(13), a.rotr(22));
      const Word majority = sha256_majority(cs_, a, b, c);
      const Word constant = Word::constant(sha256_constants[i]);
      sum_e = {h, s1, choice, constant, w_[i], d};
      sum_a = {h, s1, choice, constant, w_[i], s0, majority};
      h = g, g = f, f = e, d = c, c = b, b = a;
    }
    sum_a[7] = before[0];
    sum_e[6] = before[4];
    Sha256State<CS> after;
    after[0] = add(sum_a);
    after[1] = add({before[1], b});
    after[2] = add({before[2], c});
    after[3] = add({before[3], d});
    after[4] = add(sum_e);
    after[5] = add({before[5], f});
    after[6] = add({before[6], g});
    after[7] = add({before[7], h});
    equalities_.flush();
    return after;
  }

 private:
  void schedule(std::span<const Boolean> block) {
    for (std::size_t i = 0; i < 16; ++i) w_[i] = Word::from_bits_be(block.subspan(32 * i, 32));
    for (std::size_t i = 16; i < 64; ++i) {
      const Word& u = w_[i - 15];
      const Word& v = w_[i - 2];
      const Word s0 = xor3(u.rotr(7), u.rotr(18), u.shr(3));
      const Word s1 = xor3(v.rotr(17), v.rotr(19), v.shr(10));
      w_[i] = add({w_[i - 16], s0, w_[i - 7], s1});
    }
  }
  Word xor3(const Word& a, const Word& b, const Word& c) { return logical_xor(cs_, logical_xor(cs_, a, b), c); }
  Word add(std::span<const Word> words) { return Word::add_many(cs_, equalities_, words); }
  Word add(std::initializer_list<Word> words) { return add(std::span<const Word>(words.begin(), words.size())); }

  CS& cs_;
  MultiEq<CS> equalities_;
  std::array<Word, 64> w_;
};

}  // namespace detail

// The digest of a message of whole bytes; bits in message order, the highest of byte 0 first, here and in the result
// (256).
template <ConstraintSystem CS>
Bits sha256(CS& cs, std::span<const Boolean> message) {
  Bits padded(message.begin(), message.end());
  padded.push_back(Boolean::constant(true));
  while (padded.size() % 512 != 448) padded.push_back(Boolean::constant(false));
  const std::uint64_t length = message.size();
  for (unsigned i = 64; i-- > 0;) padded.push_back(Boolean::constant((length >> i & 1) != 0));

  detail::Sha256State<CS> state;
  for (std::size_t i = 0; i < 8; ++i) state[i] = UInt32<CS>::constant(detail::sha256_initial[i]);
  for (std::size_t at = 0; at < padded.size(); at += 512)
    state = detail::Sha256Block<CS>(cs).compress(state, std::span<const Boolean>(padded).subspan(at, 512));

  Bits digest;
  digest.reserve(256);
  for (const UInt32<CS>& word : state)
    for (unsigned i = 32; i-- > 0;) digest.push_back(word.bit(i));
  return digest;
}

// The digest of bytes as a field element: its 256 bits read little-endian, the top two dropped.
template <ConstraintSystem CS>
Num sha256_num(CS& cs, std::span<const Boolean> message) {
  const Bits digest = reverse_bit_numbering(sha256(cs, message));
  return pack_bits(cs, std::span<const Boolean>(digest).first(fr_capacity));
}

// A node of a SHA-256 tree: the hash of its children's 32-byte forms.
template <ConstraintSystem CS>
Num sha256_node(CS& cs, std::span<const Num> children) {
  Bits message;
  for (const Num& child : children) {
    const Bits bits = to_bytes_le(cs, child);
    message.insert(message.end(), bits.begin(), bits.end());
  }
  return sha256_num(cs, message);
}

}  // namespace pinion::circuit
