// Evaluations that arrive by ranges of columns: what ranges hold, and proofs that are the same in any number of them
// and verify. On a device, or on the emulator, whose copies are as late as events allow.
#include <catch2/catch.hpp>
#include <pinion/backend_cuda/partition.hpp>
#include <pinion/groth16/evaluate.hpp>
#include <pinion/groth16/setup.hpp>
#include <pinion/groth16/verifier.hpp>
#include <pinion/test/vectors.hpp>
#include <pinion/testing/fake_host.hpp>
#include <random>
#include <thread>

#include "shape_example.hpp"

using namespace pinion;
using namespace pinion::backend_cuda;
using bls::Fr;
using groth16::test::random_fr;
using testing::CallSettings;
using testing::FakeCall;

namespace {

std::vector<Fr> random_frs(std::size_t count, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Fr> out(count);
  for (Fr& x : out) x = random_fr(random);
  return out;
}

// A satisfied circuit of a domain of 2^12 with few variables: rows (c x) (d y) = (c d) z, then bits.
struct Circuit {
  std::vector<Fr> inputs, aux, a, b;
  groth16::OwnedShape shape;

  explicit Circuit(std::uint32_t rows) : shape(build(rows)) {
    SerialExecutor serial;
    const groth16::Witness witness{inputs, {}, aux};
    a.resize(shape->num_rows());
    b.resize(shape->num_rows());
    groth16::evaluate(*shape, groth16::Matrix::a, witness, a, serial);
    groth16::evaluate(*shape, groth16::Matrix::b, witness, b, serial);
  }

 private:
  groth16::OwnedShape build(std::uint32_t rows) {
    std::mt19937_64 random(rows);
    groth16::ShapeBuilder builder;
    const std::uint32_t one = groth16::input_flag, x = builder.add_input();
    const std::uint32_t y = builder.add_scalar(), z = builder.add_scalar();
    inputs = {Fr::one(), random_fr(random)};
    aux = {random_fr(random)};
    aux.push_back(inputs[1] * aux[0]);
    for (std::uint32_t row = 0; row < rows; ++row) {
      if (row % 512 == 7) {
        const groth16::Term bit{builder.add_bit(), Fr::one()}, rest[] = {{one, Fr::one()}, {bit.variable, -Fr::one()}};
        aux.push_back(Fr::from_u64(row / 512 % 2));
        builder.add_row({&bit, 1}, rest, {});
        continue;
      }
      const Fr c = random_fr(random), d = random_fr(random);
      const groth16::Term left{x, c}, right{y, d}, out{z, c * d};
      builder.add_row({&left, 1}, {&right, 1}, {&out, 1});
    }
    SerialExecutor serial;
    return groth16::build(std::move(builder), serial);
  }
};

// It and its key on an emulated device.
class Proving {
 public:
  explicit Proving(std::uint32_t rows) : circuit(rows), device_(cuda::find_devices().devices[0], 1 << 30, {}) {
    const test::TemporaryDirectory folder;
    const std::string file = (folder.path() / "k.params").string();
    SerialExecutor serial;
    REQUIRE(groth16::generate_keys(*circuit.shape, groth16::ToxicWaste::from_label("toxic"), {},
                                   {file, (folder.path() / "k.vk").string()}, serial));
    const FakeCall fake;
    Call call(fake.table());
    const pinion_resource resource{sizeof resource, 0, "keys", PINION_KEYS_GROTH16, 0, "", file.c_str()};
    key_ = std::make_unique<KeyResident>(device_, resource, call);
    shape_ = std::make_unique<ShapeResident>(device_, circuit.shape->bytes(), call);
    REQUIRE(key_->domain() == 4096);
  }

  // "verified" and the proof, or "cancelled". The job's memory holds something else when start has returned.
  std::string prove(unsigned arrivals, bool evaluations, std::uint64_t cancel_after = UINT64_MAX) {
    auto aux = circuit.aux, a = circuit.a, b = circuit.b;
    const Fr r = Fr::from_u64(3), s = Fr::from_u64(5);
    backend_groth16::Job job{{circuit.inputs, {}, aux}, std::nullopt, r, s};
    if (evaluations) job.evaluations = backend_groth16::Job::Evaluations{a, b};
    const FakeCall starting(CallSettings{.cancel_after = cancel_after}), finishing;
    pinion_call slowed = *starting.table();
    slowed.cancelled = [](const pinion_call*) -> std::int32_t {
      std::this_thread::sleep_for(delay);
      return 0;
    };
    Call start(slow ? &slowed : starting.table()), finish(finishing.table());
    const auto begin = std::chrono::steady_clock::now();
    Partition partition(device_, *key_, *shape_, arrivals);
    try {
      partition.start(job, start);
    } catch (const Cancelled&) {
      return "cancelled";
    }
    polls = starting.polls();
    for (std::vector<Fr>* values : {&aux, &a, &b}) std::fill(values->begin(), values->end(), Fr::from_u64(9));
    const auto proof = groth16::assemble_proof(key_->head(), partition.finish(finish), r, s).value();
    took = std::chrono::steady_clock::now() - begin;
    times = partition.times();
    const auto inputs = std::span<const Fr>(circuit.inputs).subspan(1);
    const bool good = groth16::Verifier(key_->head()).verify({inputs, proof}).value();
    return (good ? "verified " : "wrong ") + test::to_hex(proof.encode());
  }

