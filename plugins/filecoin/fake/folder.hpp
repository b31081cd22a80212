// What a fake sector is written to: a folder's new files, and meta.json, which says what no other file does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <pinion/filecoin/digest.hpp>
#include <string>
#include <string_view>

namespace pinion::filecoin {

// What making up any sector takes at most (measured: 18 MiB for SnapDeals of 64GiB, 81 MiB for every label of 8MiB).
inline constexpr std::uint64_t fake_reserve = std::uint64_t{96} << 20;

// A file made here and nowhere there before. Throws pinion::Error UNSUPPORTED with the system's reason.
class NewFile {
 public:
  // [worker]
  NewFile(const std::string& folder, const std::string& name);
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();
  // Appends. [worker]
  void write(ByteView bytes);

 private:
  [[noreturn]] void fail() const;
  std::filesystem::path path_;
  int descriptor_;
};

void write_new_file(const std::string& folder, const std::string& name, ByteView bytes);

// A flat JSON object, built key by key.
class MetaJson {
 public:
  MetaJson& text(std::string_view key, std::string_view value);  // nothing in it that JSON escapes
  MetaJson& number(std::string_view key, std::uint64_t value);
  MetaJson& hex(std::string_view key, ByteView value) { return text(key, to_hex(value)); }
  MetaJson& json(std::string_view key, std::string_view value);  // as it is
  // The object so far, with a last line that says where it comes from.
  std::string finish(std::uint64_t seed);

 private:
  std::string text_ = "{";
};

}  // namespace pinion::filecoin
