// The gates: each of many broken plugins is refused with its own reason, and the odd but sound ones are not.
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <pinion/host/bridge/host_table.hpp>
#include <pinion/host/plugins/allocator.hpp>
#include <pinion/host/plugins/backend.hpp>
#include <pinion/host/plugins/options.hpp>
#include <pinion/test/vectors.hpp>
#include <sstream>

using namespace pinion::host;
using Catch::Contains;
namespace fs = std::filesystem;

namespace {

const fs::path doubles = LOADER_DOUBLES;

Manifest manifest_of(const std::string& id) {
  auto manifest = read_manifest(doubles / (id + ".toml"));
  REQUIRE(manifest.ok());
  return *manifest;
}

// Through all gates an allocator has, as the registry does it; the options are those the plugin declares as defaults.
Status load(const Manifest& manifest) {
  MemoryLog log;
  HostTables hosts(log);
  auto library = Library::load(manifest);
  if (!library) return library.status();
  const pinion_option color{"color", PINION_OPTION_TEXT, 0, 0, "red", nullptr};
  auto instance = Instance::create(*library, hosts.host_table(manifest.id), {&color, 1});
  if (!instance) return instance.status();
  auto allocator = AllocatorPlugin::open(*instance);
  if (!allocator) return allocator.status();
  return (*allocator)->self_test();
}

std::string version(int major) {
  return std::to_string(major) + "." + std::to_string(PINION_ABI_MINOR);
}

// A copy of the good plugin that a test may spoil.
struct Copy {
  pinion::test::TemporaryDirectory dir;
  Manifest manifest = manifest_of("good");
  Copy() {
    fs::copy_file(manifest.library, dir.path() / "good.so");
    manifest.library = dir.path() / "good.so";
  }
};

}  // namespace

TEST_CASE("Sound plugins pass every gate") {
  // A minor version more or less, structs longer than this host knows, out structs shorter than this host asks for.
  for (const char* id : {"good", "newer-minor", "older-minor", "longer-structs", "older-out-structs"}) {
    const Status status = load(manifest_of(id));
    INFO(id << ": " << status.text());
    CHECK(status.ok());
  }
}

TEST_CASE("A backend of ABI 0.1 opens, and says neither how busy its device is nor how it sees memory") {
  MemoryLog log;
  HostTables hosts(log);
  const auto library = Library::load(manifest_of("old-backend"));
  INFO(library.status().text());
  REQUIRE(library.ok());
  auto instance = Instance::create(*library, hosts.host_table("old-backend"), {});
  REQUIRE(instance.ok());
  const auto backend = BackendPlugin::open(*instance);
  INFO(backend.status().text());
  REQUIRE(backend.ok());
  CHECK((*backend)->devices().at(0).name == "an old device");
  CHECK_FALSE((*backend)->busy_time(0));
  CHECK((*backend)->memory_seen(0, "x", Bytes(1)) == SeenAs::unknown);
}

TEST_CASE("A plugin built from the frozen headers of any release loads") {
  std::istringstream releases(LOADER_RELEASES);
  unsigned count = 0;
  for (std::string id; std::getline(releases, id, ';'); ++count) {
    const Status status = load(manifest_of(id));
    INFO(id << ": " << status.text());
    CHECK(status.ok());
  }
  CHECK(count >= 1);
}

