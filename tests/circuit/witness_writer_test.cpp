#include <catch2/catch.hpp>
#include <pinion/circuit/sha256.hpp>
#include <pinion/circuit/synthesis.hpp>
#include <pinion/groth16/evaluate.hpp>
#include <random>

using namespace pinion;
using namespace pinion::circuit;

namespace {
// A circuit of bits and scalars in no regular order; the same one for every seed of values.
template <ConstraintSystem CS>
void mixed(CS& cs, std::uint64_t values, int length) {
  std::mt19937_64 structure(1), random(values);
  for (int i = 0; i < length; ++i) {
    const auto sort = structure() % 16;
    if (sort == 0)
      alloc_num(cs, Fr::from_u64(random()));
    else if (sort == 1)
      cs.alloc_input(Fr::from_u64(random()));
    else
      alloc_boolean(cs, random() % 2 == 0);
  }
}
}  // namespace

TEST_CASE("groups of bits land where single bits would") {
  std::mt19937_64 random(2);
  std::vector<bool> single;
  std::vector<Fr> inputs(1);
  std::vector<std::uint64_t> bits(400);
  {
    WitnessWriter writer({inputs, bits, {}});
    for (int i = 0; i < 500; ++i) {
      const unsigned count = static_cast<unsigned>(random() % 64 + 1);
      const std::uint64_t group = count == 64 ? random() : random() & ((std::uint64_t{1} << count) - 1);
      if (random() % 4 == 0) {
        const std::uint32_t mask = static_cast<std::uint32_t>(random());
        writer.append_selected(static_cast<std::uint32_t>(group), mask);
        for (unsigned k = 0; k < 32; ++k)
          if (mask >> k & 1) single.push_back((group >> k & 1) != 0);
      } else {
        writer.append_bits(group, count);
        for (unsigned k = 0; k < count; ++k) single.push_back((group >> k & 1) != 0);
      }
      REQUIRE(writer.position().aux == single.size());
    }
  }
  for (std::size_t i = 0; i < single.size(); ++i) REQUIRE((bits[i / 64] >> (i % 64) & 1) == single[i]);
}

TEST_CASE("parts written from their own positions make the same witness") {
  SerialExecutor executor;
  const int length = 5000;
  const auto whole = [&](auto& cs) { mixed(cs, 7, length); };
  const auto shape = record_shape(whole, executor);
  PackedWitness expected(*shape);
  write_witness(whole, *shape, expected.buffers());

  // Cut after every 137th variable, and write the last part first.
  PackedWitness parts(*shape);
  std::mt19937_64 structure(1), random(7);
  struct Part {
    WitnessWriter::Position start;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> variables;  // sort, value
  };
  std::vector<Part> list;
  WitnessWriter::Position at{1, 0, 0};
  for (int i = 0; i < length; ++i) {
    if (i % 137 == 0) list.push_back({at, {}});
    const auto sort = structure() % 16;
    list.back().variables.emplace_back(sort, random());
    at.inputs += sort == 1;
    at.aux += sort != 1;
    at.scalars += sort == 0;
  }
  CHECK(at == end_of(*shape));
  parts.buffers().inputs[0] = Fr::one();
  for (auto part = list.rbegin(); part != list.rend(); ++part) {
    WitnessWriter writer(parts.buffers(), part->start);
    for (const auto& [sort, value] : part->variables) {
      if (sort == 0)
        writer.alloc_scalar(Fr::from_u64(value));
      else if (sort == 1)
        writer.alloc_input(Fr::from_u64(value));
      else
        writer.alloc_bit(value % 2 == 0);
    }
  }
  CHECK(std::ranges::equal(parts.view().bits, expected.view().bits));
  CHECK(std::ranges::equal(parts.view().scalars, expected.view().scalars));
  CHECK(std::ranges::equal(parts.view().inputs, expected.view().inputs));
}

TEST_CASE("a circuit that is not the shape's is noticed, not written out of bounds") {
  SerialExecutor executor;
  const auto shape = record_shape([](auto& cs) { mixed(cs, 1, 1000); }, executor);
  for (const int length : {0, 999, 1001, 2000, 10000}) {
    PackedWitness witness(*shape);
    CHECK_THROWS(write_witness([&](auto& cs) { mixed(cs, 1, length); }, *shape, witness.buffers()));
  }
}

TEST_CASE("both models of SHA-256 agree for every mix of constants, bits and negations") {
  SerialExecutor executor;
  std::mt19937_64 random(3);
  for (int round = 0; round < 40; ++round) {
    const std::uint64_t forms = random();
    const std::uint64_t density = random() % 6;
    const auto circuit = [&](auto& cs) {
      std::mt19937_64 structure(forms), values(static_cast<std::uint64_t>(round));
      Bits message;
      for (int i = 0; i < 512; ++i) {
        const bool value = values() % 2 == 0;
        const auto form = structure() % 6;
        const bool constant_value = structure() % 2 == 0;
        Boolean bit = form < density ? Boolean::constant(constant_value) : alloc_boolean(cs, value);
        if (structure() % 3 == 0) bit = !bit;
        message.push_back(bit);
      }
      sha256(cs, message);
    };
    const auto shape = record_shape(circuit, executor);
    PackedWitness witness(*shape);
    write_witness(circuit, *shape, witness.buffers());
    REQUIRE(check_witness(*shape, witness.view()));
    REQUIRE(first_unsatisfied_row(*shape, witness.view(), executor) == shape->num_rows());
  }
}

TEST_CASE("values that contradict a stated equality are refused, with the part they are in") {
  SerialExecutor executor;
  const auto part = [](auto& cs, std::uint64_t value) {
    enforce_equal(cs, alloc_num(cs, Fr::from_u64(7)), alloc_num(cs, Fr::from_u64(value)));
  };
  const auto shape = record_shape(
      [&](auto& cs) {
        part(cs, 8);
        part(cs, 8);
      },
      executor);
  PackedWitness witness(*shape);
  const auto write = [&](std::uint64_t second) {
    write_equal_parts(witness.buffers(), {1, 0, 0}, end_of(*shape), 2, executor,
                      [&](WitnessWriter& writer, std::uint64_t i) { part(writer, i == 0 ? 7 : second); });
  };
  REQUIRE_NOTHROW(write(7));
  REQUIRE_THROWS_MATCHES(write(8), Unsatisfied, Catch::Predicate<Unsatisfied>([](const Unsatisfied& error) {
                           return std::string(error.what()).starts_with("part 1 of 2: ");
                         }));
}
