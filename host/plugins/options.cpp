#include <pinion/host/plugins/options.hpp>

namespace pinion::host {
namespace {

OptionType option_type(std::uint32_t type) {
  switch (type) {
    case PINION_OPTION_BOOL:
      return OptionType::boolean;
    case PINION_OPTION_INTEGER:
      return OptionType::integer;
    case PINION_OPTION_SIZE:
      return OptionType::size;
    case PINION_OPTION_DURATION:
      return OptionType::duration;
    case PINION_OPTION_LIST:
      return OptionType::list;
    default:
      return OptionType::text;  // the gate let no other number through
  }
}

}  // namespace

std::vector<DeclaredOption> declared_options(const std::vector<OptionInfo>& options) {
  std::vector<DeclaredOption> out;
  for (const OptionInfo& option : options) {
    DeclaredOption declared;
    declared.key = option.key;
    declared.rule.type = option_type(option.type);
    declared.rule.choices = option.choices;
    declared.default_text = option.default_value;
    declared.help = option.help;
    out.push_back(std::move(declared));
  }
  return out;
}

PluginOptions::PluginOptions(const std::vector<PluginOption>& checked) : checked_(checked) {
  for (const PluginOption& option : checked_) {
    pinion_option out{};
    out.key = option.key.c_str();
    if (const bool* flag = std::get_if<bool>(&option.value)) {
      out.type = PINION_OPTION_BOOL;
      out.number = *flag ? 1 : 0;
    } else if (const std::int64_t* integer = std::get_if<std::int64_t>(&option.value)) {
      out.type = PINION_OPTION_INTEGER;
      out.number = *integer;
    } else if (const Bytes* bytes = std::get_if<Bytes>(&option.value)) {
      out.type = PINION_OPTION_SIZE;
      out.number = static_cast<std::int64_t>(bytes->count());
    } else if (const Duration* duration = std::get_if<Duration>(&option.value)) {
      out.type = PINION_OPTION_DURATION;
      out.number = duration->count();
    } else if (const std::string* text = std::get_if<std::string>(&option.value)) {
      out.type = PINION_OPTION_TEXT;
      out.text = text->c_str();
    } else if (const auto* list = std::get_if<std::vector<std::string>>(&option.value)) {
      out.type = PINION_OPTION_LIST;
      set_list(out, *list);
    }
    options_.push_back(out);
  }
}

void PluginOptions::set_list(pinion_option& option, const std::vector<std::string>& values) {
  auto& texts = lists_.emplace_back();
  for (const std::string& value : values) texts.push_back(value.c_str());
  option.count = static_cast<std::uint32_t>(texts.size());
  option.list = texts.data();
}

}  // namespace pinion::host
