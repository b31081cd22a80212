#include "key_resident.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <pinion/groth16/point_io.hpp>

#include "decode.hpp"

namespace pinion::backend_cuda {

using backend_groth16::KeyFile;
using backend_groth16::valid;
using cuda::Curve;
using groth16::KeySection;

namespace {

// Read, copied and decoded at once; there are two of each, in page-locked and in device memory. A multiple of both
// sizes of point.
constexpr std::uint64_t piece_bytes = std::uint64_t{192} << 17;  // 24 MiB
constexpr std::uint64_t pieces = 2;
constexpr std::uint64_t read_grain = std::uint64_t{1} << 20;
// Reading from a warm page cache; an estimate for the evictor.
constexpr std::uint64_t bytes_per_ms = std::uint64_t{4} << 20;

constexpr Curve curve_of(KeySection section) {
  return section == KeySection::b_g2 ? Curve::g2 : Curve::g1;
}

// Reads all queries of a file into their places. `digest`, if any, is given the bytes on their way.
class Loader {
 public:
  Loader(Device& device, const KeyFile& keys, const KeyPlaces& places, const KeyResident& resident, std::byte* staging,
         groth16::FileDigest* digest, Call& call)
      : device_(device), keys_(keys), digest_(digest), call_(call), stream_(device.new_stream()) {
    device_.check(cuda::Memory::make(pinned_, cuda::Memory::Where::pinned, pieces * piece_bytes));
    for (std::uint64_t i = 0; i < pieces; ++i) {
      slots_[i].host = pinned_.get() + i * piece_bytes;
      slots_[i].device = staging + i * piece_bytes;
      slots_[i].free = device_.new_event();
    }
    first_bad_ = reinterpret_cast<std::uint32_t*>(staging + pieces * piece_bytes);
    targets_ = {Target{KeySection::h, resident.h(), {places.lg_domain}}, Target{KeySection::l, resident.l(), {}},
                Target{KeySection::a, resident.a(), {}}, Target{KeySection::b_g1, resident.b_g1(), {}},
                Target{KeySection::b_g2, resident.b_g2(), {}}};
  }
  ~Loader() {
    for (const Slot& slot : slots_)
      if (slot.used) device_.drain(slot.free);
  }
  Loader(const Loader&) = delete;
  Loader& operator=(const Loader&) = delete;

  void run() {
    device_.check(
        cuda::fill_async(first_bad_, 0, sizeof(std::uint32_t) * targets_.size(), stream_.get(), "a key's status"));
    total_ = keys_.layout.query_bytes();
    for (std::size_t t = 0; t < targets_.size(); ++t) read_section(targets_[t], first_bad_ + t);
    device_.check(cuda::copy_async(bad_.data(), first_bad_, sizeof bad_, stream_.get(), "a key's status"));
    device_.check(cuda::synchronize(stream_.get(), "loading a key"));
  }
  // After run(): throws INVALID_CONFIG naming the first bad point of a section.
  void require_points() const {
    for (std::size_t t = 0; t < targets_.size(); ++t)
      if (bad_[t] != 0) refuse(targets_[t].section, ~bad_[t]);
  }

 private:
  struct Target {
    KeySection section;
    std::byte* points;
    cuda::PointOrder order;
  };
  struct Slot {
    std::byte* host = nullptr;
    std::byte* device = nullptr;
    cuda::Event free;
    bool used = false;
  };

  void read_section(const Target& target, std::uint32_t* first_bad) {
    const Curve curve = curve_of(target.section);
    const auto& section = keys_.layout[target.section];
    const std::uint64_t point = cuda::affine_bytes(curve);
    for (std::uint64_t at = 0; at < section.bytes; at += piece_bytes) {
      const std::uint64_t bytes = std::min(piece_bytes, section.bytes - at);
      Slot& slot = slots_[next_++ % pieces];
      if (slot.used) device_.wait(slot.free, call_);
      read(section.offset + at, {reinterpret_cast<std::uint8_t*>(slot.host), static_cast<std::size_t>(bytes)});
      slot.used = true;
      device_.check(cuda::copy_async(slot.device, slot.host, bytes, stream_.get(), "copying a key"));
      device_.check(cuda::decode_points(curve, slot.device, at / point, bytes / point, target.order, target.points,
                                        first_bad, stream_.get()));
      device_.check(slot.free.record(stream_.get()));
      done_ += bytes;
      call_.progress(done_, total_);
    }
  }

  // Hashes the piece before it meanwhile, which lies in another slot. The last one is left to the digest's finish().
  void read(std::uint64_t offset, std::span<std::uint8_t> out) {
    const std::uint64_t parts = (out.size() + read_grain - 1) / read_grain;
    call_.for_each(1 + parts, [&](std::uint64_t i) {
      if (i == 0) {  // what takes longest comes first
        if (digest_ != nullptr && !previous_.empty()) valid(digest_->add(previous_offset_, previous_));
        return;
      }
      const std::uint64_t at = (i - 1) * read_grain;
      const std::uint64_t bytes = std::min(read_grain, out.size() - at);
      valid(keys_.file.read_exactly(offset + at, out.subspan(at, bytes)));
    });
    previous_offset_ = offset;
    previous_ = out;
  }

