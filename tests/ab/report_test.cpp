#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <pinion/host/ab/html_report.hpp>
#include <pinion/host/ab/json_report.hpp>
#include <pinion/host/ab/plots.hpp>
#include <pinion/host/ab/text_report.hpp>
#include <pinion/host/ab/words.hpp>
#include <sstream>

#include "simulated.hpp"

using namespace pinion::host;
using namespace pinion::host::ab;
using namespace pinion::host::ab::test;

namespace {

struct Example {
  Example() {
    SimulatedBench bench(4);
    bench.factor = {1, 0.7};
    bench.only_on_b = true;
    bench.sees = "pinned";
    record = plan(4, 10, {Load::idle, Load::busy});
    record.sides[0].settings = {"plugins.allocator = \"" + std::string(100, 'x') + "\""};
    for (SideFacts& side : record.sides) side.allocator = "alloc-x (pageable)";
    record.sides[0].file = "a <b> & \"c\".toml";
    record.machine = {{"processor", "made of numbers"}};
    record.silent_devices = {"backend-x device 1 (old)"};
    findings = measured(bench, record);
  }
  Record record;
  Findings findings;
};

}  // namespace

TEST_CASE("the terminal's report keeps to 80 columns and says what was found") {
  Example example;
  const std::string text = text_report(example.record, example.findings);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(line.size() <= 80);
    CHECK((line.empty() || line.back() != ' '));
  }
  CHECK_THAT(text, Catch::Contains("toy, idle, 10 pairs") && Catch::Contains("toy, every core busy") &&
                       Catch::Contains("B is faster by") && Catch::Contains("seed 4") &&
                       Catch::Contains("not reported by backend-x device 1") &&
                       Catch::Contains("Device utilisation, toy, idle: A 60.") &&
                       Catch::Contains("\n  partition/start           1.778 GB/s  2.512 GB/s\n") &&
                       Catch::Contains("what was left to wait") &&
                       Catch::Contains("B lent to toy, pinned: evaluations a 1000 B\n") &&
                       Catch::Contains("B lent to toy, stated pageable: small 10 B\n") &&
                       Catch::Contains("A lent to toy, pinned, stated pageable: evaluations a"));
}

TEST_CASE("the JSON report holds every measurement and agrees with the findings") {
  Example example;
  const auto json = json_report(example.record, example.findings);
  CHECK(json["schema"] == "pinion.ab/1");
  CHECK(json["complete"] == true);
  CHECK(json["seed"] == "4");
  CHECK(json["turns"].size() == 20);
  CHECK(json["turns"][0]["runs"].size() == 3);
  CHECK(json["findings"][0]["total"]["verdict"] == "b_faster");
  CHECK(json["findings"][0]["total"]["seconds"]["A"]["values"].size() == 10);
  CHECK(json["interrupted"] == false);
  const auto& lent = json["sides"]["A"]["buffers"]["toy"];
  CHECK(lent[0]["kind"] == "pinned");  // what it is; beside it who says what
  CHECK(lent[0]["stated"] == "pageable");
  CHECK(lent[0]["seen"] == "pinned");
  CHECK(lent[1]["kind"] == "pageable");
  CHECK(lent[1]["seen"].is_null());
  CHECK(json["findings"][0]["device_busy"]["A"]["median"] == Approx(0.6).margin(0.05));
  CHECK(json["findings"][0]["device_busy"]["A"]["values"].size() == 10);
  CHECK(json["turns"][0]["runs"][1]["device_busy"] > 0);
  CHECK(json["device_usage_not_reported_by"][0] == "backend-x device 1 (old)");
  CHECK(nlohmann::json::parse(json.dump()) == json);
}

TEST_CASE("the HTML report stands alone, is escaped and well formed") {
  Example example;
  const std::string html = html_report(example.record, example.findings);
  for (const char* foreign : {"<script", "http:", "https:", "url(", "@import", "<link", "src="}) {
    INFO(foreign);
    CHECK(html.find(foreign) == std::string::npos);
  }
  CHECK(html.find("a &lt;b&gt; &amp; &quot;c&quot;.toml") != std::string::npos);
  CHECK(html.find("<b>") == std::string::npos);
  CHECK(html.find("prefers-color-scheme: dark") != std::string::npos);
  CHECK(html.find("nan") == std::string::npos);
  CHECK(html.find("<th>partition/<wbr>start</th>") != std::string::npos);  // narrow pages break it there
  const auto count = [&](const std::string& word) {
    std::size_t n = 0;
    for (auto at = html.find(word); at != std::string::npos; at = html.find(word, at + 1)) ++n;
    return n;
  };
  for (const std::string tag : {"table", "svg", "div", "section", "tr"}) {
    INFO(tag);
    CHECK(count("<" + tag + ">") + count("<" + tag + " ") == count("</" + tag + ">"));
  }
}

