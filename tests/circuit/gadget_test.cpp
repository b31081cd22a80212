#include <catch2/catch.hpp>
#include <pinion/circuit/insertion.hpp>
#include <pinion/circuit/merkle.hpp>
#include <pinion/circuit/multipack.hpp>
#include <pinion/circuit/poseidon_gadget.hpp>
#include <pinion/circuit/sha256.hpp>
#include <pinion/test_circuit/gadget_vectors.hpp>

using namespace pinion;
using namespace pinion::circuit;
using test::GadgetCase;
using test::GadgetResult;
using test::Gadgets;

namespace {

template <class CS>
std::vector<Num> alloc_nums(CS& cs, std::span<const Fr> values) {
  std::vector<Num> nums;
  for (const Fr& value : values) nums.push_back(alloc_num(cs, value));
  return nums;
}

template <class CS>
Bits alloc_bits(CS& cs, const std::vector<bool>& values) {
  Bits bits;
  for (const bool value : values) bits.push_back(alloc_boolean(cs, value));
  return bits;
}

template <class CS>
std::vector<UInt32<CS>> alloc_words(CS& cs, std::span<const std::uint64_t> values) {
  std::vector<UInt32<CS>> words;
  for (const std::uint64_t value : values) words.push_back(UInt32<CS>::alloc(cs, static_cast<std::uint32_t>(value)));
  return words;
}

template <class CS>
GadgetResult bits_of(const UInt32<CS>& word) {
  GadgetResult result;
  for (unsigned i = 0; i < 32; ++i) result.bits.push_back(word.bit(i));
  return result;
}

template <class CS>
void constrain_sum(CS& cs, std::span<const UInt32<CS>> words, GadgetResult& result) {
  MultiEq<CS> equalities(cs);
  result = bits_of(UInt32<CS>::add_many(cs, equalities, words));
  equalities.flush();
}

}  // namespace

TEST_CASE("numbers and bits match the reference") {
  Gadgets gadgets;
  gadgets.add("bit alloc", [](auto& cs, const GadgetCase& c) { return GadgetResult{{}, alloc_bits(cs, c.bits)}; });
  gadgets.add("num mul", [](auto& cs, const GadgetCase& c) {
    const auto n = alloc_nums(cs, c.nums);
    return GadgetResult{{mul(cs, n[0], n[1])}, {}};
  });
  gadgets.add("num square", [](auto& cs, const GadgetCase& c) {
    return GadgetResult{{square(cs, alloc_nums(cs, c.nums)[0])}, {}};
  });
  gadgets.add("num inputize", [](auto& cs, const GadgetCase& c) {
    inputize(cs, alloc_num(cs, c.nums[0]));
    return GadgetResult{};
  });
  for (const char* name : {"constraint add", "encode"})
    gadgets.add(name, [](auto& cs, const GadgetCase& c) {
      const auto n = alloc_nums(cs, c.nums);
      return GadgetResult{{add(cs, n[0], n[1])}, {}};
    });
  gadgets.add("constraint equal", [](auto& cs, const GadgetCase& c) {
    const Num a = alloc_num(cs, c.nums[0]);
    enforce_equal(cs, a, alloc_num(cs, c.nums[0]));
    return GadgetResult{};
  });
  gadgets.add("to_bits_le", [](auto& cs, const GadgetCase& c) {
    return GadgetResult{{}, to_bits_le(cs, alloc_num(cs, c.nums[0]))};
  });
  gadgets.check_all();
}

TEST_CASE("packing matches the reference") {
  Gadgets gadgets;
  for (const char* name : {"pack_bits 0", "pack_bits 1", "pack_bits 8", "pack_bits 64", "pack_bits 254"})
    gadgets.add(name, [](auto& cs, const GadgetCase& c) {
      return GadgetResult{{pack_bits(cs, alloc_bits(cs, c.bits))}, {}};
    });
  gadgets.add("pack_bits 12 mixed", [](auto& cs, const GadgetCase& c) {
    Bits bits = alloc_bits(cs, c.bits);
    for (std::size_t i = 0; i < bits.size(); ++i) {
      if (i % 4 == 1) bits[i] = !bits[i];
      if (i % 4 >= 2) bits[i] = Boolean::constant(i % 4 == 3);
    }
    return GadgetResult{{pack_bits(cs, bits)}, {}};
  });
  for (const char* name : {"pack_into_inputs 3", "pack_into_inputs 64", "pack_into_inputs 256"})
    gadgets.add(name, [](auto& cs, const GadgetCase& c) {
      pack_into_inputs(cs, alloc_bits(cs, c.bits));
      return GadgetResult{};
    });
  gadgets.add("UInt64 alloc + pack_into_input", [](auto& cs, const GadgetCase& c) {
    const Bits bits = alloc_u64(cs, c.ints[0]);
    pack_into_inputs(cs, bits);
    return GadgetResult{{}, {bits.rbegin(), bits.rend()}};
  });
  gadgets.check_all();
}

