#include "witness_writer.hpp"

#include <atomic>
#include <bit>
#include <stdexcept>
#include <string>

namespace pinion::circuit {

WitnessWriter::WitnessWriter(const Buffers& buffers) : buffers_(buffers) {
  alloc_input(Fr::one());
}

WitnessWriter::WitnessWriter(const Buffers& buffers, const Position& start)
    : buffers_(buffers),
      used_(static_cast<unsigned>(start.aux % 64)),
      words_(start.aux / 64),
      inputs_(start.inputs),
      scalars_(start.scalars) {}

void WitnessWriter::append_selected(std::uint32_t bits, std::uint32_t mask) {
  bits &= mask;
  if ((mask & (mask + 1)) == 0) return append_bits(bits, static_cast<unsigned>(std::popcount(mask)));
  std::uint32_t packed = 0;
  unsigned count = 0;
  for (; mask != 0; mask &= mask - 1, ++count) packed |= (bits >> std::countr_zero(mask) & 1) << count;
  append_bits(packed, count);
}

void WitnessWriter::store() {
  if (words_ == buffers_.bits.size()) overflow("aux");
  if (shared_word_)
    std::atomic_ref<std::uint64_t>(buffers_.bits[words_]).fetch_or(word_, std::memory_order_relaxed);
  else
    buffers_.bits[words_] = word_;
  ++words_;
  shared_word_ = false;
}

void WitnessWriter::flush() {
  if (used_ == 0 || word_ == 0) return;
  // The rest of this word belongs to whoever comes next.
  if (words_ < buffers_.bits.size())
    std::atomic_ref<std::uint64_t>(buffers_.bits[words_]).fetch_or(word_, std::memory_order_relaxed);
  word_ = 0;
  shared_word_ = true;
}

void WitnessWriter::overflow(const char* what) {
  throw std::length_error(std::string("circuit: it allocates more ") + what + " than its shape has");
}

}  // namespace pinion::circuit
