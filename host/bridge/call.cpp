#include <fmt/format.h>
#include <pinion/proof.h>

#include <atomic>
#include <chrono>
#include <pinion/host/bridge/call.hpp>
#include <pinion/host/bridge/call_spans.hpp>
#include <pinion/host/memory/borrowings.hpp>
#include <pinion/host/plugins/outcome.hpp>
#include <thread>

namespace pinion::host {
namespace {

class Call;

// What a plugin holds of a call. It outlives the call by a while, and knows whether it has ended: a function used too
// late, from a thread that the plugin forgot, is refused and reported instead of running into freed memory.
struct CallHandle {
  CallHandle(const BridgeParts& the_parts, std::string the_owner) : parts(the_parts), owner(std::move(the_owner)) {}
  pinion_call table{};
  const BridgeParts& parts;
  const std::string owner;
  std::atomic<Call*> call{nullptr};
  std::atomic<std::uint32_t> inside{0};  // functions of the table at work
  std::atomic<bool> reported{false};
};

// A function of the table at work; the call does not end meanwhile.
class Inside {
 public:
  explicit Inside(const pinion_call* table) : handle_(*static_cast<CallHandle*>(table->context)) {
    handle_.inside.fetch_add(1);
    call_ = handle_.call.load();
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;
  ~Inside() { handle_.inside.fetch_sub(1); }

  // nullptr: it has ended.
  Call* call() const noexcept { return call_; }
  Status ended(const char* function) const {
    Status status(Code::internal, fmt::format("{} used {} of a call that has ended; this is a defect of the plugin",
                                              handle_.owner, function));
    if (!handle_.reported.exchange(true)) handle_.parts.log.error("{}", status.message());
    return status;
  }

 private:
  CallHandle& handle_;
  Call* call_;
};

// Calls f(call); for a call that has ended, or where the host has no memory left to say more, the answer is `refused`.
template <class R, class F>
R with_call(const pinion_call* table, const char* function, R refused, F&& f) noexcept {
  try {
    const Inside inside(table);
    if (inside.call() != nullptr) return f(*inside.call());
    (void)inside.ended(function);
  } catch (const std::exception&) {
    // bad_alloc: whoever asked gets the answer that changes nothing.
  }
  return refused;
}

// The same for functions that give a status.
template <class F>
pinion_status status_of(const pinion_call* table, const char* function, pinion_error* err, F&& f) noexcept {
  try {
    const Inside inside(table);
    return report_error(err, inside.call() != nullptr ? f(*inside.call()) : inside.ended(function));
  } catch (const std::exception& error) {
    return report_error(err, Status(Code::out_of_memory, error.what()));
  }
}

class Call final : public PluginCall {
 public:
  Call(const BridgeParts& parts, const CallSetup& setup, EndedCalls& ended)
      : parts_(parts),
        setup_(setup),
        ended_(ended),
        borrowings_(parts.memory, setup.owner, setup.priority, setup.label),
        spans_(parts.spans, setup_.owner, setup.parent),
        handle_(std::make_shared<CallHandle>(parts, setup.owner.text())) {
    handle_->table.size = sizeof handle_->table;
    handle_->table.context = handle_.get();
    handle_->call = this;
    fill(handle_->table);
  }

