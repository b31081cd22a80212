// The circuit of one partition of a proof of spacetime (FallbackPoSt), once for rows and once for values. Sectors are
// independent of each other, so it is given sector by sector. The order of allocations and rows is fixed by the
// published parameter files. Source: rust-fil-proofs storage-proofs-post src/fallback/circuit.rs.
#pragma once

#include <pinion/circuit/merkle.hpp>
#include <pinion/post/vanilla.hpp>
#include <vector>

namespace pinion::filecoin {

// One sector: comm_r is public and binds the two roots; each opening's leaf index is public, its path leads to
// comm_r_last. `trees` holds arity 2 and those of setup.tree. `sector` fits `setup`; where values are not kept its
// values are not looked at.
template <circuit::ConstraintSystem CS>
void synthesize_post_sector(CS& cs, const PostSetup& setup, const circuit::PoseidonSet& trees,
                            const PostSector& sector) {
  const circuit::Num comm_r_last = circuit::alloc_num(cs, sector.comm_r_last);
  const circuit::Num comm_c = circuit::alloc_num(cs, sector.comm_c);
  const circuit::Num comm_r = circuit::alloc_num(cs, sector.comm_r);
  circuit::inputize(cs, comm_r);
  const circuit::Num hash = circuit::poseidon_hash(cs, trees[2], std::array{comm_c, comm_r_last});
  circuit::enforce_equal(cs, comm_r, hash);

  const std::vector<unsigned> arities = level_arities(setup.tree, setup.nodes);
  for (std::size_t i = 0; i < sector.openings.size(); ++i) {
    const circuit::Scope scope(cs, "challenge_inclusion", static_cast<std::int64_t>(i));
    const PostOpening& opening = sector.openings[i];
    const circuit::Num leaf = circuit::alloc_num(cs, opening.leaf);
    circuit::enforce_inclusion(cs, circuit::PoseidonTree{trees}, leaf,
                               circuit::PathValues{arities, opening.path.siblings, opening.path.indices}, comm_r_last);
  }
}

}  // namespace pinion::filecoin
