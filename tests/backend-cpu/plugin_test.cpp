// The whole way of jobs through the plugin: parts, cancellation, refusals.
#include <fstream>
#include <pinion/groth16/digest.hpp>
#include <pinion/groth16/params.hpp>

#include "cpu_plugin.hpp"

using namespace pinion;
using namespace pinion::test;

namespace {

// In order of their end: an outer span comes after its parts. Nothing is copied in either form; the first pass over a
// and b is in start, because it reads what the host lends. The domain of "tiny" is transformed in one go.
std::vector<std::string> spans_of_start(std::string_view name, bool evaluated) {
  std::vector<std::string> out;
  for (const char* query : {"l", "a", "b_g1", "b_g2"}) {
    out.emplace_back("add ones");
    out.emplace_back("multiply scalars");
    out.push_back(std::string("sum ") + query);
  }
  out.emplace_back("sum witness");
  if (!evaluated) out.emplace_back("evaluate");
  if (name != "tiny") out.emplace_back("NTT");
  out.emplace_back("quotient transforms");
  return out;
}

std::vector<std::string> spans_of_finish(std::string_view name) {
  if (name == "tiny") return {"quotient transforms", "sum h", "sum quotient"};
  return {"NTT", "coset INTT", "quotient transforms", "sum h", "sum quotient"};
}

}  // namespace

TEST_CASE("both job formats give the reference's parts") {
  for (const char* kernels : {"auto", "portable"}) {
    const Plugin plugin(kernels);
    for (const char* name : small_system_names) {
      Device device(plugin, name);
      CAPTURE(kernels, name);
      for (const std::size_t proof : {0U, 1U})
        for (const bool evaluated : {false, true}) {
          TestJob job(device, 1, proof);
          const FakeCall starting, finishing;
          void* op = nullptr;
          REQUIRE(device.start(evaluated ? job.of_evaluations(device) : job.of_witness(), starting, &op) == PINION_OK);
          job.scrub();
          Bytes part;
          REQUIRE(device.finish(op, finishing, part) == PINION_OK);
          CHECK(to_hex(part) == expected(device, 1, proof));
          CHECK(starting.spans() == spans_of_start(name, evaluated));
          CHECK(finishing.spans() == spans_of_finish(name));
        }
    }
  }
}

TEST_CASE("a cancelled start or finish says so, and leaves nothing") {
  const Plugin plugin("auto");
  Device device(plugin, "above");
  const TestJob job(device, 0, 0);
  void* op = nullptr;
  for (const std::uint64_t polls : {0U, 1U, 3U, 10U, 40U}) {
    const FakeCall call(CallSettings{.cancel_after = polls});
    CHECK(device.start(job.of_witness(), call, &op) == PINION_CANCELLED);
    CHECK(op == nullptr);
  }
  const FakeCall fine, cancelled(CallSettings{.cancel_after = 2});
  REQUIRE(device.start(job.of_witness(), fine, &op) == PINION_OK);
  Bytes part;
  CHECK(device.finish(op, cancelled, part) == PINION_CANCELLED);
}

TEST_CASE("an abandoned operation leaves nothing") {
  const Plugin plugin("auto");
  Device device(plugin, "exact");
  const TestJob job(device, 0, 0);
  const FakeCall call;
  void* op = nullptr;
  REQUIRE(device.start(job.of_witness(), call, &op) == PINION_OK);
  plugin.backend->abandon(plugin.self(), op);
}

TEST_CASE("a wider pool than planned is charged for, or refused") {
  const Plugin plugin("auto");
  Device device(plugin, "above");
  const TestJob job(device, 0, 0);
  void* op = nullptr;
  const FakeCall poor(CallSettings{.threads = 200, .memory = 1000});
  CHECK(device.start(job.of_witness(), poor, &op) == PINION_OUT_OF_MEMORY);
  CHECK(poor.peak_bytes() == 0);
}

TEST_CASE("a host that tells its width gets a plan for it") {
  const Plugin narrow("auto", 1), wide("auto", 200);
  Device planned_for_one(narrow, "above"), planned_for_all(wide, "above");
  CHECK(planned_for_one.plan.host_reserve < planned_for_all.plan.host_reserve);
  pinion_device_info info{};
  info.size = sizeof info;
  REQUIRE(wide.backend->device(wide.self(), 0, &info, nullptr) == PINION_OK);
  CHECK(std::string(info.name).starts_with("200 threads"));
  const TestJob job(planned_for_all, 0, 0);
  const FakeCall poor(CallSettings{.threads = 200, .memory = 0});
  void* op = nullptr;
  REQUIRE(planned_for_all.start(job.of_witness(), poor, &op) == PINION_OK);  // nothing beyond the plan
  wide.backend->abandon(wide.self(), op);
}

