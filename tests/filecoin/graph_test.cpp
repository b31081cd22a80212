#include <pinion/filecoin/graph.hpp>
#include <vector>

#include "derive.hpp"

using namespace pinion::filecoin;
using namespace pinion::filecoin::test;

namespace {

std::vector<std::uint64_t> all_parents(const StackedGraph& graph, std::uint64_t node) {
  std::vector<std::uint64_t> out;
  for (const std::uint64_t parent : graph.drg_parents(node)) out.push_back(parent);
  for (const std::uint64_t parent : graph.expander_parents(node)) out.push_back(parent);
  return out;
}

std::vector<std::uint64_t> sampled_nodes(std::uint64_t nodes) {
  std::vector<std::uint64_t> out(std::min<std::uint64_t>(nodes, 4096));
  for (std::uint64_t i = 0; i < out.size(); ++i) out[i] = nodes <= 4096 ? i : i * 2654435761 % nodes;
  return out;
}

}  // namespace

TEST_CASE("DRG and expander parents of every registered proof are the reference's") {
  const auto section = derive_section("graph");
  if (!section) return;
  REQUIRE(section->at("graphs").size() == SealProof::count);
  for (const Json& row : section->at("graphs")) {
    INFO(row.at("proof"));
    const PorepSetup setup = seal_proof(row.at("proof").get<std::string>()).setup();
    REQUIRE(setup.nodes == number(row.at("nodes")));
    const StackedGraph graph(setup);
    for (const Json& example : row.at("parents")) {
      auto expected = numbers(example.at(1));
      const auto expander = numbers(example.at(2));
      expected.insert(expected.end(), expander.begin(), expander.end());
      REQUIRE(all_parents(graph, number(example.at(0))) == expected);
    }
    std::vector<std::uint64_t> many;
    for (const std::uint64_t node : sampled_nodes(setup.nodes)) {
      const auto parents = all_parents(graph, node);
      many.insert(many.end(), parents.begin(), parents.end());
    }
    REQUIRE(sha256_of<4>(many) == row.at("many_sha256_u32").get<std::string>());
  }
}

TEST_CASE("the Feistel permutation is one, also when its domain is no power of four") {
  for (const std::uint64_t size : {1ULL, 2ULL, 7ULL, 64ULL, 1000ULL, 4097ULL}) {
    const FeistelPermutation permutation(size, {1, 2, 3});
    std::vector<bool> seen(size);
    for (std::uint64_t i = 0; i < size; ++i) {
      const std::uint64_t image = permutation(i);
      REQUIRE(image < size);
      REQUIRE_FALSE(seen[image]);
      seen[image] = true;
    }
  }
}
