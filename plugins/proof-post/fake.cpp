#include "fake.hpp"

#include <fmt/format.h>

#include <atomic>
#include <pinion/fake/folder.hpp>
#include <pinion/filecoin/bincode_writer.hpp>
#include <pinion/filecoin/identity.hpp>
#include <string>

namespace pinion::filecoin {

using bls::Fr;

namespace {

// Whose sectors they are; no constraint and no challenge of a sector depends on it.
constexpr std::uint64_t miner_id = 1000;

struct Registered {
  std::string_view kind, name, version;
  std::uint64_t row;  // of sizes, in the numbering that winning and window proofs share
};
constexpr Registered winning_v1{"winning", "Winning", "V1", 0};
constexpr Registered window_v1{"window", "Window", "V1", 1};
constexpr Registered window_v1_2{"window", "Window", "V1_2", 2};

// Makes `count` sectors, several at once, and the meta.json that goes with them.
void write_fake_post(const FakePost& post, const Registered& proof, SectorSize size, std::uint64_t count,
                     unsigned openings, std::uint64_t seed, const std::string& dir, Executor& executor) {
  std::vector<std::string> listed(count);
  std::atomic<std::uint64_t> done = 0;
  executor.for_each(count, [&](std::uint64_t i) {
    executor.check();
    SerialExecutor serial;  // sectors are what runs at once
    const FakePostSector sector = post.sector(i, openings, serial);
    write_new_file(dir, fmt::format("sector-{}.bin", i), sector.bincode);
    listed[i] = fmt::format("{{\"sector_id\": {}, \"comm_r\": \"{}\"}}", sector.id, to_hex(sector.comm_r.to_bytes()));
    executor.progress(++done, count);
  });
  MetaJson meta;
  meta.text("kind", proof.kind);
  meta.text("registered_proof", fmt::format("StackedDrg{}{}{}", proof.name, sector_name(size), proof.version));
  meta.number("registered_proof_number", proof.row * sector_sizes.size() + index_of(size));
  meta.hex("randomness", post.randomness()).hex("prover_id", prover_id(miner_id));
  meta.json("sectors", fmt::format("[\n    {}\n  ]", fmt::join(listed, ",\n    ")));
  write_new_file(dir, "meta.json", as_bytes(meta.finish(seed)));
}

}  // namespace

FakePost::FakePost(const PostSetup& setup, std::uint64_t seed, const circuit::PoseidonSet& hashes)
    : setup_(setup),
      filler_(seed),
      hashes_(hashes),
      hash_(poseidon_nodes(hashes)),
      tree_(level_arities(setup.tree, setup.nodes), hash_, filler_.row("replica"), setup.nodes) {}

FakePostSector FakePost::sector(std::uint64_t position, unsigned openings, Executor& executor) const {
  FakePostSector made{position + 1, {}, {}};
  const Fr comm_c = filler_.scalar("comm_c", made.id);
  std::vector<std::uint64_t> leaves;
  SparseTree tree(tree_, hash_);
  for (unsigned n = 0; n < openings; ++n) {
    const std::uint64_t index = post_challenge_index(setup_, position, n);
    leaves.push_back(post_leaf(randomness(), made.id, index, setup_.nodes));
    tree.set(leaves.back(), filler_.scalar("leaf of a sector", made.id << 32 | leaves.back()));
  }
  tree.close(executor);
  made.comm_r = hashes_[2].hash(std::array{comm_c, root(tree)});

  BincodeWriter out;
  out.u64(made.id);
  out.scalar(made.comm_r);
  out.u64(1);
  out.u64(openings);
  for (const std::uint64_t leaf : leaves) out.opening(open_leaf(tree, leaf), setup_.tree, setup_.nodes);
  out.scalar(comm_c);
  out.scalar(root(tree));
  made.bincode = out.bytes();
  return made;
}

void write_fake_winning(SectorSize size, std::uint64_t seed, const circuit::PoseidonSet& hashes, const std::string& dir,
                        Executor& executor) {
  const FakePost post(PostSetup::winning(size), seed, hashes);
  write_fake_post(post, winning_v1, size, 1, PostSetup::winning_openings, seed, dir, executor);
}

void write_fake_window(SectorSize size, PostRule rule, std::uint64_t sectors, std::uint64_t seed,
                       const circuit::PoseidonSet& hashes, const std::string& dir, Executor& executor) {
  const PostSetup setup = PostSetup::window(size, rule);
  write_fake_post(FakePost(setup, seed, hashes), rule == PostRule::by_position ? window_v1 : window_v1_2, size, sectors,
                  setup.challenges, seed, dir, executor);
}

}  // namespace pinion::filecoin
