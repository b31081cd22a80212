// A prover with the plugins as built, and requests from folders as the command line makes them. For programs that link
// the pipeline and define PINION_PLUGINS, the folder of those plugins.
#pragma once

#include <catch2/catch.hpp>
#include <filesystem>
#include <pinion/host/config/load.hpp>
#include <pinion/host/pipeline/prover.hpp>
#include <string>

#include "vectors.hpp"

namespace pinion::host::test {

inline Config configured(const ConfigSources& sources) {
  const LoadedConfig loaded = load_config(sources);
  INFO(problems_text(loaded.problems));
  REQUIRE(loaded.ok());
  return loaded.config;
}

// `setup` needs a configuration; places for plugins in it come before those that ship. The others outlive the prover.
inline std::unique_ptr<Prover> open_prover(ProverSetup setup, Log& log, const Clock& clock, RandomSource& random) {
  setup.plugin_paths.push_back(PINION_PLUGINS);
  auto opened = Prover::open(setup, log, clock, random);
  INFO((opened ? std::string() : opened.status().message()));
  REQUIRE(opened);
  return *std::move(opened);
}

// `input`: a file of `folder`, or "" for the parts in it. Test keys are allowed.
inline ProveRequest request_of(const std::string& family, const std::string& input, const std::filesystem::path& folder,
                               const std::filesystem::path& params) {
  ProveRequest request;
  request.family = family;
  request.params_dir = params;
  request.allow_test_keys = true;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (input.empty() ? name.ends_with(".bin") || name == "meta.json" : name == input)
      request.parts.push_back({name, pinion::test::read_file(entry.path())});
  }
  return request;
}

}  // namespace pinion::host::test
