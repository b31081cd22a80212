#include <cstring>
#include <memory>
#include <thread>

#include "bench.hpp"
#include "slabs.hpp"

namespace bench {
namespace {

using Slabs = std::vector<std::unique_ptr<Slab>>;

// Memory that was only mapped does not exist yet: the first writer pays. Counted, so that all ways end alike.
void touch(void* data, std::uint64_t bytes) {
  for (std::uint64_t at = 0; at < bytes; at += 4096) static_cast<volatile char*>(data)[at] = 1;
}

struct Times {
  double make = 0, give_up = 0;  // seconds for all slabs
};

Times one_by_one(Allocator& allocator, const Settings& settings) {
  Times times;
  Slabs slabs;
  auto begin = std::chrono::steady_clock::now();
  for (unsigned i = 0; i < settings.slabs; ++i) {
    slabs.push_back(std::make_unique<Slab>(allocator, settings.slab, settings.placement));
    touch(slabs.back()->data(), settings.slab);
  }
  times.make = seconds_since(begin);
  begin = std::chrono::steady_clock::now();
  slabs.clear();
  times.give_up = seconds_since(begin);
  return times;
}

Times all_at_once(Allocator& allocator, const Settings& settings) {
  Times times;
  Slabs slabs(settings.slabs);
  const auto in_parallel = [&](auto&& f) {
    const auto begin = std::chrono::steady_clock::now();
    {
      std::vector<std::jthread> threads;
      for (unsigned i = 0; i < settings.slabs; ++i) threads.emplace_back([&, i] { f(slabs[i]); });
    }
    return seconds_since(begin);
  };
  times.make = in_parallel([&](std::unique_ptr<Slab>& slab) {
    slab = std::make_unique<Slab>(allocator, settings.slab, settings.placement);
    touch(slab->data(), settings.slab);
  });
  times.give_up = in_parallel([](std::unique_ptr<Slab>& slab) { slab.reset(); });
  return times;
}

template <class Round>
Json rates(const Settings& settings, Round&& round) {
  std::vector<double> make, give_up;
  const double gib = static_cast<double>(settings.slab) * settings.slabs / (1ULL << 30);
  for (unsigned i = 0; i < 3; ++i) {
    const Times times = round();
    make.push_back(gib / times.make);
    give_up.push_back(gib / times.give_up);
  }
  return {{"make_gib_per_s", summary(make)}, {"give_up_gib_per_s", summary(give_up)}};
}

}  // namespace

std::vector<Way> all_ways(const Settings& settings) {
  const auto pinned = [&](std::string name, std::map<std::string, std::string> options, bool needs_device) {
    if (!settings.driver.empty()) options["driver"] = settings.driver;
    return Way{std::move(name), "alloc-pinned", std::move(options), needs_device};
  };
  return {{"heap", "alloc-heap", {}, false},
          {"heap, small pages", "alloc-heap", {{"huge_pages", "false"}}, false},
          pinned("mlock", {{"strategy", "mlock"}}, false),
          pinned("register", {{"strategy", "register"}}, true),
          pinned("register, one thread", {{"strategy", "register"}, {"touch_threads", "1"}}, true),
          pinned("register, small pages", {{"strategy", "register"}, {"huge_pages", "off"}}, true),
          pinned("register, explicit huge pages", {{"strategy", "register"}, {"huge_pages", "explicit"}}, true),
          pinned("host-alloc", {{"strategy", "host-alloc"}}, true)};
}

Json measure_strategies(const Settings& settings) {
  Json out = Json::array();
  for (const Way& way : all_ways(settings)) {
    if (way.needs_device && !settings.device) continue;
    Json line = {{"way", way.name}};
    try {
      Allocator allocator(settings.plugins, way.plugin, way.options);
      { const Slab context(allocator, 2ULL << 20, settings.placement); }  // the context is made before the clock starts
      line["one_by_one"] = rates(settings, [&] { return one_by_one(allocator, settings); });
      line["all_at_once"] = rates(settings, [&] { return all_at_once(allocator, settings); });
    } catch (const std::exception& error) {
      line["refused"] = error.what();
    }
    out.push_back(std::move(line));
  }
  return out;
}

}  // namespace bench
