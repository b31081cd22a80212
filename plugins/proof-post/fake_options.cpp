#include "fake_options.hpp"

#include <fmt/format.h>

#include <array>

namespace pinion::filecoin {
namespace {

// What a deadline of a large miner can hold at most is of this order; more is a mistyped number.
constexpr std::uint64_t most_partitions = 100;

constexpr pinion_option_info sector_count{sizeof(pinion_option_info),
                                          PINION_OPTION_INTEGER,
                                          "sectors",
                                          "0",
                                          "How many sectors are proved; 0: as many as one partition holds.",
                                          nullptr};
constexpr pinion_option_info version{sizeof(pinion_option_info),
                                     PINION_OPTION_TEXT,
                                     "version",
                                     "V1_2",
                                     "Which registered proof: how leaves are challenged.",
                                     "V1|V1_2"};
constexpr std::array<const pinion_option_info*, 2> all{&sector_count, &version};

}  // namespace

const std::span<const pinion_option_info* const> fake_window_options(all);

void write_fake_window(SectorSize size, std::uint64_t seed, const Options& options, const circuit::PoseidonSet& hashes,
                       const std::string& dir, Call& call, const FactSink& facts) {
  const PostRule rule = options.text("version") == "V1" ? PostRule::by_position : PostRule::by_sector;
  const std::uint64_t whole = PostSetup::window(size, rule).sectors;
  const std::int64_t asked = options.integer("sectors");
  if (asked < 0 || static_cast<std::uint64_t>(asked) > most_partitions * whole)
    throw Error(PINION_INVALID_INPUT,
                fmt::format("option sectors = {}: 1 to {} ({} partitions of {}), or 0 for one whole partition", asked,
                            most_partitions * whole, most_partitions, whole));
  const std::uint64_t sectors = asked == 0 ? whole : static_cast<std::uint64_t>(asked);
  write_fake_window(size, rule, sectors, seed, hashes, dir, call);
  facts("sectors", std::to_string(sectors));
  facts("partitions", std::to_string((sectors + whole - 1) / whole));
}

}  // namespace pinion::filecoin
