// Each 32-byte value of a C1, one after the other, at the modulus: refused by its path exactly where it is proved.
#include <catch2/catch.hpp>
#include <pinion/plugin/error.hpp>
#include <pinion/porep/c1.hpp>
#include <utility>

#include "cases.hpp"

using namespace pinion::filecoin;
using Json = nlohmann::ordered_json;

namespace {

// Every list of 32 numbers of the document, with its path as messages have it.
void find_elements(const Json& at, const std::string& pointer, const std::string& shown_path,
                   std::vector<std::pair<std::string, std::string>>& out) {
  const bool is_element = at.is_array() && at.size() == 32 && at[0].is_number();
  if (is_element) out.emplace_back(pointer, shown_path);
  if (is_element || !at.is_structured()) return;
  for (const auto& [key, value] : at.items())
    find_elements(value, pointer + "/" + key,
                  at.is_array() ? shown_path + "[" + key + "]" : shown_path + (shown_path.empty() ? "" : ".") + key,
                  out);
}

// What the reference does not look at when it proves, and therefore must not matter here: with a value at or above the
// modulus in all of these at once its witness is the same (tried with bellperson's, spec 3.2). seed and ticket are
// bytes.
bool is_ignored(const std::string& path) {
  const auto in = [&](const char* part) { return path.find(part) != std::string::npos; };
  const bool of_leaf_or_root = path.ends_with(".leaf") || path.ends_with(".root");
  if (in("comm_d_proofs")) return path.ends_with(".root");
  if (in("comm_r_last_proof") || in("c_x.inclusion_proof")) return path.ends_with(".leaf");
  if (in("drg_parents") || in("exp_parents")) return of_leaf_or_root;
  return in("c_x.column") || in("labeling_proofs") || in("encoding_proof") || path == "seed" || path == "ticket";
}

}  // namespace

TEST_CASE("every field element that is proved must be below the modulus, and no other need be") {
  const auto path = pinion::test::find_vector("cases/porep-2KiB-V1_1-seed11/c1.json");
  if (!path) return;
  Json document = Json::parse(pinion::test::read_text(*path));
  const Json modulus = Json(pinion::test::from_hex("01000000fffffffffe5bfeff02a4bd5305d8a10908d83933487d9d2953a7ed73"));
  std::vector<std::pair<std::string, std::string>> elements;
  find_elements(document, "", "", elements);
  std::size_t refused = 0;
  for (const auto& [pointer, shown_path] : elements) {
    Json& element = document.at(Json::json_pointer(pointer));
    const Json sound = std::exchange(element, modulus);
    const std::string text = document.dump();
    std::string message;
    try {
      read_c1({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
    } catch (const pinion::Error& error) {
      message = error.what();
    }
    element = sound;
    INFO(shown_path << ": " << message);
    if (is_ignored(shown_path)) {
      REQUIRE(message.empty());
    } else {
      REQUIRE_THAT(message, Catch::StartsWith(shown_path + ": 01000000"));
      ++refused;
    }
  }
  REQUIRE(refused > 400);
  REQUIRE(refused < elements.size());
}
