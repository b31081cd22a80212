#include "checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <pinion/printable.hpp>
#include <set>

namespace pinion::host {
namespace {

struct Address {
  bool unix_socket = false;
  std::string host;
};

// "unix:///PATH" or "HOST:PORT" or "[IPV6]:PORT"; a sentence when it is neither.
Result<Address> parse_address(const std::string& text) {
  const auto refuse = [&](std::string_view why) {
    return Status(Code::invalid_config,
                  fmt::format("{}; expected \"unix:///PATH\" or \"HOST:PORT\", such as \"127.0.0.1:9820\"", why));
  };
  if (text.starts_with("unix:")) {
    std::string path = text.substr(5);
    if (path.starts_with("//")) path.erase(0, 2);
    if (!path.starts_with('/')) return refuse("the path of a socket must be absolute");
    if (path.size() > 107) return refuse("the path of a socket has at most 107 bytes");
    return Address{true, ""};
  }
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos || colon == 0) return refuse("no port in it");
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string::npos) {
    return refuse("an IPv6 address stands in brackets");
  }
  unsigned port = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, port);
  if (error != std::errc() || stop != end || port == 0 || port > 65535) {
    return refuse("the port is not a number from 1 to 65535");
  }
  return Address{false, host};
}

bool loopback(const Address& address) {
  return address.unix_socket || address.host == "localhost" || address.host == "::1" ||
         (address.host.starts_with("127.") && address.host.find_first_not_of("0123456789.") == std::string::npos);
}

// The other side of a contradiction: "plugins.allocator = "alloc-heap" (flag --allocator)".
template <class T>
std::string stated(const std::string& key, const Setting<T>& setting) {
  return fmt::format("{} = {} ({})", key, option_text(OptionValue(setting.value)), setting.origin.text());
}

class Checker {
 public:
  template <class T>
  void problem(const std::string& key, const Setting<T>& setting, std::string message) {
    problems.push_back({setting.origin, key, option_text(OptionValue(setting.value)), std::move(message)});
  }

  void address(const std::string& key, const Setting<std::string>& setting, const DaemonConfig& daemon,
               bool tls_possible) {
    const Result<Address> address = parse_address(*setting);
    if (!address) {
      problem(key, setting, address.status().message());
      return;
    }
    const bool secured = tls_possible && !daemon.tls_cert->empty() && !daemon.token->empty();
    if (loopback(*address) || secured || *daemon.allow_remote_plaintext) return;
    problem(key, setting,
            tls_possible ? "reachable from other machines: set daemon.tls_cert, tls_key and token, or "
                           "daemon.allow_remote_plaintext = true"
                         : "reachable from other machines, in plain text: set daemon.allow_remote_plaintext = true");
  }

  void not_empty(const std::string& key, const Setting<std::string>& setting) {
    if (setting->empty()) problem(key, setting, "must not be empty");
  }

  // Left out it has a default; written empty it takes away what every proof needs.
  void names_some(const std::string& key, const Setting<std::vector<std::string>>& setting) {
    if (setting->empty() && setting.origin.source != Origin::Source::built_in)
      problem(key, setting, "names none, and nothing can be proved without; leave the key out for the default");
  }

  void no_repeats(const std::string& key, const Setting<std::vector<std::string>>& setting) {
    std::set<std::string> seen;
    for (const std::string& word : *setting) {
      if (word.empty()) {
        problem(key, setting, "an entry is empty");
        return;
      }
      if (seen.insert(word).second) continue;
      problem(key, setting, fmt::format("{} stands in it twice", in_quotes(word)));
      return;
    }
  }

  std::vector<Problem> problems;
};

}  // namespace

std::vector<Problem> check_together(const Config& config) {
  Checker check;
  const DaemonConfig& daemon = config.daemon;
  check.address("daemon.listen", daemon.listen, daemon, true);
  if (!daemon.status_listen->empty()) check.address("daemon.status_listen", daemon.status_listen, daemon, false);
  if (daemon.tls_cert->empty() != daemon.tls_key->empty()) {
    const bool cert_missing = daemon.tls_cert->empty();
    check.problem(cert_missing ? "daemon.tls_key" : "daemon.tls_cert", cert_missing ? daemon.tls_key : daemon.tls_cert,
                  "needs the other of the two as well: " + (cert_missing ? stated("daemon.tls_cert", daemon.tls_cert)
                                                                         : stated("daemon.tls_key", daemon.tls_key)));
  }
  if (*daemon.max_message < kib(64) || *daemon.max_message >= gib(2)) {
    check.problem("daemon.max_message", daemon.max_message, "expected a size from 64KiB to below 2GiB");
  }
  if (*daemon.receive_budget < *daemon.max_message) {
    check.problem("daemon.receive_budget", daemon.receive_budget,
                  "smaller than one message: " + stated("daemon.max_message", daemon.max_message));
  }
  if (config.memory.budget.value && config.memory.budget.value->zero()) {
    check.problem("memory.budget", Setting<Bytes>{*config.memory.budget.value, config.memory.budget.origin},
                  "nothing can be proved with no memory; expected a size, or \"auto\"");
  }
  check.not_empty("plugins.allocator", config.plugins.allocator);
  check.not_empty("plugins.fallback", config.plugins.fallback);
  if (*config.plugins.fallback == *config.plugins.allocator) {
    check.problem("plugins.fallback", config.plugins.fallback,
                  fmt::format("is the allocator itself, {}; expected another, or \"none\"",
                              stated("plugins.allocator", config.plugins.allocator)));
  }
  check.names_some("plugins.backends", config.plugins.backends);
  check.names_some("plugins.proofs", config.plugins.proofs);
  check.no_repeats("plugins.backends", config.plugins.backends);
  check.no_repeats("plugins.proofs", config.plugins.proofs);
  check.no_repeats("plugins.path", config.plugins.path);
  check.no_repeats("params.preload", config.params.preload);
  check.not_empty("params.dir", config.params.dir);
  return std::move(check.problems);
}

}  // namespace pinion::host
