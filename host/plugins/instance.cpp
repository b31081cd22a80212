#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/plugins/instance.hpp>

namespace pinion::host {

Result<std::shared_ptr<Instance>> Instance::create(std::shared_ptr<const Library> library,
                                                   std::shared_ptr<const pinion_host> host,
                                                   std::span<const pinion_option> options) {
  void* self = nullptr;
  const Status status = call_plugin(library->info().id, "create", [&](pinion_error* err) {
    return library->entry().create(host.get(), options.data(), static_cast<std::uint32_t>(options.size()), &self, err);
  });
  if (!status.ok()) return status;
  // Any pointer is the plugin's own business, except none: destroy and query could not tell it from a failure.
  if (self == nullptr) return host::broken_rule(library->info().id, "create", "it succeeded but gave no instance");
  return std::shared_ptr<Instance>(new Instance(std::move(library), std::move(host), self));
}

Instance::~Instance() {
  (void)call("destroy", [&] { library_->entry().destroy(self_); });
}

bool Instance::offers(std::string_view interface_id) const {
  const auto& interfaces = library_->info().interfaces;
  return std::find(interfaces.begin(), interfaces.end(), interface_id) != interfaces.end();
}

const void* Instance::query(const char* interface_id) const {
  const void* table = nullptr;
  if (offers(interface_id)) (void)call("query", [&] { table = library_->entry().query(self_, interface_id); });
  return table;
}

Status Instance::lacks(const char* interface_id) const {
  if (offers(interface_id))
    return Status(Code::invalid_config,
                  fmt::format("{} lists the interface {} but answers nothing when asked for it", id(), interface_id));
  return Status(Code::unsupported, fmt::format("{} does not offer {}", id(), interface_id));
}

}  // namespace pinion::host
