#include <fmt/format.h>

#include <pinion/host/bridge/host_table.hpp>
#include <string_view>

namespace pinion::host {
namespace {

// The table and what it stands on, in one allocation.
struct Table {
  pinion_host table{};
  Log& log;
  std::string plugin;
  const std::uint32_t width;

  Table(Log& the_log, std::string id, std::uint32_t the_width) : log(the_log), plugin(std::move(id)), width(the_width) {
    table.size = sizeof table;
    table.abi_major = PINION_ABI_MAJOR;
    table.abi_minor = PINION_ABI_MINOR;
    table.context = this;
    table.log = [](const pinion_host* host, std::int32_t level, const char* text) {
      const auto& self = *static_cast<const Table*>(host->context);
      self.write(level, text ? text : "");
    };
    // An unknown id is not an error.
    table.query = [](const pinion_host* host, const char* service) -> const void* {
      const auto& self = *static_cast<const Table*>(host->context);
      const bool width = self.width != 0 && service != nullptr && std::string_view(service) == PINION_WIDTH;
      return width ? &self.width : nullptr;
    };
  }

  void write(std::int32_t level, const char* text) const {
    switch (level) {
      case PINION_LOG_DEBUG:
        return log.debug("{}: {}", plugin, text);
      case PINION_LOG_INFO:
        return log.info("{}: {}", plugin, text);
      case PINION_LOG_WARN:
        return log.warn("{}: {}", plugin, text);
      default:
        return log.error("{}: {}", plugin, text);
    }
  }
};

}  // namespace

std::shared_ptr<const pinion_host> HostTables::host_table(const std::string& plugin_id) {
  auto table = std::make_shared<Table>(log_, plugin_id, width_);
  const pinion_host* view = &table->table;
  return {std::move(table), view};
}

}  // namespace pinion::host
