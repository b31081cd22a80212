#include "row_digest.hpp"

#include <openssl/evp.h>

#include <algorithm>
#include <pinion/test/vectors.hpp>
#include <stdexcept>

namespace pinion::test {

namespace {
void require(int ok) {
  if (ok != 1) throw std::runtime_error("OpenSSL refused SHA-256");
}
constexpr std::size_t batch = 1 << 16;

void put_u32(std::vector<std::uint8_t>& out, std::uint32_t value) {
  for (int shift = 0; shift < 32; shift += 8) out.push_back(static_cast<std::uint8_t>(value >> shift));
}

// Canonical bytes of ONE and minus ONE are asked for by nearly every term.
const bls::Bytes32& canonical(const bls::Fr& value, bls::Bytes32& scratch) {
  static constexpr bls::Bytes32 one = bls::Fr::one().to_bytes();
  static constexpr bls::Bytes32 minus_one = (-bls::Fr::one()).to_bytes();
  if (value == circuit::fr_one) return one;
  if (value == circuit::fr_minus_one) return minus_one;
  return scratch = value.to_bytes();
}
}  // namespace

void Sha256::Free::operator()(evp_md_ctx_st* context) const noexcept {
  EVP_MD_CTX_free(context);
}
Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  require(EVP_DigestInit_ex(context_.get(), EVP_sha256(), nullptr));
}
void Sha256::update(std::span<const std::uint8_t> bytes) {
  require(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}
std::string Sha256::hex() const {
  const std::unique_ptr<evp_md_ctx_st, Free> copy(EVP_MD_CTX_new());
  require(EVP_MD_CTX_copy_ex(copy.get(), context_.get()));
  std::array<std::uint8_t, 32> out{};
  require(EVP_DigestFinal_ex(copy.get(), out.data(), nullptr));
  return to_hex(out);
}

RowDigest::RowDigest(std::set<std::uint64_t> checkpoints) : checkpoints_(std::move(checkpoints)) {
  if (checkpoints_.contains(0)) noted_[0] = rows_sha256();
}

void RowDigest::append(std::size_t matrix, Terms terms) {
  terms_[matrix] += terms.size();
  put_u32(rows_bytes_, static_cast<std::uint32_t>(terms.size()));
  put_u32(shape_bytes_, static_cast<std::uint32_t>(terms.size()));
  codes_.clear();
  for (const auto& term : terms) {
    bls::Bytes32 scratch;
    const auto& bytes = canonical(term.coefficient, scratch);
    put_u32(rows_bytes_, term.variable);
    rows_bytes_.insert(rows_bytes_.end(), bytes.begin(), bytes.end());
    codes_.push_back(term.variable);
  }
  std::sort(codes_.begin(), codes_.end());
  for (const std::uint32_t code : codes_) put_u32(shape_bytes_, code);
}

void RowDigest::flush() {
  rows_.update(rows_bytes_);
  shape_.update(shape_bytes_);
  rows_bytes_.clear();
  shape_bytes_.clear();
}

void RowDigest::row(Terms a, Terms b, Terms c) {
  append(0, a);
  append(1, b);
  append(2, c);
  ++count_;
  if (rows_bytes_.size() >= batch) flush();
  if (checkpoints_.contains(count_)) noted_[count_] = rows_sha256();
}

void RowDigest::append_input_rows(std::uint32_t inputs) {
  for (std::uint32_t i = 0; i < inputs; ++i) {
    const groth16::Term term{groth16::input_flag | i, bls::Fr::one()};
    row({&term, 1}, {}, {});
  }
}

std::string RowDigest::rows_sha256() {
  flush();
  return rows_.hex();
}
std::string RowDigest::shape_sha256() {
  flush();
  return shape_.hex();
}

void ScalarDigest::add(const bls::Fr& value) {
  static constexpr bls::Bytes32 zero{};
  bls::Bytes32 scratch;
  const auto& bytes = value.is_zero() ? zero : canonical(value, scratch);
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  if (bytes_.size() >= batch) {
    hash_.update(bytes_);
    bytes_.clear();
  }
}
std::string ScalarDigest::hex() {
  hash_.update(bytes_);
  bytes_.clear();
  return hash_.hex();
}

}  // namespace pinion::test
