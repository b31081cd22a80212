// The plugin as a host sees it: the shared library, its entry, its tables, and the fake host on the other side.
#pragma once

#include <pinion/pinion.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <map>
#include <pinion/filecoin/parameters.hpp>
#include <pinion/testing/loaded_plugin.hpp>
#include <string>
#include <vector>

#include "cases.hpp"

namespace pinion::filecoin::test {

class PluginUnderTest : public testing::LoadedPlugin {
 public:
  PluginUnderTest() : LoadedPlugin(PLUGIN_PATH) {
    INFO(message());
    REQUIRE((proof != nullptr && residents != nullptr && keys != nullptr && samples != nullptr));
  }

  const pinion_kind& kind(std::size_t i) const {
    std::uint32_t count = 0;
    const pinion_kind* const* kinds = proof->kinds(self(), &count);
    REQUIRE(i < count);
    return *kinds[i];
  }

  const pinion_proof* const proof = table<pinion_proof>(PINION_PROOF);
  const pinion_resident* const residents = table<pinion_resident>(PINION_RESIDENT);
  const pinion_keys* const keys = table<pinion_keys>(PINION_KEYS);
  const pinion_samples* const samples = table<pinion_samples>(PINION_SAMPLE);
};

inline pinion_error fresh_error() {
  pinion_error error{};
  error.size = sizeof error;
  return error;
}

// What a call came to: "0 " for success, else the status and its sentence.
inline std::string outcome(pinion_status status, const pinion_error& error) {
  return std::to_string(status) + " " + (status == PINION_OK ? "" : error.message);
}

// Collects what a plugin states.
struct Facts {
  std::map<std::string, std::string> found;
  const pinion_fact_sink* sink() { return &sink_; }

 private:
  pinion_fact_sink sink_{this, [](void* context, const char* key, const char* value) {
                           static_cast<Facts*>(context)->found[key] = value;
                         }};
};

// A new or another file with this content.
inline void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << text;
}

// A parameter folder that holds only the verifying key made from the label "toxic", and the mark of the parameter file.
class TestKeys {
 public:
  static constexpr const char* params_digest = "00112233445566778899aabbccddeeff";
  TestKeys() {
    write(folder_.path() / (parameter_files(ParameterFamily::Porep, SectorSize::k2KiB).params() + ".insecure"),
          std::string("blake2b ") + params_digest + "\n");
    std::filesystem::copy_file(pinion::test::small_vectors_dir() / "setup/porep-2KiB.vk",
                               folder_.path() / parameter_files(ParameterFamily::Porep, SectorSize::k2KiB).vk());
  }
  std::string path() const { return folder_.path().string(); }

 private:
  pinion::test::TemporaryDirectory folder_;
};

// A request and the bytes it points to.
struct RequestUnderTest {
  pinion::test::Bytes c1;
  std::vector<pinion_field> fields;
  std::uint32_t flags = PINION_REQUEST_TEST_KEYS;
  std::string params_dir;
  std::vector<std::pair<std::string, std::string>> beside{};  // further parts: names and texts

  // The sealed 2 KiB sector of the small vectors.
  static RequestUnderTest sealed(const std::string& params_dir, const char* file = "c1.json") {
    const auto path = pinion::test::small_vectors_dir() / "cases/porep-2KiB-V1_1-seed11" / file;
    return {pinion::test::read_file(path),
            {{"miner_id", 1000, {}}, {"sector_number", 24446, {}}},
            PINION_REQUEST_TEST_KEYS,
            params_dir};
  }

  struct Opened {
    void* session = nullptr;
    const pinion_kind* kind = nullptr;
    std::string outcome;
  };
  Opened open(const PluginUnderTest& plugin, const testing::FakeCall& call, unsigned parts = 1) const {
    const pinion_part part{"c1.json", {c1.data(), c1.size()}};
    std::vector<pinion_part> all(parts, part);
    for (const auto& [name, text] : beside)
      all.push_back({name.c_str(), {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()}});
    pinion_request request{};
    request.size = sizeof request;
    request.flags = flags;
    request.family = "porep";
    request.params_dir = params_dir.c_str();
    request.parts = all.data();
    request.part_count = static_cast<std::uint32_t>(all.size());
    request.fields = fields.data();
    request.field_count = static_cast<std::uint32_t>(fields.size());
    Opened out;
    pinion_error error = fresh_error();
    const pinion_status status =
        plugin.proof->open(plugin.self(), &request, call.table(), &out.session, &out.kind, &error);
    out.outcome = test::outcome(status, error);
    if (status != PINION_OK) REQUIRE(out.session == nullptr);
    return out;
  }
};

// A session that opened, closed at the end of its scope.
class SessionUnderTest {
 public:
  SessionUnderTest(const PluginUnderTest& plugin, const RequestUnderTest& request, const testing::FakeCall& call)
      : plugin_(plugin) {
    const auto opened = request.open(plugin, call);
    REQUIRE(opened.outcome == "0 ");
    session_ = opened.session;
    kind = opened.kind;
  }
  SessionUnderTest(const SessionUnderTest&) = delete;
  SessionUnderTest& operator=(const SessionUnderTest&) = delete;
  ~SessionUnderTest() { plugin_.proof->close(plugin_.self(), session_); }

  void* get() const { return session_; }
  pinion_plan plan(const char* format) const {
    pinion_plan plan{};
    plan.size = sizeof plan;
    pinion_error error = fresh_error();
    REQUIRE(outcome(plugin_.proof->plan(plugin_.self(), session_, format, &plan, &error), error) == "0 ");
    return plan;
  }
  std::string verify_part(std::uint32_t partition, const pinion::test::Bytes& part,
                          const testing::FakeCall& call) const {
    pinion_error error = fresh_error();
    return outcome(plugin_.proof->verify_part(plugin_.self(), session_, partition, {part.data(), part.size()},
                                              call.table(), &error),
                   error);
  }
  std::string verify(const pinion::test::Bytes& proof, const testing::FakeCall& call) const {
    pinion_error error = fresh_error();
    return outcome(plugin_.proof->verify(plugin_.self(), session_, {proof.data(), proof.size()}, call.table(), &error),
                   error);
  }

  const pinion_kind* kind = nullptr;

 private:
  const PluginUnderTest& plugin_;
  void* session_ = nullptr;
};

}  // namespace pinion::filecoin::test
