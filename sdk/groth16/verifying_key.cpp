#include "verifying_key.hpp"

#include <fmt/format.h>

#include "point_io.hpp"

namespace pinion::groth16 {

namespace {

// Walks over the bytes of a key; remembers the first fault and then does nothing more.
class KeyReader {
 public:
  KeyReader(std::span<const std::uint8_t> bytes, std::string_view where) : bytes_(bytes), where_(where) {}

  template <class Point>
  void point(Point& out, std::string_view name, Infinity infinity) {
    if (error_) return;
    const auto bytes = bytes_.subspan(offset_).template first<bls::uncompressed_size<Point>>();
    const auto decoded = bls::decode_uncompressed<Point>(bytes, bls::Check::subgroup);
    if (const char* fault = fault_of(decoded, infinity)) error_ = point_error(where_, name, offset_, fault);
    out = decoded.point;
    offset_ += bytes.size();
  }
  void skip(std::size_t bytes) { offset_ += bytes; }
  const std::optional<Error>& error() const { return error_; }

 private:
  std::span<const std::uint8_t> bytes_;
  std::string_view where_;
  std::size_t offset_ = 0;
  std::optional<Error> error_;
};

}  // namespace

Result<VerifyingKey> VerifyingKey::decode(std::span<const std::uint8_t> bytes, std::string_view where) {
  if (bytes.size() < fixed_bytes + 4)
    return Error{ErrorCode::truncated,
                 fmt::format("{}: {} bytes are too few for a verifying key, whose fixed part has {}", where,
                             bytes.size(), fixed_bytes + 4)};
  const std::uint32_t ic_length = read_u32_be(bytes.data() + fixed_bytes);
  if (ic_length == 0)
    return Error{ErrorCode::malformed,
                 fmt::format("{}: ic at byte {} has no points; there is always one for ONE", where, fixed_bytes)};
  if (bytes.size() != encoded_bytes(ic_length)) {
    const bool shorter = bytes.size() < encoded_bytes(ic_length);
    return Error{shorter ? ErrorCode::truncated : ErrorCode::malformed,
                 fmt::format("{}: ic at byte {} has {} points, so the key ends at byte {}, but there are {} bytes",
                             where, fixed_bytes, ic_length, encoded_bytes(ic_length), bytes.size())};
  }
  VerifyingKey key;
  KeyReader reader(bytes, where);
  reader.point(key.alpha_g1, "alpha_g1", Infinity::allowed);
  reader.point(key.beta_g1, "beta_g1", Infinity::allowed);
  reader.point(key.beta_g2, "beta_g2", Infinity::allowed);
  reader.point(key.gamma_g2, "gamma_g2", Infinity::allowed);
  reader.point(key.delta_g1, "delta_g1", Infinity::allowed);
  reader.point(key.delta_g2, "delta_g2", Infinity::allowed);
  reader.skip(4);  // ic_length
  key.ic.resize(ic_length);
  for (std::size_t i = 0; i < key.ic.size() && !reader.error(); ++i)
    reader.point(key.ic[i], fmt::format("ic[{}]", i), Infinity::refused);
  if (reader.error()) return *reader.error();
  return key;
}

Result<VerifyingKey> VerifyingKey::read(const std::string& path) {
  auto file = File::open(path);
  if (!file) return file.error();
  // No verifying key comes near this: a wrong file must not fill the memory.
  constexpr std::uint64_t most = std::uint64_t{64} << 20;
  if (file->size() > most)
    return Error{ErrorCode::malformed,
                 fmt::format("{}: {} bytes are too many for a verifying key; is it a .params file?", file->name(),
                             file->size())};
  std::vector<std::uint8_t> bytes(file->size());
  if (auto read = file->read_exactly(0, bytes); !read) return read.error();
  return decode(bytes, file->name());
}

std::vector<std::uint8_t> VerifyingKey::encode() const {
  std::vector<std::uint8_t> out(encoded_bytes(ic.size()));
  std::span<std::uint8_t> rest(out);
  const auto put = [&]<class Point>(const Point& point) {
    bls::encode_uncompressed<Point>(point, rest.first<bls::uncompressed_size<Point>>());
    rest = rest.subspan(bls::uncompressed_size<Point>);
  };
  put(alpha_g1);
  put(beta_g1);
  put(beta_g2);
  put(gamma_g2);
  put(delta_g1);
  put(delta_g2);
  write_u32_be(static_cast<std::uint32_t>(ic.size()), rest.data());
  rest = rest.subspan(4);
  for (const bls::G1Affine& point : ic) put(point);
  return out;
}

}  // namespace pinion::groth16
