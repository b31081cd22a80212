#include "key_file.hpp"

#include <fmt/format.h>
#include <pinion/groth16.h>

#include <bit>
#include <cstring>
#include <pinion/groth16/domain.hpp>

namespace pinion::backend_groth16 {

void require_keys(const pinion_resource& resource) {
  if (std::strcmp(resource.format, PINION_KEYS_GROTH16) != 0)
    throw Error(PINION_UNSUPPORTED, fmt::format("resource format {} is not loaded here", resource.format));
}

KeyFile KeyFile::open(const pinion_resource& resource) {
  require_keys(resource);
  if (resource.file == nullptr || *resource.file == '\0')
    throw Error(PINION_UNSUPPORTED, fmt::format("{}: keys are read from a file, and none is named", resource.id));
  groth16::File file = valid(groth16::File::open(resource.file));
  const groth16::ParamsLayout layout = valid(groth16::ParamsLayout::read(file));
  KeyFile out{std::move(file), layout};
  if (!std::has_single_bit(out.domain()) || out.domain() > std::uint64_t{1} << groth16::Domain::max_log)
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: h has {} points; one less than a power of two, at most 2^{}, is expected",
                            out.file.name(), layout.counts.h, groth16::Domain::max_log));
  return out;
}

KeyDigest::KeyDigest(const pinion_resource& resource, const groth16::File& file)
    : file_(file), stated_(resource.digest == nullptr ? "" : resource.digest) {
  if (!stated_.empty()) running_.emplace(file);
}

void KeyDigest::require(Call& call) {
  if (!running_) return;
  if (const std::string found = valid(running_->finish(call)); found != stated_)
    throw Error(PINION_INVALID_CONFIG,
                fmt::format("{}: the key file differs from when it was made: digest {}, {} expected; fetch or make it "
                            "anew",
                            file_.name(), found, stated_));
}

}  // namespace pinion::backend_groth16
