#include <algorithm>
#include <pinion/host/cli/table.hpp>
#include <pinion/printable.hpp>
#include <stdexcept>

namespace pinion::host::cli {
namespace {

std::size_t width_of(std::string_view text) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

constexpr std::size_t least_wrap = 20;  // narrower columns are not read with pleasure

}  // namespace

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    const bool first_of_line = column == indent;
    if (!first_of_line && column + 1 + width_of(word) > width) {
      out.append("\n").append(indent, ' ');
      column = indent;
    } else if (!first_of_line) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width_of(word);
    const bool breaks = end < text.size() && text[end] == '\n';
    if (breaks) {
      out.append("\n").append(indent, ' ');
      column = indent;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void Table::row(std::vector<Cell> cells) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row of another length than its table");
  for (Cell& cell : cells)
    if (cell.text.find('\n') != std::string::npos || printable(cell.text) != cell.text)
      cell.text = in_quotes(cell.text);
  rows_.push_back(std::move(cells));
}

std::string Table::text(const Console& console) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = width_of(columns_[c].title);
    for (const auto& row : rows_) width = std::max(width, width_of(row[c].text));
    widths.push_back(width);
  }
  const std::size_t last = columns_.size() - 1;
  std::size_t before_last = 0;
  for (std::size_t c = 0; c < last; ++c) before_last += widths[c] + 2;
  const std::size_t room = std::max<std::size_t>(console.terminal().width, before_last + least_wrap) - before_last;
  const bool wraps = columns_[last].align == Align::left && widths[last] > room;
  if (wraps) widths[last] = room;
  std::string out;
  const auto line = [&](auto cell_of) {
    std::string text;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      Cell cell = cell_of(c);
      const std::string space(widths[c] - std::min(widths[c], width_of(cell.text)), ' ');
      if (wraps && c == last) cell.text = wrapped(cell.text, before_last + room, before_last);
      const std::string styled = console.styled(cell.style, cell.text);
      text += (c == 0 ? "" : "  ") + (columns_[c].align == Align::right ? space + styled : styled + space);
    }
    out += text.substr(0, text.find_last_not_of(' ') + 1) + "\n";
  };
  line([&](std::size_t c) { return Cell(columns_[c].title, Style::bold); });
  line([&](std::size_t c) { return Cell(std::string(widths[c], '-'), Style::dim); });
  for (const auto& row : rows_) line([&](std::size_t c) { return row[c]; });
  return out;
}

}  // namespace pinion::host::cli
