// RowDigest: SHA-256 over the rows of a circuit while it is recorded, in the two encodings of shared/vectors/circuits:
// `rows` with coefficients, `shape` without (spec 7.4). It can note the digests at chosen numbers of rows, which is how
// the first difference is found.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <pinion/circuit/shape_recorder.hpp>
#include <set>
#include <span>
#include <string>
#include <vector>

struct evp_md_ctx_st;

namespace pinion::test {

// Streaming SHA-256.
class Sha256 {
 public:
  Sha256();
  void update(std::span<const std::uint8_t> bytes);
  std::string hex() const;  // of what was given so far; more may follow

 private:
  struct Free {
    void operator()(evp_md_ctx_st* context) const noexcept;
  };
  std::unique_ptr<evp_md_ctx_st, Free> context_;
};

class RowDigest final : public circuit::RowObserver {
 public:
  explicit RowDigest(std::set<std::uint64_t> checkpoints = {});
  void row(Terms a, Terms b, Terms c) override;
  // The rows that ShapeBuilder appends, of which an observer hears nothing.
  void append_input_rows(std::uint32_t inputs);

  std::uint64_t rows() const { return count_; }
  const std::array<std::uint64_t, 3>& terms() const { return terms_; }
  std::string rows_sha256();
  std::string shape_sha256();
  // rows_sha256 at a checkpoint that was passed.
  const std::string& at(std::uint64_t rows) const { return noted_.at(rows); }

 private:
  void append(std::size_t matrix, Terms terms);
  void flush();

  std::set<std::uint64_t> checkpoints_;
  std::map<std::uint64_t, std::string> noted_;
  std::uint64_t count_ = 0;
  std::array<std::uint64_t, 3> terms_{};
  std::vector<std::uint8_t> rows_bytes_, shape_bytes_;  // not hashed yet
  std::vector<std::uint32_t> codes_;
  Sha256 rows_, shape_;
};

// SHA-256 over scalars, 32 canonical bytes each, taken in order.
class ScalarDigest {
 public:
  void add(const bls::Fr& value);
  std::string hex();

 private:
  std::vector<std::uint8_t> bytes_;
  Sha256 hash_;
};

}  // namespace pinion::test
