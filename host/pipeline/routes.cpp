#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <pinion/host/pipeline/routes.hpp>

namespace pinion::host {

std::string short_format(const std::string& format) {
  const auto curve = format.find('.', format.find('.', format.find('.') + 1) + 1);  // the third dot
  const std::string name = format.substr(0, curve);
  return name.substr(name.find_last_of("-.") + 1);
}

std::string RouteLine::text() const {
  if (!refused.empty()) return fmt::format("{} cannot be proved here: {}", kind, refused);
  return fmt::format("{} -> {} -> {}[{}] {}", kind, allocator, backend, fmt::join(devices, ","),
                     direct ? "direct" : "staged copies");
}

class RouteCheck {
 public:
  RouteCheck(const Registry& registry, const Devices& devices, const RouteRules& rules)
      : registry_(registry), rules_(rules) {
    for (const std::string& id : rules.backends) {
      const auto is = [&](const LoadedBackend& loaded) { return loaded.backend->id() == id; };
      const auto& all = registry.backends();
      const auto backend = std::find_if(all.begin(), all.end(), is);
      if (backend == all.end()) continue;
      backends_.push_back(backend->backend.get());
      for (const Device& device : devices.all())
        if (device.loaded == &*backend) devices_.push_back(&device);
    }
  }

  Result<Routes> run() {
    check_memory();
    for (const auto& loaded : registry_.proofs())
      for (const Kind& kind : loaded.proof->kinds()) add(kind);
    if (!backends_.empty() && !routes_.lines_.empty() && routes_.routes_.empty())
      for (const RouteLine& line : routes_.lines_) problems_.push_back(line.text());
    if (!problems_.empty()) return Status(Code::invalid_config, fmt::format("{}", fmt::join(problems_, "\n")));
    return std::move(routes_);
  }

 private:
  // Whether every backend can work with the memory there will be.
  void check_memory() {
    if (rules_.allocators.empty()) return;
    const AllocatorPlugin& allocator = *rules_.allocators.front();
    const auto kind = static_cast<SlabKind>(allocator.facts().kind);
    for (const BackendPlugin* one : backends_) {
      const BackendPlugin& backend = *one;
      if (!backend.accepted_kinds().has(kind)) {
        problems_.push_back(fmt::format("{} makes {} memory, {} accepts {}; choose another of {}", allocator.id(),
                                        kind_text(kind), backend.id(), kinds_text(backend.accepted_kinds()),
                                        places(allocator)));
      } else if (!backend.dma_kinds().has(kind)) {
        const std::string copies = fmt::format(
            "staged copies: {} reads {} memory directly, but {} makes {} memory, so every buffer is copied once more",
            backend.id(), backend.dma_kinds().bits == 0 ? "no" : kinds_text(backend.dma_kinds()), allocator.id(),
            kind_text(kind));
        if (const auto& forbidden = rules_.plugins.require_dma; *forbidden)
          problems_.push_back(
              fmt::format("{}; plugins.require_dma forbids that ({}): take it back, or choose another of {}", copies,
                          forbidden.origin.text(), places(allocator)));
        else
          routes_.warnings_.push_back(copies);
      }
    }
  }

  // The keys that chose an allocator and the backends, and where each was set.
  std::string places(const AllocatorPlugin& allocator) const {
    const PluginsConfig& plugins = rules_.plugins;
    const bool preferred = allocator.id() == *plugins.allocator;
    return fmt::format("{} ({}) and plugins.backends ({})", preferred ? "plugins.allocator" : "plugins.fallback",
                       (preferred ? plugins.allocator : plugins.fallback).origin.text(),
                       plugins.backends.origin.text());
  }

  void add(const Kind& kind) {
    RouteLine line;
    line.kind = kind.id;
    if (!rules_.allocators.empty()) line.allocator = rules_.allocators.front()->id();
    Route route;
    for (const Device* at : devices_) {
      const Device& device = *at;
      if (!device.facts->ineligible.empty()) continue;
      const auto format = first_format(kind, *device.loaded->backend);
      if (format.empty()) continue;
      route.devices.push_back(device.number);
      route.formats[device.number] = format;
      if (line.backend.empty()) set_backend(line, device, format);
      if (line.backend == device.loaded->backend->id()) line.devices.push_back(device.local);
    }
    if (route.devices.empty())
      line.refused = no_device_for(kind);
    else
      routes_.routes_[kind.id] = std::move(route);
    routes_.lines_.push_back(std::move(line));
  }

  std::string no_device_for(const Kind& kind) const {
    std::string text = fmt::format("no usable device takes its job formats ({})", fmt::join(kind.formats, ", "));
    if (*rules_.job_format != "auto")
      text +=
          fmt::format(" allowed by pipeline.job_format = {} ({})", *rules_.job_format, rules_.job_format.origin.text());
    text += fmt::format("; plugins.backends ({}) are {}", rules_.plugins.backends.origin.text(),
                        fmt::join(rules_.backends, ", "));
    if (!rules_.unused_backends.empty())
      text += fmt::format("; found, and not among them: {}", fmt::join(rules_.unused_backends, ", "));
    return text;
  }

  void set_backend(RouteLine& line, const Device& device, const std::string& format) const {
    line.backend = device.loaded->backend->id();
    line.format = format;
    line.direct = !rules_.allocators.empty() && device.loaded->backend->dma_kinds().has(
                                                    static_cast<SlabKind>(rules_.allocators.front()->facts().kind));
  }

  std::string first_format(const Kind& kind, const BackendPlugin& backend) const {
    for (const std::string& format : kind.formats)
      if (backend.lists(format) && (*rules_.job_format == "auto" || *rules_.job_format == short_format(format)))
        return format;
    return "";
  }

  const Registry& registry_;
  const RouteRules& rules_;
  std::vector<const BackendPlugin*> backends_;  // in order of preference
  std::vector<const Device*> devices_;          // theirs
  Routes routes_;
  std::vector<std::string> problems_;
};

Result<Routes> Routes::check(const Registry& registry, const Devices& devices, const RouteRules& rules) {
  return RouteCheck(registry, devices, rules).run();
}

const Route& Routes::route(const std::string& kind) const {
  static const Route none;
  const auto at = routes_.find(kind);
  return at == routes_.end() ? none : at->second;
}

}  // namespace pinion::host
