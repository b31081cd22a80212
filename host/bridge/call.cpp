#include <fmt/format.h>
#include <pinion/proof.h>

#include <pinion/host/bridge/call.hpp>
#include <pinion/host/memory/borrowings.hpp>
#include <pinion/host/plugins/outcome.hpp>

namespace pinion::host {
namespace {

class Call final : public PluginCall {
 public:
  Call(const BridgeParts& parts, const CallSetup& setup)
      : parts_(parts), setup_(setup), borrowings_(parts.memory, setup.owner, setup.priority, setup.label) {
    table_.size = sizeof table_;
    table_.context = this;
    fill_table();
  }

  ~Call() override {
    for (const std::string& leak : borrowings_.close()) {
      parts_.metrics
          .counter("pinion_plugin_leaks_total", "things a plugin had not returned when its call ended",
                   {{"plugin", setup_.owner.plugin}})
          .add();
      parts_.log.warn("{}: taken back at the end of a call: {}", setup_.owner.text(), leak);
    }
  }

  const pinion_call* table() const noexcept override { return &table_; }

 private:
  static Call& of(const pinion_call* call) { return *static_cast<Call*>(call->context); }

  void fill_table() {
    table_.cancelled = [](const pinion_call* call) -> std::int32_t { return of(call).setup_.stop.stop_requested(); };
    table_.progress = [](const pinion_call* call, std::uint64_t done, std::uint64_t total) {
      of(call).parts_.progress.progress(of(call).setup_.owner, done, total);
    };
    table_.span_begin = [](const pinion_call* call, const char* name) -> std::uint64_t {
      const Call& self = of(call);
      return self.parts_.spans.begin(name ? name : "?", self.setup_.owner, self.setup_.parent).number();
    };
    table_.span_end = [](const pinion_call* call, std::uint64_t span, std::uint64_t bytes) {
      if (!of(call).parts_.spans.end(SpanId(span), Bytes(bytes)))
        of(call).parts_.log.warn("{}: ended span {}, which is not running", of(call).setup_.owner.text(), span);
    };
    table_.width = [](const pinion_call* call) -> std::uint32_t { return of(call).parts_.threads.width(); };
    table_.parallel = [](const pinion_call* call, std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) {
      of(call).parallel(count, fn, arg);
    };
    table_.reserve = [](const pinion_call* call, std::uint32_t space, std::uint64_t bytes, pinion_error* err) {
      return report_error(err, of(call).reserve(space, bytes));
    };
    table_.unreserve = [](const pinion_call* call, std::uint32_t space, std::uint64_t bytes) {
      of(call).unreserve(space, bytes);
    };
    table_.acquire = [](const pinion_call* call, std::uint64_t bytes, std::uint32_t kinds, pinion_buffer* out,
                        pinion_error* err) { return report_error(err, of(call).acquire(bytes, kinds, *out)); };
    table_.give_back = [](const pinion_call* call, const pinion_buffer* buffer) {
      of(call).must(of(call).borrowings_.give_back(LeaseId(buffer->id)));
    };
    table_.random = [](const pinion_call* call, void* out, std::uint64_t bytes, pinion_error* err) {
      const Call& self = of(call);
      return report_error(err, self.parts_.random.fill(self.setup_.owner, {static_cast<std::uint8_t*>(out),
                                                                           static_cast<std::size_t>(bytes)}));
    };
  }

  void parallel(std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) {
    const bool urgent = setup_.priority >= PINION_PRIORITY_CRITICAL;
    parts_.threads.run(count, fn, arg, urgent ? ThreadPool::Class::urgent : ThreadPool::Class::ordinary);
  }

  // The host's space for a plugin's number of it.
  Result<SpaceId> space_of(std::uint32_t number) const {
    if (number == PINION_SPACE_HOST) return SpaceId::host();
    const std::uint32_t device = number - PINION_SPACE_DEVICE(0);
    if (device < setup_.device_count) return SpaceId::device(setup_.first_device + device);
    return Status(Code::unsupported, fmt::format("there is no space {}; {} has {} devices", number, setup_.owner.plugin,
                                                 setup_.device_count));
  }

  // A plugin decides on two answers only: yes, or not now.
  static Status refusal(const Status& status) {
    if (status.ok() || status.code() == Code::out_of_memory) return status;
    return Status(Code::out_of_memory, status.message());
  }

  Status reserve(std::uint32_t number, std::uint64_t bytes) {
    const auto space = space_of(number);
    return refusal(space ? borrowings_.reserve(*space, Bytes(bytes)) : space.status());
  }

  void unreserve(std::uint32_t number, std::uint64_t bytes) {
    const auto space = space_of(number);
    must(space ? borrowings_.unreserve(*space, Bytes(bytes)) : space.status());
  }

  Status acquire(std::uint64_t bytes, std::uint32_t kinds, pinion_buffer& out) {
    const auto buffer = borrowings_.acquire({Bytes(bytes), SlabKinds{kinds}, {}, "scratch"});
    if (!buffer) return refusal(buffer.status());
    out = {buffer->data, buffer->bytes.count(), static_cast<std::uint32_t>(buffer->kind), 0, buffer->id.number()};
    return {};
  }

  // Functions without a status can only be told to the operator.
  void must(const Status& status) const {
    if (!status.ok()) parts_.log.warn("{} broke a rule: {}", setup_.owner.text(), status.message());
  }

  const BridgeParts& parts_;
  const CallSetup setup_;
  Borrowings borrowings_;
  pinion_call table_{};
};

}  // namespace

std::unique_ptr<PluginCall> Bridge::make_call(const CallSetup& setup) {
  return std::make_unique<Call>(parts_, setup);
}

}  // namespace pinion::host
