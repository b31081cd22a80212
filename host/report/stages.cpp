#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <pinion/host/base/units.hpp>
#include <pinion/host/report/stages.hpp>
#include <unordered_map>

namespace pinion::host {
namespace {

struct Node {
  Stage stage;
  TimePoint first = TimePoint::max();
  std::vector<const SpanRecord*> records;
  std::map<std::string, Node> children;
};

// The length of all of them together, where they overlap once.
std::chrono::nanoseconds covered(std::vector<const SpanRecord*> records) {
  std::sort(records.begin(), records.end(), [](auto* a, auto* b) { return a->begin < b->begin; });
  std::chrono::nanoseconds sum{};
  TimePoint until = TimePoint::min();
  for (const SpanRecord* record : records) {
    const TimePoint end = record->begin + record->duration();
    if (end <= until) continue;
    sum += end - std::max(record->begin, until);
    until = end;
  }
  return sum;
}

void flatten(const Node& node, unsigned depth, std::vector<Stage>& out) {
  std::vector<const Node*> children;
  for (const auto& [name, child] : node.children) children.push_back(&child);
  std::stable_sort(children.begin(), children.end(), [](const Node* a, const Node* b) { return a->first < b->first; });
  for (const Node* child : children) {
    out.push_back(child->stage);
    out.back().depth = depth;
    out.back().covered = covered(child->records);
    flatten(*child, depth + 1, out);
  }
}

}  // namespace

std::vector<Stage> stage_table(std::span<const SpanRecord> records) {
  std::unordered_map<std::uint64_t, const SpanRecord*> by_id;
  for (const SpanRecord& record : records) by_id[record.id.number()] = &record;
  Node root;
  for (const SpanRecord& record : records) {
    std::vector<const SpanRecord*> chain;
    for (const SpanRecord* at = &record; at != nullptr;) {
      chain.push_back(at);
      const auto parent = by_id.find(at->parent.number());
      // Ids grow, so a parent is always older: a record that names a younger one cannot make this loop endless.
      at = parent != by_id.end() && parent->second->id < at->id ? parent->second : nullptr;
    }
    Node* node = &root;
    for (auto it = chain.rbegin(); it != chain.rend(); ++it) {
      node = &node->children[(*it)->name];
      node->stage.name = (*it)->name;
      node->first = std::min(node->first, (*it)->begin);
    }
    node->records.push_back(&record);
    node->stage.count += 1;
    node->stage.total += record.duration();
    node->stage.longest = std::max(node->stage.longest, record.duration());
    node->stage.bytes += record.bytes;
  }
  std::vector<Stage> out;
  flatten(root, 0, out);
  return out;
}

std::vector<std::string> stage_lines(std::span<const Stage> stages) {
  std::vector<std::string> out, path;
  for (const Stage& stage : stages) {
    path.resize(stage.depth);
    path.push_back(stage.name);
    std::string line = fmt::format("{}: {} in {}, longest {}", fmt::join(path, "/"), stage.count,
                                   human_text(stage.total), human_text(stage.longest));
    if (!stage.bytes.zero() && stage.total.count() > 0)
      line += fmt::format(", {} at {:.2f} GB/s", human_text(stage.bytes),
                          static_cast<double>(stage.bytes.count()) / static_cast<double>(stage.total.count()));
    out.push_back(std::move(line));
  }
  return out;
}

std::string stage_text(std::span<const Stage> stages) {
  std::size_t width = std::string_view("stage").size();
  for (const Stage& stage : stages) width = std::max(width, stage.name.size() + std::size_t{2} * stage.depth);
  std::string out =
      fmt::format("{:<{}}  {:>5}  {:>12}  {:>12}  {:>10}\n", "stage", width, "count", "total", "longest", "bytes");
  for (const Stage& stage : stages) {
    const std::string name = std::string(std::size_t{2} * stage.depth, ' ') + stage.name;
    out += fmt::format("{:<{}}  {:>5}  {:>12}  {:>12}  {:>10}\n", name, width, stage.count, human_text(stage.total),
                       human_text(stage.longest), stage.bytes.zero() ? "" : human_text(stage.bytes));
  }
  return out;
}

}  // namespace pinion::host
