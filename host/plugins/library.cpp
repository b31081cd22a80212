#include <cxxabi.h>
#include <fmt/format.h>

#include <boost/dll/shared_library.hpp>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <pinion/host/plugins/gates.hpp>
#include <pinion/host/plugins/library.hpp>
#include <pinion/printable.hpp>
#include <vector>

namespace pinion::host {
namespace {

// Boost's object closes its library when it is destroyed. Loaded libraries are parked here, in a list that is
// deliberately never destroyed; nobody reads it.
void keep_for_ever(boost::dll::shared_library library) {
  static std::mutex mutex;
  static auto& kept = *new std::vector<boost::dll::shared_library>;
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(library));
}

// The loader speaks in mangled names; the operator should not have to.
std::string with_plain_names(std::string text) {
  constexpr std::string_view marker = "undefined symbol: ";
  const auto at = text.find(marker);
  if (at == std::string::npos) return text;
  const auto begin = at + marker.size();
  const auto end = std::min(text.find_first_of(" ,)]", begin), text.size());
  const std::string mangled = text.substr(begin, end - begin);
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &failed),
                                                     std::free);
  if (failed == 0 && plain) text += fmt::format("; that is {}", plain.get());
  return text;
}

}  // namespace

Result<std::shared_ptr<const Library>> Library::load(const Manifest& manifest) {
  if (Status status = check_file(manifest); !status.ok()) return status;
  try {
    // Now rather than lazily, so that a missing symbol is found here; local, so that plugins do not see each other.
    boost::dll::shared_library library(manifest.library,
                                       boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
    const auto& entry = library.get<const pinion_plugin_entry>("pinion_plugin");
    keep_for_ever(std::move(library));
    auto info = check_entry(entry, manifest);
    if (!info) return info.status();
    return std::shared_ptr<const Library>(new Library(manifest, entry, std::move(*info)));
  } catch (const std::exception& error) {
    return Status(Code::invalid_config,
                  fmt::format("{} cannot be loaded: {}", shown(manifest.library), with_plain_names(error.what())));
  }
}

}  // namespace pinion::host
