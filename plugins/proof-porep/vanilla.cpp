#include "vanilla.hpp"

#include <fmt/format.h>

namespace pinion::filecoin {

namespace {
MerklePath blank_path(const std::vector<unsigned>& arities) {
  MerklePath path;
  path.indices.resize(arities.size());
  std::size_t siblings = 0;
  for (const unsigned arity : arities) siblings += arity - 1;
  path.siblings.resize(siblings);
  return path;
}
}  // namespace

VanillaPartition VanillaPartition::blank(const PorepSetup& setup) {
  const MerklePath tree_path = blank_path(level_arities(setup.tree, setup.nodes));
  const VanillaColumn column{std::vector<bls::Fr>(setup.layers), tree_path};
  VanillaChallenge challenge;
  challenge.data_path = blank_path(binary_level_arities(setup.nodes));
  challenge.replica_path = tree_path;
  challenge.column_path = tree_path;
  challenge.drg_parents.fill(column);
  challenge.expander_parents.fill(column);
  VanillaPartition partition;
  partition.challenges.assign(setup.challenges_per_partition, challenge);
  return partition;
}

std::string misfit(const VanillaPartition& partition, const PorepSetup& setup) {
  const auto tree = level_arities(setup.tree, setup.nodes);
  const auto path_misfit = [](const MerklePath& path, const std::vector<unsigned>& arities) {
    return fits(path, arities) ? std::string()
                               : fmt::format("a path of {} levels and {} siblings does not fit a tree of {} levels",
                                             path.indices.size(), path.siblings.size(), arities.size());
  };
  const auto column_misfit = [&](const VanillaColumn& column) {
    return column.rows.size() != setup.layers ? fmt::format("{} rows for {} layers", column.rows.size(), setup.layers)
                                              : path_misfit(column.path, tree);
  };
  if (partition.challenges.size() != setup.challenges_per_partition)
    return fmt::format("{} challenges where the proof has {}", partition.challenges.size(),
                       setup.challenges_per_partition);
  for (std::size_t c = 0; c < partition.challenges.size(); ++c) {
    const VanillaChallenge& challenge = partition.challenges[c];
    const auto at = [&](std::string_view what, const std::string& problem) {
      return fmt::format("challenge {}, {}: {}", c, what, problem);
    };
    if (challenge.node >= setup.nodes)
      return fmt::format("challenge {}: node {} of {}", c, challenge.node, setup.nodes);
    if (auto bad = path_misfit(challenge.data_path, binary_level_arities(setup.nodes)); !bad.empty())
      return at("TreeD", bad);
    if (auto bad = path_misfit(challenge.replica_path, tree); !bad.empty()) return at("TreeR", bad);
    if (auto bad = path_misfit(challenge.column_path, tree); !bad.empty()) return at("TreeC", bad);
    for (std::size_t p = 0; p < challenge.drg_parents.size(); ++p)
      if (auto bad = column_misfit(challenge.drg_parents[p]); !bad.empty())
        return at(fmt::format("DRG parent {}", p), bad);
    for (std::size_t p = 0; p < challenge.expander_parents.size(); ++p)
      if (auto bad = column_misfit(challenge.expander_parents[p]); !bad.empty())
        return at(fmt::format("expander parent {}", p), bad);
  }
  return {};
}

}  // namespace pinion::filecoin
