#include <array>
#include <limits>
#include <pinion/porep/c1_wrapper.hpp>

namespace pinion::filecoin {
namespace {

using json::Field;
using json::Place;
using json::Value;

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::uint8_t no_digit = 64;
constexpr std::array<std::uint8_t, 256> digits = [] {
  std::array<std::uint8_t, 256> out{};
  out.fill(no_digit);
  for (std::size_t i = 0; i < alphabet.size(); ++i)
    out[static_cast<unsigned char>(alphabet[i])] = static_cast<std::uint8_t>(i);
  return out;
}();

std::uint8_t digit_at(std::string_view text, std::size_t i, const Place& at) {
  const auto character = static_cast<unsigned char>(text[i]);
  if (digits[character] == no_digit)
    at.fail(fmt::format("character {} (0x{:02x}) of the base64 text is not of its alphabet", i, character));
  return digits[character];
}

bool is_wrapped(json::Document& document) {
  simdjson::ondemand::object object;
  Value root = document.root();
  if (root.get_object().get(object)) json::fail_type(root, document.place(), "an object");
  for (auto field : object) {
    std::string_view key;
    if (const auto error = field.unescaped_key().get(key)) json::fail_syntax(error, document.place());
    if (key == "Phase1Out" || key == "SectorNum" || key == "SectorSize") return true;
    if (key == "registered_proof" || key == "vanilla_proofs") return false;
  }
  document.place().fail("neither a C1 output (no field registered_proof) nor a wrapped one (no field Phase1Out)");
}

}  // namespace

simdjson::padded_string decode_base64(std::string_view text, const Place& at) {
  if (text.size() % 4 != 0) at.fail(fmt::format("{} characters of base64, not a multiple of 4", text.size()));
  const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with("=") ? 1 : 0;
  const std::size_t length = text.size() / 4 * 3 - padding;
  simdjson::padded_string out(length);
  if (out.data() == nullptr) throw std::bad_alloc();
  // Groups of four characters to three bytes; the last group is cut by its padding.
  for (std::size_t i = 0, o = 0; i < text.size(); i += 4, o += 3) {
    const std::size_t characters = i + 4 < text.size() ? 4 : 4 - padding;
    std::uint32_t group = 0;
    for (std::size_t k = 0; k < 4; ++k) group = group << 6 | (k < characters ? digit_at(text, i + k, at) : 0U);
    for (std::size_t k = 0; k + 1 < characters; ++k) out.data()[o + k] = static_cast<char>(group >> (16 - 8 * k));
  }
  return out;
}

BareC1 open_c1(ByteView bytes) {
  BareC1 out;
  out.document = std::make_unique<json::Document>(
      simdjson::padded_string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), "C1 JSON");
  if (!is_wrapped(*out.document)) return out;

  constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();
  C1Wrapper wrapper;
  simdjson::padded_string text;
  read_object(
      out.document->root(), out.document->place(),
      Field{"SectorNum", [&](Value v, const Place& at) { wrapper.sector_number = json::read_unsigned(v, at, any); }},
      Field{"SectorSize", [&](Value v, const Place& at) { wrapper.sector_bytes = json::read_unsigned(v, at, any); }},
      Field{"Phase1Out", [&](Value v, const Place& at) { text = decode_base64(json::read_string(v, at), at); }});
  out.document->expect_end();
  out.wrapper = wrapper;
  out.document.reset();  // before the parser of the inner text takes its share
  out.document = std::make_unique<json::Document>(std::move(text), "C1 JSON inside Phase1Out");
  return out;
}

}  // namespace pinion::filecoin
