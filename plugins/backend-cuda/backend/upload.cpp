#include "upload.hpp"

#include <algorithm>

namespace pinion::backend_cuda {
namespace {

// What may still be on its way when the job is cancelled, and what a proof of another kind waits at most.
constexpr std::size_t piece_bytes = std::size_t{64} << 20;

}  // namespace

void Upload::bytes(void* to, std::span<const std::byte> from, Call& call, Span& span, const char* what) {
  const std::size_t whole = from.size() / piece_bytes, left = from.size() % piece_bytes;
  rows(to, from.data(), {0, piece_bytes, piece_bytes, whole}, call, span, what);
  rows(to, from.data(), {whole * piece_bytes, left, left, left == 0 ? 0U : 1U}, call, span, what);
}

void Upload::columns(cuda::Fr* to, std::span<const bls::Fr> from, const cuda::NttColumns& columns, Call& call,
                     Span& span, const char* what) {
  constexpr std::size_t element = sizeof(bls::Fr);
  const std::size_t end = columns.begin + columns.width;
  const std::size_t whole = from.size() < end ? 0 : (from.size() - end) / columns.pitch + 1;
  const std::size_t next = whole * columns.pitch + columns.begin;
  const std::size_t left = whole < columns.rows && next < from.size() ? from.size() - next : 0;
  rows(to, from.data(), {columns.begin * element, columns.pitch * element, columns.width * element, whole}, call, span,
       what);
  rows(to, from.data(), {next * element, left * element, left * element, left == 0 ? 0U : 1U}, call, span, what);
}

void Upload::rows(void* to, const void* from, const Rows& rows, Call& call, Span& span, const char* what) {
  if (rows.count == 0) return;
  const std::size_t most = std::max<std::size_t>(1, piece_bytes / rows.width);
  for (std::size_t row = 0; row < rows.count; row += most) {
    if (under_way_[next_]) device_.wait(copied_[next_], call);
    call.check();
    const std::size_t count = std::min(most, rows.count - row), at = rows.begin + row * rows.pitch;
    device_.check(cuda::copy_rows_async(static_cast<std::byte*>(to) + at, static_cast<const std::byte*>(from) + at,
                                        rows.pitch, rows.width, count, stream_, what));
    device_.check(copied_[next_].record(stream_));
    under_way_[next_] = true;
    next_ ^= 1;
    span.add_bytes(count * rows.width);
  }
}

void Upload::finish(Call& call) {
  for (std::size_t i = 0; i < copied_.size(); ++i)
    if (std::exchange(under_way_[i], false)) device_.wait(copied_[i], call);
}

}  // namespace pinion::backend_cuda
