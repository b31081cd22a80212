// Text of others in messages: nothing of it is obeyed, nothing of it is lost.
#include <catch2/catch.hpp>
#include <pinion/printable.hpp>

using namespace pinion;

TEST_CASE("a name that can be seen stays as it is") {
  for (const char* name : {"pinion.toml", "/tmp/a b/größe 秘密 🙂.bin", "it's", "C:\\x", "a\"b"})
    CHECK(shown(name) == name);
  CHECK(shown(std::filesystem::path("/a/b")) == "/a/b");
}

TEST_CASE("a name that cannot be seen is quoted, every byte of it told") {
  struct Row {
    std::string_view name;
    const char* shown;
  };
  using namespace std::string_view_literals;
  const Row rows[] = {{"", R"("")"},
                      {"a\nb", R"("a\nb")"},
                      {"a\tb\r", R"("a\tb\u000d")"},
                      {"\x1b[31m", R"("\u001b[31m")"},
                      {"a\0b"sv, R"("a\u0000b")"},
                      {"\x7f", R"("\u007f")"},
                      {"\xc2\x9b"
                       "2J",
                       R"("\u009b2J")"},  // a control character of one byte more
                      {"\xe2\x80\xae"
                       "gpj.exe",
                       R"("\u202egpj.exe")"},  // right to left
                      {"\xef\xbb\xbf", R"("\ufeff")"},
                      {"\xff\xfe", R"("\xff\xfe")"},
                      {"\xc0\xaf", R"("\xc0\xaf")"},          // not the shortest form
                      {"\xed\xa0\x80", R"("\xed\xa0\x80")"},  // a surrogate
                      {"\xf4\x90\x80\x80", R"("\xf4\x90\x80\x80")"},
                      {"ab\xe2\x82", R"("ab\xe2\x82")"},  // cut
                      {"\"a\"", R"("\"a\"")"},            // looks like a quote
                      {"\\\n", R"("\\\n")"}};
  for (const Row& row : rows) CHECK(shown(row.name) == row.shown);
}

TEST_CASE("a message keeps its lines, and lets nothing else through") {
  CHECK(printable("one\n\ttwo \x1b[2J\xff \"x\" \\") == "one\n\ttwo \\u001b[2J\\xff \"x\" \\");
  CHECK(in_quotes("say \"x\" \\") == R"("say \"x\" \\")");
}
