// Setup makes the reference's bytes from the same secrets, and refuses what makes no key.
#include <sys/resource.h>

#include <catch2/catch.hpp>
#include <csignal>
#include <fstream>
#include <pinion/groth16/output_file.hpp>
#include <pinion/groth16/params.hpp>
#include <pinion/groth16/qap.hpp>
#include <pinion/groth16/setup.hpp>
#include <pinion/test/thread_executor.hpp>

#include "small_system.hpp"

using namespace pinion;
using namespace pinion::groth16;
using namespace pinion::test;
using bls::Fr;
using nlohmann::json;

namespace {

ToxicWaste read_waste(const json& waste) {
  return {read_fr(waste["alpha"]), read_fr(waste["beta"]), read_fr(waste["gamma"]), read_fr(waste["delta"]),
          read_fr(waste["tau"])};
}

SetupFiles files_in(const TemporaryDirectory& folder) {
  return {(folder.path() / "k.params").string(), (folder.path() / "k.vk").string()};
}

bool is_empty(const TemporaryDirectory& folder) {
  return std::filesystem::is_empty(folder.path());
}

OwnedShape product_circuit(bool with_unused_aux) {
  ShapeBuilder builder;
  const auto c = builder.add_input();
  const auto a = builder.add_scalar(), b = builder.add_scalar();
  if (with_unused_aux) builder.add_scalar();
  const Term ta{a, Fr::one()}, tb{b, Fr::one()}, tc{c, Fr::one()};
  builder.add_row({&ta, 1}, {&tb, 1}, {&tc, 1});
  SerialExecutor serial;
  return build(std::move(builder), serial);
}

}  // namespace

TEST_CASE("setup makes the reference's keys") {
  for (const char* name : small_system_names) {
    INFO(name);
    const SmallSystem system(name);
    const OwnedShape shape = system.shape();
    SerialExecutor serial;
    ThreadExecutor wide(7);  // several stripes a matrix
    for (Executor* executor : {static_cast<Executor*>(&serial), static_cast<Executor*>(&wide)}) {
      const TemporaryDirectory folder;
      const auto files = files_in(folder);
      const auto made = generate_keys(*shape, read_waste(system.json["toxic_waste"]), {}, files, *executor);
      REQUIRE(made);
      CHECK(made->bytes == read_file(files.params).size());
      CHECK(read_file(files.params) == read_file(system.params));
      CHECK(read_file(files.vk) == read_file(system.vk));
    }
  }
}

TEST_CASE("a drawn setup is the reference's from the same random bytes") {
  const json seeded = read_json(small_systems() / "seeded-setup.json");
  const Bytes stream = from_hex(seeded["rng_bytes"].get<std::string>());
  std::size_t used = 0;
  const RandomBytes random = [&](std::span<std::uint8_t> out) {
    REQUIRE(used + out.size() <= stream.size());
    std::copy_n(stream.begin() + static_cast<std::ptrdiff_t>(used), out.size(), out.begin());
    used += out.size();
  };
  const auto generators = SetupGenerators::draw(random);
  const auto waste = ToxicWaste::draw(random);
  CHECK(waste.alpha == read_fr(seeded["alpha"]));
  CHECK(waste.tau == read_fr(seeded["tau"]));
  const TemporaryDirectory folder;
  const auto files = files_in(folder);
  SerialExecutor serial;
  REQUIRE(generate_keys(*SmallSystem("tiny").shape(), waste, generators, files, serial));
  CHECK(sha256_hex(read_file(files.params)) == seeded["params_sha256"].get<std::string>());
  CHECK(to_hex(read_file(files.vk)) == seeded["vk"].get<std::string>());
}

TEST_CASE("secrets of a label are its hashes") {
  const ToxicWaste waste = ToxicWaste::from_label("toxic");
  Bytes expected = from_hex(sha256_hex(Bytes{'t', 'o', 'x', 'i', 'c', '/', 't', 'a', 'u'}));
  expected[31] &= 0x3f;
  CHECK(to_hex(waste.tau.to_bytes()) == to_hex(expected));
  CHECK(waste.alpha != waste.beta);
  CHECK(ToxicWaste::from_label("another").tau != waste.tau);
}

