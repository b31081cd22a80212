// Key files: read, refused, written, against vectors/prims/groth16-small.
#include <algorithm>
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <pinion/groth16/params.hpp>
#include <pinion/groth16/shape.hpp>
#include <pinion/test/thread_executor.hpp>

#include "small_system.hpp"

using namespace pinion;
using namespace pinion::groth16;
using namespace pinion::test;
using nlohmann::json;

namespace {

struct Queries {
  std::vector<bls::G1Affine> h, l, a, b_g1;
  std::vector<bls::G2Affine> b_g2;
  explicit Queries(const KeyCounts& n) : h(n.h), l(n.l), a(n.a), b_g1(n.b), b_g2(n.b) {}
  QuerySpans spans() { return {h, l, a, b_g1, b_g2}; }
};

std::string write_temporary(const TemporaryDirectory& folder, const Bytes& bytes) {
  const auto path = folder.path() / "x.params";
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  return path.string();
}

// Everything a loader does, on several threads; checking without keeping says the same. Returns trailing bytes.
Result<std::uint64_t> load(const std::string& path, bls::Check check) {
  auto file = File::open(path);
  if (!file) return file.error();
  const auto layout = ParamsLayout::read(*file);
  if (!layout) return layout.error();
  if (auto key = read_verifying_key(*file, *layout); !key) return key.error();
  Queries queries(layout->counts);
  ThreadExecutor threads(3);
  const auto read = read_queries(*file, *layout, check, queries.spans(), threads);
  FileDigest checked_digest(*file);
  const auto checked = check_queries(*file, *layout, check, checked_digest, threads);
  CHECK(static_cast<bool>(read) == static_cast<bool>(checked));
  CHECK(checked_digest.finish(threads).value() == file_digest(path, threads).value());
  FileDigest digest(*file);  // taken on the way, it changes nothing and is that of the whole file
  const auto hashed = read_queries(*file, *layout, check, queries.spans(), threads, &digest);
  CHECK((hashed ? "" : hashed.error().message) == (read ? "" : read.error().message));
  CHECK(digest.finish(threads).value() == file_digest(path, threads).value());
  if (read) return layout->trailing;
  CHECK(read.error().message == checked.error().message);
  return read.error();
}

template <class Point>
void append(Bytes& out, const std::vector<Point>& points) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(static_cast<std::uint8_t>(points.size() >> shift));
  for (const Point& point : points) {
    std::array<std::uint8_t, bls::uncompressed_size<Point>> bytes;
    bls::encode_uncompressed<Point>(point, bytes);
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
}

}  // namespace

TEST_CASE("parameter files have the layout of their circuit") {
  for (const char* name : small_system_names) {
    INFO(name);
    const SmallSystem system(name);
    const auto file = File::open(system.params.string());
    REQUIRE(file);
    const auto layout = ParamsLayout::read(*file);
    REQUIRE(layout);
    const json& lengths = system.json["params"]["lengths"];
    const KeyCounts expected{lengths["ic"], lengths["h"], lengths["l"], lengths["a"], lengths["b_g1"]};
    CHECK(layout->counts == expected);
    CHECK(layout->bytes == system.json["params"]["bytes"].get<std::uint64_t>());
    CHECK(layout->trailing == 0);
    CHECK(ParamsLayout::of(expected).bytes == layout->bytes);
    CHECK(layout->verifying_key_bytes() == system.json["params"]["vk_bytes"].get<std::uint64_t>());
    CHECK(KeyCounts::of(*system.shape()) == expected);
  }
}

TEST_CASE("files of production size are laid out as the published ones are") {
  struct Kind {
    KeyCounts counts;
    std::uint64_t bytes;
  };
  constexpr std::uint32_t h = (1U << 27) - 1;
  const Kind kinds[] = {// PoRep 32GiB, WindowPoSt 64GiB, SnapDeals 64GiB
                        {{.ic = 328, .h = h, .l = 130169893, .a = 328 + 129753292, .b = 1 + 33112281}, 47373928632},
                        {{.ic = 25301, .h = h, .l = 131500200, .a = 25301 + 99624500, .b = 1 + 95413200}, 62556733560},
                        {{.ic = 5, .h = h, .l = 84931220, .a = 5 + 84682725, .b = 1 + 22012683}, 35507495352}};
  const TemporaryDirectory folder;
  for (const auto& [counts, bytes] : kinds) {
    const ParamsLayout expected = ParamsLayout::of(counts);
    CHECK(expected.bytes == bytes);
    // Nothing but the lengths, in a file with holes.
    const auto path = folder.path() / "sparse.params";
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    for (const auto& section : expected.sections) {
      out.seekp(static_cast<std::streamoff>(section.offset) - 4);
      for (int shift = 24; shift >= 0; shift -= 8) out.put(static_cast<char>(section.count >> shift));
    }
    out.close();
    std::filesystem::resize_file(path, bytes + 7);
    const auto read = ParamsLayout::read(File::open(path.string()).value());
    REQUIRE(read);
    CHECK(read->counts == counts);
    CHECK(read->trailing == 7);
  }
}

