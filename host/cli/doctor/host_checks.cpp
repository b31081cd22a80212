#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <pinion/host/base/units.hpp>
#include <pinion/host/cli/doctor/host_checks.hpp>
#include <pinion/host/cli/key_folder.hpp>
#include <pinion/printable.hpp>

namespace pinion::host::cli {
namespace {

namespace fs = std::filesystem;
using Level = Finding::Level;

// pinion.health/1 has the same three levels; whatever else a plugin says is taken for the worst.
Level level_of(std::int32_t health) {
  if (health == PINION_HEALTH_PASS) return Level::pass;
  return health == PINION_HEALTH_WARN ? Level::warn : Level::fail;
}

// What is wrong with the files of a kind; empty when nothing is.
struct Files {
  std::size_t present = 0;
  std::vector<std::string> faults;
};

Files look_at(const Kind& kind, const fs::path& folder) {
  Files files;
  for (const auto& file : kind.files) {
    std::error_code error;
    const auto bytes = fs::file_size(folder / file.name, error);
    if (error) {
      files.faults.push_back(file.name + ": " + error.message());
      continue;
    }
    ++files.present;
    if (!file.bytes.zero() && bytes != file.bytes.count()) {
      files.faults.push_back(fmt::format("{}: {} bytes, not {}", file.name, bytes, file.bytes.count()));
    }
  }
  return files;
}

// The smallest slab, as the device sees it. Nothing when that is not known.
std::optional<Finding> slab_finding(AllocatorPlugin& allocator, const BackendPlugin& backend, std::uint32_t device) {
  const DeviceFacts& facts = backend.devices()[device];
  const std::string what = fmt::format("{} for {} device {}", allocator.id(), backend.id(), device);
  const Bytes bytes = allocator.describe().granularity;
  const auto slab = allocator.allocate(bytes, facts.placement());
  if (!slab) return Finding{Level::fail, what, slab.status().message(), ""};
  const SeenAs seen = backend.memory_seen(device, *slab, bytes);
  if (const Status released = allocator.release(*slab, bytes); !released.ok())
    return Finding{Level::fail, what, released.message(), ""};
  if (seen == SeenAs::unknown) return std::nullopt;
  const SlabKind stated = allocator.describe().kind;
  if (stated != SlabKind::pinned || !contradicts(seen, stated))
    return Finding{Level::pass, what, fmt::format("{} memory, as {} sees it", seen_text(seen), facts.name), ""};
  return Finding{Level::warn, what,
                 fmt::format("states {} memory, but {} sees {} memory: copies are staged", kind_text(stated),
                             facts.name, seen_text(seen)),
                 fmt::format("look at the options of {}, or choose another plugins.allocator", allocator.id())};
}

}  // namespace

Finding examine_budget(const Prover& prover) {
  const Snapshot snapshot = prover.snapshot();
  const SpaceStatus& host = snapshot.spaces.front();
  return {Level::pass, "memory budget", fmt::format("{}: {}", human_text(host.budget), host.budget_source), ""};
}

Findings examine_plugins(const Prover& prover) {
  Findings findings;
  for (const auto& instance : prover.registry().instances()) {
    const auto& library = instance->library();
    findings.push_back({Level::pass, "plugin " + instance->id(), library.info().version, ""});
  }
  for (const auto& plugin : prover.health()) {
    for (const auto& finding : plugin.findings) {
      findings.push_back({level_of(finding.level), plugin.plugin + ": " + finding.what, finding.found, finding.fix});
    }
  }
  return findings;
}

Findings examine_devices(const Prover& prover) {
  Findings findings;
  for (const auto& device : prover.devices()) {
    if (device.usable) {
      findings.push_back({Level::pass, "device", device.label, ""});
    } else {
      findings.push_back({Level::fail, "device", device.label, device.reason});
    }
  }
  for (const auto& warning : prover.warnings()) findings.push_back({Level::warn, "host", warning, ""});
  return findings;
}

Findings examine_slabs(const Prover& prover) {
  Findings findings;
  for (const LoadedBackend& loaded : prover.registry().backends()) {
    const auto& devices = loaded.backend->devices();
    const auto first = std::find_if(devices.begin(), devices.end(), [](auto& one) { return one.ineligible.empty(); });
    if (first == devices.end()) continue;
    const auto device = static_cast<std::uint32_t>(first - devices.begin());
    for (const auto& allocator : prover.allocators())
      if (auto finding = slab_finding(*allocator, *loaded.backend, device)) findings.push_back(*std::move(finding));
  }
  return findings;
}

Findings examine_parameters(const std::vector<const Kind*>& kinds, const fs::path& folder) {
  if (const auto fault = folder_fault(folder); !fault.empty())
    return {{Level::fail, "parameters", fault, "or name another folder: params.dir"}};
  std::vector<std::string> there;
  std::vector<std::string> absent;
  Findings findings;
  for (const auto* kind : kinds) {
    const auto files = look_at(*kind, folder);
    if (files.present == 0) {
      absent.push_back(kind->id);
    } else if (files.faults.empty()) {
      there.push_back(kind->id);
    } else {
      findings.push_back({Level::fail, "parameters", fmt::format("{}: {}", kind->id, fmt::join(files.faults, "; ")),
                          "fetch the files again; 'pinion params check' reads them whole"});
    }
  }
  if (!there.empty()) {
    findings.push_back({Level::pass, "parameters", fmt::format("{} in {}", fmt::join(there, " "), shown(folder)), ""});
  }
  if (!absent.empty()) {
    findings.push_back({Level::warn, "parameters",
                        fmt::format("none in {} for {}", shown(folder), fmt::join(absent, " ")),
                        "these kinds cannot be proved until their files are there: fetch the published ones, or make "
                        "test keys with 'pinion params generate'"});
  }
  for (const auto& unfinished : unfinished_keys(kinds, folder))
    findings.push_back({Level::warn, "parameters", unfinished.text(), ""});
  return findings;
}

}  // namespace pinion::host::cli