  ~Call() override {
    handle_->call = nullptr;
    while (handle_->inside.load() != 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
    for (const std::string& leak : borrowings_.close()) {
      parts_.metrics
          .counter("pinion_plugin_leaks_total", "things a plugin had not returned when its call ended",
                   {{"plugin", setup_.owner.plugin}})
          .add();
      parts_.log.warn("{}: taken back at the end of a call: {}", setup_.owner.text(), leak);
    }
    ended_.keep(std::move(handle_));
  }

  const pinion_call* table() const noexcept override { return &handle_->table; }

 private:
  static void fill(pinion_call& table) {
    table.cancelled = [](const pinion_call* call) -> std::int32_t {
      return with_call(call, "cancelled", 1, [](Call& self) { return self.setup_.stop.stop_requested() ? 1 : 0; });
    };
    table.progress = [](const pinion_call* call, std::uint64_t done, std::uint64_t total) {
      with_call(call, "progress", 0, [&](Call& self) {
        self.parts_.progress.progress(self.setup_.owner, done, total);
        return 0;
      });
    };
    table.span_begin = [](const pinion_call* call, const char* name) -> std::uint64_t {
      return with_call(call, "span_begin", std::uint64_t{0},
                       [&](Call& self) { return self.spans_.begin(name ? name : "?").number(); });
    };
    table.span_end = [](const pinion_call* call, std::uint64_t span, std::uint64_t bytes) {
      with_call(call, "span_end", 0, [&](Call& self) {
        if (!self.spans_.end(SpanId(span), Bytes(bytes)))
          self.parts_.log.warn("{}: ended span {}, which is not running", self.setup_.owner.text(), span);
        return 0;
      });
    };
    table.width = [](const pinion_call* call) -> std::uint32_t {
      return with_call(call, "width", 1u, [](Call& self) { return self.parts_.threads.width(); });
    };
    table.parallel = parallel;
    table.reserve = [](const pinion_call* call, std::uint32_t space, std::uint64_t bytes, pinion_error* err) {
      return status_of(call, "reserve", err, [&](Call& self) { return self.reserve(space, bytes); });
    };
    table.unreserve = [](const pinion_call* call, std::uint32_t space, std::uint64_t bytes) {
      with_call(call, "unreserve", 0, [&](Call& self) {
        self.unreserve(space, bytes);
        return 0;
      });
    };
    table.acquire = [](const pinion_call* call, std::uint64_t bytes, std::uint32_t kinds, pinion_buffer* out,
                       pinion_error* err) {
      return status_of(call, "acquire", err, [&](Call& self) { return self.acquire(bytes, kinds, out); });
    };
    table.give_back = [](const pinion_call* call, const pinion_buffer* buffer) {
      with_call(call, "give_back", 0, [&](Call& self) {
        self.must(buffer ? self.borrowings_.give_back(LeaseId(buffer->id)) : null_pointer("give_back", "buffer"));
        return 0;
      });
    };
    table.random = [](const pinion_call* call, void* out, std::uint64_t bytes, pinion_error* err) {
      return status_of(call, "random", err, [&](Call& self) {
        if (out == nullptr && bytes != 0) return null_pointer("random", "out");
        return self.parts_.random.fill(self.setup_.owner,
                                       {static_cast<std::uint8_t*>(out), static_cast<std::size_t>(bytes)});
      });
    };
  }

  // What `fn` lets out is the plugin's own to catch, so nothing is caught here. Its loop runs even in a call that has
  // ended: half a loop would be half a result.
  static void parallel(const pinion_call* call, std::uint64_t count, void (*fn)(void*, std::uint64_t), void* arg) {
    const Inside inside(call);
    if (fn == nullptr) {
      if (inside.call() != nullptr) inside.call()->must(null_pointer("parallel", "fn"));
    } else if (inside.call() != nullptr) {
      Call& self = *inside.call();
      const bool urgent = self.setup_.priority >= PINION_PRIORITY_CRITICAL;
      const auto waited =
          self.parts_.threads.run(count, fn, arg, urgent ? ThreadPool::Class::urgent : ThreadPool::Class::ordinary);
      constexpr auto worth_a_span = std::chrono::milliseconds(1);
      if (waited >= worth_a_span) self.spans_.add("barrier wait", waited);
    } else {
      (void)inside.ended("parallel");
      for (std::uint64_t i = 0; i < count; ++i) fn(arg, i);
    }
  }

  static Status null_pointer(const char* function, const char* what) {
    return {Code::invalid_input, fmt::format("{}: {} is a null pointer", function, what)};
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

  Status acquire(std::uint64_t bytes, std::uint32_t kinds, pinion_buffer* out) {
    if (out == nullptr) return null_pointer("acquire", "out");
    const auto buffer = borrowings_.acquire({Bytes(bytes), SlabKinds{kinds}, {}, "scratch"});
    if (!buffer) return refusal(buffer.status());
    *out = {buffer->data, buffer->bytes.count(), static_cast<std::uint32_t>(buffer->kind), 0, buffer->id.number()};
    return {};
  }

  // Functions without a status can only be told to the operator.
  void must(const Status& status) const {
    if (!status.ok()) parts_.log.warn("{} broke a rule: {}", setup_.owner.text(), status.message());
  }

  const BridgeParts& parts_;
  const CallSetup setup_;
  EndedCalls& ended_;
  Borrowings borrowings_;
  CallSpans spans_;
  std::shared_ptr<CallHandle> handle_;
};

}  // namespace

void EndedCalls::keep(std::shared_ptr<void> handle) {
  const std::lock_guard lock(mutex_);
  handles_.push_back(std::move(handle));
  if (handles_.size() > most_) handles_.pop_front();
}

std::unique_ptr<PluginCall> Bridge::make_call(const CallSetup& setup) {
  return std::make_unique<Call>(parts_, setup, ended_);
}

}  // namespace pinion::host