TEST_CASE("jobs that do not fit are refused with what is wrong") {
  const Plugin plugin("auto");
  Device device(plugin, "above");
  const auto refused = [&](auto&& spoil) {
    TestJob job(device, 0, 0);
    pinion_job given = job.of_witness();
    spoil(job, given);
    const FakeCall call;
    void* op = nullptr;
    pinion_error error = no_error();
    const pinion_status status = device.start(given, call, &op, &error);
    CHECK(op == nullptr);
    return std::to_string(status) + " " + error.message;
  };
  const std::string invalid = std::to_string(PINION_INVALID_INPUT) + " job: ";
  using Catch::StartsWith;
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.num_aux = 3; }),
             StartsWith(invalid + "3 aux, the shape has 246"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.num_scalars = 245; }),
             StartsWith(invalid + "a plain witness of 245 scalars"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.form = 7; }),
             StartsWith(invalid + "unknown form of witness 7"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.form = PINION_WITNESS_PACKED; }),
             StartsWith(invalid + "a packed witness without bits"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.scalars = nullptr; }),
             StartsWith(invalid + "246 scalars announced and none given"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.inputs[0] = Fr::zero(); }),
             StartsWith(invalid + "witness: input 0 is not 1"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.num_inputs = 4; }),
             StartsWith(invalid + "witness: 4 inputs, the shape has 5"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.s.limb[3] = ~std::uint64_t{0}; }),
             StartsWith(invalid + "blinding value s is not reduced"));
  CHECK_THAT(refused([](TestJob& job, pinion_job&) { job.witness.size = 8; }), StartsWith(invalid + "no payload"));
  CHECK_THAT(refused([](TestJob&, pinion_job& job) { job.payload = nullptr; }), StartsWith(invalid + "no payload"));
  CHECK_THAT(refused([](TestJob&, pinion_job& job) { job.format = "pinion.job.other/1"; }),
             StartsWith(std::to_string(PINION_UNSUPPORTED) + " job: format pinion.job.other/1"));
  CHECK_THAT(refused([&](TestJob& job, pinion_job& given) {
               given = job.of_evaluations(device);
               job.evaluations.rows -= 1;
             }),
             StartsWith(invalid + "evaluations of 256 rows, the shape has 257"));
}

TEST_CASE("files that hold no keys are refused") {
  const Plugin plugin("auto");
  const TemporaryDirectory folder;
  pinion_resident_info info{};
  info.size = sizeof info;
  const auto refused = [&](const std::string& file, const char* format) {
    const pinion_resource resource{sizeof resource, 0, "keys", format, 0, "", file.c_str()};
    pinion_error error = no_error();
    const pinion_status status = plugin.residents->describe(plugin.self(), &resource, -1, &info, &error);
    return std::to_string(status) + " " + error.message;
  };
  const std::string invalid = std::to_string(PINION_INVALID_CONFIG) + " ";
  CHECK_THAT(refused((folder.path() / "none").string(), PINION_KEYS_GROTH16), Catch::StartsWith(invalid));
  CHECK_THAT(refused((small_systems() / "tiny.vk").string(), PINION_KEYS_GROTH16), Catch::StartsWith(invalid));
  CHECK_THAT(refused("", PINION_KEYS_GROTH16), Catch::StartsWith(std::to_string(PINION_UNSUPPORTED)));
  CHECK_THAT(refused("", PINION_SHAPE_R1CS), Catch::StartsWith(std::to_string(PINION_UNSUPPORTED)));
}

TEST_CASE("a key file that changed since its digest was taken is refused, though it holds valid points") {
  const Plugin plugin("auto");
  const TemporaryDirectory folder;
  const SmallSystem system("above");
  const std::string file = (folder.path() / "x.params").string();
  std::filesystem::copy_file(system.params, file);
  SerialExecutor serial;
  const std::string digest = groth16::file_digest(file, serial).value();
  const auto load = [&](const std::string& stated) {
    const pinion_resource keys{sizeof keys, 0, "keys", PINION_KEYS_GROTH16, 0, stated.c_str(), file.c_str()};
    pinion_resident_info info{};
    info.size = sizeof info;
    REQUIRE(plugin.residents->describe(plugin.self(), &keys, -1, &info, nullptr) == PINION_OK);
    const GuardBuffer room(info.host_bytes, GuardBuffer::Edge::start);
    const pinion_buffer buffer = room.buffer();
    const FakeCall call;
    pinion_error error = no_error();
    void* handle = nullptr;
    const pinion_status status =
        plugin.residents->load(plugin.self(), &keys, -1, {}, &buffer, call.table(), &handle, &error);
    if (handle != nullptr) plugin.residents->unload(plugin.self(), handle);
    Device::check(call);
    return std::to_string(status) + " " + (status == PINION_OK ? "" : error.message);
  };
  CHECK(load(digest) == "0 ");
  const auto layout = groth16::ParamsLayout::read(groth16::File::open(file).value()).value();
  Bytes bytes = read_file(file);
  const auto h = bytes.begin() + static_cast<std::ptrdiff_t>(layout[groth16::KeySection::h].offset);
  std::swap_ranges(h, h + 96, h + 96);
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  CHECK(load("") == "0 ");  // nothing to compare with
  const auto check_differs = [&] {
    CHECK_THAT(load(digest), Catch::StartsWith(std::to_string(PINION_INVALID_CONFIG) + " " + file) &&
                                 Catch::Contains("differs from when it was made") && Catch::Contains(digest));
  };
  check_differs();

  // What is no point any more is named only where nothing says that the whole file is another one.
  std::fstream(file, std::ios::binary | std::ios::in | std::ios::out)
      .seekp(static_cast<std::streamoff>(layout[groth16::KeySection::b_g2].offset))
      .put('\x7f');
  CHECK_THAT(load(""), Catch::Contains("b_g2[0]"));
  check_differs();
}

TEST_CASE("what the backend says of itself") {
  const Plugin plugin("portable");
  pinion_backend_info info{};
  info.size = sizeof info;
  plugin.backend->describe(plugin.self(), &info);
  CHECK(info.device_count == 1);
  CHECK(info.format_count == 2);
  CHECK(info.dma_kinds == PINION_MEMORY_ANY);
  pinion_device_info device{};
  device.size = sizeof device;
  REQUIRE(plugin.backend->device(plugin.self(), 0, &device, nullptr) == PINION_OK);
  CHECK_THAT(device.name, Catch::EndsWith("threads, portable"));
  CHECK(plugin.backend->device(plugin.self(), 1, &device, nullptr) == PINION_INVALID_INPUT);
}
