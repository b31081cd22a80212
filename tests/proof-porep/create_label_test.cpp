#include <catch2/catch.hpp>
#include <pinion/porep/circuit/create_label.hpp>
#include <pinion/test_circuit/gadget_vectors.hpp>

using namespace pinion;
using namespace pinion::circuit;
using filecoin::create_label;
using test::GadgetCase;
using test::GadgetResult;
using test::Gadgets;

namespace {

// 256 new bits: each byte of the little-endian form, its highest bit first.
template <class CS>
Bits alloc_bytes(CS& cs, const Fr& value) {
  Bits bits;
  for (const std::uint8_t byte : value.to_bytes())
    for (unsigned i = 8; i-- > 0;) bits.push_back(alloc_boolean(cs, (byte >> i & 1) != 0));
  return bits;
}

}  // namespace

TEST_CASE("labels match the reference") {
  Gadgets gadgets;
  for (const auto& [layer, parents] : {std::pair(1, "6"), std::pair(2, "14"), std::pair(11, "14")})
    gadgets.add(
        "create_label layer " + std::to_string(layer) + ", " + parents + " parents",
        [layer = layer](auto& cs, const GadgetCase& c) {
          const Bits replica_id = to_bytes_le(cs, alloc_num(cs, c.nums[0]));
          std::vector<Num> nums;
          for (std::size_t i = 1; i < c.nums.size(); ++i) nums.push_back(alloc_num(cs, c.nums[i]));
          const Bits node = alloc_u64(cs, c.ints[0]);
          std::vector<Bits> parents;
          for (const Num& num : nums) parents.push_back(to_bytes_le(cs, num));
          return GadgetResult{{create_label(cs, replica_id, parents, static_cast<std::uint32_t>(layer), node)}, {}};
        });
  gadgets.add("create_label, unit test form", [](auto& cs, const GadgetCase& c) {
    std::vector<Bits> parents;
    for (std::size_t i = 0; i < filecoin::label_parents; ++i)
      parents.push_back(alloc_bytes(cs, c.nums[1 + i % (c.nums.size() - 1)]));
    const Bits replica_id = alloc_bytes(cs, c.nums[0]);
    Bits node;
    for (unsigned i = 0; i < 64; ++i) node.push_back(Boolean::constant((std::uint64_t{22} >> i & 1) != 0));
    return GadgetResult{{create_label(cs, replica_id, parents, 3, node)}, {}};
  });
  gadgets.check_all();
}