  static constexpr std::chrono::milliseconds delay{5};
  Circuit circuit;
  bool slow = false;        // each look at cancellation, such as before each piece of a copy, lasts `delay`
  std::uint64_t polls = 0;  // of the last start that was not cancelled
  std::chrono::nanoseconds took{};
  Partition::Times times;

 private:
  Device device_;
  std::unique_ptr<KeyResident> key_;
  std::unique_ptr<ShapeResident> shape_;
};

}  // namespace

TEST_CASE("the ranges of a vector together are the vector, whatever its length, and nothing beyond it is touched") {
  const unsigned lg = GENERATE(5U, 11U, 12U, 13U);
  const std::size_t size = std::size_t{1} << lg;
  Device device(cuda::find_devices().devices[0], 1 << 20, {});
  const cuda::StreamOwner stream = device.new_stream();
  const FakeCall fake;
  Call call(fake.table());
  for (const std::size_t length : {size, size - 1, size / 2 + 1, size / 2, size / 3, std::size_t{17}, std::size_t{1}})
    for (unsigned count = 1; count <= (lg < 12 ? 1U : 1U << (lg - 10)); count *= 2) {
      CAPTURE(lg, length, count);
      const auto from = random_frs(length, length);
      std::vector<Fr> to(size, Fr::one()), expected = to;
      Upload upload(device, stream.get());
      Span span(call, "copy");
      for (unsigned index = 0; index < count; ++index) {
        const cuda::NttColumns columns(lg, {index, count});
        upload.columns(reinterpret_cast<cuda::Fr*>(to.data()), from, columns, call, span, "copying");
        device.check(cuda::synchronize(stream.get(), "copying"));
        for (std::size_t i = 0; i < length; ++i)
          if (i % columns.pitch / columns.width == index) expected[i] = from[i];
        const bool same = to == expected;
        CHECK(same);
      }
      upload.finish(call);
      const bool all = std::equal(from.begin(), from.end(), to.begin());
      CHECK(all);
    }
}

TEST_CASE("a proof is the same however its evaluations arrive, and verifies") {
  // With the rows of the two inputs a full domain, and one that ends within a range.
  const std::uint32_t rows = GENERATE(4094U, 3000U);
  CAPTURE(rows);
  Proving proving(rows);
  const std::string whole = proving.prove(1, true);
  CHECK_THAT(whole, Catch::StartsWith("verified "));
  if (rows == 3000) CHECK(proving.prove(2, false) == whole);
  CHECK(proving.prove(4, true) == whole);
  // A job that is cancelled anywhere among its copies leaves the next one as it was.
  const std::uint64_t polls = proving.polls;
  constexpr std::uint64_t pieces = 2 * 4;  // one poll before each; how many more depends on what is waited for
  REQUIRE(polls >= pieces);
  for (std::uint64_t after = 0; after < polls; ++after) {
    const std::string ended = proving.prove(4, true, after);
    CHECK((ended == "cancelled" || (after >= pieces && ended == whole)));
  }
  CHECK(proving.prove(2, true) == whole);
}

// As from pageable memory, where the host copies itself: while it does, the device has nothing to do.
TEST_CASE("what the device waits for evaluations is not time at work") {
  Proving proving(4094);
  proving.slow = true;
  CHECK_THAT(proving.prove(4, true), Catch::StartsWith("verified "));
  const std::chrono::nanoseconds copying = 2 * 4 * Proving::delay;
  const std::chrono::duration<double, std::milli> waited(proving.times.waited);
  CHECK(waited > copying / 2);  // the sums over the witness are beside the first range
  CHECK(proving.times.busy() <= proving.took - waited);
  CHECK(proving.times.busy() + copying / 2 <= proving.took);
}