TEST_CASE("picking, selecting and inserting match the reference") {
  Gadgets gadgets;
  for (const bool negated : {false, true})
    gadgets.add(negated ? "pick, negated condition" : "pick", [negated](auto& cs, const GadgetCase& c) {
      const auto n = alloc_nums(cs, c.nums);
      const Boolean bit = alloc_boolean(cs, c.bits[0]);
      return GadgetResult{{pick(cs, negated ? !bit : bit, n[0], n[1])}, {}};
    });
  gadgets.add("pick of the same num", [](auto& cs, const GadgetCase& c) {
    const Num a = alloc_num(cs, c.nums[0]);
    const Boolean bit = alloc_boolean(cs, c.bits[0]);
    return GadgetResult{{pick(cs, bit, a, a)}, {}};
  });
  for (const char* name : {"insert 2", "insert 4", "insert 8", "insert 16"})
    gadgets.add(name, [](auto& cs, const GadgetCase& c) {
      const Num element = alloc_num(cs, c.nums[0]);
      const Bits bits = alloc_bits(cs, c.bits);
      const auto siblings = alloc_nums(cs, std::span(c.nums).subspan(1));
      return GadgetResult{insert(cs, element, bits, siblings), {}};
    });
  for (const char* name : {"select 2", "select 8", "select 128"})
    gadgets.add(name, [](auto& cs, const GadgetCase& c) {
      const auto from = alloc_nums(cs, c.nums);
      const Bits bits = alloc_bits(cs, c.bits);
      return GadgetResult{{select(cs, from, bits)}, {}};
    });
  gadgets.check_all();
}

TEST_CASE("sums of words match the reference") {
  Gadgets gadgets;
  for (int operands = 2; operands <= 8; ++operands) {
    gadgets.add("UInt32 addmany " + std::to_string(operands), [](auto& cs, const GadgetCase& c) {
      GadgetResult result;
      constrain_sum<std::remove_reference_t<decltype(cs)>>(cs, alloc_words(cs, c.ints), result);
      return result;
    });
    if (operands > 5) continue;
    gadgets.add("UInt32 addmany " + std::to_string(operands) + ", operand 0 constant 0x428a2f98",
                [](auto& cs, const GadgetCase& c) {
                  using CS = std::remove_reference_t<decltype(cs)>;
                  auto words = alloc_words(cs, std::span(c.ints).subspan(1));
                  words.insert(words.begin(), UInt32<CS>::constant(0x428a2f98));
                  GadgetResult result;
                  constrain_sum<CS>(cs, words, result);
                  return result;
                });
  }
  gadgets.add("MultiEq flush order", [](auto& cs, const GadgetCase& c) {
    using CS = std::remove_reference_t<decltype(cs)>;
    const auto words = alloc_words(cs, c.ints);
    MultiEq<CS> equalities(cs);
    GadgetResult result;
    for (std::size_t i = 0; i < words.size(); i += 2) {
      const auto sum = bits_of(UInt32<CS>::add_many(cs, equalities, std::span(words).subspan(i, 2)));
      result.bits.insert(result.bits.end(), sum.bits.begin(), sum.bits.end());
    }
    equalities.flush();
    return result;
  });
  gadgets.check_all();
}

TEST_CASE("SHA-256 matches the reference") {
  Gadgets gadgets;
  for (const int bits : {0, 8, 256, 440, 448, 512, 1024})
    gadgets.add("SHA-256 of " + std::to_string(bits) + " allocated bits", [](auto& cs, const GadgetCase& c) {
      return GadgetResult{{}, sha256(cs, alloc_bits(cs, c.bits))};
    });
  gadgets.add("SHA-256 of 256 allocated + 256 constant bits", [](auto& cs, const GadgetCase& c) {
    Bits message = alloc_bits(cs, c.bits);
    for (int k = 0; k < 256; ++k) message.push_back(Boolean::constant(k % 3 == 0));
    return GadgetResult{{}, sha256(cs, message)};
  });
  gadgets.add("SHA-256 of 512 bits, every second negated", [](auto& cs, const GadgetCase& c) {
    Bits message = alloc_bits(cs, c.bits);
    for (std::size_t k = 1; k < message.size(); k += 2) message[k] = !message[k];
    return GadgetResult{{}, sha256(cs, message)};
  });
  for (const char* name : {"SHA hash2_circuit", "SHA hash_multi_leaf_circuit 2"})
    gadgets.add(name, [](auto& cs, const GadgetCase& c) {
      return GadgetResult{{sha256_node(cs, alloc_nums(cs, c.nums))}, {}};
    });
  gadgets.add("SHA of 512 bits packed", [](auto& cs, const GadgetCase& c) {
    return GadgetResult{{sha256_num(cs, alloc_bits(cs, c.bits))}, {}};
  });
  gadgets.check_all();
}

