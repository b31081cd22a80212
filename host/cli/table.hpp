// Text in aligned columns, for people. Programs get JSON instead.
#pragma once

#include <pinion/host/cli/console.hpp>
#include <string>
#include <vector>

namespace pinion::host::cli {

// `text` in lines that end before column `width` where its words allow, all from column `indent` on: what stands before
// the first is the caller's, the others get spaces. Its own line breaks stay. [any]
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

class Table {
 public:
  enum class Align { left, right };
  struct Column {
    std::string title;
    Align align = Align::left;
  };

  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // As many cells as there are columns, each of one line. Without a style of its own a cell is plain. [main]
  struct Cell {
    std::string text;
    Style style = Style::plain;
    Cell(std::string t, Style s = Style::plain) : text(std::move(t)), style(s) {}  // NOLINT: a row is a list of texts
    Cell(const char* t) : text(t) {}                                               // NOLINT: as above
  };
  void row(std::vector<Cell> cells);

  bool empty() const noexcept { return rows_.empty(); }

  // Title line, rule, rows; two spaces between columns, none at the end of a line. What is too wide for the terminal is
  // wrapped in its last column. Widths count code points, so that UTF-8 text without wide or combining characters
  // aligns. [main]
  std::string text(const Console& console) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace pinion::host::cli