TEST_CASE("Every broken plugin is refused with its own reason") {
  const std::vector<std::tuple<std::string, Code, std::string>> faults = {
      {"bad-magic", Code::invalid_config, "begins with 21212121, expected 4e4e4950; it is not a pinion plugin"},
      {"bad-major", Code::invalid_config,
       "was built for plugin ABI " + version(PINION_ABI_MAJOR + 1) + ", this host has " + version(PINION_ABI_MAJOR) +
           "; majors must be equal"},
      {"bad-entry-size", Code::invalid_config, "pinion_plugin says it is 40 bytes, expected 48"},
      {"bad-entry-query", Code::invalid_config, "pinion_plugin lacks create, destroy or query"},
      {"bad-info-null", Code::invalid_config, "pinion_plugin.info is missing"},
      {"bad-short-info", Code::invalid_config, "it lists 1 interfaces; a plugin has at least one"},
      {"bad-id", Code::invalid_config, "says its id is \"somebody-else\", its manifest"},
      {"bad-bad-id", Code::invalid_config, "id \"Not An Id\" is not [a-z0-9-]"},
      {"bad-missing-symbol", Code::invalid_config, "does not export pinion_plugin; it exports nothing; PINION_PLUGIN("},
      {"bad-extra-symbol", Code::invalid_config, "helper_that_got_out besides pinion_plugin"},
      {"bad-unresolved-symbol", Code::invalid_config, "undefined symbol: nobody_defines_this"},
      {"bad-dependency", Code::invalid_config, "libloader-gone.so: cannot open shared object file"},
      {"bad-missing-function", Code::invalid_config, "lacks required functions: allocate"},
      {"bad-short-table", Code::invalid_config, "(24 bytes) lacks required functions: release"},
      {"bad-huge-table", Code::invalid_config, "pinion.allocator/1 says it is 1048576 bytes"},
      {"bad-query-null", Code::invalid_config, "lists the interface pinion.allocator/1 but answers nothing"},
      {"bad-option-type", Code::invalid_config, "option \"color\" has type 99"},
      {"bad-option-twice", Code::invalid_config, "option \"color\" is declared twice"},
      {"bad-option-null", Code::invalid_config, "option 0 is a null pointer"},
      {"bad-create", Code::invalid_config,
       "bad-create create: the moon is in the wrong phase; wait a week (native code 5)"},
      {"bad-throws", Code::internal, "bad-throws create broke a rule: let an exception out: thrown across the border"},
      {"bad-granularity", Code::invalid_config, "granularity is 5000, expected a power of two of at least 4096"},
      {"bad-kind", Code::invalid_config, "kind is 64, expected 1 (pageable) or 2 (pinned)"},
      {"bad-misaligned", Code::internal, "is not aligned to the 4096 bytes it described"},
      {"bad-status", Code::internal, "returned status 77, which is not in the list"},
  };
  for (const auto& [id, code, reason] : faults) {
    const Status status = load(manifest_of(id));
    INFO(id);
    CHECK(status.code() == code);
    CHECK_THAT(status.message(), Contains(reason));
    CHECK_THAT(status.message(), Contains(id));
  }
}

TEST_CASE("A library's place and file are checked before anything of it runs") {
  Copy copy;
  const fs::path& library = copy.manifest.library;
  const auto reason = [&] { return Library::load(copy.manifest).status().message(); };
  // A loaded file must not be spoiled, so each section has its own copy.
  SECTION("untouched") {
    CHECK(load(copy.manifest).ok());
  }
  SECTION("writable by others") {
    ::chmod(library.c_str(), 0666);
    CHECK_THAT(reason(), Contains("good.so is writable by others (mode 0666); chmod o-w " + library.string()));
  }
  SECTION("in a folder that others may write to") {
    ::chmod(copy.dir.path().c_str(), 0777);
    CHECK_THAT(reason(), Contains("the folder of good.so, is writable by others (mode 0777)"));
  }
  SECTION("a text file") {
    std::ofstream(library) << "not a library\n";
    CHECK_THAT(reason(), Contains("good.so is not a shared library"));
  }
  SECTION("cut short") {
    fs::resize_file(library, fs::file_size(library) - 100);
    CHECK_THAT(reason(), Contains("good.so is cut short"));
  }
  SECTION("absent") {
    fs::remove(library);
    CHECK_THAT(reason(), Contains("good.so cannot be opened: No such file"));
  }
  SECTION("a folder") {
    fs::remove(library);
    fs::create_directory(library);
    CHECK_THAT(reason(), Contains("good.so is not a regular file"));
  }
  SECTION("a relative path") {
    copy.manifest.library = "good.so";
    CHECK_THAT(reason(), Contains("good.so is not an absolute path"));
  }
  SECTION("another digest than the manifest's") {
    copy.manifest.sha256 = std::string(64, '0');
    CHECK_THAT(reason(), Contains("good.so has SHA-256 ") && Contains("one of them was replaced"));
  }
  SECTION("the manifest's digest") {
    copy.manifest.sha256 = pinion::test::sha256_hex(pinion::test::read_file(library));
    CHECK(Library::load(copy.manifest).ok());
  }
  SECTION("another version than the manifest's") {
    copy.manifest.version = "9.9.9";
    CHECK_THAT(reason(), Contains("says its version is \"1.2.3\"") && Contains("says \"9.9.9\""));
  }
  SECTION("another ABI than the manifest's") {
    copy.manifest.abi_major = 3;
    CHECK_THAT(reason(), Contains("says its ABI is \"0.") && Contains("says \"3."));
  }
  SECTION("other interfaces than the manifest's") {
    copy.manifest.interfaces = {"pinion.proof/1"};
    CHECK_THAT(reason(), Contains("its interfaces are \"pinion.allocator/1\""));
  }
}

