// Making up a WindowPoSt as "pinion.sample/1" asks for it: what can be chosen, and what the choices mean.
#pragma once

#include <pinion/plugin/interfaces.hpp>
#include <pinion/post/fake.hpp>
#include <span>
#include <string>

namespace pinion::filecoin {

extern const std::span<const pinion_option_info* const> fake_window_options;

// As the other one (fake.hpp), of what the options say, and states it. Throws pinion::Error INVALID_INPUT for a number
// out of range. [worker]
void write_fake_window(SectorSize size, std::uint64_t seed, const Options& options, const circuit::PoseidonSet& hashes,
                       const std::string& dir, Call& call, const FactSink& facts);

}  // namespace pinion::filecoin
