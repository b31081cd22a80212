// The manual of one plugin, as `plugin describe` shows it: what it is and offers, its options, and, of a proof plugin,
// its kinds.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <pinion/host/cli/console.hpp>
#include <pinion/host/plugins/library.hpp>
#include <pinion/host/plugins/proof.hpp>
#include <span>

namespace pinion::host::cli {

// `kinds` of a proof plugin; empty for every other. [main]
void print_manual(Console& console, const Library& library, std::span<const Kind> kinds);
nlohmann::ordered_json manual_json(const Library& library, std::span<const Kind> kinds);

}  // namespace pinion::host::cli
