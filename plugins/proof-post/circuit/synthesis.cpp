#include "synthesis.hpp"

#include <pinion/circuit/synthesis.hpp>
#include <pinion/post/circuit/post_circuit.hpp>

namespace pinion::filecoin {

using circuit::ShapeRecorder;
using circuit::WitnessWriter;

groth16::ShapeBuilder record_post(const PostSetup& setup, const circuit::PoseidonSet& hashes, Executor& executor,
                                  circuit::RowObserver* observer) {
  const PostSector blank = PostSector::blank(setup);
  ShapeRecorder recorder(observer);
  circuit::record_equal_parts(recorder, setup.sectors, executor, [&](std::uint64_t i) {
    const circuit::Scope scope(recorder, "sector", static_cast<std::int64_t>(i));
    synthesize_post_sector(recorder, setup, hashes, blank);
  });
  return recorder.finish();
}

void write_post_witness(const PostSetup& setup, const circuit::PoseidonSet& hashes, std::span<const PostSector> sectors,
                        const WitnessWriter::Position& end, const WitnessWriter::Buffers& buffers, Executor& executor) {
  WitnessWriter head(buffers);
  const auto first = head.position();
  circuit::write_equal_parts(
      buffers, first, end, sectors.size(), executor,
      [&](WitnessWriter& writer, std::uint64_t i) { synthesize_post_sector(writer, setup, hashes, sectors[i]); });
}

}  // namespace pinion::filecoin
