// Reading bincode 1.x (fixed-width little-endian integers, u64 lengths, u32 enum tags) strictly: exact length, exact
// counts, canonical scalars, every error with the field at fault and its byte offset. Memory follows what is read,
// never what is claimed. Errors are pinion::Error, INVALID_INPUT.
#pragma once

#include <cstdint>
#include <pinion/filecoin/digest.hpp>
#include <pinion/filecoin/merkle_path.hpp>
#include <string>
#include <string_view>

namespace pinion::filecoin {

class Bincode {
 public:
  // Over `bytes`, which must outlive it; `what` names them in errors ("partition-3.bin").
  Bincode(ByteView bytes, std::string what) : bytes_(bytes), what_(std::move(what)) {}
  Bincode(const Bincode&) = delete;
  Bincode& operator=(const Bincode&) = delete;

  // While it lives, errors name this field within those around it: ".field", or "[index]".
  class In {
   public:
    In(Bincode& reader, std::string_view field) : In(reader) { reader_.path_.append(".").append(field); }
    In(Bincode& reader, std::size_t index) : In(reader) {
      reader_.path_.append("[").append(std::to_string(index)).append("]");
    }
    In(const In&) = delete;
    In& operator=(const In&) = delete;
    ~In() { reader_.path_.resize(length_); }

   private:
    explicit In(Bincode& reader) : reader_(reader), length_(reader.path_.size()) {}
    Bincode& reader_;
    std::size_t length_;
  };

  std::uint32_t u32(std::string_view field);
  std::uint64_t u64(std::string_view field);
  Bytes32 bytes32(std::string_view field);
  // 32 bytes, little-endian, below the modulus.
  bls::Fr scalar(std::string_view field);
  // A length that must be `expected`; `noun` says of what ("hashes").
  void length(std::string_view field, std::uint64_t expected, std::string_view noun);
  // No byte may be left.
  void end();

  // Fails at the bytes read last.
  [[noreturn]] void fail(std::string_view problem) const;

 private:
  ByteView take(std::string_view field, std::size_t count);

  ByteView bytes_;
  std::string what_;
  std::string path_;
  std::size_t at_ = 0;    // of the next byte
  std::size_t last_ = 0;  // of what was read last
};

// A Merkle proof as merkletree serialises it: where a leaf stands and what it leads to.
struct MerkleOpening {
  bls::Fr root;
  bls::Fr leaf;
  MerklePath path;
};

// A proof of a tree of `shape` over `nodes` leaves: the enum variant (Single, Sub, Top), the number of levels, each
// level's number of hashes and the range of each index must be that tree's.
MerkleOpening read_opening(Bincode& reader, TreeShape shape, std::uint64_t nodes);

}  // namespace pinion::filecoin
