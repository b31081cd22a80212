// What only the emulated plugin can show: a lost device beside a good one, and no device at all.
#include <cstdlib>

#include "cuda_plugin.hpp"

using namespace pinion;
using namespace pinion::test;

TEST_CASE("without devices the plugin loads, and says why there are none") {
  ::setenv("PINION_EMULATED_DEVICES", "0", 1);
  const Plugin plugin;
  ::unsetenv("PINION_EMULATED_DEVICES");
  REQUIRE(plugin.status() == PINION_OK);
  pinion_backend_info info{};
  info.size = sizeof info;
  plugin.backend->describe(plugin.self(), &info);
  CHECK(info.device_count == 0);
  REQUIRE(info.why_none != nullptr);
  CHECK_THAT(info.why_none, Catch::Contains("hides every device"));
}
