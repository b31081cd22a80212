// Names and published digests of the Groth16 parameter files of Filecoin's proofs (rust-fil-proofs parameters.json,
// version 28 of the naming scheme). A name is a hash of what fixes the circuit, so all variants of one PoRep size share
// one file. Reading the files belongs to sdk/groth16.
#pragma once

#include <cstdint>
#include <pinion/filecoin/sector.hpp>
#include <string>
#include <string_view>

namespace pinion::filecoin {

enum class ParameterFamily : std::uint8_t { Porep, Update, Winning, Window };

struct ParameterFiles {
  std::string stem;           // file name without ".params" or ".vk"
  std::string identifier;     // the text whose SHA-256 ends the stem
  std::string params_digest;  // first 32 hexadecimal digits of the file's Blake2b-512, as published
  std::string vk_digest;

  std::string params() const { return stem + ".params"; }
  std::string vk() const { return stem + ".vk"; }
};

// [any]
ParameterFiles parameter_files(ParameterFamily family, SectorSize size);

}  // namespace pinion::filecoin