TEST_CASE("one wild stage neither widens the plot nor goes unseen") {
  const auto stage = [](double low, double high) {
    Comparison one;
    one.share = (low + high) / 2;
    one.interval = Interval{low, high};
    return one;
  };
  const Comparison total = stage(-0.02, 0.03), calm = stage(-0.04, 0.04), wild = stage(-0.7, 5);
  CHECK(reach_of({&total, &calm, &calm, &calm, &wild}) == Approx(0.042));
  CHECK(reach_of({&wild, &calm, &calm, &calm, &calm}) == 1);  // the total is shown whole, up to twice as long
  CHECK(reach_of({}) == 0.01);
  const auto arrows = [](const std::string& svg) {
    std::size_t count = 0;
    for (auto at = svg.find("beyond"); at != std::string::npos; at = svg.find("beyond", at + 1)) ++count;
    return count;
  };
  CHECK(arrows(interval_plot(wild, 0.042)) == 2);
  CHECK(arrows(interval_plot(wild, 1)) == 1);
  CHECK(arrows(interval_plot(calm, 0.042)) == 0);
}

TEST_CASE("a report can be made of nothing") {
  Record record = plan(1, 10);
  record.ended = {Code::cancelled, "interrupted"};
  const Findings findings = analyse(record, {});
  CHECK_THAT(text_report(record, findings), Catch::Contains("interrupted by the operator after 0 of 10 pairs"));
  CHECK(json_report(record, findings)["complete"] == false);
  CHECK(json_report(record, findings)["interrupted"] == true);
  CHECK_THAT(html_report(record, findings), Catch::EndsWith("</html>\n"));
}

TEST_CASE("memory that is not as stated is a warning, and rates go by what the device sees") {
  SimulatedBench bench(4);
  bench.sees = "pageable";
  Record record = plan(4, 6);
  record.sides[1].allocator = "alloc-liar (pinned)";
  const Findings findings = measured(bench, record);
  const std::string liar =
      "side B is not what it says: memory is stated pinned, the device sees pageable: evaluations a; labels and rates "
      "go "
      "by what the device sees; look at the options of alloc-liar (pinned)";
  CHECK(std::count(findings.warnings.begin(), findings.warnings.end(), liar) == 1);
  for (const std::string& warning : findings.warnings) CHECK(warning.find("side A") == std::string::npos);
  CHECK(lent_kinds(record, 0, 0) == "pageable and stated pageable");
  CHECK(lent_kinds(record, 1, 0) == "pageable, stated pinned and stated pageable");
  const std::string html = html_report(record, findings);
  CHECK_THAT(html,
             Catch::Contains("<td>pageable, stated pinned</td>") && Catch::Contains("side B is not what it says"));
}

TEST_CASE("who does not say how he sees memory is named, and whose memory it is anyway") {
  SimulatedBench bench(4);
  Record record = plan(4, 6);
  Findings findings = measured(bench, record);
  REQUIRE(label_notes(record).size() == 1);
  CHECK_THAT(label_notes(record)[0], Catch::StartsWith("device 0 does not say of all memory how it sees it"));
  record.host_devices = {"device 0"};
  CHECK(label_notes(record) ==
        std::vector<std::string>{"device 0 works in host memory: it reads all of it directly, whatever its kind."});
  CHECK_THAT(text_report(record, findings), Catch::Contains("device 0 works in host memory"));
  CHECK_THAT(html_report(record, findings), Catch::Contains("<p class=\"note\">device 0 works in host memory"));
  CHECK(json_report(record, findings)["label_notes"].size() == 1);
  for (SideFacts& side : record.sides)
    for (auto& lent : side.buffers)
      for (BufferSeen& buffer : lent) buffer.seen = buffer.stated;
  CHECK(label_notes(record).empty());
}

TEST_CASE("figures are spelled with as many digits as they deserve") {
  CHECK(time_text(0.0123456) == "12.35 ms");
  CHECK(time_text(0.8123) == "812.3 ms");
  CHECK(time_text(8.1234) == "8.123 s");
  CHECK(time_text(4321) == "4321 s");
  CHECK(time_text(0) == "0.000 us");
  CHECK(share_text(-0.0274) == "-2.7 %");
  CHECK(interval_text({-0.05, 0.012}) == "[-5.0, +1.2]");
  CHECK(share_text(8.99) == "+899.0 %");
  CHECK(share_text(1282.8) == "x1284");
  CHECK(interval_text({-0.05, 1445.5}) == "[-5.0, x1446]");
  CHECK(busy_text(std::nullopt) == "not reported");
  CHECK(busy_text(Summary{{0.312}, 0.312, {0.309, 0.315}}) == "31.2 % [30.9, 31.5]");
  CHECK(p_text(0.0004) == "< 0.001");
}
