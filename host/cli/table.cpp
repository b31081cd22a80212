#include <algorithm>
#include <pinion/host/cli/table.hpp>
#include <stdexcept>

namespace pinion::host::cli {
namespace {

std::size_t width_of(std::string_view text) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; };
  return text.size() - static_cast<std::size_t>(std::count_if(text.begin(), text.end(), continues));
}

}  // namespace

void Table::row(std::vector<Cell> cells) {
  if (cells.size() != columns_.size()) throw std::logic_error("a row of another length than its table");
  rows_.push_back(std::move(cells));
}

std::string Table::text(const Console& console) const {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    std::size_t width = width_of(columns_[c].title);
    for (const auto& row : rows_) width = std::max(width, width_of(row[c].text));
    widths.push_back(width);
  }
  std::string out;
  const auto line = [&](auto cell_of) {
    std::string text;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const Cell cell = cell_of(c);
      const std::string space(widths[c] - width_of(cell.text), ' ');
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
