#include <fmt/format.h>

#include <algorithm>
#include <pinion/host/plugins/extras.hpp>
#include <pinion/host/plugins/gates.hpp>
#include <pinion/host/plugins/options.hpp>

namespace pinion::host {
namespace {

constexpr std::uint32_t most_samples = 256;
constexpr std::uint32_t most_items = 4096;  // parts or fields of a sample

std::string text_or_empty(const char* text) {
  return text ? text : "";
}

pinion_fact_sink fact_sink(const FactFn& fact) {
  return {const_cast<FactFn*>(&fact), [](void* context, const char* key, const char* value) {
            (*static_cast<const FactFn*>(context))(text_or_empty(key), text_or_empty(value));
          }};
}

}  // namespace

Result<KeysPlugin> KeysPlugin::open(std::shared_ptr<Instance> instance) {
  auto table = instance->table<pinion_keys>();
  if (!table) return table.status();
  return KeysPlugin(std::move(instance), *table);
}

Status KeysPlugin::generate(const Kind& kind, const std::filesystem::path& dir, const std::string& toxic_label,
                            const pinion_call* call, const FactFn& fact) const {
  const pinion_fact_sink sink = fact_sink(fact);
  return instance_->call("generate", [&](pinion_error* err) {
    return table_.generate(instance_->self(), kind.raw, dir.c_str(),
                           toxic_label.empty() ? nullptr : toxic_label.c_str(), call, &sink, err);
  });
}

Status KeysPlugin::check(const Kind& kind, const std::filesystem::path& dir, const pinion_call* call,
                         const FactFn& fact) const {
  const pinion_fact_sink sink = fact_sink(fact);
  return instance_->call("check", [&](pinion_error* err) {
    return table_.check(instance_->self(), kind.raw, dir.c_str(), call, &sink, err);
  });
}

Status KeysPlugin::describe(const std::filesystem::path& file, const FactFn& fact) const {
  const pinion_fact_sink sink = fact_sink(fact);
  return instance_->call(
      "describe", [&](pinion_error* err) { return table_.describe(instance_->self(), file.c_str(), &sink, err); });
}

Result<SamplesPlugin> SamplesPlugin::open(std::shared_ptr<ProofPlugin> proof) {
  auto table = proof->instance().table<pinion_samples>();
  if (!table) return table.status();
  return SamplesPlugin(std::move(proof), *table);
}

std::vector<SampleInput> SamplesPlugin::list() const {
  std::uint32_t count = 0;
  const pinion_sample* const* theirs = nullptr;
  const Instance& instance = proof_->instance();
  (void)instance.call("list", [&] { theirs = table_.list(instance.self(), &count); });
  std::vector<SampleInput> out;
  for (std::uint32_t i = 0; theirs != nullptr && i < std::min(count, most_samples); ++i)
    if (auto sample = read_sample(theirs[i])) out.push_back(*std::move(sample));
  return out;
}

// Nothing for a sample that cannot be proved: it is of no use, and no reason to do without the plugin.
std::optional<SampleInput> SamplesPlugin::read_sample(const pinion_sample* raw) const {
  pinion_sample theirs{};
  if (raw == nullptr || !adopt_struct(raw, proof_->id(), "a pinion_sample", theirs).ok()) return std::nullopt;
  const auto& kinds = proof_->kinds();
  const auto kind =
      std::find_if(kinds.begin(), kinds.end(), [&](const Kind& known) { return known.raw == theirs.kind; });
  if (kind == kinds.end() || theirs.part_count > most_items || theirs.field_count > most_items) return std::nullopt;
  if ((theirs.parts == nullptr && theirs.part_count != 0) || (theirs.fields == nullptr && theirs.field_count != 0))
    return std::nullopt;
  SampleInput sample;
  sample.title = text_or_empty(theirs.title);
  sample.kind = &*kind;
  sample.parts.assign(theirs.parts, theirs.parts + theirs.part_count);
  sample.fields.assign(theirs.fields, theirs.fields + theirs.field_count);
  const auto nameless = [](const char* name) { return name == nullptr; };
  if (std::any_of(sample.parts.begin(), sample.parts.end(), [&](const auto& part) { return nameless(part.name); }) ||
      std::any_of(sample.fields.begin(), sample.fields.end(), [&](const auto& field) { return nameless(field.key); }))
    return std::nullopt;
  return sample;
}

Result<std::vector<DeclaredOption>> SamplesPlugin::fake_options(const Kind& kind) const {
  std::vector<DeclaredOption> none;
  if (table_.fake_options == nullptr || table_.fake_with == nullptr) return none;  // made for ABI 0.1
  std::uint32_t count = 0;
  const pinion_option_info* const* theirs = nullptr;
  if (auto status = proof_->instance().call(
          "fake_options", [&] { theirs = table_.fake_options(proof_->instance().self(), kind.raw, &count); });
      !status.ok())
    return status;
  const auto options = read_options(theirs, count, proof_->id());
  if (!options) return options.status();
  return declared_options(*options);
}

Status SamplesPlugin::fake(const Kind& kind, std::uint64_t seed, const PluginTable& chosen,
                           const std::filesystem::path& dir, const pinion_call* call, const FactFn& fact) const {
  const auto declared = fake_options(kind);
  if (!declared) return declared.status();
  const CheckedOptions checked = check_options(kind.id, *declared, &chosen, "option ");
  if (!checked.ok()) return Status(Code::invalid_input, problems_text(checked.problems));
  const PluginOptions options(checked.options);
  const pinion_fact_sink sink = fact_sink(fact);
  return proof_->instance().call("fake", [&](pinion_error* err) {
    void* const self = proof_->instance().self();
    if (table_.fake_with == nullptr) return table_.fake(self, kind.raw, seed, dir.c_str(), call, err);
    const auto values = options.view();
    return table_.fake_with(self, kind.raw, seed, values.data(), static_cast<std::uint32_t>(values.size()), dir.c_str(),
                            call, &sink, err);
  });
}

Result<std::vector<HealthFinding>> examine_health(const Instance& instance) {
  std::vector<HealthFinding> findings;
  if (!instance.offers(PINION_HEALTH)) return findings;
  auto table = instance.table<pinion_health>();
  if (!table) return table.status();
  const pinion_health_sink sink{
      &findings, [](void* context, std::int32_t level, const char* what, const char* found, const char* fix) {
        static_cast<std::vector<HealthFinding>*>(context)->push_back(
            {level, text_or_empty(what), text_or_empty(found), text_or_empty(fix)});
      }};
  if (auto status = instance.call("examine", [&] { table->examine(instance.self(), &sink); }); !status.ok())
    return status;
  return findings;
}

}  // namespace pinion::host
