#include <catch2/catch.hpp>
#include <pinion/host/base/proc_text.hpp>

using namespace pinion::host;

TEST_CASE("fields of /proc are found by their whole name, with or without blanks before the colon") {
  const std::string text =
      "model\t\t: 85\nmodel name\t: Some CPU @ 2GHz \nmodel name\t: another\nVmHWMx:\t1 kB\nVmHWM:\t  12 kB\nno colon";
  CHECK(field(text, "model name") == "Some CPU @ 2GHz");
  CHECK(field(text, "model") == "85");
  CHECK(kilobytes(text, "VmHWM") == kib(12));
  CHECK_FALSE(kilobytes(text, "model").has_value());
  CHECK_FALSE(field(text, "no colon").has_value());
  CHECK_FALSE(field(text, "Vm").has_value());
  CHECK_FALSE(field("", "Vm").has_value());
  CHECK_FALSE(field("Vm", "Vm").has_value());
}

TEST_CASE("small files are read whole, and what is not there is nothing") {
  CHECK(read_small_file("/proc/self/status").value_or("").starts_with("Name:"));
  CHECK(first_line("/proc/self/status").starts_with("Name:"));
  CHECK_FALSE(read_small_file("/proc/self/not-there").has_value());
  CHECK_FALSE(read_small_file("/proc").has_value());  // a folder
  CHECK(first_line("/proc/self/not-there").empty());
}
