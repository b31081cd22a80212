// What plugins keep loaded (pinion.resident/1), as the memory layer wants it: a ResidentLoader for one resource.
#pragma once

#include <pinion/resident.h>

#include <memory>
#include <optional>
#include <pinion/host/memory/claim.hpp>
#include <pinion/host/plugins/calls.hpp>
#include <pinion/host/plugins/instance.hpp>
#include <string>
#include <vector>

namespace pinion::host {

// A resource with its own texts: a resident outlives the session whose plan named it.
class Resource {
 public:
  explicit Resource(const pinion_resource& theirs);

  const std::string& id() const noexcept { return id_; }
  const std::string& format() const noexcept { return format_; }
  const std::string& file() const noexcept { return file_; }  // "": its proof plugin makes it
  const std::string& digest() const noexcept { return digest_; }
  // Points into this object.
  pinion_resource view() const noexcept;

 private:
  std::string id_, format_, digest_, file_;
  std::uint64_t bytes_;
};

// Where a plugin loads a resource: on the host, or on one of its devices.
struct ResidentHome {
  std::int32_t device = -1;  // the plugin's own number of the device; -1: the host
  SpaceId space;             // the host's number of its memory
  // As in CallSetup.
  std::uint32_t first_device = 0;
  std::uint32_t device_count = 0;
};

// The resident table of one plugin.
class ResidentPlugin : public std::enable_shared_from_this<ResidentPlugin> {
 public:
  // unsupported: the plugin has no such table. [main]
  static Result<std::shared_ptr<ResidentPlugin>> open(std::shared_ptr<Instance> instance);

  bool loads(std::string_view format) const;
  const std::string& id() const noexcept { return instance_->id(); }

  // Everything memory must know to load `resource` at `home`, with a loader that lives as long as the spec. `source`:
  // the id of the resident, claimed before this one, that holds the resource's canonical bytes; "" to read its file.
  // `calls` outlives every resident. [worker]
  Result<ResidentSpec> spec(const Resource& resource, const ResidentHome& home, const std::string& source,
                            CallMaker& calls);

  // A loaded resident's canonical bytes in host memory; nothing when it holds another form. [any]
  Result<std::optional<pinion_bytes>> view(void* handle) const;

 private:
  friend class PluginResidentLoader;
  ResidentPlugin(std::shared_ptr<Instance> instance, const pinion_resident& table, std::vector<std::string> formats)
      : instance_(std::move(instance)), table_(table), formats_(std::move(formats)) {}

  std::shared_ptr<Instance> instance_;
  pinion_resident table_;
  std::vector<std::string> formats_;
};

// The handle and canonical bytes of a loaded resident. `by` is who loaded it. [any]
Result<pinion_loaded> loaded_view(const pinion_resource* resource, const ResidentRef& resident,
                                  const ResidentPlugin& by);

}  // namespace pinion::host
