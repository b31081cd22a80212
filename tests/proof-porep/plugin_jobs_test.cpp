// What the plugin puts into buffers, through its C tables: the shape as a resident, and a partition's job in both
// formats. Buffers end at guard pages, so a byte too far is a fault.
#include <pinion/groth16.h>

#include <bit>
#include <future>
#include <memory>
#include <pinion/groth16/shape.hpp>
#include <pinion/groth16/witness.hpp>
#include <pinion/plugin/call.hpp>

#include "plugin_under_test.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;
using pinion::groth16::Shape;
using pinion::testing::FakeCall;
using pinion::testing::GuardBuffer;

namespace {

// A resource of a plan, loaded as the host loads it: described, given a buffer of the stated size, viewed.
class LoadedShape {
 public:
  LoadedShape(const PluginUnderTest& plugin, const pinion_resource& resource, const FakeCall& call) : plugin_(plugin) {
    pinion_resident_info info{};
    info.size = sizeof info;
    pinion_error error = fresh_error();
    REQUIRE(outcome(plugin.residents->describe(plugin.self(), &resource, -1, &info, &error), error) == "0 ");
    REQUIRE(info.host_bytes == resource.bytes);
    memory_ = std::make_unique<GuardBuffer>(info.host_bytes, GuardBuffer::Edge::start);
    const pinion_buffer buffer = memory_->buffer();
    REQUIRE(outcome(plugin.residents->load(plugin.self(), &resource, -1, {nullptr, 0}, &buffer, call.table(), &handle_,
                                           &error),
                    error) == "0 ");
    loaded = {&resource, handle_, {nullptr, 0}};
    REQUIRE(plugin.residents->view(plugin.self(), handle_, &loaded.view) == PINION_OK);
    REQUIRE(memory_->intact());
  }
  LoadedShape(const LoadedShape&) = delete;
  LoadedShape& operator=(const LoadedShape&) = delete;
  ~LoadedShape() { plugin_.residents->unload(plugin_.self(), handle_); }

  pinion_loaded loaded{};

 private:
  const PluginUnderTest& plugin_;
  std::unique_ptr<GuardBuffer> memory_;
  void* handle_ = nullptr;
};

const pinion_resource& resource_of(const pinion_plan& plan, const char* format) {
  for (std::uint32_t i = 0; i < plan.resource_count; ++i)
    if (std::string(plan.resources[i]->format) == format) return *plan.resources[i];
  FAIL("the plan names no resource of format " << format);
  throw std::logic_error("unreachable");
}

// The plan's buffers, filled with rubbish as lent ones are.
class Buffers {
 public:
  explicit Buffers(const pinion_plan& plan) {
    for (std::uint32_t i = 0; i < plan.need_count; ++i) {
      memory_.push_back(std::make_unique<GuardBuffer>(plan.needs[i].bytes));
      memory_.back()->scrub(0xa5);
      list.push_back(memory_.back()->buffer(i));
    }
  }
  std::vector<pinion_buffer> list;

 private:
  std::vector<std::unique_ptr<GuardBuffer>> memory_;
};

std::string synthesize(const PluginUnderTest& plugin, const SessionUnderTest& session, const char* format,
                       const Buffers& buffers, const std::vector<pinion_loaded>& residents, const FakeCall& call,
                       pinion_job& job) {
  job = {};
  job.size = sizeof job;
  pinion_error error = fresh_error();
  const auto status = plugin.proof->synthesize(
      plugin.self(), session.get(), format, 0, buffers.list.data(), static_cast<std::uint32_t>(buffers.list.size()),
      residents.data(), static_cast<std::uint32_t>(residents.size()), call.table(), &job, &error);
  return outcome(status, error);
}

std::span<const pinion::bls::Fr> scalars(const pinion_fr* values, std::uint64_t count) {
  return {reinterpret_cast<const pinion::bls::Fr*>(values), count};
}
std::string sha256_of(std::span<const pinion::bls::Fr> values) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(32 * values.size());
  for (const auto& value : values) {
    const Bytes32 one = value.to_bytes();
    bytes.insert(bytes.end(), one.begin(), one.end());
  }
  return pinion::test::sha256_hex(bytes);
}
Bytes32 canonical(const pinion_fr& value) {
  return std::bit_cast<pinion::bls::Fr>(value).to_bytes();
}

const char* const folder = "cases/porep-2KiB-V1_1-seed11";

// r and s of the vectors, as the fake host's first random bytes.
pinion::testing::CallSettings blinded_as(const nlohmann::json& expected) {
  pinion::testing::CallSettings settings;
  settings.random = pinion::test::from_hex(expected.at("r").get<std::string>());
  const auto s = pinion::test::from_hex(expected.at("s").get<std::string>());
  settings.random.insert(settings.random.end(), s.begin(), s.end());
  return settings;
}

