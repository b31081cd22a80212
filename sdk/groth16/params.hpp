// The proving key: a `.params` file, its layout and its queries. Three steps, so that memory can be charged before it
// exists: ParamsLayout::read looks at lengths only, the caller makes room for the queries, read_queries fills it.
// The format has no magic and no checksum; what can be checked is checked. Writing one is setup.hpp.
// Source: bellperson 0.27 groth16/params.rs.
#pragma once

#include <array>
#include <cstdint>
#include <pinion/bls12_381/encoding.hpp>
#include <pinion/executor.hpp>
#include <span>
#include <string>

#include "digest.hpp"
#include "file.hpp"
#include "result.hpp"
#include "verifying_key.hpp"

namespace pinion::groth16 {

class Shape;

// In file order. h, l, a and b are the queries of the prover; ic belongs to the verifying key.
enum class KeySection : std::uint8_t { ic, h, l, a, b_g1, b_g2 };
inline constexpr std::size_t key_section_count = 6;
const char* name_of(KeySection section) noexcept;

// Points per section; b is the length of both b_g1 and b_g2.
struct KeyCounts {
  std::uint32_t ic = 0, h = 0, l = 0, a = 0, b = 0;
  // What setup makes of a circuit: ic = inputs, h = domain - 1, l = aux, a = inputs + dense aux of A, b = dense
  // variables of B (spec §2.2). [any]
  static KeyCounts of(const Shape& shape);
  friend bool operator==(const KeyCounts&, const KeyCounts&) = default;
};

struct ParamsLayout {
  struct Extent {
    std::uint64_t offset;  // of the first point, in bytes from the start of the file
    std::uint64_t count;   // points
    std::uint64_t bytes;
  };

  KeyCounts counts;
  std::array<Extent, key_section_count> sections;
  std::uint64_t bytes;         // where b_g2 ends
  std::uint64_t trailing = 0;  // bytes of the file after that: other projects' ceremonies leave some

  const Extent& operator[](KeySection section) const { return sections[static_cast<std::size_t>(section)]; }
  std::uint64_t verifying_key_bytes() const { return VerifyingKey::encoded_bytes(counts.ic); }
  // Bytes that all queries (h, l, a, b_g1, b_g2) take once decoded: as many as they take in the file.
  std::uint64_t query_bytes() const;

  // Where everything would lie for these counts. [any]
  static ParamsLayout of(const KeyCounts& counts);
  // Reads the six lengths, each checked against the size of the file before anything follows from it: at most 24 bytes
  // are read. truncated, or malformed (no ic, b_g1 and b_g2 of different lengths). [worker]
  static Result<ParamsLayout> read(const File& file);
};

// Is this a key for that circuit? mismatch, naming the first section whose length differs. [any]
Result<void> check_counts(const KeyCounts& found, const KeyCounts& expected, const std::string& path);

// The caller's memory for the decoded queries (Montgomery affine); lengths as in KeyCounts.
struct QuerySpans {
  std::span<bls::G1Affine> h, l, a, b_g1;
  std::span<bls::G2Affine> b_g2;
};

// The head of the file, subgroup test included. [worker]
Result<VerifyingKey> read_verifying_key(const File& file, const ParamsLayout& layout);

// Fills `out` from the file, in parallel. Check::subgroup, of all points of a chunk at once (simd/subgroup.hpp), takes
// some five additions a point and 8 MiB a thread more than Check::curve, which is what provers do with files of known
// digest. Infinity is refused in both. The error names the first bad point of the file: section, index, byte. Reports
// chunks as progress; throws Cancelled. `digest`, of the same file: is given the queries on the way, by one thread
// while the others read and decode; what stands before, between and after them is its finish()'s affair, also after an
// error. [worker]
Result<void> read_queries(const File& file, const ParamsLayout& layout, bls::Check check, const QuerySpans& out,
                          Executor& executor, FileDigest* digest = nullptr);

// The same checks and errors without keeping the points: for files of any size, which are read once. [worker]
Result<void> check_queries(const File& file, const ParamsLayout& layout, bls::Check check, FileDigest& digest,
                           Executor& executor);
// Memory that it takes with `width` threads. [any]
std::uint64_t check_queries_bytes(std::uint32_t width);

}  // namespace pinion::groth16
