// A case of the vectors as a request: any family's, read the way its plugin reads it.
#pragma once

#include <filesystem>
#include <memory>
#include <pinion/filecoin_proving/kind_table.hpp>
#include <pinion/filecoin_proving/statement.hpp>
#include <string_view>

namespace pinion::bench {

struct ProofCase {
  filecoin::ProofKind kind;
  std::unique_ptr<const filecoin::Statement> statement;
};

// Of a folder with meta.json and what its kind asks for. Throws pinion::Error, or std::runtime_error naming the file.
ProofCase read_case(const std::filesystem::path& folder);

// As on the command line: "window", "32GiB". Throws std::runtime_error when there is none.
filecoin::ProofKind find_kind(std::string_view family, std::string_view size);

}  // namespace pinion::bench