TEST_CASE("Poseidon's constraints match the reference") {
  const PoseidonSet instances{2, 4, 8, 11, 16, 24, 36};
  const Poseidon generator(2, Poseidon::Domain::generator);
  Gadgets gadgets;
  for (const char* name : {"Poseidon 2 (also the 2-layer column hash)", "Poseidon 4", "Poseidon 8",
                           "Poseidon 11 (the 11-layer column hash)", "Poseidon 16", "Poseidon 24", "Poseidon 36"})
    gadgets.add(name, [&](auto& cs, const GadgetCase& c) {
      return GadgetResult{{poseidon_hash(cs, instances[c.nums.size()], alloc_nums(cs, c.nums))}, {}};
    });
  gadgets.add("Poseidon GEN (arity 2, Custom Arbitrary(1))", [&](auto& cs, const GadgetCase& c) {
    return GadgetResult{{poseidon_hash(cs, generator, alloc_nums(cs, c.nums))}, {}};
  });
  gadgets.add("Poseidon of repeated variable", [&](auto& cs, const GadgetCase& c) {
    const Num a = alloc_num(cs, c.nums[0]);
    return GadgetResult{{poseidon_hash(cs, instances[2], std::array{a, a})}, {}};
  });
  gadgets.add("comm_r check", [&](auto& cs, const GadgetCase& c) {
    const Num comm_r_last = alloc_num(cs, c.nums[0]);
    const Num comm_c = alloc_num(cs, c.nums[1]);
    const Num comm_r = alloc_num(cs, instances[2].hash(std::array{c.nums[1], c.nums[0]}));
    inputize(cs, comm_r);
    const Num hash = poseidon_hash(cs, instances[2], std::array{comm_c, comm_r_last});
    enforce_equal(cs, comm_r, hash);
    return GadgetResult{{hash}, {}};
  });
  gadgets.check_all();
}

namespace {

// A path as the circuits take it.
struct FlatPath {
  explicit FlatPath(const GadgetCase& c) {
    for (const auto& level : c.path) {
      arities.push_back(static_cast<unsigned>(level.siblings.size()) + 1);
      indices.push_back(level.index);
      siblings.insert(siblings.end(), level.siblings.begin(), level.siblings.end());
    }
  }
  PathValues values() const { return {arities, siblings, indices}; }
  std::vector<unsigned> arities;
  std::vector<std::uint8_t> indices;
  std::vector<Fr> siblings;
};

template <class Tree>
void add_inclusion(Gadgets& gadgets, const std::string& tree_name, const Tree& tree) {
  for (const bool is_public : {false, true})
    gadgets.add("PoRCircuit " + tree_name + (is_public ? ", public root" : ", private, own root"),
                [&tree, is_public](auto& cs, const GadgetCase& c) {
                  const Num leaf = alloc_num(cs, c.nums[0]);
                  const Num computed = merkle_root(cs, tree, leaf, FlatPath(c).values());
                  const Num root = alloc_num(cs, c.nums[1]);
                  enforce_equal(cs, computed, root);
                  if (is_public) inputize(cs, root);
                  return GadgetResult{};
                });
  gadgets.add("PoRCircuit " + tree_name + ", private, given leaf and root", [&tree](auto& cs, const GadgetCase& c) {
    const Num root = alloc_num(cs, c.nums[1]);
    const Num leaf = alloc_num(cs, c.nums[0]);
    enforce_inclusion(cs, tree, leaf, FlatPath(c).values(), root);
    return GadgetResult{};
  });
  gadgets.add("por_no_challenge_input " + tree_name, [&tree](auto& cs, const GadgetCase& c) {
    const FlatPath path(c);
    const Num root = alloc_num(cs, c.nums[1]);
    const Num leaf = alloc_num(cs, c.nums[0]);
    Bits bits;
    for (const auto& level : c.path)
      for (unsigned i = 0; level.siblings.size() >> i != 0; ++i)
        bits.push_back(alloc_boolean(cs, (level.index >> i & 1) != 0));
    const auto siblings = alloc_nums(cs, path.siblings);
    enforce_inclusion(cs, tree, leaf, path.arities, bits, siblings, root);
    return GadgetResult{};
  });
}

}  // namespace

TEST_CASE("inclusion in Merkle trees matches the reference") {
  const PoseidonSet instances{2, 4, 8};
  const PoseidonTree poseidon{instances};
  const Sha256Tree sha;
  Gadgets gadgets;
  for (const char* name :
       {"poseidon 2-0-0, 64 leaves", "poseidon 4-0-0, 64 leaves", "poseidon 8-0-0, 64 leaves",
        "poseidon 8-2-0, 128 leaves", "poseidon 8-4-0, 32 leaves", "poseidon 8-8-0, 512 leaves",
        "poseidon 8-4-2, 512 leaves", "poseidon 8-8-2, 1024 leaves", "poseidon 8-8-2 (one base level), 128 leaves"})
    add_inclusion(gadgets, name, poseidon);
  for (const char* name : {"sha256 2-0-0 (two levels), 4 leaves", "sha256 2-0-0, 64 leaves"})
    add_inclusion(gadgets, name, sha);
  gadgets.check_all();
}