TEST_CASE("What a plugin says of itself is copied") {
  const auto library = Library::load(manifest_of("good"));
  REQUIRE(library.ok());
  const PluginInfo& info = (*library)->info();
  CHECK(info.name == "Test allocator");
  CHECK(info.interfaces == std::vector<std::string>{"pinion.allocator/1"});
  REQUIRE(info.options.size() == 1);
  CHECK(info.options[0].default_value == "red");
  CHECK(info.options[0].choices == std::vector<std::string>{"red", "green"});
  const auto declared = declared_options(info.options);
  REQUIRE(declared.size() == 1);
  CHECK(declared[0].rule.type == OptionType::text);
  CHECK(declared[0].rule.choices == std::vector<std::string>{"red", "green"});
}

TEST_CASE("A table of another age is adopted as far as both sides know it") {
  // A host that knows one function more than the plugin, and one that knows one less.
  struct OldTable {
    std::uint32_t size, reserved;
    void (*first)();
  } old{sizeof(OldTable), 0, [] {}};
  struct NewTable {
    std::uint32_t size, reserved;
    void (*first)();
    void (*second)();
  } fresh{sizeof(NewTable), 0, [] {}, [] {}};

  NewTable in_new_host{1, 1, nullptr, [] {}};
  REQUIRE(adopt_struct(&old, "old-plugin", "table", in_new_host).ok());
  CHECK(in_new_host.first == old.first);
  CHECK(in_new_host.second == nullptr);  // zeroed, not left over
  CHECK(in_new_host.size == sizeof(OldTable));

  struct {
    OldTable table;
    std::uint64_t canary = 0x5ca1ab1e;
  } in_old_host;
  REQUIRE(adopt_struct(&fresh, "new-plugin", "table", in_old_host.table).ok());
  CHECK(in_old_host.table.first == fresh.first);
  CHECK(in_old_host.table.size == sizeof(OldTable));
  CHECK(in_old_host.canary == 0x5ca1ab1e);

  for (const std::uint32_t absurd : {0u, 4u, 1u << 20}) {
    OldTable bad{absurd, 0, nullptr};
    NewTable out{};
    CHECK_FALSE(adopt_struct(&bad, "bad-plugin", "table", out).ok());
  }
}

TEST_CASE("Instances are independent, and a library is loaded once for all of them") {
  MemoryLog log;
  HostTables hosts(log);
  const auto library = Library::load(manifest_of("good"));
  REQUIRE(library.ok());
  const pinion_option color{"color", PINION_OPTION_TEXT, 0, 0, "red", nullptr};
  for (int round = 0; round < 100; ++round) {
    auto one = Instance::create(*library, hosts.host_table("good"), {&color, 1});
    auto two = Instance::create(*library, hosts.host_table("good"), {&color, 1});
    REQUIRE(one.ok());
    REQUIRE(two.ok());
    CHECK((*one)->table<pinion_allocator>().ok());
    CHECK((*two)->table<pinion_backend>().status().code() == Code::unsupported);
  }
  CHECK(log.lines().empty());
}