TEST_CASE("what was read encodes to the same bytes") {
  for (const char* name : small_system_names) {
    INFO(name);
    const SmallSystem system(name);
    const auto file = File::open(system.params.string());
    const auto layout = ParamsLayout::read(*file);
    const auto key = read_verifying_key(*file, *layout);
    REQUIRE(key);
    CHECK(key->encode() == read_file(system.vk));
    CHECK(VerifyingKey::read(system.vk.string()).value() == *key);

    Queries queries(layout->counts);
    SerialExecutor serial;
    for (const auto check : {bls::Check::curve, bls::Check::subgroup})
      REQUIRE(read_queries(*file, *layout, check, queries.spans(), serial));
    Bytes bytes = key->encode();
    for (const auto& section : {queries.h, queries.l, queries.a, queries.b_g1}) append(bytes, section);
    append(bytes, queries.b_g2);
    CHECK(bytes == read_file(system.params));
    CHECK(layout->query_bytes() == bytes.size() - layout->verifying_key_bytes() - 20);
  }
}

// What is said of each of the vectors' damaged files, behind the path.
const std::map<std::string, std::string> damage_messages{
    {"gamma_g2 off the subgroup", "gamma_g2 at byte 384: the point is on the curve but outside the subgroup"},
    {"ic[0] at infinity", "ic[0] at byte 868: the point is the point at infinity"},
    {"ic[0] off the subgroup", "ic[0] at byte 868: the point is on the curve but outside the subgroup"},
    {"h[0] at infinity", "h[0] at byte 1064: the point is the point at infinity"},
    {"h[0] off the subgroup", "h[0] at byte 1064: the point is on the curve but outside the subgroup"},
    {"h[0] off the curve", "h[0] at byte 1064: the point is not on the curve"},
    {"l[0] at infinity", "l[0] at byte 1356: the point is the point at infinity"},
    {"b_g2[last] at infinity", "b_g2[0] at byte 1944: the point is the point at infinity"},
    {"b_g2[last] off the subgroup", "b_g2[0] at byte 1944: the point is on the curve but outside the subgroup"},
    {"h length one too large", "l at byte 1448 says "},
    {"ic length 0", "h at byte 868 says "},
    {"last byte missing", "b_g2 at byte 1940 says 1 points, which would end at byte 2136, but the file has 2135 bytes"},
};

TEST_CASE("altered parameter files are refused as the reference does") {
  const TemporaryDirectory folder;
  const SmallSystem system("tiny");
  for (const json& damage : system.json["damaged_params"]) {
    const std::string what = damage["what"];
    INFO(what);
    Bytes bytes = read_file(system.params);
    if (damage.contains("bytes")) {
      const Bytes put = from_hex(damage["bytes"].get<std::string>());
      std::copy(put.begin(), put.end(), bytes.begin() + damage["offset"].get<std::ptrdiff_t>());
    } else if (what == "last byte missing") {
      bytes.pop_back();
    } else {
      REQUIRE(what == "one byte more");
      bytes.push_back(0);
    }
    const std::string path = write_temporary(folder, bytes);
    const auto checked = load(path, bls::Check::subgroup), unchecked = load(path, bls::Check::curve);
    CHECK(static_cast<bool>(checked) == (damage["read_checked"] == "ok"));
    CHECK(static_cast<bool>(unchecked) == (damage["read_unchecked"] == "ok"));
    if (checked) CHECK(*checked == (what == "one byte more" ? 1 : 0));
    if (!checked) CHECK_THAT(checked.error().message, Catch::StartsWith(path + ": " + damage_messages.at(what)));
  }
}

