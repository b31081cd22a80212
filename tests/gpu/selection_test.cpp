// Which devices an operator means, and why CUDA_VISIBLE_DEVICES may hide them.
#include <catch2/catch.hpp>
#include <pinion/backend_cuda/selection.hpp>
#include <pinion/plugin/error.hpp>

#include "visible_devices.hpp"

using namespace pinion;
using backend_cuda::select_devices;
using cuda::explain_visible_devices;
using cuda::parse_visible_devices;
using Kind = cuda::VisibleEntry::Kind;

namespace {

std::vector<cuda::FoundDevice> three_devices() {
  std::vector<cuda::FoundDevice> out(3);
  for (int i = 0; i < 3; ++i) {
    out[static_cast<std::size_t>(i)].ordinal = i;
    out[static_cast<std::size_t>(i)].uuid = {0xab, static_cast<std::uint8_t>(i == 2 ? 0x12 : 0xcd),
                                             static_cast<std::uint8_t>(i), 0x42};
    out[static_cast<std::size_t>(i)].pci_address = "0000:4" + std::to_string(i) + ":00.0";
  }
  return out;
}

std::vector<int> ordinals(const std::vector<std::string>& wanted) {
  std::vector<int> out;
  for (const auto& device : select_devices(three_devices(), wanted)) out.push_back(device.ordinal);
  return out;
}

}  // namespace

TEST_CASE("devices are chosen by ordinal, UUID or PCI address, in the order given") {
  CHECK(ordinals({"all"}) == std::vector{0, 1, 2});
  CHECK(ordinals({"2", "0"}) == std::vector{2, 0});
  CHECK(ordinals({"GPU-abcd01"}) == std::vector{1});
  CHECK(ordinals({"ab12"}) == std::vector{2});
  CHECK(ordinals({"GPU-abcd0042-0000-0000-0000-000000000000", "0000:41:00.0"}) == std::vector{0, 1});
  CHECK(ordinals({"42:00.0"}) == std::vector{2});
  CHECK(backend_cuda::uuid_text(three_devices()[1].uuid) == "GPU-abcd0142-0000-0000-0000-000000000000");
}

TEST_CASE("an entry that names no device, several, or one twice is refused") {
  using Catch::Contains;
  CHECK_THROWS_WITH(ordinals({"3"}), Contains("\"3\" names no device; there are: 0 = "));
  CHECK_THROWS_WITH(ordinals({"abcd"}), Contains("names several devices"));
  CHECK_THROWS_WITH(ordinals({"0", "40:00.0"}), Contains("a second time"));
  CHECK_THROWS_WITH(ordinals({""}), Contains("names no device"));
  CHECK_THROWS_WITH(ordinals({"all", "0"}), Contains("\"all\" names no device"));
}

TEST_CASE("CUDA_VISIBLE_DEVICES is read as the driver reads it") {
  const auto kinds = [](std::string_view value) {
    std::vector<Kind> out;
    for (const auto& entry : parse_visible_devices(value)) out.push_back(entry.kind);
    return out;
  };
  CHECK(kinds("0") == std::vector{Kind::ordinal});
  CHECK(kinds("0, 2,1") == std::vector{Kind::ordinal, Kind::ordinal, Kind::ordinal});
  CHECK(kinds("1,-1,0") == std::vector{Kind::ordinal, Kind::invalid});
  CHECK(kinds("GPU-8932f937-d72c-4106-c12f-20bd9faed9f6") == std::vector{Kind::uuid});
  CHECK(kinds("GPU-8932,GPU-12") == std::vector{Kind::uuid, Kind::uuid});
  CHECK(kinds("MIG-GPU-8932f937-d72c-4106-c12f-20bd9faed9f6/1/0") == std::vector{Kind::mig});
  CHECK(kinds("MIG-41b35014-94ac-5a8f-9b8e-b3b9c8d1d0a4") == std::vector{Kind::mig});
  CHECK(kinds("gpu-8932") == std::vector{Kind::invalid});
  CHECK(kinds("GPU-") == std::vector{Kind::invalid});
  CHECK(kinds("0,none,1") == std::vector{Kind::ordinal, Kind::invalid});
  CHECK(kinds("") == std::vector{Kind::invalid});
}

TEST_CASE("a machine that shows no device is explained") {
  using Catch::Contains;
  CHECK(explain_visible_devices(nullptr) == "");
  CHECK_THAT(explain_visible_devices(""), Contains("is \"\", which hides every device"));
  CHECK_THAT(explain_visible_devices("  "), Contains("hides every device"));
  CHECK_THAT(explain_visible_devices("-1"), Contains("hides every device"));
  CHECK_THAT(explain_visible_devices("7"), Contains("there is no device 7"));
  CHECK_THAT(explain_visible_devices("GPU-12"), Contains("no GPU, or more than one, has a UUID that begins with"));
  CHECK_THAT(explain_visible_devices("MIG-12"), Contains("no such MIG instance"));
  CHECK_THAT(explain_visible_devices("none"), Contains("\"none\" is no ordinal"));
}
