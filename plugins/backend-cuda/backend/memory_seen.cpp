#include "memory_seen.hpp"

#include <pinion/backend.h>

namespace pinion::backend_cuda {
namespace {

using Kind = cuda::PointerFacts::Kind;

std::uint32_t word_for(Kind kind) {
  switch (kind) {
    case Kind::unknown:
      return PINION_SEEN_UNKNOWN;
    case Kind::pageable:
      return PINION_SEEN_PAGEABLE;
    case Kind::pinned:
      return PINION_SEEN_PINNED;
    case Kind::device:
      return PINION_SEEN_DEVICE;
    case Kind::managed:
      return PINION_SEEN_MANAGED;
  }
  return PINION_SEEN_UNKNOWN;
}

bool one_piece(const cuda::PointerFacts& a, const cuda::PointerFacts& b) {
  return a.kind == b.kind && (a.piece == b.piece || a.piece == 0 || b.piece == 0);
}

}  // namespace

cuda::Status memory_seen(std::uint32_t& out, std::span<const std::byte> memory) {
  out = PINION_SEEN_UNKNOWN;
  if (memory.empty()) return {};
  cuda::PointerFacts first, last;
  PINION_TRY(cuda::pointer_facts(first, &memory.front()));
  PINION_TRY(cuda::pointer_facts(last, &memory.back()));
  out = one_piece(first, last) ? word_for(first.kind) : PINION_SEEN_MIXED;
  return {};
}

}  // namespace pinion::backend_cuda