TEST_CASE("what makes no key leaves no file") {
  const TemporaryDirectory folder;
  const auto files = files_in(folder);
  SerialExecutor serial;
  const ToxicWaste waste = ToxicWaste::from_label("toxic");

  const auto unconstrained = generate_keys(*product_circuit(true), waste, {}, files, serial);
  REQUIRE_FALSE(unconstrained);
  CHECK(unconstrained.error().message == "setup: aux 2 is unconstrained: it occurs in no row of the circuit");
  CHECK(unconstrained.error().code == ErrorCode::mismatch);
  CHECK(is_empty(folder));

  const OwnedShape shape = product_circuit(false);
  ToxicWaste wrong = waste;
  wrong.gamma = Fr::zero();
  CHECK(generate_keys(*shape, wrong, {}, files, serial).error().code == ErrorCode::invalid_argument);
  wrong = waste;
  wrong.tau = -Fr::one();
  CHECK_THAT(generate_keys(*shape, wrong, {}, files, serial).error().message, Catch::Contains("root of unity"));
  CHECK(is_empty(folder));

  REQUIRE(generate_keys(*shape, waste, {}, files, serial));
  const Bytes before = read_file(files.params);
  const auto again = generate_keys(*shape, ToxicWaste::from_label("other"), {}, files, serial);
  REQUIRE_FALSE(again);
  CHECK(again.error().message == files.params + ": exists already; remove it first if it may be replaced");
  CHECK(read_file(files.params) == before);
}

TEST_CASE("cancelled setup leaves no file") {
  class CancelledExecutor final : public Executor {
   public:
    unsigned width() const noexcept override { return 1; }
    void run(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) override {
      for (std::uint64_t i = 0; i < count; ++i) fn(arg, i);
      ++loops_;
    }
    bool cancelled() const noexcept override { return loops_ >= 4; }

   private:
    int loops_ = 0;
  } executor;
  const TemporaryDirectory folder;
  CHECK_THROWS_AS(
      generate_keys(*SmallSystem("above").shape(), ToxicWaste::from_label("toxic"), {}, files_in(folder), executor),
      Cancelled);
  CHECK(is_empty(folder));
}

TEST_CASE("Lagrange values interpolate") {
  const Fr tau = ToxicWaste::from_label("toxic").tau;
  constexpr std::uint64_t size = 16;
  std::vector<Fr> values(size), piece(5);
  lagrange_at(tau, size, 0, values);
  lagrange_at(tau, size, 7, piece);
  CHECK(std::equal(piece.begin(), piece.end(), values.begin() + 7));
  Fr root = Fr::root_of_unity();
  for (int i = 4; i < 32; ++i) root = root.squared();
  for (std::uint64_t degree = 0; degree < size; ++degree) {  // X^degree is interpolated by its values w^(i degree)
    Fr sum;
    for (std::uint64_t i = 0; i < size; ++i) sum += values[i] * root.pow(i * degree);
    CHECK(sum == tau.pow(degree));
  }
}

TEST_CASE("of two runs with one output the later is refused, and the earlier one's file is whole") {
  const test::TemporaryDirectory folder;
  const std::string path = (folder.path() / "key").string();
  const std::vector<std::uint8_t> bytes{1, 2, 3};
  {
    std::ofstream(path + ".partial") << "left by a run that was killed";
    auto first = OutputFile::create(path);
    REQUIRE(first);
    REQUIRE(first.value().write(0, bytes));
    const auto second = OutputFile::create(path);
    REQUIRE(!second);
    REQUIRE_THAT(second.error().message, Catch::Contains(".partial: another run is writing this file"));
    REQUIRE(first.value().commit());
  }
  REQUIRE(test::read_file(path) == bytes);
  const auto late = OutputFile::create(path);
  REQUIRE_THAT(late.error().message, Catch::Contains("exists already"));
  REQUIRE(test::read_file(path) == bytes);
  REQUIRE(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a disk without room for the keys is known before the work, and is no fault of the configuration") {
  const TemporaryDirectory folder;
  const auto files = files_in(folder);
  SerialExecutor serial;
  std::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_FSIZE, &before) == 0);
  const rlimit small{1000, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
  const auto made = generate_keys(*product_circuit(false), ToxicWaste::from_label("toxic"), {}, files, serial);
  ::setrlimit(RLIMIT_FSIZE, &before);
  REQUIRE_FALSE(made);
  CHECK(made.error().code == ErrorCode::write);
  CHECK_THAT(made.error().message,
             Catch::StartsWith(files.params + ".partial: cannot take ") && Catch::EndsWith(" bytes: File too large"));
  CHECK(is_empty(folder));
  CHECK(generate_keys(*product_circuit(false), ToxicWaste::from_label("toxic"), {},
                      {"/nowhere/k.params", "/nowhere/k.vk"}, serial)
            .error()
            .code == ErrorCode::write);
}