struct Fixture {
  PluginUnderTest plugin;
  TestKeys keys;
  nlohmann::json expected = pinion::test::read_json(pinion::test::small_vectors_dir() / folder / "witness-0.json");
  FakeCall call{blinded_as(expected)};
  SessionUnderTest session{plugin, RequestUnderTest::sealed(keys.path()), call};
};

}  // namespace

TEST_CASE("a partition's job in both formats holds the reference's values") {
  Fixture f;
  const auto& digests = f.expected.at("witness");
  const pinion_plan witness_plan = f.session.plan(PINION_JOB_GROTH16_WITNESS);
  REQUIRE(witness_plan.partitions == 1);
  REQUIRE(witness_plan.proof_bytes == 192);
  const LoadedShape shape(f.plugin, resource_of(witness_plan, PINION_SHAPE_R1CS), f.call);
  pinion::SerialExecutor executor;
  const auto checked = Shape::open(pinion::bytes_of(shape.loaded.view), executor);
  REQUIRE(checked);

  const Buffers packed(witness_plan);
  pinion_job job{};
  REQUIRE(synthesize(f.plugin, f.session, PINION_JOB_GROTH16_WITNESS, packed, {}, f.call, job) == "0 ");
  const auto& witness = *static_cast<const pinion_groth16_witness*>(job.payload);
  REQUIRE(witness.form == PINION_WITNESS_PACKED);
  REQUIRE(pinion::test::to_hex(canonical(witness.r)) == f.expected.at("r").get<std::string>());
  REQUIRE(pinion::test::to_hex(canonical(witness.s)) == f.expected.at("s").get<std::string>());
  const pinion::groth16::Witness view{scalars(witness.inputs, witness.num_inputs),
                                      {witness.bits, (witness.num_aux + 63) / 64},
                                      scalars(witness.scalars, witness.num_scalars)};
  REQUIRE(check_witness(*checked, view));
  for (std::size_t i = 0; i < view.inputs.size(); ++i)
    REQUIRE(pinion::test::to_hex(view.inputs[i].to_bytes()) == digests.at("inputs")[i].get<std::string>());

  const pinion_plan plan = f.session.plan(PINION_JOB_GROTH16_EVALUATIONS);
  const Buffers buffers(plan);
  REQUIRE(synthesize(f.plugin, f.session, PINION_JOB_GROTH16_EVALUATIONS, buffers, {shape.loaded}, f.call, job) ==
          "0 ");
  const auto& evaluations = *static_cast<const pinion_groth16_evaluations*>(job.payload);
  REQUIRE(evaluations.rows == digests.at("rows").get<std::uint64_t>());
  REQUIRE(sha256_of(scalars(evaluations.a, evaluations.rows)) == digests.at("a_sha256").get<std::string>());
  REQUIRE(sha256_of(scalars(evaluations.b, evaluations.rows)) == digests.at("b_sha256").get<std::string>());
  REQUIRE(sha256_of(scalars(evaluations.c, evaluations.rows)) == digests.at("c_sha256").get<std::string>());
  REQUIRE(evaluations.witness.form == PINION_WITNESS_PLAIN);
  REQUIRE(evaluations.witness.num_scalars == evaluations.witness.num_aux);
  REQUIRE(sha256_of(scalars(evaluations.witness.scalars, evaluations.witness.num_aux)) ==
          digests.at("aux_sha256").get<std::string>());
  for (std::uint32_t i = 0; i < 40; ++i)
    REQUIRE(canonical(evaluations.witness.inputs[i]) == canonical(witness.inputs[i]));

  f.plugin.proof->retire(f.plugin.self(), f.session.get(), 0);
  REQUIRE(f.call.leaks().empty());
  REQUIRE(f.call.violations().empty());
}

TEST_CASE("each synthesis draws its own blinding values") {
  Fixture f;
  const pinion_plan plan = f.session.plan(PINION_JOB_GROTH16_WITNESS);
  const Buffers buffers(plan);
  pinion_job job{};
  REQUIRE(synthesize(f.plugin, f.session, PINION_JOB_GROTH16_WITNESS, buffers, {}, f.call, job) == "0 ");
  const Bytes32 first = canonical(static_cast<const pinion_groth16_witness*>(job.payload)->r);
  REQUIRE(synthesize(f.plugin, f.session, PINION_JOB_GROTH16_WITNESS, buffers, {}, f.call, job) == "0 ");
  REQUIRE(canonical(static_cast<const pinion_groth16_witness*>(job.payload)->r) != first);
}

