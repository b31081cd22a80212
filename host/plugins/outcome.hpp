// From a plugin's status code to the host's: every plugin function is called through here, so that a code outside the
// list, an error text without an end or an exception that leaves a plugin is caught once, and named as a broken rule.
#pragma once

#include <pinion/abi.h>

#include <exception>
#include <pinion/host/base/status.hpp>
#include <string>
#include <string_view>
#include <type_traits>

namespace pinion::host {

// "PLUGIN FUNCTION: message" under the same code. A code outside the list is internal: a broken rule. [any]
Status plugin_status(std::string_view plugin, std::string_view function, pinion_status code, const pinion_error& err);

// internal: "PLUGIN FUNCTION broke a rule: …; this is a defect of the plugin". [any]
Status broken_rule(std::string_view plugin, std::string_view function, std::string_view what);

// An error for a plugin to fill.
inline pinion_error empty_error() noexcept {
  pinion_error err{};
  err.size = sizeof err;
  return err;
}

// Calls f(&err), a plugin function that returns a pinion_status, or f(), one that cannot fail.
template <class F>
Status call_plugin(std::string_view plugin, std::string_view function, F&& f) {
  try {
    if constexpr (std::is_invocable_v<F&>) {
      f();
      return {};
    } else {
      pinion_error err = empty_error();
      return plugin_status(plugin, function, f(&err), err);
    }
  } catch (const std::exception& e) {
    return broken_rule(plugin, function, std::string("let an exception out: ") + e.what());
  } catch (...) {
    return broken_rule(plugin, function, "let an exception out that is not a std::exception");
  }
}

// Writes `message` where a plugin reads it (err may be null), cut at a character boundary. Returns the code. [any]
pinion_status report_error(pinion_error* err, const Status& status) noexcept;

}  // namespace pinion::host
