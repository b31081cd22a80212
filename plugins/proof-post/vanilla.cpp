#include <pinion/post/vanilla.hpp>
#include <utility>

namespace pinion::filecoin {

PostSector PostSector::blank(const PostSetup& setup) {
  PostOpening opening;
  for (const unsigned arity : level_arities(setup.tree, setup.nodes)) {
    opening.path.siblings.resize(opening.path.siblings.size() + arity - 1);
    opening.path.indices.push_back(0);
  }
  PostSector out;
  out.openings.assign(setup.challenges, opening);
  return out;
}

PostSector read_post_sector(ByteView bytes, const PostSetup& setup, unsigned openings, std::string what) {
  Bincode reader(bytes, std::move(what));
  PostSector out;
  out.sector_id = reader.u64("sector_id");
  out.comm_r = reader.scalar("comm_r");
  {
    const Bincode::In in_proof(reader, "vanilla_proof");
    reader.length("sectors", 1, "sectors");
    const Bincode::In in_sector(reader, "sectors[0]");
    reader.length("inclusion_proofs", openings, "inclusion proofs");
    std::vector<bls::Fr> roots;
    for (unsigned i = 0; i < openings; ++i) {
      const Bincode::In in_openings(reader, "inclusion_proofs");
      const Bincode::In in_opening(reader, i);
      MerkleOpening opening = read_opening(reader, setup.tree, setup.nodes);
      if (i > 0 && opening.root != roots.front()) reader.fail("its root is not that of the sector's first opening");
      roots.push_back(opening.root);
      out.openings.push_back({opening.leaf, std::move(opening.path)});
    }
    out.comm_c = reader.scalar("comm_c");
    out.comm_r_last = reader.scalar("comm_r_last");
    if (!roots.empty() && roots.front() != out.comm_r_last)
      reader.fail("comm_r_last is not the root that the sector's openings lead to");
  }
  reader.end();
  return out;
}

std::vector<PostSector> window_partition(std::vector<PostSector> sectors, const PostSetup& setup) {
  sectors.reserve(setup.sectors);
  while (sectors.size() < setup.sectors) sectors.push_back(sectors.back());
  return sectors;
}

std::vector<PostSector> winning_partition(const PostSector& sector) {
  std::vector<PostSector> out;
  for (const PostOpening& opening : sector.openings)
    out.push_back({sector.sector_id, sector.comm_r, sector.comm_c, sector.comm_r_last, {opening}});
  return out;
}

}  // namespace pinion::filecoin
