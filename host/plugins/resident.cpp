#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/plugins/resident.hpp>

namespace pinion::host {
namespace {

constexpr std::uint32_t most_formats = 64;

std::string text_or_empty(const char* text) {
  return text ? text : "";
}

}  // namespace

Resource::Resource(const pinion_resource& theirs)
    : id_(text_or_empty(theirs.id)),
      format_(text_or_empty(theirs.format)),
      digest_(text_or_empty(theirs.digest)),
      file_(text_or_empty(theirs.file)),
      bytes_(theirs.bytes) {}

pinion_resource Resource::view() const noexcept {
  pinion_resource out{};
  out.size = sizeof out;
  out.id = id_.c_str();
  out.format = format_.c_str();
  out.bytes = bytes_;
  out.digest = digest_.c_str();
  out.file = file_.c_str();
  return out;
}

// Loads one resource at one home. Holds the plugin, so that it cannot go before the resident does.
class PluginResidentLoader final : public ResidentLoader {
 public:
  PluginResidentLoader(std::shared_ptr<ResidentPlugin> plugin, Resource resource, ResidentHome home, std::string source,
                       CallMaker& calls)
      : plugin_(std::move(plugin)),
        resource_(std::move(resource)),
        home_(home),
        source_(std::move(source)),
        calls_(calls) {}

  Result<void*> load(const LoadCall& load) override {
    auto source = find_source(load);
    if (!source) return source.status();
    pinion_buffer buffer{};
    if (load.buffer != nullptr)
      buffer = {load.buffer->data(), load.buffer->bytes().count(), static_cast<std::uint32_t>(load.buffer->kind()), 0,
                load.buffer->id().number()};
    Owner owner = load.owner;
    owner.plugin = plugin_->id();
    const auto call =
        calls_.make_call({owner, home_.first_device, home_.device_count, load.stop, load.span, load.priority, {}});
    const pinion_resource resource = resource_.view();
    void* handle = nullptr;
    const Status status = plugin_->instance_->call("load", [&](pinion_error* err) {
      return plugin_->table_.load(plugin_->instance_->self(), &resource, home_.device, *source,
                                  load.buffer ? &buffer : nullptr, call->table(), &handle, err);
    });
    if (!status.ok()) return status;
    if (const auto bytes = plugin_->view(handle); !bytes.ok()) {  // else every job to come would find that out
      unload(handle);
      return bytes.status();
    }
    return handle;
  }

  void unload(void* handle) noexcept override {
    (void)plugin_->instance_->call("unload", [&] { plugin_->table_.unload(plugin_->instance_->self(), handle); });
  }

  Result<std::optional<pinion_bytes>> view(void* handle) const { return plugin_->view(handle); }

 private:
  Result<pinion_bytes> find_source(const LoadCall& load) const {
    if (source_.empty()) return pinion_bytes{nullptr, 0};
    for (const ResidentRef* earlier : load.earlier) {
      if (earlier->spec().id != source_) continue;
      // Every resident of this host was specified below, so its loader is one of these.
      const auto& maker = static_cast<const PluginResidentLoader&>(*earlier->spec().loader);
      auto bytes = maker.view(earlier->handle());
      if (!bytes) return bytes.status();
      if (*bytes) return **bytes;
      return broken_rule(
          maker.plugin_->id(), "view",
          fmt::format("\"{}\" has no canonical bytes, which {} needs to load it", resource_.id(), plugin_->id()));
    }
    return Status(Code::internal,
                  fmt::format("\"{}\" is to be loaded from \"{}\", which is not loaded", resource_.id(), source_));
  }