  // The device has found that a point is bad; the decoder of the CPU says why.
  [[noreturn]] void refuse(KeySection section, std::uint32_t number) const {
    if (curve_of(section) == Curve::g1) refuse_point<bls::G1Affine>(section, number);
    refuse_point<bls::G2Affine>(section, number);
  }
  template <class Point>
  [[noreturn]] void refuse_point(KeySection section, std::uint32_t number) const {
    const std::uint64_t offset = keys_.layout[section].offset + number * sizeof(Point);
    std::array<std::uint8_t, sizeof(Point)> bytes{};
    valid(keys_.file.read_exactly(offset, bytes));
    const auto decoded =
        bls::decode_uncompressed<Point>(std::span<const std::uint8_t, sizeof(Point)>(bytes), bls::Check::curve);
    const char* const why = groth16::fault_of(decoded, groth16::Infinity::refused);
    const std::string name = fmt::format("{}[{}]", groth16::name_of(section), number);
    if (why == nullptr)
      throw Error(PINION_INTERNAL, fmt::format("{}: {} refuses {} at byte {}, which the CPU accepts: the file changed, "
                                               "or the device computes wrongly",
                                               keys_.file.name(), device_.name(), name, offset));
    throw Error(PINION_INVALID_CONFIG, groth16::point_error(keys_.file.name(), name, offset, why).message);
  }

  Device& device_;
  const KeyFile& keys_;
  groth16::FileDigest* digest_;
  Call& call_;
  cuda::StreamOwner stream_;
  cuda::Memory pinned_;
  std::array<Slot, pieces> slots_;
  std::uint32_t* first_bad_;  // on the device, one of each section
  std::array<std::uint32_t, 5> bad_{};
  std::array<Target, 5> targets_;
  std::span<const std::uint8_t> previous_;
  std::uint64_t previous_offset_ = 0;
  std::uint64_t next_ = 0, done_ = 0, total_ = 0;
};

}  // namespace

KeyPlaces::KeyPlaces(const groth16::KeyCounts& n)
    : lg_domain(static_cast<unsigned>(std::countr_zero(std::uint64_t{n.h} + 1))) {
  std::uint64_t at = 0;
  const auto place = [&at](std::uint64_t size) {
    const std::uint64_t here = at;
    at += DeviceSpace::padded(size);
    return here;
  };
  const std::uint64_t g1 = cuda::affine_bytes(Curve::g1), g2 = cuda::affine_bytes(Curve::g2);
  h = place((std::uint64_t{n.h} + 1) * g1);
  l = place(n.l * g1);
  a = place(n.a * g1);
  b_g1 = place(n.b * g1);
  b_g2 = place(n.b * g2);
  tables = place(cuda::Ntt::table_bytes(lg_domain));
  staging = place(pieces * piece_bytes + DeviceSpace::alignment);
  bytes = at;
}

pinion_resident_info KeyResident::describe(const pinion_resource& resource) {
  pinion_resident_info info{};
  info.size = sizeof info;
  info.device_bytes = KeyPlaces(KeyFile::open(resource).layout.counts).bytes;
  info.load_bytes = pieces * piece_bytes;
  info.reload_ms = info.device_bytes / bytes_per_ms;
  return info;
}

KeyResident::KeyResident(Device& device, const groth16::KeyCounts& counts, groth16::VerifyingKey head)
    : device_(device),
      counts_(counts),
      places_(counts),
      block_(device.space().take(places_.bytes, DeviceSpace::End::low, "keys")),
      head_(std::move(head)) {
  build_tables();
}

KeyResident::KeyResident(Device& device, const pinion_resource& resource, Call& call)
    : KeyResident(device, KeyFile::open(resource), resource, call) {}

KeyResident::KeyResident(Device& device, const KeyFile& keys, const pinion_resource& resource, Call& call)
    : KeyResident(device, keys.layout.counts, {}) {
  const Span span(call, "read keys");
  file_ = keys.file.path();
  backend_groth16::KeyDigest digest(resource, keys.file);
  Loader loader(device_, keys, places_, *this, block_.data() + places_.staging, digest.running(), call);
  loader.run();
  digest.require(call);
  loader.require_points();
  head_ = valid(groth16::read_verifying_key(keys.file, keys.layout));
}

// Also the point at the last place of h: the quotient's degree leaves its scalar zero.
void KeyResident::build_tables() {
  const cuda::StreamOwner stream = device_.new_stream();
  cuda::Arena arena(block_.data() + places_.tables, places_.staging - places_.tables);
  device_.check(ntt_.build(places_.lg_domain, arena, stream.get()));
  const std::uint64_t g1 = cuda::affine_bytes(Curve::g1);
  device_.check(cuda::fill_async(h() + counts_.h * g1, 0, g1, stream.get(), "the last place of h"));
  device_.check(cuda::synchronize(stream.get(), "building tables"));
}

}  // namespace pinion::backend_cuda
