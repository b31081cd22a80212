// The small complete Groth16 systems of vectors/prims/groth16-small: circuit, keys, toxic waste, witnesses and proofs.
#pragma once

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <pinion/groth16/proof.hpp>
#include <pinion/groth16/shape_builder.hpp>
#include <pinion/test/vectors.hpp>
#include <stdexcept>

namespace pinion::test {

inline std::filesystem::path small_systems() {
  return small_vectors_dir() / "prims/groth16-small";
}
inline const char* const small_system_names[] = {"tiny", "exact", "above"};

inline bls::Fr read_fr(const nlohmann::json& hex) {
  const Bytes bytes = from_hex(hex.get<std::string>());
  return bls::Fr::from_bytes(std::span(bytes).first<32>()).value();
}

inline std::vector<bls::Fr> read_frs(const nlohmann::json& list) {
  std::vector<bls::Fr> out;
  for (const auto& hex : list) out.push_back(read_fr(hex));
  return out;
}

struct SmallSystem {
  nlohmann::json json;
  std::filesystem::path params, vk;

  explicit SmallSystem(const std::string& name)
      : json(read_json(small_systems() / (name + ".json"))),
        params(small_systems() / (name + ".params")),
        vk(small_systems() / (name + ".vk")) {}

  // Aux i is allocated as a bit where is_bit[i] says so; none by default.
  groth16::OwnedShape shape(const std::vector<bool>& is_bit = {}) const {
    groth16::ShapeBuilder builder;
    const auto& circuit = json["circuit"];
    const std::size_t inputs = circuit["inputs"];
    for (std::size_t i = 1; i < inputs; ++i) builder.add_input();
    for (std::size_t i = 0; i < circuit["aux"]; ++i)
      i < is_bit.size() && is_bit[i] ? builder.add_bit() : builder.add_scalar();
    const auto terms = [](const nlohmann::json& list) {
      std::vector<groth16::Term> out;
      for (const auto& term : list) {
        const std::string name = term[0];
        const auto index = static_cast<std::uint32_t>(std::stoul(name.substr(1)));
        out.push_back({name[0] == 'i' ? groth16::input_flag | index : index, read_fr(term[1])});
      }
      return out;
    };
    for (std::size_t row = 0; row < circuit["circuit_rows"]; ++row) {
      const auto& r = circuit["rows_full"][row];
      builder.add_row(terms(r[0]), terms(r[1]), terms(r[2]));
    }
    SerialExecutor serial;
    return groth16::build(std::move(builder), serial);
  }
};

}  // namespace pinion::test