  std::shared_ptr<ResidentPlugin> plugin_;
  Resource resource_;
  ResidentHome home_;
  std::string source_;
  CallMaker& calls_;
};

Result<std::shared_ptr<ResidentPlugin>> ResidentPlugin::open(std::shared_ptr<Instance> instance) {
  auto table = instance->table<pinion_resident>();
  if (!table) return table.status();
  std::uint32_t count = 0;
  const char* const* theirs = nullptr;
  if (auto status = instance->call("formats", [&] { theirs = table->formats(instance->self(), &count); }); !status.ok())
    return status;
  if (count > most_formats)
    return Status(Code::invalid_config, fmt::format("{} lists {} resident formats, at most {} are possible",
                                                    instance->id(), count, most_formats));
  std::vector<std::string> formats;
  for (std::uint32_t i = 0; i < count; ++i) formats.push_back(text_or_empty(theirs ? theirs[i] : nullptr));
  if (std::find(formats.begin(), formats.end(), "") != formats.end())
    return Status(Code::invalid_config, fmt::format("{} lists a resident format without a name", instance->id()));
  return std::shared_ptr<ResidentPlugin>(new ResidentPlugin(std::move(instance), *table, std::move(formats)));
}

bool ResidentPlugin::loads(std::string_view format) const {
  return std::find(formats_.begin(), formats_.end(), format) != formats_.end();
}

Result<ResidentSpec> ResidentPlugin::spec(const Resource& resource, const ResidentHome& home, const std::string& source,
                                          CallMaker& calls) {
  pinion_resident_info info{};
  info.size = sizeof info;
  const pinion_resource theirs = resource.view();
  const Status status = instance_->call("describe", [&](pinion_error* err) {
    return table_.describe(instance_->self(), &theirs, home.device, &info, err);
  });
  if (!status.ok()) return status;
  if (info.device_bytes > 0 && home.space == SpaceId::host())
    return instance_->broken_rule("describe", fmt::format("\"{}\" costs {} device bytes where there is no device space",
                                                          resource.id(), info.device_bytes));
  ResidentSpec spec;
  // Whatever makes two residents different is in the id: the same shape for another file is another resident.
  spec.id = fmt::format("{} ({}, by {}", resource.id(), resource.format(), id());
  if (home.device >= 0) spec.id += fmt::format(" on its device {}", home.device);
  if (!resource.file().empty()) spec.id += ", from " + resource.file();
  spec.id += ")";
  spec.home = home.space;
  spec.plugin = id();
  const std::string& purpose = resource.id();
  if (info.buffer_kinds != 0)
    spec.buffer = SlabNeed{Bytes(info.host_bytes), SlabKinds{info.buffer_kinds}, {}, purpose};
  else if (info.host_bytes > 0)
    spec.bytes.push_back({SpaceId::host(), Bytes(info.host_bytes), purpose});
  if (info.device_bytes > 0) spec.bytes.push_back({home.space, Bytes(info.device_bytes), purpose});
  if (info.load_bytes > 0) spec.load_bytes.push_back({SpaceId::host(), Bytes(info.load_bytes), "loading " + purpose});
  spec.reload = Duration(static_cast<Duration::rep>(std::min<std::uint64_t>(info.reload_ms, 1u << 30)));
  spec.loader = std::make_shared<PluginResidentLoader>(shared_from_this(), resource, home, source, calls);
  return spec;
}

Result<std::optional<pinion_bytes>> ResidentPlugin::view(void* handle) const {
  pinion_bytes bytes{};
  const Status status =
      instance_->call("view", [&](pinion_error*) { return table_.view(instance_->self(), handle, &bytes); });
  if (status.code() == Code::unsupported) return std::optional<pinion_bytes>();
  if (!status.ok()) return status;
  if (bytes.data == nullptr && bytes.size != 0)
    return instance_->broken_rule("view", fmt::format("{} bytes at a null pointer", bytes.size));
  return std::optional<pinion_bytes>(bytes);
}

Result<pinion_loaded> loaded_view(const pinion_resource* resource, const ResidentRef& resident,
                                  const ResidentPlugin& by) {
  pinion_loaded out{resource, resident.handle(), {nullptr, 0}};
  auto bytes = by.view(resident.handle());
  if (!bytes) return bytes.status();
  if (*bytes) out.view = **bytes;
  return out;
}

}  // namespace pinion::host