TEST_CASE("a fault is named with section, index and byte") {
  const TemporaryDirectory folder;
  const SmallSystem system("tiny");  // ic 2, h 3, l 2, a 3, b 1
  const Bytes good = read_file(system.params);
  const auto message = [&](std::size_t offset, Bytes put, bls::Check check = bls::Check::subgroup) {
    Bytes bytes = good;
    std::copy(put.begin(), put.end(), bytes.begin() + static_cast<std::ptrdiff_t>(offset));
    const auto loaded = load(write_temporary(folder, bytes), check);
    return loaded ? std::string() : loaded.error().message.substr(folder.path().string().size() + 1);
  };
  Bytes infinity(96);
  infinity[0] = 0x40;
  CHECK(message(1064 + 96, infinity) == "x.params: h[1] at byte 1160: the point is the point at infinity");
  CHECK(message(1356, Bytes(1, 0xff)) ==
        "x.params: l[0] at byte 1356: the point has the wrong compression flag: compressed bytes where uncompressed "
        "ones belong, or the other way round");
  // Two faults: the first in the file is reported.
  Bytes bytes = good;
  bytes[1064 + 95] ^= 1;
  bytes[1940 + 100] ^= 1;
  const auto both = load(write_temporary(folder, bytes), bls::Check::curve);
  REQUIRE_FALSE(both);
  CHECK_THAT(both.error().message, Catch::EndsWith("h[0] at byte 1064: the point is not on the curve"));
  CHECK(both.error().code == ErrorCode::malformed);
  CHECK(message(864, {0, 0, 0, 0}) != "");
  CHECK(message(864, {0xff, 0xff, 0xff, 0xff}) ==
        "x.params: ic at byte 864 says 4294967295 points, which would end at byte 412316861188, but the file has 2136 "
        "bytes: it is cut short, or not a parameter file");
}

TEST_CASE("a file cut anywhere is truncated, never read past its end") {
  const TemporaryDirectory folder;
  const Bytes good = read_file(SmallSystem("tiny").params);
  for (std::size_t length = 0; length < good.size(); length += length % 96 == 0 ? 1 : 5) {
    const auto loaded =
        load(write_temporary(folder, Bytes(good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length))),
             bls::Check::curve);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.error().code == ErrorCode::truncated);
  }
}

TEST_CASE("reading that is cancelled at any moment says so, or is whole") {
  class Cancelling final : public Executor {
   public:
    explicit Cancelling(unsigned polls) : left_(polls) {}
    unsigned width() const noexcept override { return 1; }
    void run(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) override {
      for (std::uint64_t i = 0; i < count; ++i) fn(arg, i);
    }
    bool cancelled() const noexcept override { return left_ == 0 || --left_ == 0; }

   private:
    mutable unsigned left_;
  };
  const SmallSystem system("tiny");
  const File file = File::open(system.params.string()).value();
  const ParamsLayout layout = ParamsLayout::read(file).value();
  Queries whole(layout.counts);
  SerialExecutor serial;
  REQUIRE(read_queries(file, layout, bls::Check::curve, whole.spans(), serial));
  for (const bool hashed : {false, true}) {
    unsigned cancelled = 0;
    for (bool done = false; !done;) {
      Cancelling executor(cancelled + 1);
      Queries queries(layout.counts);
      FileDigest digest(file);
      try {
        const auto read =
            read_queries(file, layout, bls::Check::curve, queries.spans(), executor, hashed ? &digest : nullptr);
        REQUIRE(read);
        CHECK((queries.h == whole.h && queries.b_g2 == whole.b_g2));
        done = true;
      } catch (const Cancelled&) {
        ++cancelled;
      }
    }
    CHECK(cancelled > 3);
  }
}

TEST_CASE("keys of another circuit are told apart") {
  const KeyCounts tiny = KeyCounts::of(*SmallSystem("tiny").shape());
  KeyCounts other = tiny;
  CHECK(check_counts(tiny, other, "k.params"));
  other.l += 1;
  const auto different = check_counts(tiny, other, "k.params");
  REQUIRE_FALSE(different);
  CHECK(different.error().message ==
        "k.params: l has 2 points where the circuit needs 3: the key belongs to another circuit");
}

TEST_CASE("a verifying key ends where its ic ends") {
  const Bytes good = read_file(SmallSystem("exact").vk);
  Bytes bytes = good;
  bytes.push_back(0);
  CHECK(VerifyingKey::decode(bytes, "k.vk").error().code == ErrorCode::malformed);
  for (std::size_t length = 0; length < good.size(); length += 7)
    CHECK(VerifyingKey::decode(std::span(good).first(length), "k.vk").error().code == ErrorCode::truncated);
}