TEST_CASE("partitions written at once hold what they hold one after another") {
  const auto c1 = input_of({"cases/porep-2KiB-V1_2_Feat_NonInteractivePoRep-seed12", "c1.json"});
  if (!c1) return;
  const PluginUnderTest plugin;
  const TestKeys keys;
  const FakeCall call;
  const SessionUnderTest session(plugin, {*c1, {}, PINION_REQUEST_TEST_KEYS | PINION_REQUEST_PARTS, keys.path()}, call);
  const pinion_plan plan = session.plan(PINION_JOB_GROTH16_WITNESS);
  const auto written = [&](std::uint32_t partition) {
    const FakeCall own;  // r and s of the same seed
    const Buffers buffers(plan);
    pinion_job job{};
    job.size = sizeof job;
    if (plugin.proof->synthesize(plugin.self(), session.get(), PINION_JOB_GROTH16_WITNESS, partition,
                                 buffers.list.data(), 1, nullptr, 0, own.table(), &job, nullptr) != PINION_OK)
      return std::string("failed");
    const auto* data = static_cast<const std::uint8_t*>(buffers.list[0].data);
    return pinion::test::sha256_hex({data, buffers.list[0].bytes});
  };
  const std::vector<std::uint32_t> partitions{0, 5, 12};
  std::vector<std::string> alone;
  for (const std::uint32_t k : partitions) alone.push_back(written(k));
  REQUIRE(alone[0] != alone[1]);
  std::vector<std::future<std::string>> together;
  for (const std::uint32_t k : partitions) together.push_back(std::async(std::launch::async, written, k));
  for (std::size_t i = 0; i < partitions.size(); ++i) REQUIRE(together[i].get() == alone[i]);
}

TEST_CASE("synthesis stops when cancelled, and refuses what does not fit its plan") {
  Fixture f;
  const pinion_plan plan = f.session.plan(PINION_JOB_GROTH16_WITNESS);
  const Buffers buffers(plan);
  pinion_job job{};
  FakeCall cancelled;
  cancelled.cancel();
  REQUIRE_THAT(synthesize(f.plugin, f.session, PINION_JOB_GROTH16_WITNESS, buffers, {}, cancelled, job),
               Catch::StartsWith(std::to_string(PINION_CANCELLED) + " "));

  Buffers fewer(plan);
  fewer.list.clear();
  REQUIRE_THAT(synthesize(f.plugin, f.session, PINION_JOB_GROTH16_WITNESS, fewer, {}, f.call, job),
               Catch::Contains("0 buffers lent, the plan asks for 1"));
  Buffers shorter(plan);
  shorter.list[0].bytes -= 1;
  REQUIRE_THAT(synthesize(f.plugin, f.session, PINION_JOB_GROTH16_WITNESS, shorter, {}, f.call, job),
               Catch::StartsWith(std::to_string(PINION_INTERNAL) + " "));
  const Buffers evaluations(f.session.plan(PINION_JOB_GROTH16_EVALUATIONS));
  REQUIRE_THAT(synthesize(f.plugin, f.session, PINION_JOB_GROTH16_EVALUATIONS, evaluations, {}, f.call, job),
               Catch::StartsWith(std::to_string(PINION_UNSUPPORTED) + " ") && Catch::Contains("from the shape"));
  REQUIRE_THAT(synthesize(f.plugin, f.session, "pinion.job.other/1", buffers, {}, f.call, job),
               Catch::StartsWith(std::to_string(PINION_UNSUPPORTED) + " job format pinion.job.other/1"));
}

TEST_CASE("plans state what the keys are, and stay the same") {
  Fixture f;
  const pinion_plan plan = f.session.plan(PINION_JOB_GROTH16_WITNESS);
  const pinion_resource& keys = resource_of(plan, PINION_KEYS_GROTH16);
  const ParameterFiles files = parameter_files(ParameterFamily::Porep, SectorSize::k2KiB);
  REQUIRE(keys.file == f.keys.path() + "/" + files.params());
  REQUIRE(keys.bytes == 1114707768);
  REQUIRE(keys.digest == std::string(TestKeys::params_digest));  // of a local key: what its mark says
  const pinion_plan again = f.session.plan(PINION_JOB_GROTH16_WITNESS);
  REQUIRE(again.needs == plan.needs);
  REQUIRE(again.resources == plan.resources);
  REQUIRE(plan.needs[0].free_after == PINION_FREE_AFTER_FINISH);
}

TEST_CASE("shapes are made in host memory only, and only of this plugin's kinds") {
  Fixture f;
  pinion_resource resource = resource_of(f.session.plan(PINION_JOB_GROTH16_WITNESS), PINION_SHAPE_R1CS);
  pinion_resident_info info{};
  info.size = sizeof info;
  pinion_error error = fresh_error();
  REQUIRE(f.plugin.residents->describe(f.plugin.self(), &resource, 0, &info, &error) == PINION_UNSUPPORTED);
  resource.id = "shape of snap-2k";
  REQUIRE(f.plugin.residents->describe(f.plugin.self(), &resource, -1, &info, &error) == PINION_INVALID_INPUT);
  REQUIRE_THAT(error.message, Catch::Contains("\"shape of snap-2k\" is none of this plugin's shapes"));
}
